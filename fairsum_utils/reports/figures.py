"""Figures of matplotlib and their SVG for pages; imports matplotlib when drawing."""

from __future__ import annotations

import io
import os
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from fairsum_utils.errors import ScoreWarning
from fairsum_utils.reports.lettering import clean, wrapped
from fairsum_utils.reports.panels import Drawing, Panel
from fairsum_utils.reports.theme import LIGHT, as_address

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLE = Path(__file__).with_name("fairsum.mplstyle")
# Families that have Chinese, Japanese and Korean letters; the first installed ones are used
_CJK = ("Noto Sans CJK SC", "Noto Sans CJK JP", "WenQuanYi Zen Hei", "PingFang SC", "Hiragino Sans", "Microsoft YaHei")
# Letters of notes in an inch, and inches of a figure in a page, which a phone shows as well
_LETTERS, _PAGE = 17, 4.5
# Warning of matplotlib of letters that no font has
_MISSING = "Glyph .* missing from"
# Lines of text from which on a page has a figure as an image
_MOST_TEXTS = 120
# matplotlib's settings are those of the process.
_LOCK = RLock()
_SVG, _LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
# Dates and versions, styles, and limits that no chart reaches
_LEFT_OUT = ("metadata", "}style", "clipPath")
_NAMES = {value: name for name, value in reversed([*LIGHT.items()])}


@contextmanager
def styled(*, own: bool = False) -> Iterator[None]:
    """Use the style of figures while open; settings that a user has changed win.

    Args:
        own: use only our style, for pages.
    """
    import matplotlib
    from matplotlib import font_manager

    ours: dict[str, Any] = dict(matplotlib.rc_params_from_file(STYLE, use_default_template=False))
    installed = set(font_manager.get_font_names())
    ours["font.family"] = ["sans-serif", *[name for name in _CJK if name in installed][:2]]
    with _LOCK, matplotlib.rc_context():
        if own:
            matplotlib.rcdefaults()
        usual = matplotlib.rcParamsDefault
        matplotlib.rcParams.update({name: ours[name] for name in ours if matplotlib.rcParams[name] == usual[name]})
        yield


