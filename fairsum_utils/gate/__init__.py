"""Rules that results must meet, verdicts and sample sizes."""
