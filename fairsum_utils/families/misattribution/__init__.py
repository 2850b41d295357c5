"""Misattribution: claims of a summary that its sources support for another speaker.

Data flows one way: texts -> `names`, `claims` -> `scorer` -> `rows` with their table -> `results`.
"""
