"""What is checked in samples, and what is drawn within inputs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.sensitivity.inputs import Originals
from fairsum_utils.families.sensitivity.rows import SensitivityRow, SensitivityTable
from fairsum_utils.families.sensitivity.samples import Sample, check_row
from fairsum_utils.measures._sensitivity import SensitivityMeasure

GOOD: dict[str, Any] = {"predictions": "Ann won.", "article_ids": "a", "variants": "f"}


def test_what_is_not_there() -> None:
    assert check_row("m", 2, GOOD) == Sample(2, "Ann won.", "a", "f")
    nothing = {"replicates": None, "controls": float("nan"), "changed": None}
    assert check_row("m", 2, GOOD | nothing) == Sample(2, "Ann won.", "a", "f")
    for blank in ("", " "):
        assert check_row("m", 2, GOOD | {"replicates": blank, "controls": blank}) == Sample(2, "Ann won.", "a", "f")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"predictions": None}, "prediction must be a string, found None"),
        ({"article_ids": None}, "article_ids is None"),
        ({"article_ids": 1.5}, "the article id must be .* found float 1.5"),
        ({"variants": None}, "variants is None"),
        ({"variants": " "}, "the variant must be .* found str ' '"),
        ({"controls": True}, "the control id must be .* found bool True"),
        ({"controls": np.False_}, "the control id must be .* found bool"),
        ({"controls": "true "}, "the control id must identify an edit, but str 'true '"),
        ({"controls": ["a"]}, "the control id must be .* found list"),
        ({"replicates": 0.5}, "the replicate id must be .* found float 0.5"),
        ({"changed": "Ann"}, "changed must be a list of strings"),
        ({"changed": ["Ann", " "]}, r"changed\[1\] must be a non-blank string, found str ' '"),
        ({"changed": [None]}, r"changed\[0\] must be a non-blank string, found None"),
        ({"sources": ["It."], "values": []}, "sources has 1 text but values has 0 labels"),
        ({"sources": "It."}, "sources must be a list"),
        ({"sources": math.nan}, "sources must be a list of strings, found NaN"),
        ({"sources": list}, "sources must be a list of strings, found type"),
    ],
)
def test_what_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"m: sample 4: {message}"):
        check_row("m", 4, GOOD | wrong)


def test_an_original_of_very_many_summaries_is_refused() -> None:
    """Mostly one id for all: every two would be compared."""
    rows = [SensitivityRow(i, "a" if i else "b", "fm"[i % 2]) for i in range(2002)]
    assert len(Originals(SensitivityTable(rows[:2001]), SensitivityMeasure())) == 2001
    with pytest.raises(InputError) as raised:
        Originals(SensitivityTable(rows), SensitivityMeasure(module="m"))
    assert str(raised.value) == (
        "m: the original 'a' has 2001 summaries, but at most 2000 can be compared in pairs; check that each original "
        "has its own article id"
    )
    assert Originals(SensitivityTable([]), SensitivityMeasure()).names == []
