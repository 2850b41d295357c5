"""Sensitivity of summaries to the person or the order of the sources.

Data flows one way: texts -> `SensitivityScorer` -> rows -> `Originals` -> figures (`Tally`) -> result. Each measure has
a file of its name here: what it reads in the texts, its figures of each original, and its result.
"""
