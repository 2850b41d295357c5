"""Polarity of generated text: sentiment, toxicity, regard, gender polarity and psycholinguistic norms (papers/bold).

Data flows one way: texts -> `scorer` -> `rows` with their table -> `results`; `settings` and `family` tell the fronts.
"""
