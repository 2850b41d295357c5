"""Framing measures: changed sentiment, and positions of the content (arXiv 2507.03194).

Data flows one way: texts -> `scorer` -> `rows` with their table -> `results`; `settings` and `family` tell the fronts.
"""
