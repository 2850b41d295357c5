"""Ratings of fairness: worked examples, intervals, what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.analysis.ratings import RatingSettings, rating_agreement
from fairsum_utils.errors import InputError
from fairsum_utils.stats.intervals import Moments, mean_interval

# Two summaries of two values by four raters. a: raters 1 and 4 give a value less than 5, so 2 of 4 find it unfair;
# b: three find it fair, and the fourth, who has not rated female, says nothing.
SAMPLES = ["a", "a", "b", "b"]
VALUES = ["male", "female", "male", "female"]
RATINGS: list[list[Any]] = [[5, 5, 5, 4], [3, 5, 5, 5], [5, 5, 5, 5], [5, 5, 5, None]]

raters = st.integers(1, 5)
tables = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.lists(st.one_of(st.none(), raters), min_size=n, max_size=n), min_size=1, max_size=8)
)


def test_a_score_by_hand() -> None:
    result = rating_agreement(SAMPLES, RATINGS, values=VALUES)
    assert result["rating_score"] == 0.25  # (2/4 + 0/3) / 2
    scores = np.array([0.5, 0.0])
    assert result["rating_score_ci"] == pytest.approx(mean_interval(Moments.of(scores), 0.95, (0.0, 1.0)))
    # The majority knows nothing of a, which two of four find unfair; any: a.
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
    assert result["signature"].startswith("combine:mean|fair:5|ci:0.95|resamples:1000|seed:0|v:")
    assert "raters are combined by mean: the share of raters who find it unfair" in result["choices"]


def test_a_tie_is_no_majority() -> None:
    result = rating_agreement(SAMPLES, RATINGS, settings=RatingSettings(combine="majority"))
    assert result["rating_score"] == 0
    assert (result["n_samples"], result["skipped"]) == (1, {"no_majority": 1})
    assert "by_value" not in result


def test_one_rater_and_one_value() -> None:
    result = rating_agreement(["a", "b", "c", "d"], [["5"], ["1"], [5.0], [""]])
    assert result["rating_score"] == pytest.approx(1 / 3)
    assert set(result["rating_by_combination"].values()) == {result["rating_score"]}
    assert result["skipped"] == {"no_verdict": 1}
    assert math.isnan(result["ratings_kappa"])
    assert result["undefined"] == dict.fromkeys(
        ("ratings_kappa", "verdicts_kappa", "ratings_alpha"), "no item has two ratings"
    )
    assert 0 <= result["rating_score_ci"][0] < 1 / 3 < result["rating_score_ci"][1] <= 1


def test_nobody_rated_anything() -> None:
    result = rating_agreement(["a"], [[None, None]])
    assert math.isnan(result["rating_score"])
    assert result["undefined"]["rating_score"] == "no summary has a verdict"
    assert "at least two summaries" in result["undefined"]["rating_score_ci"]
    assert all(math.isnan(end) for end in result["rating_score_ci"])


def test_settings_that_are_none() -> None:
    with pytest.raises(InputError, match="combine must be one of mean, majority, any, found str 'median'"):
        RatingSettings(combine="median")
    with pytest.raises(InputError, match="n_levels must be a whole number of at least 2, found int 1"):
        RatingSettings(n_levels=1)


def test_other_levels() -> None:
    result = rating_agreement(["a", "b"], [[3, 3], [2, 3]], settings=RatingSettings(n_levels=3))
    assert result["rating_score"] == 0.25
    assert result["ratings_kappa"] == pytest.approx((1 / 2 - 1 / 3) / (2 / 3))


@given(tables)
def test_the_readings_are_in_order(rows: list[list[int | None]]) -> None:
    samples = [index // 2 for index in range(len(rows))]
    result = rating_agreement(samples, rows)
    by = result["rating_by_combination"]
    if result["n_samples"]:
        assert 0 <= by["mean"] <= by["any"] <= 1
        assert result["rating_score"] == by["mean"]
    flipped = [row[::-1] for row in rows]
    again = rating_agreement(samples, flipped)
    for name in ("rating_score", "ratings_kappa", "verdicts_kappa"):
        assert again[name] == pytest.approx(result[name], nan_ok=True)  # raters have no order


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ratings": [[5], [5, 4]]}, "agree: row 1: 2 ratings, but 1 in row 0; give one per rater"),
        ({"ratings": [[], []]}, "agree: row 0: 0 ratings"),
        ({"ratings": [[5], [6]]}, "agree: row 1, rater 0: a rating must be a whole number from 1 to 5, found int 6"),
        ({"ratings": [[5], [4.5]]}, "row 1, rater 0: a rating must be a whole number from 1 to 5, found float 4.5"),
        ({"ratings": [[True], [5]]}, "row 0, rater 0: a rating must be a whole number from 1 to 5, found bool True"),
        ({"ratings": [["fair"], [5]]}, "row 0, rater 0: a rating must be a whole number from 1 to 5, found str 'fair'"),
        ({"ratings": [[[5]], [5]]}, "row 0, rater 0: a rating must be a whole number from 1 to 5, found list"),
        ({"samples": ["a"]}, "agree: samples has 1 sample but ratings has 2"),
        ({"samples": ["a", "a"], "values": ["x", "x"]}, "agree: rows 0 and 1 both rate the group 'x' of sample 'a'"),
    ],
)
def test_what_is_no_rating(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        rating_agreement(**{"samples": ["a", "b"], "ratings": [[5], [4]], **arguments})
    assert message in str(caught.value)
