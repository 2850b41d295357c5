"""Texts and groups on their way to a scorer and back."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.polarity.rows import PolarityRow
from fairsum_utils.families.polarity.scorer import Labelled, PolarityScorer
from fairsum_utils.families.polarity.settings import PolaritySettings


class Letters(PolarityScorer):
    """Labels a text with its first letter."""

    labels = ("a", "b")

    def __init__(self) -> None:
        super().__init__(["letters"], PolaritySettings(module="letters"))
        self.asked: list[list[str]] = []

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        return {}

    def label_texts(self, texts: Sequence[str]) -> Iterator[Labelled]:
        self.asked.append(list(texts))
        for text in texts:
            yield Labelled((text[0],), {"length": len(text)})


def test_rows_keep_their_places(label: Any) -> None:
    scorer = Letters()
    scorer.window = 2
    found = list(label(scorer, ["ab", " ", "b", "", "", "\u2003", "bb"], "uvuvuvu"))
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
    assert [row.group for row in label(Letters(), ["a", "b"])] == [None, None]
    assert [sample.position for sample in scorer.read({"predictions": ["a", ""]}, start=3)] == [3, 4]


def test_groups_become_plain_strings(label: Any) -> None:
    [row] = label(Letters(), np.array(["a"]), np.array(["u"]))
    assert type(row.group) is str


@pytest.mark.parametrize(
    ("predictions", "groups", "message"),
    [
        (
            ["a", None],
            None,
            "letters: sample 1: prediction must be a string, found None; fill it in or drop",
        ),
        ([b"a"], None, "letters: sample 0: prediction must be a string, found bytes b'a'"),
        ([float("nan")], None, "letters: sample 0: prediction must be a string, found NaN"),
        (
            ["a", "b"],
            ["u", None],
            "letters: sample 1: the group must be a string that is not empty, whole number or boolean, found None",
        ),
        (
            ["a"],
            [3.5],
            "letters: sample 0: the group must be a string that is not empty, whole number or boolean, found float 3.5",
        ),
        (
            ["a"],
            [" "],
            "letters: sample 0: the group must be a string that is not empty, whole number or boolean, found str ' '",
        ),
        (
            ["a"],
            [("u", "v")],
            "letters: sample 0: the group must be a string that is not empty, whole number or boolean",
        ),
    ],
)
def test_what_is_no_text_or_no_group(predictions: Any, groups: Any, message: str, label: Any) -> None:
    scorer = Letters()
    with pytest.raises(InputError) as error:
        list(label(scorer, predictions, groups))
    assert str(error.value).startswith(message)
    assert scorer.asked == []  # nothing was computed in vain


def test_groups_are_checked_together() -> None:
    scorer = Letters()
    samples = list(scorer.read({"predictions": ["a", "", "b", "b"], "groups": ["u", "u", "v", "v"]}))
    scorer.check(samples[2:])
    with pytest.raises(
        InputError, match=r"letters: group 'u' has only one text \(and 1 empty\), of which no proportion"
    ):
        scorer.check(samples)
    assert scorer.asked == []
