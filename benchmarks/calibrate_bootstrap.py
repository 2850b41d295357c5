"""Coverage of 95 % intervals drawn from samples and from buckets.

    python benchmarks/calibrate_bootstrap.py [--output results.json]

Rows are drawn from a population of a few hundred kinds of rows, whose true scores are known. The library computes the
intervals of each simulated data set twice: from its rows, and from the sums of its rows in 4,096 buckets by a hash of
their ids. A 95 % interval should contain the truth in 95 of 100 data sets.

- `plain`: three values, of which most rows hold all.
- `rare`: one of them is in one row of 50.
- `skewed`: most rows have nothing or little, a few very much.

Measured together: a mean, a ratio of two sums, SOF and Coverage Parity. Data sets that lack a value have another truth
and are left out; the report says how many. Where no value is favoured, SOF and Coverage Parity are 0, their least
value, which no interval of scores above it holds; that is not simulated.

The last table compares the ends of both intervals on the same rows, as a share of the interval's width and of the end
itself. Another seed of the bootstrap of samples shows what of it comes from drawing: the default is 1,000 replicates.
Nothing is read from disk.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from harness import finish, make_parser

from fairsum_utils.measures.coverage_parity import coverage_parity, extreme_differences
from fairsum_utils.measures.sof import sof
from fairsum_utils.stats.arrays import Floats, Integers, quotient
from fairsum_utils.stats.bootstrap import bootstrap_draws, percentile_interval
from fairsum_utils.stats.sums import N_BUCKETS, BucketSums, Sums, digest_of

VALUES = 3
KINDS = 600
SHAPES = ("plain", "rare", "skewed")
SIZES = (100, 1_000, 10_000, 100_000)
# Rows from which on samples are drawn kind by kind: drawing n rows is drawing how many of each kind, only faster.
MANY = 10_000
LEVEL = 0.95

# Measure -> function of the sums of the columns of `population`.
MEASURES: dict[str, Callable[[Floats], Floats]] = {
    "mean": lambda sums: quotient(sums[..., 0], sums[..., 2]),
    "ratio": lambda sums: quotient(sums[..., 0], sums[..., 1]),
    "sof": lambda sums: sof(sums[..., 3:6], sums[..., 6:9]),
    "coverage_parity": lambda sums: coverage_parity(sums[..., 9:12], sums[..., 12:15]),
}

COUNTS = slice(6, 9)
EXTREMES = slice(12, 15)


def population(shape: str) -> Floats:
    """Make the columns of each kind of row, all equally likely."""
    generator = np.random.default_rng(7)
    means, favour = np.array([0.05, 0.15, 0.25]), np.array([0.06, 0.0, -0.06])
    present = generator.random((KINDS, VALUES)) < 0.9
    if shape == "rare":
        present[:, 2] = np.arange(KINDS) % 50 == 0
    present[:, :2] |= (present.sum(axis=1) < 2)[:, None]  # values are compared with each other
    noise = generator.normal(scale=0.15, size=(2, KINDS, VALUES))
    x, y = generator.poisson(5, KINDS) + 1.0, generator.poisson(40, KINDS) + 1.0
    if shape == "skewed":
        noise = np.where(generator.random(noise.shape) < 0.05, 4 * np.abs(noise), -0.1)
        x, y = generator.lognormal(1, 1.5, KINDS), generator.lognormal(3, 1.0, KINDS)
    shortfalls = np.where(present, np.clip(means + noise[0], 0, 1), 0)
    differences = np.where(present, favour + noise[1], np.nan)
    differences -= np.nanmean(differences, axis=1, keepdims=True)
    extreme = extreme_differences(differences)
    extremes = np.where(extreme, differences, 0)
    return np.column_stack([x, y, np.ones_like(x), shortfalls, present, extremes, extreme]).astype(np.float64)


class Ways(NamedTuple):
    """Draws of the library for data sets of one size, with seed 0.

    Attributes:
        kinds: columns of each kind of row.
        buckets: buckets of the ids 0, 1, 2, and so on.
        samples: number of draws of each row, shape (B, n); None from `MANY` rows on.
        drawn: number of draws of each bucket, shape (B, `N_BUCKETS`).
    """

    kinds: Floats
    buckets: Integers
    samples: Floats | None
    drawn: Floats

    @classmethod
    def of(cls, kinds: Floats, n: int, n_resamples: int) -> Ways:
        """Make the draws for data sets of n rows."""
        buckets = np.array([digest_of(str(number)) % N_BUCKETS for number in range(n)])
        samples = None if n >= MANY else all_draws(n, n_resamples)
        return cls(kinds, buckets, samples, all_draws(N_BUCKETS, n_resamples))

    def from_samples(self, rows: Integers, generator: np.random.Generator) -> Floats:
        """Compute replicates of row sums from kinds, shape (B, columns)."""
        if self.samples is not None:
            return np.asarray(self.samples @ self.kinds[rows])
        return by_kind(self.kinds, rows, len(self.drawn), generator)

    def from_buckets(self, rows: Integers) -> Floats:
        """Compute replicates of the sums in buckets, shape (B, columns)."""
        sums = [np.bincount(self.buckets, column[rows], minlength=N_BUCKETS) for column in self.kinds.T]
        return np.asarray(self.drawn @ np.column_stack(sums))


def all_draws(n: int, n_resamples: int) -> Floats:
    """Return the library's draws with seed 0 in one array."""
    return np.concatenate([*bootstrap_draws(n, n_resamples, seed=0)])


