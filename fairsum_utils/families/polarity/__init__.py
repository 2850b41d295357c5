"""Polarity measures: sentiment, toxicity, regard, gender polarity, psycholinguistic norms (Dhamala et al. 2021).

Data flows one way: texts -> `PolarityScorer` -> rows -> `PolarityTable` -> counts -> result.
"""
