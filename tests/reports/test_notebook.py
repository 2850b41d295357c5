"""What a notebook shows of results."""

from __future__ import annotations

from html.parser import HTMLParser
from types import ModuleType

import pytest

from fairsum_utils.reports.formats import as_html
from fairsum_utils.reports.notebook import page


class Balanced(HTMLParser):
    """Notes tags that are not closed."""

    VOID = ("br", "meta", "img")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("family", ["representation", "coverage", "polarity", "entities", "comparison"])
def test_the_page_is_whole_and_without_scripts(family: str, examples: ModuleType) -> None:
    results = examples.of_comparison() if family == "comparison" else examples.of_family(family)
    shown = results._repr_html_()
    parser = Balanced()
    parser.feed(shown)
    assert parser.open == []
    assert {"svg", "table", "details"} <= parser.seen
    assert not {"script", "link", "iframe", "object", "img"} & parser.seen
    assert results.plot().svg in shown


def test_styles_touch_nothing_else() -> None:
    style = page(None, []).split("<style>")[1].split("</style>")[0]
    selectors = [one for line in style.split("}") for one in line.split("{")[0].split(",") if one.strip()]
    assert selectors
    assert all(one.strip().startswith((".fairsum-results", ".fs-")) for one in selectors)


def test_without_a_drawing_the_tables_stand_open() -> None:
    parts = [["said"]]
    assert as_html(parts) in page(None, parts)
    assert "<details>" not in page(None, parts)
