"""Results of several families in one report, and the score in a line."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

from fairsum_utils import compute
from fairsum_utils.families import families, family_of
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.base import Page, Report
from fairsum_utils.reports.formats import as_text
from fairsum_utils.reports.html import as_html, notebook_page
from fairsum_utils.reports.report import report, report_of

WITH_REPORT = [name for name in families() if type(report_of(name)) is not Report]


def test_families_stand_one_after_the_other(reviews: Callable[[str], dict[str, Any]]) -> None:
    columns = reviews("Great soup.")
    words = {"predictions": columns["predictions"], "sources": columns["sources"]}
    results = {"word_list_inclusion": compute("word_list_inclusion", **words), "uer": compute("uer", **columns)}
    first, second = (report("a.jsonl", {name: results[name]}) for name in ("uer", "word_list_inclusion"))
    assert report("a.jsonl", results) == f"{first}\n\n{second}"
    assert first.startswith("a.jsonl: 1 sample scored, 0 skipped\n\nmeasure")
    assert "\n\nNotes:\n- Only 1 sample was scored; treat the scores as unreliable.\n" in first
    assert second.startswith("a.jsonl: 1 sample scored, 0 skipped; 1 original\n\n")
    assert "| group   |" in report("a.jsonl", results, format="markdown")


@pytest.mark.parametrize("name", [name for family in WITH_REPORT for name in families()[family].measures])
def test_the_example_of_a_page_fits_its_measure(name: str) -> None:
    page = report_of(family_of(name).name).page(name)
    assert {*get_measure(name).needed()} <= page.example.keys()
    assert page.question.endswith("?")
    assert page.note.endswith(".")
    assert get_measure(name).figures  # the first is compared between systems


def test_different_numbers_of_samples_are_explained(reviews: Callable[[str], dict[str, Any]]) -> None:
    columns = {name: entries * 2 for name, entries in reviews("Great soup.").items()}
    words = {"predictions": columns["predictions"], "sources": columns["sources"]}
    results = {
        "uer": compute("uer", **(columns | {"predictions": ["Great soup.", ""]})),
        "word_list_inclusion": compute("word_list_inclusion", **words),
    }
    assert report("a.jsonl", results).endswith(
        "\n\nScored were uer: 1 sample; word_list_inclusion: 2 samples. Each measure skips the samples that it cannot "
        "score, so these are not the same."
    )
    results["uer"] = compute("uer", **columns)
    assert "Scored were" not in report("a.jsonl", results)


def test_the_page_is_whole_and_without_scripts(examples: ModuleType) -> None:
    shown = examples.of_family("coverage")._repr_html_()
    found = {element.tag for element in ElementTree.fromstring(shown.replace("<br>", "")).iter()}
    assert {"svg", "table", "details"} <= found
    assert not {"script", "link", "iframe", "object", "img"} & found


def test_without_a_drawing_the_tables_stand_open() -> None:
    parts = [["said"]]
    assert as_html(parts) in notebook_page(None, parts)
    assert "<details>" not in notebook_page(None, parts)


def test_report_of_any_family() -> None:
    counted = {"n_samples": 2, "n_skipped": 1, "skipped": {"empty_prediction": 1}, "signature": "v:1"}
    results = {
        "uer": {"uer": 0.25, "uer_ci": [0.0, 0.5], "uer_by_value": {"neg": 0.5, "pos": 0.0}, **counted},
        "sentiment": {"sentiment": math.nan, "undefined": "no groups were given", **counted},
    }
    shown = as_text(Report().parts("a.jsonl", results))
    assert shown.startswith("a.jsonl: 2 samples scored, 1 skipped (1 empty_prediction)\n\nmeasure ")
    assert "UER (Unfair Error Rate)       0.25  [0.00, 0.50]\nSentiment                undefined\n" in shown
    assert shown.endswith("\n\nNotes:\n- Sentiment, undefined: no groups were given.")
    assert as_text(Report().parts("a.jsonl", results), signatures=True).endswith("\n\nuer: v:1\nsentiment: v:1")
    assert Report().evidence("uer", results["uer"], {}, {}) == Report().details("uer", results["uer"]) == []
    assert Report().page("uer") == Page()


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
    assert Report().headline(name, result) == expected


def test_what_else_is_undefined_is_said(explained: Callable[..., Any], reviews: Callable[..., Any]) -> None:
    message = explained("coverage_parity", reviews("Great soup."), entailer="lexical").said
    # pos 1 and 1/2, neg 1/2, so 2/3 of all: 1/12 above and 1/6 below.
    assert message == [
        "Coverage Parity = 0.1250 (lower is fairer; 0 at best)",
        "Coverage Parity, undefined: p_value_by_value: the bootstrap needs at least two samples.",
    ]


def test_an_answer_names_groups_and_chance() -> None:
    result = {"equal_coverage": 0.25, "equal_coverage_at_random": 0.3, "equal_coverage_at_random_error": 0.004}
    result |= {"difference_by_value": {"neg": -0.125, "pos": 0.05}, "n_by_value": {"neg": 1, "pos": 9}}
    assert report_of("coverage").answers({"equal_coverage": result}) == [
        "Sources of neg cover the summaries least, 12.5 points less than all sources (1 sample); those of pos most, "
        "5.0 more (9 samples). Equal Coverage is 0.2500 (lower is fairer; 0 at best), 0.30 for random summaries of the "
        "same length."
    ]
