"""Where polar sentences and matches stand in the texts of a sample."""

from __future__ import annotations

from typing import Any

from fairsum_utils.families.marks import Attribution
from tests import _together


def marked(name: str, prediction: str, sources: list[str], /, **changes: Any) -> Attribution:
    """What is marked in a sample; `changes` are made to the sample after its record is made."""
    return _together.marked(name, {"predictions": prediction, "sources": sources}, changes=changes)[0]


def test_polar_sentences_by_hand() -> None:
    texts = ("Great soup. We ate it.", ["Awful soup. It rained.", "Great bread."])
    # VADER: great 0.6249, awful -0.4588, the others 0.
    found = marked("framing", *texts)
    assert found.prediction == [(0, 11, (), "plus", "", "sentiment +0.62")]
    assert found.sources == [
        [(0, 11, (), "minus", "", "sentiment -0.46")],
        [(0, 12, (), "plus", "", "sentiment +0.62")],
    ]
    other = marked("framing", *texts, predictions="Great soup.")
    assert (other.prediction, other.sources) == ([], found.sources)
    assert marked("framing", *texts, sources=["Awful soup."]) == Attribution()


def test_matches_by_hand() -> None:
    texts = ("The soup was cold. Xylophones.", ["Cold soup.", "Friendly staff. Cold soup!"])
    found = marked("position_bias", *texts)
    assert [(span.start, span.end, span.key, span.note) for span in found.prediction] == [
        (0, 18, "u0", "sentence 1: 100% of its content words in one source sentence, and equally in 1 more"),
        (19, 30, "u1", "sentence 2: no match"),
    ]
    note = "matches sentence 1 of the summary, 100% of its content words"
    assert [[(span.start, span.end, span.key, span.note) for span in spans] for spans in found.sources] == [
        [(0, 10, "u0", note)],
        [(16, 26, "u0", note)],
    ]
    assert marked("position_bias", *texts, predictions="The soup was cold.") == Attribution()
    fewer = marked("position_bias", *texts, sources=["Cold soup.", "Friendly staff."])
    assert [len(spans) for spans in fewer.sources] == [1, 0]
