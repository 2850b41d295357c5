"""Average tokens and entities of summaries, and the names that are hallucinated most."""

from __future__ import annotations

import math
import statistics
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.rows import EntityRow, EntityTable
from fairsum_utils.families.entities.statistics import most_frequent_names, summary_statistics


def row(index: int, n_tokens: int, n_mentions: int, *hallucinated: tuple[str, str | None]) -> EntityRow:
    return EntityRow(index, "a", n_tokens=n_tokens, n_mentions=n_mentions, hallucinated=hallucinated)


ROWS = [
    row(0, 10, 4, ("Ann Lee", "female"), ("Bob Greene", "male")),
    EntityRow(1, "a", skipped="empty_prediction"),
    row(2, 14, 0),
    row(3, 18, 1, ("Ann Lee", "female")),
    row(4, 30, 3),
]


def test_worked_example() -> None:
    # Tokens 10, 14, 18, 30: mean 72 / 4; squares of -8, -4, 0, 12 add up to 224, over 4. Entities 4, 0, 1, 3: mean 2,
    # squares 4 + 4 + 1 + 1 over 4. 3 of 8 entities are hallucinated.
    assert summary_statistics(EntityTable(ROWS)) == {
        "mean_tokens": 18.0,
        "sd_tokens": math.sqrt(56),
        "mean_entities": 2.0,
        "sd_entities": math.sqrt(2.5),
        "hallucinated_share": 0.375,
        "n_samples": 4,
        "n_skipped": 1,
        "skipped": {"empty_prediction": 1},
    }
    assert summary_statistics(EntityTable(ROWS[::-1])) == summary_statistics(EntityTable(ROWS))


@pytest.mark.parametrize(
    ("rows", "undefined"),
    [
        ([], ["mean_tokens", "sd_tokens", "mean_entities", "sd_entities", "hallucinated_share"]),
        ([row(0, 3, 0)], ["hallucinated_share"]),
    ],
)
def test_undefined(rows: list[EntityRow], undefined: list[str]) -> None:
    result = summary_statistics(EntityTable(rows))
    assert [key for key, number in result.items() if isinstance(number, float) and math.isnan(number)] == undefined


@pytest.mark.parametrize("part", [{"n_mentions": 2}, {"hallucinated": ()}])
def test_a_row_of_another_measure(part: dict[str, Any]) -> None:
    missing = ({"n_mentions", "hallucinated"} - {*part}).pop()
    message = f"sums: sample 7: entity_hallucination needs {missing}, and the sample's row has none; score the samples"
    with pytest.raises(InputError, match=message):
        summary_statistics(EntityTable([EntityRow(7, "a", **part)]), module="sums")


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
    assert most_frequent_names(EntityTable(rows)) == expected
    assert most_frequent_names(EntityTable(rows[::-1]), limit=3) == expected[:3]
    with pytest.raises(InputError, match="sums: sample 4: entity_hallucination needs hallucinated"):
        most_frequent_names(EntityTable([*rows, EntityRow(4, "b")]), module="sums")


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=40))
def test_deviations_from_sums_are_those_of_the_numbers_to_the_bit(numbers: list[int]) -> None:
    rows = [row(index, n, 0) for index, n in enumerate(numbers)]
    found = summary_statistics(EntityTable(rows))
    assert (found["mean_tokens"], found["sd_tokens"]) == (statistics.fmean(numbers), statistics.pstdev(numbers))
