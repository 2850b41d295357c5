"""Fuzzing: nasty input must score, and wrong input must be refused in one line.

Everything is drawn from a `random.Random`, which a seed makes. Measures, columns, settings and formats come from the
registry: a new one is fuzzed without a line here.
"""
