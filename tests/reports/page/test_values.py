"""The panel of values: the reports' own tables, with bars on one axis."""

from __future__ import annotations

import math

import pytest

from fairsum_utils import score
from fairsum_utils.reports.page.values import section, with_bars
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import Bar, Interval, Table
from fairsum_utils.results.pages import contents_of
from tests._results import of_comparison, of_family, of_systems


@pytest.mark.parametrize("family", ["representation", "coverage", "polarity", "entities"])
def test_every_table_of_the_report_is_there_to_be_sorted(family: str) -> None:
    results = of_family(family)
    html = section(contents_of(results)).html
    tables = [part for part in report_of(family).tables(results) if isinstance(part, Table)]
    for name, result in results.items():
        tables += report_of(family).details(name, result)
    assert html.count("<table data-sortable>") == html.count("<table") == len(tables)
    assert "fairsum-drawing" in html
    assert "style" not in html


@pytest.mark.parametrize(
    ("family", "title"), [("representation", "By value"), ("entities", "By group"), ("sensitivity", "In detail")]
)
def test_the_title_says_what_figures_are_of(family: str, title: str) -> None:
    assert section(contents_of(of_family(family))).title == title


def test_without_a_score_there_is_no_panel() -> None:
    assert section(contents_of(score([""], [["Tasty."]], [["a"]]))) is None


def test_bars_of_a_column_have_one_axis() -> None:
    table = Table(
        ["value", "n", "uer", "ratio", "d", "p"], [["a", 2, 0.5, 0.5, -0.2, 0.01], ["b", 3, 0.25, 1.5, 0.1, 1.0]]
    )
    made = with_bars(table)
    assert made.rows == [
        ["a", 2, Bar(0.5, 0.0, 0.5), Bar(0.5, 0.5, 1.5, 1.0), Bar(-0.2, -0.2, 0.1), 0.01],
        ["b", 3, Bar(0.25, 0.0, 0.5), Bar(1.5, 0.5, 1.5, 1.0), Bar(0.1, -0.2, 0.1), 1.0],
    ]


@pytest.mark.parametrize(
    "table",
    [
        Table(["value", "uer"], [["a", 0.5]]),  # one row: nothing to compare with
        Table(["label", "share"], [["a", 0.5], ["b", 0.1]]),  # of labels, not of values
        Table(["value", "statistic"], [["a", 12.5], ["b", 0.1]]),  # no share
        Table(["value", "p (Holm)"], [["a", 0.5], ["b", 0.1]]),
        Table(["value", "interval"], [["a", Interval(0.0, 1.0)], ["b", None]]),
        Table(["value", "uer"], [["a", math.nan], ["b", math.nan]]),
    ],
)
def test_what_gets_no_bars(table: Table) -> None:
    assert repr(with_bars(table).rows) == repr(table.rows)


def test_names_that_begin_like_p_values_are_none() -> None:
    assert with_bars(Table(["group", "positive"], [["a", 0.5], ["b", 0.1]])).rows[0] == ["a", Bar(0.5, 0.0, 0.5)]


def test_the_systems_of_a_comparison_are_folded() -> None:
    scores = {"A": of_family("representation"), "B": of_family("representation")}
    html = section(contents_of(of_systems(), scores=scores)).html
    assert html.startswith("<details open><summary>A</summary>")
    assert html.count("<details>") == 1


def test_a_comparison_has_no_values() -> None:
    assert section(contents_of(of_comparison())) is None
