"""Overall scores: examples by hand, and exact fractions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from fairsum_reproductions.coverage._overall import overall_scores


def test_by_hand() -> None:
    scores = {
        "A": {"x": 0.25, "y": 0.5, "z": 0.5},
        "B": {"x": 0.5, "y": 0.5, "z": 0.25},
        "C": {"x": 0.75, "y": 0.5, "z": 0.5},
        "D": {"x": 0.9, "y": math.nan, "z": 0.9},
    }
    found = overall_scores(scores)
    # x: 0, 1/2, 1;  y: all equal;  z: 1, 0, 1.
    assert found["normalized"] == {"x": {"A": 0.0, "B": 0.5, "C": 1.0}, "z": {"A": 1.0, "B": 0.0, "C": 1.0}}
    assert found["overall"] == pytest.approx({"A": 0.5, "B": 0.25, "C": 1.0, "D": math.nan}, nan_ok=True)
    assert found["skipped_data_sets"] == ["y"]
    assert found["undefined"] == {"D": "no score on y"}


def test_a_difference_by_rounding_is_none() -> None:
    found = overall_scores({"A": {"x": 0.1 + 0.2, "y": 0.0}, "B": {"x": 0.3, "y": 1.0}})
    assert found["skipped_data_sets"] == ["x"]
    assert found["overall"] == {"A": 0.0, "B": 1.0}


@pytest.mark.parametrize("scores", [{"A": {"x": 0.5}}, {"A": {"x": 0.5}, "B": {"x": 0.5}}])
def test_nothing_tells_them_apart(scores: dict[str, dict[str, float]]) -> None:
    found = overall_scores(scores)
    assert set(found["undefined"].values()) == {"no data set has different scores for the compared systems"}
    assert all(map(math.isnan, found["overall"].values()))
    assert (list(found["overall"]), found["skipped_data_sets"]) == (list(scores), ["x"])


def test_nobody_has_all_data_sets() -> None:
    found = overall_scores({"A": {"x": 0.5}, "B": {"y": 0.5}, "C": {}})
    assert found["undefined"] == {"A": "no score on y", "B": "no score on x", "C": "no score on x, y"}
    assert (found["normalized"], found["skipped_data_sets"]) == ({}, ["x", "y"])
    assert overall_scores({"A": {}})["undefined"] == {"A": "no score on any data set"}


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ({}, "overall: scores must be a non-empty mapping from system, found dict {}"),
        ([1], "overall: scores must be a non-empty mapping from system, found list [1]"),
        (
            {"A": 0.5},
            "overall: the scores of 'A' must be a mapping from data set to number, found float 0.5",
        ),
        (
            {"A": {"x": math.inf}},
            "overall: the score of 'A' on 'x' must be a finite number, or None where undefined, found float inf",
        ),
        (
            {"A": {"x": "0.5"}},
            "overall: the score of 'A' on 'x' must be a finite number, or None where undefined, found str '0.5'",
        ),
    ],
)
def test_refused(refusal: Callable[..., str], scores: Any, message: str) -> None:
    assert refusal(overall_scores, scores) == message
