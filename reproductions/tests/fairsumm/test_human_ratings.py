"""Ratings of fairness: worked examples, intervals, what is refused."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions as studies
from fairsum_reproductions.fairsumm.human_ratings import COMBINATIONS, summary_verdict
from fairsum_utils.errors import InputError
from fairsum_utils.stats.intervals import Moments, mean_interval

# Two summaries of two values by four raters. a: raters 1 and 4 give a value less than 5, so 2 of 4 find it unfair;
# b: three find it fair, and the fourth, who has not rated female, gives no verdict.
SAMPLES = ["a", "a", "b", "b"]
VALUES = ["male", "female", "male", "female"]
RATINGS: list[list[Any]] = [[5, 5, 5, 4], [3, 5, 5, 5], [5, 5, 5, 5], [5, 5, 5, None]]

raters = st.integers(1, 5)
tables = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.lists(st.one_of(st.none(), raters), min_size=n, max_size=n), min_size=1, max_size=8)
)


def rated(samples: Sequence[Any], ratings: Sequence[Any], values: Sequence[str] = (), **settings: Any) -> Any:
    rows = [{"id": sample, "ratings": row} for sample, row in zip(samples, ratings, strict=True)]
    rows = [{**row, "value": value} for row, value in zip(rows, values, strict=True)] if values else rows
    return studies.human_ratings(rows, **settings)


def test_a_score_by_hand() -> None:
    result = rated(SAMPLES, RATINGS, VALUES)
    assert result["rating_score"] == 0.25  # (2/4 + 0/3) / 2
    scores = np.array([0.5, 0.0])
    assert result["rating_score_ci"] == pytest.approx(mean_interval(Moments.of(scores), 0.95, (0.0, 1.0)))
    # Of a, which two of four find unfair, there is no majority; any: a.
    assert result["rating_by_combination"] == {"mean": 0.25, "majority": 0, "any": 0.5}
    assert (result["n_samples"], result["n_skipped"], result["skipped"], result["n_raters"]) == (2, 0, {}, 4)
    assert result["by_value"] == {
        "female": {"unfair": 1 / 7, "mean_rating": 33 / 7, "n_ratings": 7},
        "male": {"unfair": 1 / 8, "mean_rating": 39 / 8, "n_ratings": 8},
    }
    # Pairs of raters that agree: 6 of 12, 6 of 12, 12 of 12, 6 of 6: P = 3/4. kappa = (3/4 - 1/5) / (4/5) = 11/16.
    assert result["ratings_kappa"] == 11 / 16
    # Verdicts: 2 against 2, 4 of 12 pairs agree; 3 of 3, all do: P = 2/3. kappa = (2/3 - 1/2) / (1/2) = 1/3.
    assert result["verdicts_kappa"] == pytest.approx(1 / 3, abs=1e-15)
    assert result["signature"].startswith("study:human_ratings|combine:mean|fair:5|ci:0.95|v:")
    lines = [line.split() for line in result.report().splitlines()]
    assert ["unfair", "summaries", "0.25", "[0.00,", "1.00]"] in lines
    assert ["majority", "0.0000"] in lines


def test_a_tie_is_no_majority() -> None:
    result = rated(SAMPLES, RATINGS, combine="majority")
    assert result["rating_score"] == 0
    assert (result["n_samples"], result["skipped"]) == (1, {"no_majority": 1})
    assert "by_value" not in result


def test_one_rater_and_one_value() -> None:
    result = rated(["a", "b", "c", "d"], [["5"], ["1"], [5.0], [""]])
    assert result["rating_score"] == pytest.approx(1 / 3)
    assert set(result["rating_by_combination"].values()) == {result["rating_score"]}
    assert result["skipped"] == {"no_verdict": 1}
    assert math.isnan(result["ratings_kappa"])
    assert result["undefined"] == dict.fromkeys(
        ("ratings_kappa", "verdicts_kappa", "ratings_alpha"), "no item has two ratings"
    )
    assert 0 <= result["rating_score_ci"][0] < 1 / 3 < result["rating_score_ci"][1] <= 1


def test_nobody_rated_anything() -> None:
    result = rated(["a"], [[None, None]])
    assert math.isnan(result["rating_score"])
    assert result["undefined"]["rating_score"] == "no summary has a verdict"
    assert "at least two summaries" in result["undefined"]["rating_score_ci"]
    assert all(math.isnan(end) for end in result["rating_score_ci"])


def test_other_levels() -> None:
    result = rated(["a", "b"], [[3, 3], [2, 3]], n_levels=3)
    assert result["rating_score"] == 0.25
    assert result["ratings_kappa"] == pytest.approx((1 / 2 - 1 / 3) / (2 / 3))


@given(tables)
def test_the_readings_are_in_order(rows: list[list[int | None]]) -> None:
    samples = [index // 2 for index in range(len(rows))]
    result = rated(samples, rows)
    by = result["rating_by_combination"]
    if result["n_samples"]:
        assert 0 <= by["mean"] <= by["any"] <= 1
        assert result["rating_score"] == by["mean"]
    again = rated(samples, [row[::-1] for row in rows])
    for name in ("rating_score", "ratings_kappa", "verdicts_kappa"):
        assert again[name] == pytest.approx(result[name], nan_ok=True)  # raters have no order


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ratings": [[5], [5, 4]]}, "human_ratings: row 2: 2 ratings, but 1 in row 1; give one per rater"),
        ({"ratings": [[], []]}, "row 1: ratings must be a list with a rating per rater, found list []"),
        ({"ratings": [5, [5]]}, "row 1: ratings must be a list with a rating per rater, found int 5"),
        ({"ratings": [[5], [6]]}, "row 2, rater 1: a rating must be a whole number from 1 to 5, found int 6"),
        ({"ratings": [[5], [4.5]]}, "row 2, rater 1: a rating must be a whole number from 1 to 5, found float 4.5"),
        ({"ratings": [[True], [5]]}, "row 1, rater 1: a rating must be a whole number from 1 to 5, found bool True"),
        ({"ratings": [["fair"], [5]]}, "row 1, rater 1: a rating must be a whole number from 1 to 5, found str 'fair'"),
        ({"ratings": [[[5]], [5]]}, "row 1, rater 1: a rating must be a whole number from 1 to 5, found list"),
        ({"samples": ["a", "a"], "values": ["x", "x"]}, "rows 1 and 2 both rate the group 'x' of summary 'a'"),
        ({"combine": "median"}, "combine must be one of mean, majority, any, found str 'median'"),
        ({"n_levels": 1}, "n_levels must be a whole number of at least 2, found int 1"),
    ],
)
def test_what_is_no_rating(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        rated(**{"samples": ["a", "b"], "ratings": [[5], [4]], **arguments})
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("ratings", "verdict"),
    [([5, 5], False), ([5, 4], True), ([1], True), ([5, None], None), ([4, None], True), ([None], None)],
)
def test_only_the_best_rating_of_every_value_is_fair(ratings: list[int | None], verdict: bool | None) -> None:
    assert summary_verdict(ratings) is verdict


def test_three_ways_to_combine() -> None:
    cases = {
        (0,): (0, 0, 0),
        (1,): (1, 1, 1),
        (1, 0): (1 / 2, None, 1),
        (1, 1, 0): (2 / 3, 1, 1),
        (1, 0, 0): (1 / 3, 0, 1),
        (1, 0, 0, 0): (1 / 4, 0, 1),
        (1, 1, 0, 0): (1 / 2, None, 1),
        (1, 1, 1, 0, 0): (3 / 5, 1, 1),
    }
    for verdicts, expected in cases.items():
        assert tuple(combine([bool(one) for one in verdicts]) for combine in COMBINATIONS.values()) == expected
