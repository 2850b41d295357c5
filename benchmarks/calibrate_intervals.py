"""Coverage and width of 95 % intervals by method and number of samples.

    fairsum score yelp.jsonl --metrics bur,uer,auc,sof --samples samples.jsonl
    python benchmarks/calibrate_intervals.py [--samples samples.jsonl] [--data-sets 2000] [--output results.json]

Data sets are drawn with replacement from a population, whose value is the truth. The width is given as a multiple of
the distance between the 2.5 % and 97.5 % quantiles of the estimator itself, so that an interval that holds the truth by
being too wide is seen. Populations: the samples of files, if any are given, and made ones that have nothing in common
with these, of which some lie near an end of the range or are much skewed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from harness import finish, make_parser

from fairsum_utils.measures.coverage_parity import coverage_parity, extreme_differences
from fairsum_utils.measures.entity_inclusion import entity_inclusion
from fairsum_utils.measures.sof import sof
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.intervals import FEWEST_FOR_SPREADS, Estimate, Method
from fairsum_utils.stats.sums import N_BUCKETS

LEVEL = 0.95
N_RESAMPLES = 1_000
SIZES = (20, 50, 200)
# Samples of a made population.
MADE = 20_000
# Estimates that tell the estimator's own quantiles.
ESTIMATES = 20_000


class Population(NamedTuple):
    """Samples to draw from.

    Attributes:
        name: Name in the report.
        columns: Contribution of each sample, shape (samples, columns).
        statistic: Column sums, shape (..., columns), to the statistic.
        method: Method of its interval.
        sizes: Samples of a data set.
        limits: Least and largest value.
        system: Columns of a second system, for the difference of both.
    """

    name: str
    columns: Floats
    statistic: Callable[[Floats], Floats]
    method: Method
    sizes: tuple[int, ...] = SIZES
    limits: tuple[float, float] = (0.0, 1.0)
    system: Floats | None = None

    @property
    def is_drawn(self) -> bool:
        """True if intervals are made of bootstrap replicates."""
        return self.method in ("corrected", "expanded")

    def estimate(self, columns: Floats, draws: Floats | None) -> Estimate:
        """Compute the statistic of a data set as the library does."""
        score, n = float(self.statistic(columns.sum(axis=0))), len(columns)
        if draws is None:
            totals, sizes = columns.T
            return Estimate(score, self.method, n, totals=totals, sizes=sizes, limits=self.limits)
        return Estimate(score, self.method, n, self.statistic(draws @ columns))


def ratio(sums: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        return sums[..., 0] / sums[..., 1]


def mean_of(scores: Floats) -> Floats:
    return np.column_stack([scores, np.ones_like(scores)])


def halves(measure: Callable[[Floats, Floats], Floats]) -> Callable[[Floats], Floats]:
    """Return the statistic of a measure over both halves of the sums."""

    def statistic(sums: Floats) -> Floats:
        first, second = np.split(sums, 2, axis=-1)
        found = measure(first, np.where(second > 0, second, 1.0))
        return np.where((second > 0).all(axis=-1), found, np.nan)

    return statistic


def made() -> list[Population]:
    """Make synthetic populations with their descriptions."""
    generator = np.random.default_rng(5)
    beta, chosen = generator.beta, generator.random
    found = [
        Population(f"share, {p:g}", mean_of((np.arange(MADE) < p * MADE) * 1.0), ratio, "midp", (30, 100))
        for p in (0.02, 0.05, 0.3, 0.95)
    ]
    scores = {
        "mean, even": chosen(MADE),
        "mean, near 0": beta(0.5, 5, MADE),
        "mean, near 1": 1 - beta(0.5, 5, MADE),
        "mean, 80 % are 0": np.where(chosen(MADE) < 0.2, beta(1, 4, MADE), 0),
        "mean, 95 % are 0": np.where(chosen(MADE) < 0.05, beta(1, 4, MADE), 0),
        "mean, log-normal": np.minimum(1, 0.02 * generator.lognormal(0, 1.2, MADE)),
    }
    found += [Population(name, mean_of(each), ratio, "two-point") for name, each in scores.items()]
    signed = (-1.0, 1.0)
    differences = {
        "difference, normal": np.clip(generator.normal(0.02, 0.1, MADE), -1, 1),
        "difference, 2 % differ": np.where(chosen(MADE) < 0.02, generator.choice([-1.0, 1.0], MADE), 0),
        "difference, 3 % differ, most one way": np.where(
            chosen(MADE) < 0.03, generator.choice([-1.0, 1.0, 1.0, 1.0], MADE), 0
        ),
    }
    found += [Population(name, mean_of(each), ratio, "two-point", SIZES, signed) for name, each in differences.items()]
    per_original = generator.integers(1, 9, MADE).astype(np.float64)
    unfair = generator.binomial(per_original.astype(int), beta(0.4, 1.6, MADE)).astype(np.float64)
    found.append(
        Population("share, 1 to 8 samples an original", np.column_stack([unfair, per_original]), ratio, "two-point")
    )
    many = (FEWEST_FOR_SPREADS, 500)
    for name, means in {"far": [0.02, 0.06, 0.04, 0.03], "near 0": [0.03, 0.032, 0.035, 0.03]}.items():
        present = chosen((MADE, 4)) < [0.9, 0.7, 0.5, 0.4]
        lacks = np.clip(generator.normal(means, 0.04, (MADE, 4)), 0, 1) * present
        found.append(Population(f"SOF, 4 values, {name}", np.hstack([lacks, present]), halves(sof), "corrected", many))
        signs = np.where(present, generator.normal(means, 0.04, (MADE, 4)), np.nan)
        signs -= np.nanmean(signs, axis=1, keepdims=True) if present.any(axis=1).all() else 0.0
        extreme = extreme_differences(signs)
        columns = np.hstack([np.where(extreme, signs, 0.0), extreme])
        found.append(
            Population(f"Coverage Parity, 4 values, {name}", columns, halves(coverage_parity), "corrected", many)
        )
    for groups, sizes in ((2, SIZES), (4, many)):
        for bias in (0.1, 0.5):
            name = f"entity inclusion, {groups} groups, log odds {bias}"
            columns = included(groups, bias, generator)
            found.append(
                Population(name, columns, halves(_inclusion), "corrected" if groups > 2 else "expanded", sizes)
            )
    return found


def _inclusion(inside: Floats, of: Floats) -> Floats:
    return entity_inclusion(inside, of, 0.0)


def included(groups: int, bias: float, generator: np.random.Generator) -> Floats:
    """Draw entities by group in summaries and sources, eight inputs per original."""
    salience = generator.normal(scale=2.0, size=(MADE, 4))
    shifts = bias * np.linspace(0.5, -0.5, groups)
    inside, of = np.zeros((2, MADE, groups))
    for _ in range(4):
        codes = generator.permuted(np.tile(np.arange(4) % groups, (MADE, 1)), axis=1)
        for of_input in (codes, groups - 1 - codes):
            taken = chosen_of(salience + shifts[of_input], generator)
            for group in range(groups):
                of[:, group] += (of_input == group).sum(axis=1)
                inside[:, group] += (taken & (of_input == group)).sum(axis=1)
    return np.hstack([inside, of])


def chosen_of(odds: Floats, generator: np.random.Generator) -> Any:
    return generator.random(odds.shape) < 1 / (1 + np.exp(-odds))


def read(path: Path) -> list[Population]:
    """Read populations from samples of `fairsum score --samples` and a second system.

    The second system has the summary of another set in one sample of ten, and else the same.
    """
    with path.open(encoding="utf-8") as lines:
        records = [record for record in map(json.loads, lines) if record["skipped"] is None]
    found: list[Population] = []
    generator = np.random.default_rng(3)
    other = np.where(generator.random(len(records)) < 0.1, generator.permutation(len(records)), np.arange(len(records)))
    for name in ("bur", "uer", "auc", "equal_coverage"):
        if name not in records[0]:
            continue
        scores = np.array([record[name] for record in records])
        found.append(Population(name, mean_of(scores), ratio, "midp" if name == "bur" else "two-point"))
        for kind, system in (("a tenth differ", scores[other]), ("all differ", generator.permutation(scores))):
            differences = mean_of(scores - system)
            found.append(Population(f"{name}, {kind}", differences, ratio, "two-point", SIZES, (-1.0, 1.0)))
    many = (FEWEST_FOR_SPREADS, 500)
    for name, measure in (("sof", sof), ("coverage_parity", coverage_parity)):
        columns = of_groups(records, name)
        if columns is not None:
            found.append(Population(name, columns, halves(measure), "corrected", many))
            found.append(Population(f"{name}, a tenth differ", columns, halves(measure), "expanded", many, (-1.0, 1.0),
                                    columns[other]))  # fmt: skip
    return found


def of_groups(records: list[dict[str, Any]], name: str) -> Floats | None:
    """Return samples' contributions to a spread over groups, or None if unknown."""
    key = {"sof": "summary_share", "coverage_parity": "difference_by_value"}[name]
    if key not in records[0]:
        return None
    names = sorted({value for record in records for value in record["values"]})
    sums, counts = np.zeros((2, len(records), len(names)))
    for row, record in enumerate(records):
        places = [names.index(value) for value in (record["values"] if name == "sof" else record[key])]
        if name == "sof":
            lacks = np.array(record["desired_share"]) - np.array(record["summary_share"])
            sums[row, places], counts[row, places] = np.maximum(lacks, 0), 1
        else:
            differences = np.array(list(record[key].values()))
            extreme = extreme_differences(differences)
            sums[row, places], counts[row, places] = np.where(extreme, differences, 0), extreme
    return np.hstack([sums, counts])


