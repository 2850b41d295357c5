"""The analyses of BOLD."""
