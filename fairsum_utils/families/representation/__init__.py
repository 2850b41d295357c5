"""Representation measures: BUR, UER, AUC and SOF (papers/fairsumm-v1, -v2).

Data flows one way: texts -> `scorer` -> `rows` with their table -> `results`; `settings` and `family` tell the fronts.
"""
