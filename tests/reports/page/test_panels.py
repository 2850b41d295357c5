"""The panels that results have, in their order."""

from __future__ import annotations

from fairsum_utils.reports.page.panels import sections_of
from fairsum_utils.results.pages import contents_of
from tests._results import of_comparison, of_family, of_systems


def test_results_have_the_panels_of_their_kind() -> None:
    scores = {"lead": of_family("representation")}
    contents = (
        contents_of(of_family("coverage")), contents_of(of_comparison()), contents_of(of_systems(), scores=scores),
    )  # fmt: skip
    assert [[section.anchor for section in sections_of(each)] for each in contents] == [
        ["overview", "by-value"], ["overview", "systems"], ["overview", "systems", "by-value"],
    ]  # fmt: skip
