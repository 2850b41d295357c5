"""Representation measures: BUR, UER, AUC and SOF (Zhang et al. 2024).

Data flows one way: texts -> `scorer` -> `rows` with their table -> `results`; `settings` and `family` tell the fronts.
"""
