"""Bias in news summaries: word lists, inclusion, hallucination, distinguishability (news-summarization-bias).

Data flows one way: texts -> `EntityScorer` -> rows -> `EntityTable` -> sums -> result.
"""
