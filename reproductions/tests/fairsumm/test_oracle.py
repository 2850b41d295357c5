"""Oracle summaries: how they are made, and that the measures tell them apart."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions
from fairsum_reproductions.fairsumm.oracle import apportioned, oracle_summaries
from fairsum_utils.stats.intervals import Moments, mean_interval
from tests.reports._forms import texts


def test_a_fifth_of_ten() -> None:
    # The paper's example: male ratio 20%, 5 of 10 tweets: 1 male and 4 female ones.
    assert apportioned({"male": 2, "female": 8}, 5) == {"male": 1, "female": 4}
    assert apportioned({"male": 5, "female": 5}, 5) == {"male": 2, "female": 3}  # equal rests: by name
    # 3.75, 0.625, 0.625: 3, 0, 0; the largest rests are .75 and, of equal ones, the first name.
    assert apportioned({"a": 6, "b": 1, "c": 1}, 5) == {"a": 4, "b": 1, "c": 0}


COUNTS = st.dictionaries(st.sampled_from("abcde"), st.integers(1, 12), min_size=2)


@given(COUNTS, st.integers(1, 8), st.integers(0, 99))
def test_summaries_are_what_they_are_called(counts: dict[str, int], n: int, seed: int) -> None:
    values = [value for value, count in counts.items() for _ in range(count)]
    made = oracle_summaries(values, n, np.random.default_rng(seed))
    if isinstance(made, str):
        enough = [value for value, count in counts.items() if count >= n]
        assert made == ("same_texts" if enough else "too_few_texts")
        return
    assert {values[place] for place in made.biased} == {made.favoured}
    assert len(set(made.biased)) == len(set(made.balanced)) == len(made.balanced) == n
    assert Counter(values[place] for place in made.balanced) == {
        value: count for value, count in apportioned(counts, n).items() if count
    }
    assert counts[made.favoured] == min(count for count in counts.values() if count >= n)


# No word of a group is one of the other's, so what a summary says of whom follows by counting.
FOODS = ("soup", "bread", "cheese", "salad", "steak", "pasta")
ROOMS = ("window", "garden", "kitchen", "carpet", "mirror", "lamp")
DATA = [{"sources": [*FOODS, *ROOMS], "values": ["food"] * 6 + ["room"] * 6} for _ in range(4)]


def test_by_counting() -> None:
    found = fairsum_reproductions.oracle(DATA, n_texts=4, n_resamples=50)
    expected = {"bur": (1.0, 0.0), "uer": (0.25, 0.0), "auc": (1.0, 0.0), "sof": (0.25, 0.0)}
    for name, (biased, balanced) in expected.items():
        of_measure = found["measures"][name]
        assert (of_measure["biased"], of_measure["balanced"]) == pytest.approx((biased, balanced))
        assert (of_measure["n_ordered"], of_measure["n_equal"], of_measure["n_reversed"]) == (4, 0, 0)
        assert of_measure["ordered_ci"] == pytest.approx([0.05**0.25, 1.0])  # mid-P: half of p^4 is 0.025
        high = 0.5 if name in ("uer", "sof") else 1.0
        for of, mean, low in (
            ("biased", biased, 0),
            ("balanced", balanced, 0),
            ("difference", biased - balanced, -high),
        ):
            ends = mean_interval(Moments(4, mean, 0, 0), 0.95, (low, high))
            assert of_measure[f"{of}_ci"] == pytest.approx(ends, abs=1e-9)
    assert found["n_by_favoured"] == {"food": 4}  # as many texts as rooms; the first by name
    assert (found["n_samples"], found["n_usable"], found["n_skipped"]) == (4, 4, 0)
    # Of all sets: food lacks nothing, room 1/2: each 1/4 from their mean.
    assert found["sof_of_data"] == pytest.approx({"biased": 0.25, "balanced": 0.0})


def test_as_many_sets_as_are_wanted_and_the_same_again() -> None:
    data = [*DATA, {"sources": ["soup"], "values": ["food"]}, {"sources": ["soup", "lamp"], "values": ["food", "room"]}]
    found = fairsum_reproductions.oracle(data, n_texts=4, n_sets=2, n_resamples=5)
    assert (found["n_samples"], found["n_usable"]) == (2, 4)
    assert found["skipped"] == {"one_value": 1, "too_few_texts": 1}
    assert found == fairsum_reproductions.oracle(data, n_texts=4, n_sets=2, n_resamples=5)
    assert "2 of 4 sets that can be used; 2 skipped (1 one_value, 1 too_few_texts)" in found.report()
    nothing = fairsum_reproductions.oracle(DATA, n_texts=9)
    assert math.isnan(nothing["measures"]["bur"]["ordered"])
    assert nothing["undefined"] == {"measures": "no set allowed making and scoring both summaries; see skipped"}
    assert "undefined" in texts(nothing.plot())
