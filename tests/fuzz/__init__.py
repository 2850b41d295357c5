"""Fuzzing: nasty input must score, and wrong input must be refused in one line; see `python -m tests.fuzz --help`.

Everything is drawn from a `random.Random`, which Hypothesis makes in the short run within pytest, and a seed in long
runs. Measures, columns, settings and formats come from the registry: a new one is fuzzed without a line here.
"""
