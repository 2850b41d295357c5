"""Drawings in a page: two forms, and nothing that its policy forbids."""

from __future__ import annotations

import re

import pytest

from fairsum_utils.reports.drawings import draw
from fairsum_utils.reports.drawings.drawing import Drawing
from fairsum_utils.reports.page.drawn import drawn
from tests._results import FAMILIES, of_family


@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_is_lost_but_styles(family: str) -> None:
    drawing = draw([("<x>", dict(of_family(family)))])
    html = drawn(drawing)
    assert "style" not in html
    assert "<x>" not in html
    assert html.count("<svg") == 2
    assert [html.count(f'class="fairsum-{form}"') for form in ("drawings", "wide", "narrow")] == [1, 1, 1]
    # The style sheet of the page has the fonts, and the colours of classes; each coloured shape has its class.
    shapes = re.findall(r'<[^>]* (?:fill|stroke)="#[0-9a-f]{6}"[^>]*>', drawing.svg)
    assert all(re.search(r'class="[^"]*\b[fs]-', shape) for shape in shapes)
    gone = r'<style>.*?</style>| style="[^"]*"| font-family="[^"]*"| (?:fill|stroke)="#[0-9a-f]{6}"'
    wide = re.sub(gone, "", drawing.svg, flags=re.DOTALL)
    assert wide in html


def test_nothing_to_draw() -> None:
    assert drawn(Drawing("t", [])) == ""