def figure_of(drawing: Drawing, width: float = 6.4) -> Figure:
    """Return a figure of charts below each other.

    Args:
        drawing: title, charts and sentences.
        width: width in inches.

    Example:
        >>> from fairsum_utils.reports.panels import Mark, Points, Row
        >>> figure = figure_of(Drawing("Scores", [Points("Scores", [Row("BUR", [Mark(0.5)])], "Score")]))
        >>> [float(x) for x in figure.axes[0].lines[0].get_xdata()]
        [0.5]
    """
    from fairsum_utils.reports.picture import Picture

    with styled():
        below = [wrapped(sentence, int(_LETTERS * width)) for sentence in drawing.below]
        figure = Picture(figsize=(width, 4.0), layout="constrained")
        high = 0.2
        if drawing.title:
            high += 0.25
            figure.suptitle(wrapped(drawing.title, int(11 * width)), x=0.01, ha="left")
        if drawing.panels:
            heights = [panel.height for panel in drawing.panels]
            places = figure.subplots(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
            for panel, axes in zip(drawing.panels, places, strict=True):
                panel.draw(axes)
                high += panel.height + _beside(axes)
        if below:
            figure.supxlabel("\n".join(below), x=0.01, ha="left", size="small", weight="normal")
            high += 0.15 * sum(text.count("\n") + 1 for text in below)
        figure.set_size_inches(width, high)
    return figure


def _beside(axes: Axes) -> float:
    """Return the inches that title, legend and labels take above and below axes."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", _MISSING)
        around = axes.get_tightbbox()
    inside = axes.get_window_extent().height
    return 0.2 + ((around.height if around else inside) - inside) / axes.figure.dpi


def draw_on(axes: Axes, panel: Panel) -> Figure:
    """Draw a chart on a user's axes; returns their figure."""
    with styled():
        panel.draw(axes)
    return axes.figure.figure  # also of a part of a figure


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure as SVG, PNG or PDF, without the date.

    Raises:
        InputError: The file cannot be written, or its ending is another one.
    """
    from fairsum_utils.io.names import PICTURES, format_of
    from fairsum_utils.io.writing import check_output, replacing

    check_output(path, *PICTURES)
    format = format_of(path).removeprefix(".")
    with replacing(path) as temporary:
        temporary.write_bytes(written(figure, format, "fairsum", warn=format != "svg"))


def written(figure: Figure, format: str, salt: str, *, warn: bool = False, **options: Any) -> bytes:
    """Return the content of a file of a figure, always the same one.

    Args:
        figure: any figure.
        format: ``"svg"``, ``"png"`` or ``"pdf"``.
        salt: makes ids of SVG differ between figures.
        warn: warn of letters that no font has.
        options: further options of ``savefig``.
    """
    import matplotlib

    dated = {"svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None}}.get(format, {})
    file = io.BytesIO()
    settings = {"svg.fonttype": "none", "svg.hashsalt": salt, "pdf.fonttype": 42}
    with _LOCK, matplotlib.rc_context(settings), warnings.catch_warnings(record=True) as caught:
        warnings.filterwarnings("always", _MISSING)
        figure.savefig(file, format=format, metadata=dated, **options)
    missing = [found for each in caught if (found := re.match(r"Glyph (\d+) ", str(each.message)))]
    if warn and missing:
        some = ", ".join([*dict.fromkeys(chr(int(found[1])) for found in missing)][:3])
        about = f"no installed font has letters of the labels, such as {some}; install one, or write SVG"
        warnings.warn(f"plot: {about}", ScoreWarning, stacklevel=2)
    return file.getvalue()


def for_page(panels: Sequence[Panel], prefix: str, title: str, below: Sequence[str] = ()) -> str:
    """Return charts as HTML for a page, see `drawn`; empty without charts."""
    if not panels:
        return ""
    with styled(own=True), warnings.catch_warnings():
        warnings.filterwarnings("ignore", _MISSING)
        figure = figure_of(Drawing("", panels, below), _PAGE)
        # matplotlib would draw a figure with a layout twice
        figure.get_layout_engine().execute(figure)  # type: ignore[union-attr]
        figure.set_layout_engine(None)
        return f'<div class="fs-figure" tabindex="0">{drawn(figure, prefix, title)}</div>'


def drawn(figure: Figure, prefix: str, title: str) -> str:
    """Return a figure as HTML for a page: text as text, and no styles.

    Colors of the palette are classes of `theme.FILLS`, which follow the reader's theme. Large figures are images.

    Args:
        figure: figure in the usual style.
        prefix: beginning of its ids, unique in the page.
        title: name for screen readers; a table beside the figure has the numbers.

    Example:
        >>> from fairsum_utils.reports.panels import Mark, Points, Row
        >>> html = drawn(figure_of(Drawing("", [Points("", [Row("<b>", [Mark(0.5)])], "")])), "a", "Scores")
        >>> html.count("<svg"), "style=" in html, "&lt;b&gt;" in html, "<title>Scores</title>" in html
        (1, False, True, True)
    """
    svg = written(figure, "svg", prefix, transparent=True)
    root = ElementTree.fromstring(svg)
    if sum(1 for _ in root.iter(f"{_SVG}text")) > _MOST_TEXTS:
        return f'<img class="fairsum-drawing" alt="{escape(clean(title))}" src="{as_address(svg.decode())}">'
    linked = set(re.findall(r"#([\w-]+)", svg.decode()))
    for element in root.iter():
        element[:] = [child for child in element if not child.tag.endswith(_LEFT_OUT)]
        element.tag = element.tag.removeprefix(_SVG)
        element.attrib = _attributes(element.attrib, linked, prefix)
    root.attrib = {"class": "fairsum-drawing", "role": "img", "viewBox": root.attrib["viewBox"]}
    root.attrib |= {"stroke-linejoin": "round", "stroke-linecap": "butt"}
    heading = ElementTree.Element("title")
    heading.text = clean(title)
    root.insert(0, heading)
    html = re.sub(r">\s+<", "><", ElementTree.tostring(root, encoding="unicode"))
    return re.sub(r"<(g|defs) ?/>|<(g|defs)></\2>", "", html)


def _attributes(given: dict[str, str], linked: set[str], prefix: str) -> dict[str, str]:
    """Return the attributes of an element without style, with short numbers."""
    made: dict[str, str] = {}
    classes = []
    for name, value in {**given, **_properties(given.get("style", ""))}.items():
        side = {"fill": "f", "stroke": "s"}.get(name)
        if name in ("style", "clip-path") or (name == "id" and value not in linked) or value.startswith("rotate(-0 "):
            continue
        if side and value in _NAMES:
            classes.append(f"{side}-{_NAMES[value]}")
        elif name == "id":
            made["id"] = f"{prefix}-{value}"
        else:
            value = re.sub(r"#(?=[a-zA-Z][\w-]{6,})(?![0-9a-fA-F]{6}$)", f"#{prefix}-", value)
            made["href" if name == _LINK else name] = re.sub(r"(\.\d\d)\d+| (?= )", r"\1", value)
    return {**({"class": " ".join(classes)} if classes else {}), **made}


def _properties(style: str) -> dict[str, str]:
    """Return declarations as attributes; the page has the font."""
    pairs = [part.partition(":")[::2] for part in style.split(";") if ":" in part]
    made = {name.strip(): value.strip() for name, value in pairs}
    if font := made.pop("font", ""):
        sizes = re.search(r"(?:(\d{3}|bold) )?([\d.]+px)", font)
        made |= {"font-size": sizes[2], **({"font-weight": sizes[1]} if sizes[1] else {})} if sizes else {}
    return {name: value for name, value in made.items() if name != "font-family"}
