"""Results of several families in one report, and the score in a line."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from fairsum_utils import compute
from fairsum_utils.family import families, family_of
from fairsum_utils.measures import measure_names
from fairsum_utils.reports.base import Report
from fairsum_utils.reports.report import explain, headline, report, report_of


def test_each_family_says_what_it_shows() -> None:
    assert [type(report_of(name)) is not Report for name in families()] == [True] * 4
    assert type(report_of("no such family")) is Report


def test_families_stand_one_after_the_other(reviews: Callable[[str], dict[str, Any]]) -> None:
    columns = reviews("Great soup.")
    words = {"predictions": columns["predictions"], "sources": columns["sources"]}
    results = {
        "word_list_inclusion": compute("word_list_inclusion", **words),
        "uer": compute("uer", **columns),
    }
    first, second = report("a.jsonl", results).split("\n\n\n")
    assert (first, second) == tuple(report("a.jsonl", {name: results[name]}) for name in ("uer", "word_list_inclusion"))
    assert first.startswith("a.jsonl: 1 samples scored, 0 skipped\n\nmeasure")
    assert second.startswith("a.jsonl: 1 samples scored, 0 skipped; 1 originals\n\nmeasure")
    assert "| value |" in report("a.jsonl", results, markdown=True)


@pytest.mark.parametrize(
    ("name", "score", "skipped", "expected"),
    [
        ("coverage_parity", 0.5, [None], "Coverage Parity = 0.5000 (lower is fairer; 0 at best)"),
        ("distinguishability", -0.25, [None], "Distinguishability = -0.2500 (closer to 0 is fairer)"),
        ("sof", math.nan, [None, "no_units"], "SOF is undefined: why."),
        ("sof", math.nan, ["empty_prediction"] * 2, "No score: the summary is empty."),
        ("sof", math.nan, ["unheard of"], "No score: unheard of."),
    ],
)
def test_score_in_a_line(name: str, score: float, skipped: list[str | None], expected: str) -> None:
    result = {name: score, "undefined": "why", "samples": [{"skipped": reason} for reason in skipped]}
    assert headline(name, result) == expected


def test_what_else_is_undefined_is_said(reviews: Callable[[str], dict[str, Any]]) -> None:
    columns = reviews("Great soup.")
    result = compute("coverage_parity", **columns, entailer="lexical", return_samples=True)
    assert explain("coverage_parity", result, columns)[0] == [
        headline("coverage_parity", result),
        "undefined: p_value_by_value: a bootstrap needs at least two samples",
    ]


@pytest.mark.parametrize("name", measure_names())
def test_the_example_of_a_page_fits_its_measure(name: str) -> None:
    page = report_of(family_of(name).name).page(name)
    assert {*family_of(name).needed(name, ())} <= page.example.keys()
    assert page.question.endswith("?")
    assert page.note.endswith(".")
