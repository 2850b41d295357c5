"""Random data sets of coverage, and what every number should be: plain Python in exact arithmetic.

Written from Li et al. 2025, section 4, not from the package, of which it uses only the permutation test.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from fairsum_utils.measures.equal_coverage import permutation_test

# Coverage is drawn in twentieths, from few of them, so that ties are frequent.
PARTS = 20

ALPHA = Fraction(1, 20)


class Data(NamedTuple):
    """The value of each document, and how many twentieths of each unit it covers; one entry a sample."""

    values: list[list[str]]
    twentieths: list[list[list[int]]]

    def columns(self) -> dict[str, Any]:
        """The arguments of `fairsum_utils.score`."""
        coverage = [[[cell / PARTS for cell in row] for row in matrix] for matrix in self.twentieths]
        return {"values": self.values, "coverage": coverage}


class Known(NamedTuple):
    """What follows from the coverage of one sample."""

    values: list[str]
    coverage: list[Fraction]
    mean: Fraction
    differences: dict[str, Fraction]
    equal_coverage: Fraction
    over: set[str]
    under: set[str]
    dominant: str | None


def _known(values: list[str], twentieths: list[list[int]], protocol: str) -> Known | None:
    units = list(zip(*twentieths, strict=True))
    if protocol == "released":  # units that no document covers do not count
        units = [unit for unit in units if any(unit)]
    if len(set(values)) == 1 or not units:
        return None
    coverage = [Fraction(sum(row), PARTS * len(units)) for row in zip(*units, strict=True)]
    mean = sum(coverage) / Fraction(len(coverage))
    by_value = {name: [c for c, v in zip(coverage, values, strict=True) if v == name] for name in sorted(set(values))}
    differences = {name: sum(own) / Fraction(len(own)) - mean for name, own in by_value.items()}
    most = max(map(len, by_value.values()))
    dominant = [name for name, own in by_value.items() if len(own) == most]
    return Known(
        values=values,
        coverage=coverage,
        mean=mean,
        differences=differences,
        equal_coverage=sum(map(abs, differences.values())) / Fraction(len(differences)),
        over={name for name, c in differences.items() if c == max(differences.values())},
        under={name for name, c in differences.items() if c == min(differences.values())},
        dominant=dominant[0] if len(dominant) == 1 else None,
    )


def _mean(entries: Sequence[Any]) -> Any:
    return sum(entries, Fraction(0)) / len(entries) if entries else math.nan


class Exact:
    """The numbers of a data set."""

    def __init__(self, data: Data, protocol: str = "paper") -> None:
        self.protocol = protocol
        described = [_known(*sample, protocol) for sample in zip(*data, strict=True)]
        self.known = [known for known in described if known is not None]
        self.n_skipped = len(described) - len(self.known)
        self.names = sorted({name for known in self.known for name in known.values})

    @staticmethod
    def tested(known: Known) -> dict[str, float]:
        """The permutation test of a sample, which tests/measures/test_equal_coverage.py enumerates."""
        codes = np.array([sorted({*known.values}).index(value) for value in known.values])
        p_value, expected, smallest, *_ = permutation_test(np.array(known.coverage, dtype=np.float64), codes)
        return {"p_value": p_value, "expected_equal_coverage": expected, "smallest_p_value": smallest}

    def equal_coverage(self) -> dict[str, Any]:
        tests = [self.tested(known) for known in self.known]
        unfair = [int(test["p_value"] < ALPHA) for test in tests]
        own = {name: [k.differences[name] for k in self.known if name in k.differences] for name in self.names}
        return {
            "equal_coverage": _mean([known.equal_coverage for known in self.known]),
            "equal_coverage_by_value": {name: _mean([abs(c) for c in entries]) for name, entries in own.items()},
            "difference_by_value": {name: _mean(entries) for name, entries in own.items()},
            "expected_equal_coverage": _mean([test["expected_equal_coverage"] for test in tests]),
            "r_ec": _mean(unfair),
            "n_can_reach_significance": sum(test["smallest_p_value"] < ALPHA for test in tests),
            "by_dominant_value": {
                name: {
                    "n_samples": sum(known.dominant == name for known in self.known),
                    "equal_coverage": _mean([k.equal_coverage for k in self.known if k.dominant == name]),
                    "r_ec": _mean([u for u, k in zip(unfair, self.known, strict=True) if k.dominant == name]),
                }
                for name in self.names
            },
            **self._common(),
        }

    def sets(self, samples: Sequence[Known]) -> dict[str, list[Fraction]]:
        """C_k of each value; in the released protocol the differences of all its documents."""
        found: dict[str, list[Fraction]] = {name: [] for name in self.names}
        for known in samples:
            if self.protocol == "released":
                for name, coverage in zip(known.values, known.coverage, strict=True):
                    found[name].append(coverage - known.mean)
            else:
                for name in known.over | known.under:
                    found[name].append(known.differences[name])
        return found

    def parity(self, samples: Sequence[Known]) -> tuple[Fraction | float, dict[str, Fraction | float]]:
        """CP and mean(C_k) of some samples."""
        means = {name: _mean(entries) for name, entries in self.sets(samples).items()}
        return _mean([abs(mean) for mean in means.values() if isinstance(mean, Fraction)]), means

    def coverage_parity(self) -> dict[str, Any]:
        score, means = self.parity(self.known)
        dominated = {name: [known for known in self.known if known.dominant == name] for name in self.names}
        return {
            "coverage_parity": score,
            "coverage_parity_by_value": {name: abs(mean) for name, mean in means.items()},
            "mean_extreme_by_value": means,
            "n_extreme_by_value": {name: len(entries) for name, entries in self.sets(self.known).items()},
            "by_dominant_value": {
                name: {
                    "n_samples": len(samples),
                    "coverage_parity": self.parity(samples)[0],
                    "mean_extreme_by_value": self.parity(samples)[1],
                }
                for name, samples in dominated.items()
            },
            **self._common(),
        }

    def _common(self) -> dict[str, Any]:
        return {
            "n_by_value": {name: sum(name in known.values for known in self.known) for name in self.names},
            "mean_coverage": _mean([known.mean for known in self.known]),
            "n_samples": len(self.known),
            "n_skipped": self.n_skipped,
        }


@st.composite
def data_sets(draw: st.DrawFn) -> Data:
    names = "abcde"[: draw(st.integers(2, 5))]
    levels = draw(st.lists(st.integers(0, PARTS), min_size=2, max_size=5))
    data = Data([], [])
    for _ in range(draw(st.integers(1, 5))):
        # Any of the values may be absent, or be the only one, which leaves nothing to compare.
        labels = draw(st.lists(st.sampled_from(names), min_size=2, max_size=8 if len(names) < 4 else 6))
        row = st.lists(st.sampled_from(levels), min_size=(width := draw(st.integers(1, 3))), max_size=width)
        data.values.append(labels)
        data.twentieths.append(draw(st.lists(row, min_size=len(labels), max_size=len(labels))))
    return data
