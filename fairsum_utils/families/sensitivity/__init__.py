"""Sensitivity: does a summary change when only the person is changed, or only the order, more than by itself?

Data flows one way: texts -> `SensitivityScorer` -> rows -> `SensitivityTable` -> `aggregate` -> result. Each measure
has a file of its name here, whose `TALLY` says what it takes from the texts and what it makes of that.
"""
