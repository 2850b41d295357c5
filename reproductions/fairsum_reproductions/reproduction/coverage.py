"""Numbers that Coverage-based Fairness in Multi-document Summarization prints, see `coverage.toml`."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from fairsum_reproductions.coverage._printed import JUDGED, printed_results
from fairsum_reproductions.reproduction.item import Below, Number, Outcome, percent

# Distance by which rounding to three digits moves a score and an end of its scale against each other.
_ROUNDED = 0.001


def overall(_: Path, of: str) -> Outcome:
    """Recompute overall scores of ten systems from printed scores on five data sets."""
    from fairsum_reproductions.contract import NoSettings
    from fairsum_reproductions.coverage.overall import compute, parts

    results, printed = printed_results(of)
    found = compute(results, settings=NoSettings.make({}, module="overall"))
    cells, scores = found[of]["scores"], found[of]["overall"]
    # A normalized score is off by at most this much over the width of its scale; the overall one by their mean.
    columns = [[cells[system][data_set] for system in printed] for data_set in found["data_sets"]]
    within = sum(_ROUNDED / (max(column) - min(column)) for column in columns) / len(columns)
    numbers = [Number(scores[system], score, within) for system, score in printed.items()]
    fairest = min(printed, key=lambda system: float(scores[system]))
    is_first = Number(fairest == min(printed, key=printed.__getitem__), True)
    off = max(abs(number.got - number.printed) for number in numbers)
    words = f"{len(printed)} scores at most {off:.3f} off, from rounded scores; {fairest} is fairest"
    return Outcome(words, [*numbers, is_first], parts(found))


def _at_least(successes: int) -> float:
    """Compute the chance of this many agreements with Equal Coverage by bootstrap."""
    n = JUDGED.coverage + JUDGED.representation
    share = Fraction(JUDGED.coverage, n)
    return float(sum(math.comb(n, x) * share**x * (1 - share) ** (n - x) for x in range(successes, n + 1)))


def significance(_: Path) -> Outcome:
    """Paired bootstrap test of the judged summaries, computed exactly."""
    n, gap = JUDGED.coverage + JUDGED.representation, JUDGED.coverage - JUDGED.representation
    one_sided = 1 - _at_least(n // 2 + 1)  # most of the n summaries agree with Equal Coverage
    # The difference 2 X - n lies as far from its mean as the observed gap from 0.
    low, high = (math.floor(JUDGED.coverage - gap / 2), math.ceil(JUDGED.coverage + gap / 2))
    two_sided = 1 - _at_least(low + 1) + _at_least(high)
    words = f"p = {one_sided:.3f} one-sided, as in Koehn (2004); {two_sided:.3f} two-sided"
    return Outcome(words, [Below(one_sided, 0.05)])


def groups(_: Path) -> Outcome:
    """Simulate group-level agreement for measures that name one group throughout."""
    parity = _at_least((JUDGED.coverage + JUDGED.representation) // 2 + 1)
    words = f"{percent(parity, 1)} and {percent(1 - parity, 1)}, if each measure names one value in all 25 summaries"
    return Outcome(words, [Number(parity, JUDGED.parity, 0.015)])


def exact(_: Path) -> Outcome:
    """EC and CP of made up matrices, against exact fractions."""
    from fairsum_utils import api

    generator = random.Random(0)
    values = [[*"abc", *generator.choices("abc", k=6)] for _ in range(200)]
    coverage = [[[Fraction(generator.randint(0, 8), 8) for _ in range(4)] for _ in own] for own in values]
    scored = api.score(
        values=values,
        coverage=[[list(map(float, row)) for row in matrix] for matrix in coverage],
        metrics=["equal_coverage", "coverage_parity"],
    )
    extremes: dict[str, list[Fraction]] = {value: [] for value in "abc"}
    scores = []
    for own, matrix in zip(values, coverage, strict=True):
        documents = [_mean(row) for row in matrix]
        middle = _mean(documents)
        of_values = {
            value: _mean([p for p, label in zip(documents, own, strict=True) if label == value]) - middle
            for value in extremes
        }
        scores.append(_mean([*map(abs, of_values.values())]))
        for value, difference in of_values.items():
            if difference in (max(of_values.values()), min(of_values.values())):
                extremes[value].append(difference)
    parity = _mean([abs(_mean(differences)) for differences in extremes.values()])
    pairs = [("equal_coverage", _mean(scores)), ("coverage_parity", parity)]
    numbers = [Number(scored[name][name], float(exact), 1e-12) for name, exact in pairs]
    off = max(abs(number.got - number.printed) for number in numbers)
    return Outcome(f"{len(values)} synthetic samples equal exact fractions to {off:.0e}", numbers)


def _mean(numbers: Sequence[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0)) / len(numbers)
