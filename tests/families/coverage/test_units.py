"""Units of summaries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.coverage.units import check_units


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
