"""The last panel: what a result says of its own making, and what numbers do not say."""

from __future__ import annotations

import pytest

from fairsum_utils.reports.page.contents import Contents
from fairsum_utils.reports.page.sections import provenance
from fairsum_utils.reports.report import report_of
from fairsum_utils.results.pages import contents_of
from tests._results import cells, of_family

RUN = {
    "command": {"name": "score", "options": {"file": "a.jsonl", "tau": 0.9, "quiet": False, "id": [], "plot": None}},
    "inputs": [
        {"path": "a<b>.jsonl", "bytes": 12, "sha256": "ab12", "rows": 3},
        {"path": None, "columns": ["sources"]},
    ],
    "settings": {
        "bur": {"measure": "bur", "given": {"tau": 0.9}, "effective": {"tau": 0.9, "k": 1, "target": {"a": 0.5}}},
        "uer": {"measure": "uer", "given": {}, "effective": {"k": 1, "target": {"a": 0.5}}},
    },
    "versions": {"fairsum-utils": "1.0"},
    "started": "2024-05-01T00:00:00Z",
    "seconds": 1.5,
}


def test_all_that_a_run_says() -> None:
    html = provenance(Contents("a", {"metrics": {}, "run": RUN}, [])).html
    assert cells(html, "What was read")[1:] == [
        ["a&lt;b&gt;.jsonl", "3", "12", "ab12"],
        ["in memory: sources", "", "", "none"],
    ]
    assert cells(html, "Settings that were given")[1:] == [["tau", "0.9", "bur"]]
    assert "<tr><td>k</td><td>1</td><td>all</td></tr>" in html
    assert "<td>{&quot;a&quot;: 0.5}</td><td>all</td>" in html
    assert cells(html, "With what, and when")[1:] == [
        ["fairsum-utils", "1.0"], ["started", "2024-05-01T00:00:00Z"], ["seconds", "1.5"],
    ]  # fmt: skip
    assert "<td>file</td>" in html
    assert not any(f"<td>{name}</td>" in html for name in ("quiet", "id", "plot"))


def test_results_without_a_record_say_so() -> None:
    assert "do not say how they came about" in provenance(Contents("a", {"metrics": {}}, [])).html


@pytest.mark.parametrize("family", ["representation", "coverage", "polarity", "entities"])
def test_each_family_has_limits(family: str) -> None:
    html = provenance(contents_of(of_family(family))).html
    limits = report_of(family).limits
    assert limits
    assert limits.replace("'", "&#x27;") in html
