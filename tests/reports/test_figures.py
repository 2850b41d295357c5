"""Figures as users get them: styles, axes of their own, notebooks, files and pages."""

from __future__ import annotations

import re
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import matplotlib
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from fairsum_utils.errors import InputError, ScoreWarning
from fairsum_utils.reports import figures
from fairsum_utils.reports.figures import figure_of, for_page, save_figure, styled
from fairsum_utils.reports.lettering import color
from fairsum_utils.reports.panels import Drawing, Line, Mark, Points, Row
from fairsum_utils.reports.theme import LIGHT, VALUES
from tests.reports._forms import HOSTILE, made, rows_of

# A phone scrolls in it
BOX = '<div class="fs-figure" tabindex="0">'


def points(name: str = "a", n: int = 1) -> Points:
    rows = [Row(f"{name}{place or ''}", [Mark(0.5, (0.4, 0.6), "v2", "bar")]) for place in range(n)]
    return Points(name, rows, name, lines=[Line(0.25, name)])


def test_the_style_has_the_colors_of_pages() -> None:
    with styled(own=True):
        assert [color(name) for name in VALUES] == [LIGHT[name] for name in VALUES]
        for name in ("accent", "ink", "muted", "grid", "surface", "plus", "minus"):
            assert color(name) == LIGHT[name]
    assert matplotlib.rcParams["axes.edgecolor"] == matplotlib.rcParamsDefault["axes.edgecolor"]


def test_the_style_is_one_that_matplotlib_finds() -> None:
    with matplotlib.style.context("fairsum_utils.reports.fairsum"):
        assert to_hex(matplotlib.rcParams["text.color"]) == LIGHT["ink"]


def test_settings_of_the_user_win() -> None:
    with matplotlib.rc_context({"font.size": 5.5, "axes.titleweight": "light"}):
        [axes] = made(points()).axes
    assert axes.title.get_fontsize() == 5.5
    assert axes.title.get_fontweight() == "light"
    with matplotlib.style.context("dark_background"):
        [axes] = made(points()).axes
        assert to_hex(axes.get_facecolor()) == "#000000"
        assert to_hex(axes.yaxis.get_ticklabels()[0].get_color()) == "#ffffff"


def test_a_page_has_our_style_whatever_the_user_has() -> None:
    page = for_page([points()], "p", "t")
    with matplotlib.style.context("dark_background"):
        assert for_page([points()], "p", "t") == page


def test_a_chart_on_axes_of_a_user(examples: ModuleType) -> None:
    import matplotlib.pyplot as plt

    results = examples.of_family("representation")
    figure, (left, right) = plt.subplots(1, 2)
    try:
        assert results.plot(ax=left) is figure
        assert results.plot("uer", ax=right) is figure
        assert [name for name, _, _ in rows_of(left)] == ["BUR", "UER", "AUC", "SOF"]
        assert {name: number for name, number, _ in rows_of(right)} == pytest.approx(results["uer"]["uer_by_value"])
    finally:
        plt.close(figure)
    compared = examples.of_comparison()
    axes = Figure().subfigures(1, 2)[0].subplots()
    assert isinstance(compared.plot("uer", axes), Figure)
    [pair] = compared["uer"]["differences"]
    assert [number for _, number, _ in rows_of(axes)] == pytest.approx([pair["difference"]])
    with pytest.raises(InputError, match=r"^plot: ax takes one chart; name a measure: bur, uer, equal_coverage$"):
        compared.plot(ax=axes)


def test_a_figure_of_a_two_column_paper_in_five_lines(examples: ModuleType, tmp_path: Path) -> None:
    """The script of the page on results."""
    results = examples.of_family("representation")
    page = (Path(__file__).parents[2] / "docs" / "pages" / "how-to" / "results.md").read_text(encoding="utf-8")
    [script] = re.findall(r"```python\n(import matplotlib.pyplot as plt\n.*?)```", page, re.S)
    assert len([*filter(None, script.splitlines())]) == 5
    with matplotlib.rc_context():
        given: dict[str, Any] = {"results": results}
        exec(script.replace('"uer.pdf"', f'"{tmp_path}/uer.pdf"'), given)
        given["plt"].close(given["fig"])
    assert (tmp_path / "uer.pdf").read_bytes().startswith(b"%PDF")
    [axes] = given["fig"].axes
    assert given["fig"].get_figwidth() == 3.3
    assert {label.get_fontsize() for label in axes.get_yticklabels()} == {7.0}
    assert "serif" in axes.get_yticklabels()[0].get_fontfamily()


