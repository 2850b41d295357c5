"""What a notebook shows of a drawing, and what is saved."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import pytest

from fairsum_utils.errors import FairSumError, InputError, MissingDependencyError
from fairsum_utils.reports.figures import draw
from fairsum_utils.reports.svg import Drawing
from tests._results import FAMILIES, of_family


@pytest.fixture
def drawing(examples: ModuleType) -> Drawing:
    return examples.of_family("representation").plot()


def test_it_is_saved_as_svg(drawing: Drawing, tmp_path: Path) -> None:
    drawing.save(tmp_path / "a.svg")
    written = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert written == f"{drawing.svg}\n" == f"{drawing._repr_svg_()}\n"
    assert ET.fromstring(written).get("width") == "680"


def test_it_fetches_nothing(drawing: Drawing) -> None:
    assert drawing.svg.count("://") == 1  # the name space
    for word in ("<script", "href", "@import", "url(", "@font-face"):
        assert word not in drawing.svg


def test_it_is_saved_as_png(drawing: Drawing, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    drawing.save(tmp_path / "a.png")
    written = (tmp_path / "a.png").read_bytes()
    assert written[:8] == b"\x89PNG\r\n\x1a\n"
    # the header's width, two pixels for one
    assert int.from_bytes(written[16:20], "big") == 2 * 680


def test_it_is_saved_as_pdf_with_its_texts(drawing: Drawing, tmp_path: Path) -> None:
    pytest.importorskip("svg2pdf_py")
    drawing.save(tmp_path / "a.pdf")
    written = (tmp_path / "a.pdf").read_bytes()
    assert written.startswith(b"%PDF-")
    assert b"/MediaBox [0 0 680 " in written
    assert b"/Font" in written  # texts are no outlines


def test_a_png_without_a_font_is_refused(drawing: Drawing, monkeypatch: pytest.MonkeyPatch) -> None:
    resvg = pytest.importorskip("resvg_py")
    real = resvg.svg_to_bytes
    monkeypatch.setattr(resvg, "svg_to_bytes", lambda **options: real(**options, skip_system_fonts=True))
    with pytest.raises(FairSumError, match=r"no usable font found on this machine; install one, or save as \.svg"):
        drawing.png()


def test_without_resvg_one_line_says_so(drawing: Drawing, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingDependencyError, match=r"\[plot\]") as caught:
        drawing.save(tmp_path / "a.png")
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_other_endings_are_refused(drawing: Drawing, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.svg"):
        drawing.save(tmp_path / "a.eps")


def test_a_notebook_gets_a_wide_and_a_narrow_form(drawing: Drawing) -> None:
    shown = drawing._repr_html_()
    assert drawing.svg in shown
    assert drawing.at(344) in shown
    assert repr(drawing) == f"<Drawing {drawing.title!r} of 3 panels>"


@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_is_lost_but_styles(family: str) -> None:
    drawing = draw([("<x>", dict(of_family(family)))])
    html = drawing.for_page()
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
    assert Drawing("t", []).for_page() == ""
