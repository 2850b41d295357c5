"""Coverage measures: Equal Coverage and Coverage Parity (papers/coverage-fairness).

Data flows one way: texts -> `scorer` -> `rows` with their table -> `results`; `settings` and `family` tell the fronts.
"""
