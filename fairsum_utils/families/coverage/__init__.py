"""Coverage measures: Equal Coverage and Coverage Parity (Li et al. 2025).

Data flows one way: texts -> `scorer` -> `rows` with their table -> `results`; `settings` and `family` tell the fronts.
"""
