"""Analyses of the paper on coverage-based fairness, beyond its two measures."""