def by_kind(kinds: Floats, rows: Integers, n_resamples: int, generator: np.random.Generator) -> Floats:
    """Bootstrap samples as numbers of rows of each kind."""
    shares = np.bincount(rows, minlength=len(kinds)) / len(rows)
    return np.asarray(generator.multinomial(len(rows), shares, size=n_resamples) @ kinds)


def coverage(shape: str, n: int, data_sets: int, n_resamples: int) -> list[dict[str, Any]]:
    """Measure coverage, width and misses of intervals for data sets of n rows."""
    kinds = population(shape)
    ways, generator = Ways.of(kinds, n, n_resamples), np.random.default_rng(n)
    truth = {name: float(measure(kinds.sum(axis=0))) for name, measure in MEASURES.items()}
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    n_left_out = 0
    for _ in range(data_sets):
        rows = generator.integers(len(kinds), size=n)
        sums = kinds[rows].sum(axis=0)
        if not (sums[COUNTS].all() and sums[EXTREMES].all()):
            n_left_out += 1
            continue
        replicates_of = {"samples": ways.from_samples(rows, generator), "buckets": ways.from_buckets(rows)}
        for drawn, replicates in replicates_of.items():
            is_lost = ~(replicates[:, COUNTS].all(axis=1) & replicates[:, EXTREMES].all(axis=1))
            replicates[is_lost, COUNTS.start :] = np.nan  # as the library: they lack a value
            for name, measure in MEASURES.items():
                found.setdefault((name, drawn), []).append(percentile_interval(measure(replicates), LEVEL))
    report = []
    for name, true in truth.items():
        row: dict[str, Any] = {"shape": shape, "rows": n, "measure": name, "truth": true}
        for drawn in ("samples", "buckets"):
            low, high = np.array(found[name, drawn]).T
            row[drawn] = {
                "held": float(np.mean((low <= true) & (true <= high))),
                "below": float(np.mean(high < true)),
                "above": float(np.mean(low > true)),
                "width": float(np.mean(high - low)),
            }
        report.append(row | {"left_out": n_left_out / data_sets})
    return report


def ends(shape: str, n: int, data_sets: int, n_resamples: int) -> list[dict[str, Any]]:
    """Measure the distance of interval ends from the sample bootstrap's, same rows.

    Up to 1,000 replicates samples are drawn by the library, beyond that kind by kind.
    """
    kinds = population(shape)
    digests = np.array([digest_of(str(number)) for number in range(n)], dtype=np.uint64)
    keys = [(str(number),) for number in range(kinds.shape[1])]
    generator = np.random.default_rng(n)
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for number in range(data_sets):
        rows = generator.integers(len(kinds), size=n)
        sums = Sums(n)
        for key, column in zip(keys, kinds[rows].T, strict=True):
            sums.put(key, column[places := np.flatnonzero(column)], places)  # families leave zeros out
        buckets = BucketSums().add(sums, digests)
        replicates_of = {"buckets": buckets.replicates(keys, n_resamples=n_resamples, seed=number)}
        for seed, drawn in enumerate(("samples", "again")):
            if n_resamples > 1_000:
                replicates_of[drawn] = by_kind(kinds, rows, n_resamples, generator)
            else:
                replicates_of[drawn] = sums.replicates(keys, n_resamples=n_resamples, seed=1 + number + seed * 1_000)
        for drawn, replicates in replicates_of.items():
            for name, measure in MEASURES.items():
                found.setdefault((name, drawn), []).append(percentile_interval(measure(replicates), LEVEL))
    report = []
    for name in MEASURES:
        samples = np.array(found[name, "samples"])
        row: dict[str, Any] = {"shape": shape, "rows": n, "replicates": n_resamples, "measure": name}
        for drawn in ("buckets", "again"):
            apart = np.abs(np.array(found[name, drawn]) - samples)
            of_width, of_end = apart / np.ptp(samples, axis=1)[:, None], apart / np.abs(samples)
            row[drawn] = {
                "of_width": float(of_width.mean()),
                "of_width_most": float(of_width.max()),
                "of_end": float(of_end.mean()),
                "of_end_most": float(of_end.max()),
            }
        report.append(row)
    return report


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--data-sets", type=int, default=1_000, help="simulated ones of each shape and size")
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--sizes", nargs="+", type=int, default=list(SIZES), help="rows of a data set")
    parser.add_argument("--resamples", type=int, default=1_000, help="bootstrap replicates (default: the library's)")
    parser.add_argument("--end-sets", type=int, default=5, help="data sets whose ends are compared, of 100,000 rows")
    parser.add_argument("--end-resamples", nargs="+", type=int, default=[1_000, 40_000])
    chosen = parser.parse_args(arguments)
    report = {
        "data_sets": chosen.data_sets,
        "coverage": [
            row
            for shape in chosen.shapes
            for n in chosen.sizes
            for row in coverage(shape, n, chosen.data_sets, chosen.resamples)
        ],
        "ends": [
            row
            for shape in chosen.shapes
            for n_resamples in chosen.end_resamples
            for row in ends(shape, max(chosen.sizes), chosen.end_sets, n_resamples)
        ],
    }
    return finish(report, chosen.output)


if __name__ == "__main__":
    main()