def test_a_notebook_shows_a_figure_without_pyplot() -> None:
    formatter = pytest.importorskip("IPython.core.formatters").DisplayFormatter()
    shown, _ = formatter.format(made(points()))
    assert shown["image/png"].startswith(b"\x89PNG")


@pytest.mark.parametrize(("ending", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_files_are_the_same_each_time(ending: str, start: bytes, tmp_path: Path) -> None:
    for name in ("1", "2"):
        save_figure(made(points()), tmp_path / f"{name}.{ending}")
    content = (tmp_path / f"1.{ending}").read_bytes()
    assert content.startswith(start)
    assert content == (tmp_path / f"2.{ending}").read_bytes()


def test_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.svg"):
        save_figure(made(points()), tmp_path / "a.eps")


def test_letters_that_no_font_has_are_named(tmp_path: Path) -> None:
    figure = made(points("\U00013000"))  # a hieroglyph
    with pytest.warns(ScoreWarning, match="no installed font has letters of the labels, such as \U00013000;"):
        save_figure(figure, tmp_path / "a.png")
    with warnings.catch_warnings():
        warnings.simplefilter("error", ScoreWarning)
        save_figure(figure, tmp_path / "a.svg")


def test_a_page_gets_texts_and_classes() -> None:
    html = for_page([points("_a $x$ <b>")], "pre", "Title & more")
    [root] = ElementTree.fromstring(html)
    assert root.get("role") == "img"
    assert root[0].text == "Title & more"
    assert not re.search(r"style|onload|<script|<!|http|font-family|url\(#(?!pre-)", html)
    assert "_a $x$ <b>" in [text.text for text in root.iter("text")]
    assert not re.findall(r'(?:fill|stroke)="#', html)
    assert {"f-v2", "f-ink", "s-grid"} <= set(re.findall(r"[fs]-\w+", html))
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len({*ids})
    assert all(each.startswith("pre-") for each in ids if each)
    assert {link.removeprefix("#") for link in re.findall(r'href="([^"]*)"', html)} <= {*ids}


def test_hostile_names_of_a_page() -> None:
    rows = [Row(name, [Mark(0.5)]) for name in HOSTILE]
    root = ElementTree.fromstring(for_page([Points(HOSTILE[0], rows, HOSTILE[2])], "p", HOSTILE[0]))
    tags = {element.tag for element in root.iter()}
    assert tags <= {"svg", "title", "g", "path", "text", "tspan", "use", "defs", "pattern", "rect", "div"}
    attributes = {attribute for element in root.iter() for attribute in element.attrib}
    assert not [attribute for attribute in attributes if attribute.startswith("on") or attribute == "style"]


def test_a_figure_of_many_rows_is_an_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "_MOST_TEXTS", 25)
    html = for_page([points("<b>", 10)], "p", '"')
    assert html.removeprefix(BOX).startswith('<img class="fairsum-drawing" alt="&quot;" src="data:image/svg+xml,')
    assert not set(html.partition("data:")[2].removesuffix('"></div>')) & set("\"'<># ")
    assert for_page([points(n=5)], "p", "t").removeprefix(BOX).startswith("<svg")


def test_no_chart_is_nothing() -> None:
    assert for_page([], "p", "t") == ""
    assert figure_of(Drawing("Nothing", [])).axes == []


def test_threads_get_the_same_figures() -> None:
    """A server draws for several readers at once; matplotlib's settings are those of the process."""
    names = ["one", "other"]
    expected = [for_page([points(name)], "p", name) for name in names]
    with ThreadPoolExecutor(2) as pool:
        assert [*pool.map(lambda name: for_page([points(name)], "p", name), names)] == expected
    assert matplotlib.rcParams["font.size"] == matplotlib.rcParamsDefault["font.size"]


def test_matplotlib_is_imported_to_draw_and_pyplot_never(light: Any, tmp_path: Path) -> None:
    code = """import sys, fairsum_utils.reports.charts, fairsum_utils.results
assert "matplotlib" not in sys.modules
from fairsum_utils.reports.figures import for_page
from fairsum_utils.reports.panels import Mark, Points, Row
assert for_page([Points("a", [Row("b", [Mark(0.5)])], "c")], "p", "t")
assert "matplotlib.pyplot" not in sys.modules"""
    ended = light.start(["-c", code], tmp_path).wait()
    assert ended.returncode == 0, ended.stderr
