"""Texts and groups on their way to a scorer and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.polarity import Labelled, PolarityRow, PolarityScorer, rows


class Letters(PolarityScorer):
    """Labels a text with its first letter."""

    labels = ("a", "b")

    def __init__(self, empty: str = "skip") -> None:
        super().__init__(module="letters", empty=empty)
        self.asked: list[list[str]] = []

    def settings(self) -> dict[str, object]:
        return {}

    def label_texts(self, texts: Sequence[str]) -> Iterator[Labelled]:
        self.asked.append(list(texts))
        for text in texts:
            yield Labelled((text[0],), {"length": len(text)})


def test_rows_keep_their_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "_WINDOW", 2)
    scorer = Letters()
    found = list(scorer.score(["ab", " ", "b", "", "", "\u2003", "bb"], "uvuvuvu"))
    assert scorer.asked == [["ab"], ["b"], ["bb"]]
    skipped = "empty_prediction"
    assert found == [
        PolarityRow(0, "u", ("a",), {"length": 2}),
        PolarityRow(1, "v", skipped=skipped),
        PolarityRow(2, "u", ("b",), {"length": 1}),
        PolarityRow(3, "v", skipped=skipped),
        PolarityRow(4, "u", skipped=skipped),
        PolarityRow(5, "v", skipped=skipped),
        PolarityRow(6, "u", ("b",), {"length": 2}),
    ]
    assert [row.group for row in Letters().score(["a", "b"])] == [None, None]


def test_groups_become_plain_strings() -> None:
    [row] = Letters().score(np.array(["a"]), np.array(["u"]))
    assert type(row.group) is str


@pytest.mark.parametrize(
    ("predictions", "groups", "message"),
    [
        (
            ["a", None],
            None,
            "letters: sample 1: the prediction must be a string, found None; fill it in or drop",
        ),
        ([b"a"], None, "letters: sample 0: the prediction must be a string, found bytes b'a'"),
        ([float("nan")], None, "letters: sample 0: the prediction must be a string, found NaN"),
        (["a", "b"], ["u", None], "letters: sample 1: the group must be a string that is not empty, found None; name"),
        (["a"], [3], "letters: sample 0: the group must be a string that is not empty, found int 3"),
        (["a"], [" "], "letters: sample 0: the group must be a string that is not empty, found str ' '"),
        (["a"], [("u", "v")], "letters: sample 0: the group must be a string that is not empty, found tuple"),
    ],
)
def test_what_is_no_text_or_no_group(predictions: Any, groups: Any, message: str) -> None:
    scorer = Letters()
    for refuse in (lambda *columns: list(scorer.score(*columns)), scorer.check):
        with pytest.raises(InputError) as error:
            refuse(predictions, groups)
        assert str(error.value).startswith(message)
    assert scorer.asked == []  # nothing was computed in vain


def test_unknown_way_with_empty_texts() -> None:
    with pytest.raises(InputError, match="letters: empty must be one of skip, error, found str 'uniform'"):
        Letters(empty="uniform")
