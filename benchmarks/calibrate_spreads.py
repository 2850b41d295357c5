"""Coverage of 95 % intervals of absolute differences and spreads.

    python benchmarks/calibrate_spreads.py [--data-sets 500] [--output results.json]

Groups are equal or not. A fair system has the score 0, the end of the range, which percentiles of the score almost
never contain. Each row has the share of data sets whose interval contains the truth, for percentiles as a baseline and
for the method of the library, see `fairsum_utils.stats.intervals`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from harness import finish, make_parser

from fairsum_utils.families.entities.results import ENGINE
from fairsum_utils.families.entities.rows import EntityRow, EntityTable, SourcePerson
from fairsum_utils.families.polarity.results import size_interval
from fairsum_utils.measures.coverage_parity import coverage_parity, extreme_differences
from fairsum_utils.measures.entity_hallucination import entity_hallucination
from fairsum_utils.measures.entity_inclusion import EntityInclusion, entity_inclusion, inclusion_shares, odds
from fairsum_utils.measures.sof import sof
from fairsum_utils.measures.word_list_inclusion import share_differences, word_list_inclusion
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.bootstrap import expanded_interval
from fairsum_utils.stats.intervals import FEWEST_FOR_SPREADS, Ends, drawn_interval, folded, is_by_chance

LEVEL = 0.95
N_RESAMPLES = 1_000
FEW, MANY = (20, 50, 200), (FEWEST_FOR_SPREADS, 500)
# Size of a data set that tells the truth.
LARGE = 400_000


class Case(NamedTuple):
    """A measure on data of one kind.

    Attributes:
        draw: number of units and bias -> their columns, shape (units, columns).
        score: column sums, shape (..., columns), to the measure.
        signed: column sums to each group's figure, 0 if it is fair, shape (..., groups).
        spread: these figures to the measure.
        sizes: units of a data set.
        as_score: end of the interval of the first group's figure, at least 0, to the measure's.
        is_folded: the measure of two groups is their absolute difference.
        library: columns to the library's interval, where it does not come from draws of these figures.
    """

    name: str
    draw: Callable[[int, float], Floats]
    score: Callable[[Floats], Floats]
    signed: Callable[[Floats], Floats]
    spread: Callable[[Floats], Floats]
    sizes: tuple[int, ...]
    as_score: Callable[[float], float] = float
    is_folded: bool = True
    library: Callable[[Floats], Ends] | None = None

    def ends(self, columns: Floats, draws: Floats, n_groups: int) -> tuple[Ends, Ends]:
        """Compute the interval of percentiles, and that of the library."""
        sums, replicates = columns.sum(axis=0), draws @ columns
        score, scores, n = float(self.score(sums)), self.score(replicates), len(columns)
        percentiles = expanded_interval(scores, LEVEL, n)
        if self.library is not None:
            return percentiles, self.library(columns)
        if n_groups == 2 and self.is_folded:
            first, firsts = float(self.signed(sums)[0]), self.signed(replicates)[:, 0]
            low, high = folded(drawn_interval(first, firsts, LEVEL, n, (-np.inf, np.inf)))
            return percentiles, (self.as_score(low), self.as_score(high))
        low, high = drawn_interval(score, scores, LEVEL, n, (0.0, np.inf), is_spread=True)
        centered = self.spread(self.signed(replicates) - self.signed(sums))
        return percentiles, (0.0 if is_by_chance(score, centered, LEVEL) else low, high)


def halved(columns: Floats) -> tuple[Floats, Floats]:
    first, second = np.split(columns, 2, axis=-1)
    return first, second


def tilted(n_groups: int, bias: float) -> Floats:
    """Return what the bias adds to each group; the sum is 0."""
    return bias * np.linspace(0.5, -0.5, n_groups)


def of_inclusion(columns: Floats) -> Ends:
    """Compute the interval of entity inclusion from the persons of two groups by original."""
    rows = [
        EntityRow(place, str(place), entities=tuple(
            SourcePerson(group, person < inside)
            for group, inside, persons in zip("fm", own[:2], own[2:], strict=True) for person in range(persons)
        ))
        for place, own in enumerate(columns.astype(int).tolist())
    ]  # fmt: skip
    settings = EntityInclusion(confidence_level=LEVEL, n_permutations=1).seeded()
    sums = ENGINE.sums_of(EntityTable(rows), [settings.name], settings)
    low, high = ENGINE.scores[settings.name](sums, settings).result({})["entity_inclusion_ci"]
    return low, high


def of_labels(columns: Floats) -> Ends:
    """Compute the interval of a label's difference between two groups of texts."""
    first, second = halved(columns.sum(axis=0).astype(int))
    a, b = zip(first.tolist(), second.tolist(), strict=True)
    return size_interval(a, b, LEVEL)


def distance(signed: Floats) -> Floats:
    return np.asarray(np.abs(signed).sum(axis=-1) / 2)


