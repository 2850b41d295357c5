"""What any measure over originals says of its score, worked by hand on a mean of a column."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import pytest

from fairsum_utils._version import __version__
from fairsum_utils.families import System
from fairsum_utils.families.engine import compared
from fairsum_utils.families.tally import OriginalsTally
from fairsum_utils.measures import Measure
from fairsum_utils.stats.arrays import Floats, quotient
from fairsum_utils.stats.bootstrap import expanded_interval, expanded_p_value, percentile_interval
from fairsum_utils.stats.intervals import Moments, mean_interval
from fairsum_utils.stats.sums import Key, Sums


class Mean(OriginalsTally):
    """The mean of a column, and of that and its negative."""

    measure = "bur"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"both_ways": (-1.0, 1.0)}

    def columns(self) -> dict[str, list[Key]]:
        return {"x": [()], "n": [()]}

    @property
    def within(self) -> bool:
        return self.sums.drawn("within.bur.x") is not None

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        mean = quotient(sums[..., 0], sums[..., 1])
        return {"score": mean, "both_ways": np.stack([mean, -mean], axis=-1)}

    def _undefined(self) -> str:
        return "no original"

    def details(self) -> dict[str, Any]:
        return self.figure("both_ways", 1, "negative", "negative_")


def tally(numbers: list[float], *, within: Any = None, is_there: Any = None, **settings: Any) -> Mean:
    sums = Sums(len(numbers), list(map(str, range(len(numbers)))))
    sums.put(("samples",), np.ones(len(numbers)))
    sums.put(("bur.x",), numbers)
    sums.put(("bur.n",), np.ones(len(numbers)) if is_there is None else is_there)
    sums.counts["articles",] = len(numbers)
    if within is not None:
        drawn = np.array([within, [2.0] * len(within)]).T
        sums.draw_later([("within.bur.x",), ("within.bur.n",)], lambda: drawn)
    return Mean(sums, Measure(n_resamples=1_000, **settings))


def test_the_score_and_its_intervals() -> None:
    # Two originals: drawn twice the first, twice the other, or both, a quarter, a quarter and a half of the time. The
    # expanded interval of two originals reaches to the outermost replicates.
    mean = tally([0.0, 1.0], within=[0.0] * 300 + [0.5] * 400 + [1.0] * 300, confidence_level=0.9)
    assert mean.result({"k": "v"}) == {
        "bur": 0.5, "bur_ci": [0, 1], "bur_ci_lost": 0, "bur_ci_within": [0, 0.5], "bur_ci_within_lost": 0,
        "negative": -0.5, "negative_ci": [-1, 0], "negative_ci_within": [-0.5, 0],
        "n_samples": 2, "n_articles": 2, "n_skipped": 0, "skipped": {}, **mean.signed({"k": "v"}),
    }  # fmt: skip
    assert mean.signed({"k": "v"})["signature"] == f"k:v|ci:0.9|resamples:1000|seed:0|interval:expanded|v:{__version__}"
    assert tally([0.0, 1.0]).result({})["negative"] == -0.5
    assert tally([0.0, 1.0]).intervals == {}
    assert tally([0.0, 1.0]).signed({})["signature"] == f"v:{__version__}"


def test_what_cannot_be_drawn_is_undefined_and_never_0() -> None:
    alone = tally([0.25], confidence_level=0.9).result({})
    assert alone["bur"] == 0.25
    assert all(map(math.isnan, [*alone["bur_ci"], alone["bur_ci_lost"]]))
    assert "bur_ci_within" not in alone
    assert alone["undefined"] == "bur_ci: an interval needs at least two scored originals"
    assert tally([math.nan], confidence_level=0.9).result({})["undefined"] == "no original"


def test_replicates_without_a_score_are_left_out_and_counted() -> None:
    # The first of two originals has nothing: a quarter of the replicates has neither a number nor a mean.
    half = tally([0.0, 1.0], is_there=[0.0, 1.0], confidence_level=0.9).intervals["ci"]
    # The others are all 1, so that the interval is that of two equal scores.
    assert half["score"] == list(mean_interval(Moments(2, 1.0, 0.0, 0.0), 0.9, (0.0, 1.0)))
    assert half["lost"] == pytest.approx(1 / 4, abs=0.05)


def test_two_systems_are_compared_by_the_same_draws() -> None:
    def system(numbers: list[float]) -> System:
        one = tally(numbers, confidence_level=0.9)
        return System(one.sums, {"bur": one}, {"bur": one.estimate})

    a, b = map(system, ([0.5, 1.0], [0.25, 0.75]))
    # B is a quarter less in every original, so that all replicates agree: two equal differences say nothing.
    assert compared(a, b, "bur", {"k": "v"}) == {
        "difference": -0.25, "difference_ci": [-1.0, 1.0],
        "p_value": expanded_p_value(1 / 1001, 2), "lost": 0,
        "n_samples": 2, "n_articles": 2, **a.scores["bur"].signed({"k": "v"}),
    }  # fmt: skip
    one = system([0.5])
    alone = compared(one, one, "bur", {})
    assert math.isnan(alone["p_value"])
    assert alone["undefined"] == "difference_ci and p_value: an interval needs at least two originals"


class Sized(Mean):
    """The same, where the second entry is of one original."""

    def sizes(self) -> dict[str, list[float]]:
        return {"both_ways": [6, 1]}


def test_intervals_are_expanded_for_few_originals() -> None:
    numbers = [0.1, 0.4, 0.5, 0.5, 0.9, 1.0]
    mean = tally(numbers, within=[1.0] * 1_000, confidence_level=0.9)
    means = mean.replicates()[:, 0] / 6
    found = Sized(mean.sums, mean.settings).intervals
    assert found["ci"]["score"] == list(expanded_interval(means, 0.9, 6))
    assert found["ci"]["both_ways"][0] == found["ci"]["score"]
    assert all(map(math.isnan, found["ci"]["both_ways"][1]))  # of one original
    within = mean.replicates_within()[:, 0] / 2  # draws no originals
    assert found["ci_within"]["score"] == list(percentile_interval(within, 0.9))


class Ratio(Mean):
    """The same with the interval of a mean, which draws nothing."""

    interval = "two-point"

    def ratios(self) -> dict[str, list[tuple[Floats, Floats]]]:
        return {"score": [(self.sums.by_unit(("bur.x",)), self.sums.by_unit(("bur.n",)))]}


def test_a_mean_over_originals_has_the_interval_of_its_moments() -> None:
    numbers = [0.1, 0.4, 0.5, 0.5, 0.9, 1.0]
    mean = tally(numbers, confidence_level=0.9)
    ratio = Ratio(mean.sums, mean.settings)
    expected = mean_interval(Moments.of(np.array(numbers)), 0.9, (0.0, 1.0))
    assert ratio.intervals["ci"]["score"] == list(expected)
    assert ratio.signed({})["signature"] == f"ci:0.9|interval:two-point|v:{__version__}"


class Largest(Mean):
    """The same as the largest of several absolute differences."""

    interval = "corrected"
    folds = "signed"
    n_differences = 1

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        score = super().statistics(sums)["score"]
        return {"score": score, "signed": np.asarray(score)[..., None], "both_ways": np.stack([score] * 2, axis=-1)}

    def spread_of(self, signed: Floats) -> Floats:
        return np.abs(signed).max(axis=-1)


@pytest.mark.parametrize(
    ("n", "n_differences", "method"), [(6, 1, "folded"), (6, 3, "corrected"), (200, 3, "corrected")]
)
def test_the_largest_of_several_differences_needs_many_originals(n: int, n_differences: int, method: str) -> None:
    mean = tally(np.random.default_rng(0).random(n).tolist(), confidence_level=0.9)
    largest = Largest(mean.sums, mean.settings)
    largest.n_differences = n_differences
    assert f"|interval:{method}|" in largest.signed({})["signature"]
    is_withheld = n_differences > 1 and n < 200
    assert any(map(math.isnan, largest.intervals["ci"]["score"])) is is_withheld
    assert largest.result({}).get("undefined", "").startswith("bur_ci: ") is is_withheld
