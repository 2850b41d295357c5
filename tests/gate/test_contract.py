"""Verdicts are what a few lines of arithmetic say, on random results."""

from __future__ import annotations

import math
import operator
import random
from collections import Counter
from fractions import Fraction
from typing import Any, NamedTuple

from fairsum_utils import check
from tests._gate import FEW, TRUNCATED, entries, scored

SIGNS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


class Known(NamedTuple):
    """A number that a rule can be about, its interval, and whether few samples are behind it."""

    name: str
    number: float
    ends: tuple[float, float] | None = None
    few: bool = False


def drawn(rng: random.Random, label: str) -> tuple[dict[str, Any], list[Known]]:
    """A result, with decimals of two digits, so that numbers meet bounds."""
    score = math.nan if rng.random() < 0.1 else rng.randrange(0, 101) / 100
    low, high = sorted(rng.randrange(0, 101) / 100 for _ in "ab")
    ends = None if rng.random() < 0.2 else (low, math.nan if math.isnan(score) else high)
    few = rng.random() < 0.2
    n = rng.randrange(1, 20) if few else rng.randrange(20, 200)
    warnings = [FEW] * few + [TRUNCATED] * (rng.random() < 0.3)
    by_value = {value: rng.randrange(0, 101) / 100 for value in ("pos", "neg é", "n_x")}
    result = entries("bur", score, ends, n=n, warnings=warnings, bur_by_value=by_value)
    name = f"'{label}'"
    return result, [
        Known(name, score, ends, few),
        *(Known(f'{name}.by_value["{value}"]', number, None, few) for value, number in by_value.items()),
        Known(f"{name}.n_samples", n),
        Known(f"{name}.warnings", len(warnings)),
    ]


def rule_on(rng: random.Random, known: Known) -> tuple[str, str]:
    """A rule, and its outcome by arithmetic of its own."""
    bound = rng.randrange(0, 101) / 100 if known.number <= 1 or math.isnan(known.number) else rng.randrange(200)
    if known.ends is None or rng.random() < 0.4:
        sign = rng.choice([*SIGNS])
        return f"{known.name} {sign} {bound}", expected(known.number, known.number, sign, bound, known.few)
    place, sign = rng.randrange(2), rng.choice([*SIGNS][:4])
    outcome = expected(known.ends[place], known.ends[1 - place], sign, bound, known.few)
    return f"{known.name}.ci_{('low', 'high')[place]} {sign} {bound}", outcome


def expected(named: float, other: float, sign: str, bound: float, few: bool) -> str:
    if math.isnan(named) or math.isnan(other) or few:
        return "undecided"
    holds, holds_at_other = (SIGNS[sign](Fraction(str(number)), Fraction(str(bound))) for number in (named, other))
    return "pass" if holds else "undecided" if holds_at_other else "fail"


def rules_on_change(rng: random.Random, after: Known, before: Known) -> list[tuple[str, str]]:
    """Rules on a score and on its interval, less those of the baseline; and their outcomes."""
    few, change = after.few or before.few, math.nan
    if not math.isnan(after.number) and not math.isnan(before.number):
        change = float(Fraction(str(after.number)) - Fraction(str(before.number)))
    sign, bound = rng.choice([*SIGNS]), rng.choice([0, 0.1, -0.1, 0 if math.isnan(change) else change])
    rules = [(f"{after.name} - baseline {sign} {bound}", expected(change, change, sign, bound, few))]
    low = high = math.nan
    if after.ends is not None and before.ends is not None:
        low = change - math.hypot(max(0, after.number - after.ends[0]), max(0, before.ends[1] - before.number))
        high = change + math.hypot(max(0, after.ends[1] - after.number), max(0, before.number - before.ends[0]))
    rules.append((f"({after.name} - baseline).ci_high < 0.123", expected(high, low, "<", 0.123, few)))
    return rules


def test_verdicts_are_those_of_arithmetic() -> None:
    outcomes: Counter[str] = Counter()
    for seed in range(120):
        rng = random.Random(seed)
        pairs = {label: drawn(rng, label) for label in rng.sample(["bur", "bur@0.9", "a|b", "x y", "é"], 2)}
        results = scored(**{label: result for label, (result, _) in pairs.items()})
        rules = [rule_on(rng, rng.choice(pairs[rng.choice([*pairs])][1])) for _ in range(3)]
        label, (_, (after, *_)) = next(iter(pairs.items()))
        baseline, (before, *_) = drawn(rng, label)
        rules += rules_on_change(rng, after, before)
        least, more = min(result["n_samples"] for result, _ in pairs.values()), rng.randrange(2)
        rules.append((f"n_samples >= {least + more}", "fail" if more else "pass"))
        verdicts = check(results, [rule for rule, _ in rules], scored(**{label: baseline})).verdicts
        assert [(verdict.rule, verdict.outcome) for verdict in verdicts] == rules, seed
        outcomes.update(outcome for _, outcome in rules)
    assert min(outcomes.values()) > 100
