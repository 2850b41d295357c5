"""Entity hallucination: how far the groups of hallucinated persons are from even."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_reproductions.printed import printed_figures
from fairsum_utils.errors import InputError
from fairsum_utils.measures.entity_hallucination import EntityHallucination, entity_hallucination

# 6 of 8 against 1/2.
EXPLAINED = 0.25


def score(counts: list[int]) -> float:
    return float(entity_hallucination(np.array(counts, dtype=float)))


def test_worked_example() -> None:
    # 4/8, 3/8, 1/8, 0 against 1/4 each: (1/4 + 1/8 + 1/8 + 1/4) / 2 = 3/8.
    assert score([4, 3, 1, 0]) == 0.375
    assert score([7, 7]) == 0.0
    assert score([5, 0]) == 0.5


@pytest.mark.parametrize("system", printed_figures("news")["hallucinated"])
def test_tables_6_and_3(system: str) -> None:
    male, female, printed = printed_figures("news")["hallucinated"][system]
    # 290 / 322 - 1/2 = 0.4006; table 3 prints 0.38 for these counts of table 6.
    expected = 0.40 if system == "Llama-2 chat 7b" else printed
    assert round(score([male, female]), 2) == expected


@pytest.mark.parametrize("counts", [[0, 0], [3], []])
def test_undefined(counts: list[int]) -> None:
    assert math.isnan(score(counts))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"first_names": {}}, "first_names must be a non-empty mapping from first name to group, found dict {}"),
        ({"first_names": "names.tsv"}, "first_names must be a non-empty mapping from first name to group"),
        ({"first_names": {1: "f"}}, r"the names in first_names must be strings, found int 1; use str\(\)"),
        ({"people": {"Ann Lee": 1}}, r"people must have strings as groups, found int 1; use str\(\)"),
        ({"people": 3}, "people must be a non-empty mapping from title to group, found int 3"),
    ],
)
def test_refuses_tables_that_are_none(given: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        EntityHallucination(**given)


def test_a_table_within_itself_is_refused_in_one_line() -> None:
    nested: dict[str, object] = {}
    nested["Ann"] = nested
    with pytest.raises(InputError, match=r"first_names must have strings as groups[^\n]*$"):
        EntityHallucination(first_names=nested)


@given(
    counts=st.lists(st.integers(0, 99), min_size=2, max_size=6).filter(any), factor=st.integers(2, 9), data=st.data()
)
def test_properties(counts: list[int], factor: int, data: st.DataObject) -> None:
    exact = sum(abs(Fraction(count, sum(counts)) - Fraction(1, len(counts))) for count in counts) / 2
    found = score(counts)
    assert found == pytest.approx(float(exact), abs=1e-12)
    assert 0 <= found <= 1 - 1 / len(counts) + 1e-12
    assert score(data.draw(st.permutations(counts))) == pytest.approx(found, abs=1e-12)
    assert score([factor * count for count in counts]) == pytest.approx(found, abs=1e-12)
    stack = np.array([counts, [0] * len(counts)], dtype=float)
    assert entity_hallucination(stack).tolist() == pytest.approx([found, math.nan], nan_ok=True)
