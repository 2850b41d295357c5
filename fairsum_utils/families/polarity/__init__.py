"""Polarity measures: sentiment, toxicity, regard, gender polarity, psycholinguistic norms (papers/bold).

Data flows one way: texts -> `scorer` -> `rows` with their table -> `results`; `settings` and `family` tell the fronts.
"""
