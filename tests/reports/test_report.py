"""Results of several families in one report, and the score in a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fairsum_utils import compute
from fairsum_utils.families import families, family_of
from fairsum_utils.reports.base import Report
from fairsum_utils.reports.report import report, report_of

WITH_REPORT = [name for name in families() if type(report_of(name)) is not Report]


def test_each_family_says_what_it_shows() -> None:
    assert WITH_REPORT[:5] == ["representation", "coverage", "polarity", "entities", "sensitivity"]
    assert type(report_of("no such family")) is Report


def test_families_stand_one_after_the_other(reviews: Callable[[str], dict[str, Any]]) -> None:
    columns = reviews("Great soup.")
    words = {"predictions": columns["predictions"], "sources": columns["sources"]}
    results = {
        "word_list_inclusion": compute("word_list_inclusion", **words),
        "uer": compute("uer", **columns),
    }
    first, second = (report("a.jsonl", {name: results[name]}) for name in ("uer", "word_list_inclusion"))
    assert report("a.jsonl", results) == f"{first}\n\n{second}"
    assert first.startswith(
        "a.jsonl: 1 sample scored, 0 skipped\nonly 1 sample with a score: so few say little\n\nmeasure"
    )
    assert second.startswith("a.jsonl: 1 sample scored, 0 skipped; 1 original\nonly 1 original")
    assert "| value |" in report("a.jsonl", results, format="markdown")


@pytest.mark.parametrize("name", [name for family in WITH_REPORT for name in families()[family].measures])
def test_the_example_of_a_page_fits_its_measure(name: str) -> None:
    page = report_of(family_of(name).name).page(name)
    assert {*family_of(name).needed(name, ())} <= page.example.keys()
    assert page.question.endswith("?")
    assert page.note.endswith(".")


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
