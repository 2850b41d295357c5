"""The analyses of Investigating bias in news summaries."""
