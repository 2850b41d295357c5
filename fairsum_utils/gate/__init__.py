"""Rules that results must meet, and their verdicts."""
