"""Samples: what is taken, and what is refused, by the name of the sample."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.sensitivity.samples import Sample, check_row

GOOD: dict[str, Any] = {"predictions": "Ann won.", "article_ids": "a", "variants": "f"}


def test_what_is_not_there() -> None:
    assert check_row("m", 2, GOOD) == Sample(2, "Ann won.", "a", "f")
    nothing = {"replicates": None, "controls": float("nan"), "changed": None}
    assert check_row("m", 2, GOOD | nothing) == Sample(2, "Ann won.", "a", "f")
    for blank in ("", " "):
        assert check_row("m", 2, GOOD | {"replicates": blank, "controls": blank}) == Sample(2, "Ann won.", "a", "f")


def test_ids_of_any_kind() -> None:
    row = GOOD | {"article_ids": np.int64(7), "variants": True, "replicates": 0, "controls": 3, "changed": ("Ann",)}
    assert check_row("m", 0, row) == Sample(0, "Ann won.", "7", "True", "3", "0", ("Ann",))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"predictions": None}, "m: sample 4: prediction must be a string, found None"),
        ({"article_ids": None}, "m: sample 4: article_ids is None; give article_ids with every sample"),
        (
            {"article_ids": 1.5},
            "m: sample 4: the article id must be a string or a whole number, found float 1.5; give",
        ),
        ({"article_ids": ""}, "the article id must be a string or a whole number, found str ''"),
        ({"variants": None}, "m: sample 4: variants is None; give variants with every sample"),
        ({"variants": " "}, "the variant must be a string that is not empty, whole number or boolean, found str ' '"),
        ({"variants": 1.0}, "the variant must be a string that is not empty"),
        ({"controls": True}, "the control id must be a string or a whole number, found bool True; give each edit"),
        ({"controls": np.False_}, "the control id must be a string or a whole number, found bool"),
        ({"controls": "False"}, "m: sample 4: the control id must name an edit, found str 'False', which cannot tell"),
        ({"controls": "true "}, "which cannot tell two edits apart; give each edit that should not"),
        ({"controls": ["a"]}, "the control id must be a string or a whole number, found list"),
        (
            {"replicates": 0.5},
            "the replicate id must be a string or a whole number, found float 0.5; give the",
        ),
        (
            {"changed": "Ann"},
            "changed must be a list of strings, the words that the variant put into the input",
        ),
        ({"changed": ["Ann", " "]}, r"changed\[1\] must be a string that is not blank, found str ' '; leave it out"),
        ({"changed": [None]}, r"changed\[0\] must be a string that is not blank, found None"),
        ({"sources": ["It."], "values": []}, "sources has 1 text but values has 0 labels"),
        ({"sources": "It."}, "sources must be a list"),
        ({"sources": math.nan}, "sources must be a list of strings, found NaN"),
        ({"sources": 3}, "sources must be a list of strings, found int 3"),
        ({"sources": list}, "sources must be a list of strings, found type"),
    ],
)
def test_what_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_row("m", 4, GOOD | wrong)
