"""Units of summaries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.coverage.units import check_units, sentence_units
from fairsum_utils.errors import InputError


@pytest.mark.parametrize(
    ("summary", "units"),
    [
        ("Dr. Who came. He left!", ["Dr. Who came.", "He left!"]),
        ("  It was good.\n\n42! \n", ["It was good.", "42!"]),
        ("Great! !!! Cold.", ["Great!", "Cold."]),
        ("Très bon. すし。", ["Très bon.", "すし。"]),
        ("", []),
        (" \n", []),
        ("?! - ...", []),
    ],
)
def test_sentences(summary: str, units: list[str]) -> None:
    assert sentence_units(summary) == units


def test_sentences_of_other_languages() -> None:
    pytest.importorskip("sentencex")
    assert sentence_units("डॉ. शर्मा आए। वे खुश थे।", "hindi") == ["डॉ. शर्मा आए।", "वे खुश थे।"]


@given(st.text("aB1 .!?\n-", max_size=40))
def test_every_letter_and_digit_is_in_a_unit(summary: str) -> None:
    units = sentence_units(summary)
    assert [c for c in "".join(units) if c.isalnum()] == [c for c in summary if c.isalnum()]
    assert all(unit == unit.strip() and any(map(str.isalnum, unit)) for unit in units)


@pytest.mark.parametrize("units", [["a", "b"], ("a", "b"), np.array(["a", "b"])])
def test_given_units(units: Any) -> None:
    checked = check_units("equal_coverage", 0, units)
    assert checked == ["a", "b"]
    assert [type(unit) for unit in checked] == [str, str]
    assert checked is not units


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ("a", "units must be a list of strings, found str 'a'"),
        (None, "units must be a list of strings, found None"),
        ({"a": 1}, "units must be a list of strings, found dict {'a': 1}"),
        ([], "units is an empty list, so there are no units to judge; give at least one, or drop the sample"),
        (["a", 3], "units[1] must be a string, found int 3"),
        (["a", None], "units[1] must be a string, found None"),
        (["a", float("nan")], "units[1] must be a string, found NaN"),
        (["", "a"], "units[0] is blank; drop it or fill it in"),
        (["a", " \n"], "units[1] is blank; drop it or fill it in"),
    ],
)
def test_units_that_cannot_be_judged(units: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        check_units("coverage_parity", 7, units)
    assert str(caught.value) == f"coverage_parity: sample 7: {message}"
