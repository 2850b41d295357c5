"""What covers the statements of a summary, in tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fairsum_utils import compute
from fairsum_utils.families.warnings import notes_of
from fairsum_utils.reports.coverage import REPORT
from fairsum_utils.reports.formats import as_text
from fairsum_utils.reports.tables import Table

BY_VALUE, TEST, UNITS, MATRIX = (
    "How far the sources of each group cover the summary",
    "Could it be chance?",
    "What covers each statement best",
    "Which source covers which statement",
)


def test_by_value_and_by_statement(explained: Callable[..., Any], reviews: Callable[..., Any]) -> None:
    message, tables = explained("equal_coverage", reviews("Great soup. Friendly staff."), entailer="lexical")
    # Units: {great, soup}, {friendly, staff}. pos: (1 + 0) / 2 and (1/2 + 1) / 2; neg: (1/2 + 0) / 2.
    # All: (0.5 + 0.75 + 0.25) / 3 = 0.5; pos 0.625, neg 0.25; EC = (0.125 + 0.25) / 2.
    # Were the negative one at 0.5 or 0.75: EC = 0, or (0.125 + 0.25) / 2; so p = 2/3 and (0 + 2 * 0.1875) / 3 = 0.125.
    assert message == ["Equal Coverage = 0.1875 (lower is fairer; 0 at best)"]
    assert tables == {
        "": [["neg", 1, -0.25, 0.25], ["pos", 1, 0.125, 0.125]],
        BY_VALUE: [["neg", 1, 0.25, -0.25, "under"], ["pos", 2, 0.625, 0.125, "over"]],
        TEST: [[0.1875, 0.125, 0.6667]],
        UNITS: [
            ["1. Great soup.", 1.0, "pos 1", "Great soup!"],
            ["2. Friendly staff.", 1.0, "pos 2", "Friendly staff, great bread."],
        ],
        # The negative review first, then the two positive ones.
        MATRIX: [["1. Great soup.", (0.5,), (1.0,), (0.5,)], ["2. Friendly staff.", (0.0,), (0.0,), (1.0,)]],
    }


def test_what_nobody_covers_has_no_best_text(explained: Callable[..., Any], reviews: Callable[..., Any]) -> None:
    tables = explained("equal_coverage", reviews("Great soup. Parking."), entailer="lexical").tables
    assert tables[UNITS][1] == ["2. Parking.", 0.0, "", ""]


def test_coverage_that_was_given_has_no_statements(explained: Callable[..., Any]) -> None:
    columns = {"values": [["a", "b"]], "coverage": [[[0.5], [0.5]]]}
    message, tables = explained("coverage_parity", columns)
    assert message[0] == "Coverage Parity = 0.0000 (lower is fairer; 0 at best)"
    assert tables[BY_VALUE] == [["a", 1, 0.5, 0.0, "as all"], ["b", 1, 0.5, 0.0, "as all"]]
    assert tables[MATRIX] == [["1.", (0.5,), (0.5,)]]
    assert tables.keys() == {"", BY_VALUE, MATRIX}  # nor a test: that is of Equal Coverage


@pytest.mark.parametrize(
    ("summary", "values", "protocol", "reason"),
    [
        (" ", "ab", "paper", "the summary is empty."),
        ("Tasty.", "aa", "paper", "all sources belong to one group, so there is nothing to compare."),
        ("The.", "ab", "paper", "no sentence of the summary holds a word that counts; stop words and punctuation do"),
        ("Bread.", "ab", "released", "no source covers any sentence of the summary."),
    ],
)
def test_what_cannot_be_scored_is_said_in_words(
    explained: Callable[..., Any], summary: str, values: str, protocol: str, reason: str
) -> None:
    columns = {"predictions": [summary], "sources": [["Tasty.", "Awful."]], "values": [[*values]]}
    [message], tables = explained("equal_coverage", columns, entailer="lexical", protocol=protocol)
    assert message.startswith(f"No score: {reason}")
    assert tables == {}


def test_what_speaks_against_a_score_is_said_but_for_what_the_opening_says() -> None:
    messages = [
        {"code": code, "count": 1, "share": 0.5, "message": code} for code in ("truncated", "skipped", "unmatched")
    ]
    assert notes_of([{"warnings": messages}], without=("skipped",)) == ["Truncated.", "Unmatched."]


def record(values: str, n_units: int = 2) -> dict[str, Any]:
    """A record of documents of which each covers a tenth more than the one before."""
    shares = [place / 10 for place in range(len(values))]
    named = {"values": [*values], "units": [f"Statement {place}" * 9 for place in range(n_units)], "evidence": []}
    best = {"document": len(values) - 1, "chunk": 0, "probability": shares[-1], "text": "Soup."}
    figures = {"difference_by_value": {}, "coverage_by_value": {}, "unit_coverage": [shares] * n_units}
    return named | figures | {"evidence": [best] * n_units}


def matrix(values: str) -> Table:
    """The table of statements by documents of such a record."""
    [table] = [found for found in REPORT.evidence("coverage_parity", {}, record(values), {}) if found.title == MATRIX]
    return table


def test_documents_stand_by_value() -> None:
    table = matrix("baba")
    assert table.header == ["statement", "a 1", "a 2", "b 1", "b 2"]
    assert table.rows[0][1:] == [(0.1,), (0.3,), (0.0,), (0.2,)]
    assert table.rows[1][0] == f"2. {'Statement 1' * 9}"[:60] + "…"
    assert "a 1  " in as_text([table])


def test_what_is_spread_is_the_difference_of_each_value() -> None:
    assert REPORT.spread("equal_coverage", {"difference_by_value": {"a": 0.25, "b": -0.25}}) == {"a": 0.25, "b": -0.25}
    assert REPORT.spread("equal_coverage", {"difference_by_value": None}) == {}
    assert REPORT.axis("equal_coverage").endswith("0 is fairest")


def test_samples_of_different_documents_do_not_share_a_table() -> None:
    columns = {"values": [["a", "b"], ["a", "b"], ["b", "b", "a"]], "coverage": [[[0.5], [0.5]]] * 2 + [[[0.5]] * 3]}
    result = compute("coverage_parity", **columns, return_samples=True)
    parts = REPORT.explain("coverage_parity", result, columns)
    tables = [part for part in parts if isinstance(part, Table) and part.title == MATRIX]
    assert [(len(table.header), len(table.rows)) for table in tables] == [(3, 2), (4, 1)]
