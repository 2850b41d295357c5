"""Rules that results must meet, verdicts, sample sizes and monitors."""
