"""Marks in a summary: the words of its edits, and those that the other variant's summary lacks."""

from __future__ import annotations

import pytest

from fairsum_utils import compute
from fairsum_utils.families import families
from fairsum_utils.families.sensitivity.settings import SensitivitySettings

FAMILY = families()["sensitivity"]
GAP = ("counterfactual_gap",)


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
def test_marks_are_what_the_record_says() -> None:
    columns = {
        "predictions": ["Ann Lee said she won.", "Bob Lee said he lost."],
        "article_ids": ["a", "a"],
        "variants": ["f", "m"],
        "changed": [["Ann Lee"], ["Bob Lee"]],
    }
    records = compute(*GAP, **columns, return_samples=True)["samples"]
    texts = []
    for place, record in enumerate(records):
        sample = {column: entries[place] for column, entries in columns.items()}
        spans = FAMILY.attribution(GAP, SensitivitySettings(), sample, record).prediction
        texts.append([(sample["predictions"][span.start : span.end], span.said, span.names) for span in spans])
    assert texts == [
        [("Ann Lee", "put in by an edit", ("f",)), ("won", "not in the summary of m", ("f",))],
        [("Bob Lee", "put in by an edit", ("m",)), ("lost", "not in the summary of f", ("m",))],
    ]
    skipped = {"skipped": "empty_prediction", "variant": "f"}
    assert FAMILY.attribution(GAP, SensitivitySettings(), {"predictions": ""}, skipped).prediction == ()


def test_marks_in_the_input() -> None:
    sample = {"predictions": "She won.", "variants": "f", "changed": ["Ann", "she"], "sources": ["Ann said she won."]}
    record = {"skipped": None, "variant": "f"}
    [spans] = FAMILY.attribution(GAP, SensitivitySettings(), sample, record).sources
    assert [sample["sources"][0][span.start : span.end] for span in spans] == ["Ann", "she"]
