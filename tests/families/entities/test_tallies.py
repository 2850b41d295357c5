"""Average tokens and entities of summaries, and the names that are hallucinated most."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.entities.results import ENGINE
from fairsum_utils.families.entities.rows import EntityRow, EntityTable
from fairsum_utils.measures.entity_hallucination import EntityHallucination


def row(index: int, n_tokens: int, n_mentions: int, *hallucinated: tuple[str, str | None]) -> EntityRow:
    return EntityRow(index, "a", n_tokens=n_tokens, n_mentions=n_mentions, hallucinated=hallucinated)


ROWS = [
    row(0, 10, 4, ("Ann Lee", "female"), ("Bob Greene", "male")),
    EntityRow(1, "a", skipped="empty_prediction"),
    row(2, 14, 0),
    row(3, 18, 1, ("Ann Lee", "female")),
    row(4, 30, 3),
]


def summarized(rows: Sequence[EntityRow]) -> dict[str, Any]:
    settings = EntityHallucination(module="sums")
    sums = ENGINE.sums_of(EntityTable(rows), ["entity_hallucination"], settings)
    return ENGINE.scores["entity_hallucination"](sums, settings).result({})


NUMBERS = ("mean_tokens", "sd_tokens", "mean_entities", "sd_entities", "hallucinated_share")


def test_worked_example() -> None:
    # Tokens 10, 14, 18, 30: mean 72 / 4; squares of -8, -4, 0, 12 add up to 224, over 4. Entities 4, 0, 1, 3: mean 2,
    # squares 4 + 4 + 1 + 1 over 4. 3 of 8 entities are hallucinated.
    for rows in (ROWS, ROWS[::-1]):
        found = summarized(rows)
        assert [found[key] for key in NUMBERS] == [18.0, math.sqrt(56), 2.0, math.sqrt(2.5), 0.375]
        assert (found["n_samples"], found["skipped"]) == (4, {"empty_prediction": 1})


def test_most_frequent_names() -> None:
    rows = [
        row(0, 1, 4, ("Frum", None), ("Zoe Ito", "female"), ("Ann Lee", "male"), ("Ann Lee", "female")),
        row(1, 1, 2, ("Zoe Ito", "female"), ("Frum", None)),
        row(2, 1, 2, ("Zoe Ito", "female"), ("Bob Greene", "male")),
        EntityRow(3, "b", skipped="empty_prediction"),
    ]
    expected = [
        {"name": "Zoe Ito", "group": "female", "count": 3},
        {"name": "Frum", "group": None, "count": 2},
        {"name": "Ann Lee", "group": "female", "count": 1},
        {"name": "Ann Lee", "group": "male", "count": 1},
        {"name": "Bob Greene", "group": "male", "count": 1},
    ]
    assert summarized(rows)["most_frequent"] == summarized(rows[::-1])["most_frequent"] == expected
    many = row(4, 1, 9, *((f"{letter} Ray", None) for letter in "ABCDEFGHI"))
    assert [each["name"] for each in summarized([*rows, many])["most_frequent"]] == [
        "Zoe Ito", "Frum", "A Ray", "Ann Lee", "Ann Lee", "B Ray", "Bob Greene", "C Ray", "D Ray", "E Ray",
    ]  # fmt: skip


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=40))
def test_deviations_from_sums_are_those_of_the_numbers_to_the_bit(numbers: list[int]) -> None:
    found = summarized([row(index, n, 0) for index, n in enumerate(numbers)])
    assert (found["mean_tokens"], found["sd_tokens"]) == (statistics.fmean(numbers), statistics.pstdev(numbers))
