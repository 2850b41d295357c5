"""Fuzzing: nasty input that must score, and wrong input that must be refused in one line; `python -m tests.fuzz --help`.

Everything is drawn from a `random.Random`, which is Hypothesis's own in the short run within pytest, and a seeded one in
long runs. Measures, columns and settings come from the registry: a new one is fuzzed without a line here.
"""
