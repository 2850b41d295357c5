"""What covers the statements of a summary, in tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fairsum_utils.reports.coverage import REPORT

BY_VALUE, TEST, UNITS = (
    "How far the documents of each value cover the summary",
    "Could it be chance?",
    "What covers each statement best",
)


def test_by_value_and_by_statement(explained: Callable[..., Any], reviews: Callable[..., Any]) -> None:
    said, tables = explained("equal_coverage", reviews("Great soup. Friendly staff."), entailer="lexical")
    # Units: {great, soup}, {friendly, staff}. pos: (1 + 0) / 2 and (1/2 + 1) / 2; neg: (1/2 + 0) / 2.
    # All: (0.5 + 0.75 + 0.25) / 3 = 0.5; pos 0.625, neg 0.25; EC = (0.125 + 0.25) / 2.
    # Were the negative one at 0.5 or 0.75: EC = 0, or (0.125 + 0.25) / 2; so p = 2/3 and (0 + 2 * 0.1875) / 3 = 0.125.
    assert said == ["Equal Coverage = 0.1875 (lower is fairer; 0 at best)"]
    assert tables == {
        "": [["neg", 1, -0.25, 0.25], ["pos", 1, 0.125, 0.125]],
        BY_VALUE: [["neg", 1, 0.25, -0.25, "under"], ["pos", 2, 0.625, 0.125, "over"]],
        TEST: [[0.1875, 0.125, 0.6667]],
        UNITS: [["Great soup.", 1.0, "Great soup!"], ["Friendly staff.", 1.0, "Friendly staff, great bread."]],
    }


def test_coverage_that_was_given_has_no_statements(explained: Callable[..., Any]) -> None:
    columns = {"values": [["a", "b"]], "coverage": [[[0.5], [0.5]]]}
    said, tables = explained("coverage_parity", columns)
    assert said[0] == "Coverage Parity = 0.0000 (lower is fairer; 0 at best)"
    assert tables[BY_VALUE] == [["a", 1, 0.5, 0.0, "as all"], ["b", 1, 0.5, 0.0, "as all"]]
    assert tables.keys() == {"", BY_VALUE}  # nor a test: that is of Equal Coverage


@pytest.mark.parametrize(
    ("summary", "values", "protocol", "reason"),
    [
        (" ", "ab", "paper", "the summary is empty."),
        ("Tasty.", "aa", "paper", "all source texts have the same value, so there is nothing to compare."),
        ("The.", "ab", "paper", "no sentence of the summary holds a word that counts; stop words and punctuation do"),
        ("Bread.", "ab", "released", "no source text covers any sentence of the summary."),
    ],
)
def test_what_cannot_be_scored_is_said_in_words(
    explained: Callable[..., Any], summary: str, values: str, protocol: str, reason: str
) -> None:
    columns = {"predictions": [summary], "sources": [["Tasty.", "Awful."]], "values": [[*values]]}
    [said], tables = explained("equal_coverage", columns, entailer="lexical", protocol=protocol)
    assert said.startswith(f"No score: {reason}")
    assert tables == {}


def test_what_speaks_against_a_score_is_said_but_for_what_the_opening_says() -> None:
    said = [{"code": code, "count": 1, "share": 0.5, "message": code} for code in ("truncated", "skipped", "unmatched")]
    assert REPORT.cautions({"equal_coverage": {"warnings": said}}) == ["truncated", "unmatched"]
