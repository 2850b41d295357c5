"""The panels that results have, in their order."""

from __future__ import annotations

from typing import Any

import pytest

from fairsum_utils import score
from fairsum_utils.reports.comparison import sentences
from fairsum_utils.reports.page.sections import sections_of, systems_section, values_section
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import Table
from fairsum_utils.results.pages import contents_of
from tests._results import cells, of_comparison, of_family, of_systems


def test_results_have_the_panels_of_their_kind() -> None:
    scores = {"lead": of_family("representation")}
    contents = (
        contents_of(of_family("coverage")), contents_of(of_comparison()), contents_of(of_systems(), scores=scores),
    )  # fmt: skip
    assert [[section.anchor for section in sections_of(each)] for each in contents] == [
        ["overview", "by-value"], ["overview", "systems"], ["overview", "systems", "by-value"],
    ]  # fmt: skip


def system(score: float, rank: int | None) -> dict[str, Any]:
    return {"score": score, "ci": [score, score], "ci_lost": 0.0, "rank": rank, "n_skipped": 0}


def pair(a: str, b: str, difference: float, p: float) -> dict[str, Any]:
    ends = [difference - 0.05, difference + 0.05]
    found = {"difference": difference, "difference_ci": ends, "p_value": p, "p_value_corrected": p, "lost": 0.0}
    return {"baseline": a, "system": b, **found}


def result(scores: dict[str, tuple[float, int | None]], differences: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "systems": {name: system(*given) for name, given in scores.items()},
        "differences": differences,
        "n_tests": len(differences), "alpha": 0.05, "n_samples": 60, "n_skipped": 0, "signature": "v:1", "warnings": [],
    }  # fmt: skip


DOCUMENT = {
    "baseline": None,
    "systems": {name: {"n_samples": 9, "columns": {}} for name in "xyz"},
    "metrics": {
        # x is fairer than y; neither differs from z
        "bur": result(
            {"x": (0.1, 1), "y": (0.5, 2), "z": (0.3, 1)},
            [pair("x", "y", 0.4, 0.01), pair("x", "z", 0.2, 0.2), pair("y", "z", -0.2, 0.05)],
        ),
        # z is fairer than both; y has no score
        "uer": result(
            {"x": (0.5, 2), "y": (float("nan"), None), "z": (0.1, 1)},
            [pair("x", "y", float("nan"), float("nan")), pair("x", "z", -0.4, 0.001), pair("y", "z", -0.4, 0.04)],
        ),
    },
    "warnings": [],
}


def test_the_fairest_in_words() -> None:
    assert sentences(DOCUMENT) == [
        "Fairest by BUR: x and z, by more than chance.",
        "Fairest by UER: z, by more than chance.",
    ]
    alike = result({"x": (0.1, 1), "y": (0.2, 1)}, [pair("x", "y", 0.1, 0.3)])
    assert sentences({**DOCUMENT, "metrics": {"bur": alike, "uer": alike}}) == [
        "By BUR and UER the systems differ by no more than chance."
    ]


def test_every_table_of_the_comparison_is_there() -> None:
    found = of_systems()
    html = systems_section(contents_of(found)).html
    assert html.count("<table data-sortable>") == 3
    assert "fairsum-drawing" in html
    assert "style" not in html
    assert [row[:3] for row in cells(html, "Differences")[1:]] == [
        [name, system, "lead"] for name in ("BUR", "UER") for system in ("last", "none")
    ]


def test_one_system() -> None:
    assert systems_section(contents_of(of_family("representation"))) is None


@pytest.mark.parametrize("family", ["representation", "coverage", "polarity", "entities"])
def test_every_table_of_the_report_is_there_to_be_sorted(family: str) -> None:
    results = of_family(family)
    html = values_section(contents_of(results)).html
    tables = [part for part in report_of(family).tables(results) if isinstance(part, Table)]
    for name, result in results.items():
        tables += report_of(family).details(name, result)
    assert html.count("<table data-sortable>") == html.count("<table") == len(tables)
    assert "fairsum-drawing" in html
    assert "style" not in html


@pytest.mark.parametrize(
    ("family", "title"), [("representation", "By group"), ("entities", "By group"), ("sensitivity", "In detail")]
)
def test_the_title_says_what_figures_are_of(family: str, title: str) -> None:
    assert values_section(contents_of(of_family(family))).title == title


def test_without_a_score_there_is_no_panel() -> None:
    assert values_section(contents_of(score([""], [["Tasty."]], [["a"]]))) is None


def test_the_systems_of_a_comparison_are_folded() -> None:
    scores = {"A": of_family("representation"), "B": of_family("representation")}
    html = values_section(contents_of(of_systems(), scores=scores)).html
    assert html.startswith("<details open><summary>A</summary>")
    assert html.count("<details>") == 1


def test_a_comparison_has_no_values() -> None:
    assert values_section(contents_of(of_comparison())) is None
