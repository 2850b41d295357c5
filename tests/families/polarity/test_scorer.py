"""Texts and groups on their way to a scorer and back."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from fairsum_utils.families.polarity.rows import PolarityRow
from fairsum_utils.families.polarity.scorer import Labelled, PolarityScorer
from fairsum_utils.measures._polarity import PolarityMeasure
from tests.families.polarity.scoring import labelled


class Letters(PolarityScorer):
    """Labels a text with its first letter."""

    labels = ("a", "b")

    def __init__(self) -> None:
        super().__init__(["sentiment"], PolarityMeasure(module="letters"))
        self.asked: list[list[str]] = []

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        return {}

    def label_texts(self, texts: Sequence[str]) -> Iterator[Labelled]:
        self.asked.append(list(texts))
        for text in texts:
            yield Labelled((text[0],), {"length": len(text)})


def test_rows_keep_their_places() -> None:
    scorer = Letters()
    scorer.window = 2
    found = list(labelled(scorer, ["ab", " ", "b", "", "", "\u2003", "bb"], "uvuvuvu"))
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
    assert [row.group for row in labelled(Letters(), ["a", "b"])] == [None, None]
    assert [sample.index for sample in scorer.read({"predictions": ["a", ""]}, start=3)] == [3, 4]
