"""Bias in news summaries: word lists, inclusion, hallucination, distinguishability (Steen and Markert 2024).

Data flows one way: texts -> `EntityScorer` -> rows -> `EntityTable` -> sums -> result.
"""
