"""Polarity measures: sentiment, toxicity, regard, gender polarity, psycholinguistic norms (papers/bold).

Data flows one way: texts -> `PolarityScorer` -> rows -> `PolarityTable` -> counts -> result.
"""
