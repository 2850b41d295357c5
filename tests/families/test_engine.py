"""Figures that a family declares, by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from fairsum_utils.families.means import Mean, SampleScore
from fairsum_utils.measures.uer import UER
from fairsum_utils.stats.intervals import Moments, mean_interval, share_interval
from fairsum_utils.stats.sums import Sums

FIGURES = (
    Mean("rate_by_group", "hits", "tries", by="tries", averages="shares"),
    Mean("length", "length", "ends", averages="scores", limits=(0.0, 10.0)),
    Mean("none", "nothing", "nowhere"),
    Mean("named", "hits", "tries", by=("b", "c")),
)


class Declared(SampleScore):
    """Four figures and nothing else."""

    def means(self) -> Sequence[Mean]:
        return FIGURES


def result(withheld: str = "", **settings: Any) -> dict[str, Any]:
    sums = Sums(3)
    sums.put(("n",), np.ones(3))
    sums.put(("uer",), [0.5, 0.25, 0.0])
    sums.put(("tries", "b"), [2, 1], np.array([0, 2]))
    sums.put(("tries", "a"), [1], np.array([1]))
    sums.put_total(("hits", "b"), [1, 1])
    sums.put(("length",), [1, 4, 1])
    sums.put(("ends",), [1, 2, 1])
    score = Declared(sums, UER(**settings))
    vars(score)["withheld"] = withheld
    return score.result({})


def test_sums_over_numbers_of_entries() -> None:
    found = result()
    # a: 0 of 1; b: 2 of 3; length: 6 over 4 ends; the score: 0.75 over 3 samples.
    assert found["rate_by_group"] == {"a": 0.0, "b": 2 / 3}
    assert (found["length"], found["uer"], found["n_samples"]) == (1.5, 0.25, 3)
    assert math.isnan(found["none"])
    assert found["named"]["b"] == 2 / 3
    assert math.isnan(found["named"]["c"])
    assert not [key for key in found if key.endswith("_ci")]


def test_each_kind_of_mean_has_its_interval() -> None:
    found = result(confidence_level=0.9)
    assert found["rate_by_group_ci"] == {"a": list(share_interval(0, 1, 0.9)), "b": list(share_interval(2, 3, 0.9))}
    moments = Moments.of(np.array([1.0, 4.0, 1.0]), np.array([1.0, 2.0, 1.0]))
    assert found["length_ci"] == list(mean_interval(moments, 0.9, (0.0, 10.0)))
    assert "none_ci" not in found
    assert found["uer_ci"] == list(mean_interval(Moments.of(np.array([0.5, 0.25, 0.0])), 0.9, (0.0, 0.5)))


def test_a_withheld_score_withholds_its_figures() -> None:
    found = result("too few texts", confidence_level=0.9)
    assert all(map(math.isnan, [found["uer"], *found["uer_ci"], found["length"], *found["rate_by_group"].values()]))
    assert found["undefined"] == "too few texts"