def cases(n_groups: int, generator: np.random.Generator) -> list[Case]:
    """Make the cases of a number of groups."""

    def counted(n: int, shares: Floats, mean: float) -> Floats:
        busy = generator.gamma(2.0, mean / 2.0, size=(n, 1))  # originals differ in length
        return generator.poisson(busy * shares).astype(np.float64)

    def words(n: int, bias: float) -> Floats:
        even = np.full(n_groups, 1 / n_groups)
        return np.hstack([counted(n, even + tilted(n_groups, bias), 6.0), counted(n, even, 40.0)])

    def persons(n: int, bias: float) -> Floats:
        shift = generator.normal(scale=1.0, size=(n, 1)) + tilted(n_groups, bias)
        there = generator.integers(1, 6, size=(n, n_groups))
        return np.hstack([generator.binomial(there, 1 / (1 + np.exp(-shift))), there]).astype(np.float64)

    def invented(n: int, bias: float) -> Floats:
        return counted(n, 1 / n_groups + tilted(n_groups, bias), 2.0)

    def lacks(n: int, bias: float) -> Floats:
        there = generator.random((n, n_groups)) < 0.8
        shortfalls = np.clip(generator.normal(0.3 + tilted(n_groups, bias), 0.1, (n, n_groups)), 0, 1)
        return np.hstack([shortfalls * there, there])

    def covered(n: int, bias: float) -> Floats:
        documents = generator.integers(1, 4, (n, n_groups))
        shares = np.clip(generator.normal(0.5 + tilted(n_groups, bias), 0.1, (n, n_groups)), 0, 1)
        signs = shares - (shares * documents).sum(1, keepdims=True) / documents.sum(1, keepdims=True)
        extreme = extreme_differences(signs)
        return np.hstack([np.where(extreme, signs, 0.0), extreme])

    def rare(n: int, bias: float) -> Floats:
        shift = -3.0 + tilted(n_groups, bias)  # so rare that often no person of a group is mentioned
        return np.hstack([generator.random((n, n_groups)) < 1 / (1 + np.exp(-shift)), np.ones((n, n_groups))])

    def labelled(share: float) -> Callable[[int, float], Floats]:
        def draw(n: int, bias: float) -> Floats:
            is_of = np.arange(n)[:, None] % n_groups == np.arange(n_groups)
            return np.hstack([is_of & (generator.random((n, n_groups)) < share + tilted(n_groups, bias)), is_of])

        return draw

    def log_odds(sums: Floats) -> Floats:
        found = np.log(odds(inclusion_shares(*halved(sums))))
        return np.asarray(found - found[..., -1:])

    def means(sums: Floats) -> Floats:
        totals, counts = halved(sums)
        return np.asarray(totals / counts)

    def from_mean(sums: Floats) -> Floats:
        found = means(sums)
        return np.asarray(found - found.mean(axis=-1, keepdims=True))

    found = [
        Case("word_list_inclusion", words, lambda sums: word_list_inclusion(*halved(sums)),
             lambda sums: share_differences(*halved(sums)), distance, FEW),
        Case("entity_inclusion", persons, lambda sums: entity_inclusion(*halved(sums)), log_odds,
             lambda signed: np.expm1(np.ptp(signed, axis=-1)), FEW, lambda end: float(np.expm1(end))),
        Case("entity_hallucination", invented, entity_hallucination,
             lambda sums: sums / sums.sum(axis=-1, keepdims=True) - 1 / n_groups, distance, FEW),
        Case("sof", lacks, lambda sums: sof(*halved(sums)), from_mean,
             lambda signed: np.abs(signed - signed.mean(axis=-1, keepdims=True)).mean(axis=-1), MANY),
    ]  # fmt: skip
    if n_groups == 2:
        found.append(found[1]._replace(name="entity_inclusion, rare", draw=rare, library=of_inclusion))
        found += [
            Case(f"polarity, share {share}", labelled(share), lambda sums: np.abs(np.diff(means(sums)))[..., 0],
                 from_mean, distance, FEW, library=of_labels)
            for share in (0.06, 0.3, 0.5)
        ]  # fmt: skip
    else:
        found = [case._replace(sizes=MANY) for case in found]
    found.append(Case("coverage_parity", covered, lambda sums: coverage_parity(*halved(sums)), means,
                      lambda signed: np.abs(signed).mean(axis=-1), MANY, is_folded=False))  # fmt: skip
    return found


def calibrate(case: Case, n_groups: int, bias: float, n: int, data_sets: int) -> dict[str, Any]:
    """Measure how often both intervals hold the truth."""
    truth = float(case.score(case.draw(LARGE, bias).sum(axis=0))) if bias else 0.0
    generator = np.random.default_rng(n)
    draws = generator.multinomial(n, np.full(n, 1 / n), size=N_RESAMPLES).astype(np.float64)
    held = np.zeros(2)
    for _ in range(data_sets):
        both = case.ends(case.draw(n, bias), draws, n_groups)
        held += [low <= truth + 1e-12 and truth - 1e-12 <= high for low, high in both]
    percentiles, ours = held / data_sets
    return {
        "measure": case.name,
        "groups": n_groups,
        "bias": bias,
        "n": n,
        "percentiles": float(percentiles),
        "library": float(ours),
    }


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--data-sets", type=int, default=500, help="of each row")
    chosen = parser.parse_args(arguments)
    rows = [
        calibrate(case, n_groups, bias, n, chosen.data_sets)
        for n_groups in (2, 3, 5)
        for case in cases(n_groups, np.random.default_rng(7))
        for bias in (0.0, 0.1)
        for n in case.sizes
    ]
    return finish({"data_sets": chosen.data_sets, "rows": rows}, chosen.output)


if __name__ == "__main__":
    main()
