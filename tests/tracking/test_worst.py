"""The worst samples: order, ties, how many, and what has no score."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.reports.tables import Table
from fairsum_utils.tracking import Worst


def record(index: int, score: Any, measure: str = "uer") -> dict[str, Any]:
    return {"index": index, "id": f"s{index}", measure: score}


@given(st.lists(st.sampled_from([None, math.nan, 0.0, 0.1, 0.2, 0.5]), max_size=12), st.integers(0, 5))
def test_as_by_sorting_all(scores: list[float | None], count: int) -> None:
    worst = Worst(["uer"], count)
    for index, score in enumerate(scores):
        worst.add([record(index, score)])
    unfair = [(index, score) for index, score in enumerate(scores) if score is not None and score > 0]
    expected = sorted(unfair, key=lambda pair: -pair[1])[:count]  # of equal ones the first
    assert [row[1:] for row in worst.table().rows] == [[f"s{index}", score] for index, score in expected]
    assert worst.indices == {index for index, _ in expected}


def test_texts_only_if_given() -> None:
    worst = Worst(["bur", "sof"])
    worst.add([{"index": 7, "bur": 1.0}])
    assert worst.table().header == ["measure", "id", "score"]
    assert worst.table({7: "Tasty."}) == Table(["measure", "id", "score", "text"], [["bur", "7", 1.0, "Tasty."]])


def test_what_is_no_score_is_passed_over() -> None:
    worst = Worst(["toxicity", "uer"])
    worst.add([{"index": 0, "toxicity": {"labels": ["toxic"]}, "uer": True}, {"index": 1, "toxicity": "0.5"}])
    assert worst.table().rows == []