def calibrate(population: Population, n: int, data_sets: int) -> dict[str, Any]:
    """Measure coverage and width of intervals for data sets of n samples."""
    columns, second = population.columns, population.system
    generator = np.random.default_rng(n)
    draws = None
    if population.is_drawn:
        draws = generator.multinomial(n, np.full(n, 1 / n), size=N_RESAMPLES).astype(np.float64)
        data_sets = min(data_sets, 1_000)

    def statistic(rows: Any) -> Floats:
        own = population.statistic(columns[rows].sum(axis=-2))
        return own if second is None else own - population.statistic(second[rows].sum(axis=-2))

    truth = float(statistic(np.arange(len(columns))))
    estimates = [statistic(generator.integers(len(columns), size=(500, n))) for _ in range(ESTIMATES // 500)]
    low, high = np.nanquantile(np.concatenate(estimates), [0.025, 0.975])
    ends = []
    for _ in range(data_sets):
        rows = generator.integers(len(columns), size=n)
        estimate = population.estimate(columns[rows], draws)
        if second is not None:
            estimate = estimate.minus(population.estimate(second[rows], draws))
        ends.append(estimate.interval(LEVEL))
    lows, highs = np.array([each for each in ends if not np.isnan(each[0])]).T
    return {
        "population": population.name,
        "method": population.method,
        "n": n,
        "truth": truth,
        "held": float(((lows <= truth + 1e-12) & (truth - 1e-12 <= highs)).mean()),
        "below": float((highs < truth - 1e-12).mean()),
        "width": float((highs - lows).mean() / (high - low)),
        "data_sets": len(lows),
    }


def bucketed(scores: Floats, n: int, data_sets: int) -> dict[str, Any]:
    """Measure distances between bucket and sample interval ends, relative to width."""
    generator = np.random.default_rng(n)
    apart = []
    for _ in range(data_sets):
        drawn, places = scores[generator.integers(len(scores), size=n)], generator.integers(N_BUCKETS, size=n)
        samples = Estimate(float(drawn.mean()), "two-point", n, totals=drawn)
        totals, sizes = np.bincount(places, drawn, N_BUCKETS), np.bincount(places, minlength=N_BUCKETS)
        buckets = samples._replace(totals=totals, sizes=sizes.astype(np.float64))
        ends = np.array([samples.interval(LEVEL), buckets.interval(LEVEL)])
        apart.append(np.abs(ends[1] - ends[0]) / np.ptp(ends[0]))
    return {"n": n, "of_width": float(np.mean(apart)), "of_width_most": float(np.max(apart))}


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--samples", type=Path, action="append", default=[], help="file of scored samples; repeatable")
    parser.add_argument("--data-sets", type=int, default=2_000, help="of each cell; at most 1,000 where one is drawn")
    chosen = parser.parse_args(arguments)
    populations = [*(each for path in chosen.samples for each in read(path)), *made()]
    near_0 = np.random.default_rng(1).beta(0.5, 5, MADE)
    report = {
        "data_sets": chosen.data_sets,
        "rows": [calibrate(each, n, chosen.data_sets) for each in populations for n in each.sizes],
        "buckets": [bucketed(near_0, n, 100) for n in (200, 1_000, 10_000, 100_000)],
    }
    return finish(report, chosen.output)


if __name__ == "__main__":
    main()
