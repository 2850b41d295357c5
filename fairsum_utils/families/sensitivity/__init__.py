"""Sensitivity of summaries to the person or the order of the sources.

Data flows one way: texts -> `SensitivityScorer` -> rows -> `SensitivityTable` -> `aggregate` -> result. Each measure
has a file of its name here, whose `TALLY` says what it takes from the texts and what it makes of that.
"""
