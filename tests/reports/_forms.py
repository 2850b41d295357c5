"""What tests read back from figures: the numbers of their axes, and where their texts stand."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from itertools import combinations

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.text import Text

from fairsum_utils.reports.figures import draw_on, figure_of
from fairsum_utils.reports.panels import Drawing, Panel

HOSTILE = [
    *(
        "<script>alert(1)</script>",
        "a&b\"'",
        "\u202eneg\x1b[31m",
        "x" * 200,
        "中文" * 30,
        "",
        "a\nb",
        "$x$ $",
        "_hidden",
    ),
    *("\\frac{", "שלום עולם", "a^b_c", "</style><img src=x onerror=y>", "]]>"),
]
Row = tuple[str, float, tuple[float, ...] | None]


def made(*panels: Panel, width: float = 6.4) -> Figure:
    return figure_of(Drawing("T", panels), width)


def axes_of(panel: Panel) -> Axes:
    """Draw a chart without laying out a figure."""
    axes: Axes = Figure().subplots()
    draw_on(axes, panel)
    return axes


def entries(axes: Axes) -> list[str]:
    """Texts of the legend."""
    legend = axes.get_legend()
    return [text.get_text() for text in legend.get_texts()] if legend else []


def texts(figure: Figure) -> list[str]:
    """All texts that are drawn."""
    return [text.get_text() for text in _texts(figure)]


def names(axes: Axes) -> list[str]:
    return [label.get_text() for label in axes.get_yticklabels()]


def rows_of(*places: Axes) -> Iterator[Row]:
    """Name, number and interval of each row with a bar or a dot, from top to bottom."""
    for axes in places:
        numbers: dict[int, float] = {}
        ends: dict[int, tuple[float, float]] = {}
        for container in axes.containers:
            if isinstance(container, BarContainer):
                for bar in container.patches:
                    numbers[round(bar.get_y() + bar.get_height() / 2)] = bar.get_x() + bar.get_width()
            elif isinstance(container, ErrorbarContainer):
                [((low, y), (high, _))] = container.lines[2][0].get_segments()
                ends[round(y)] = (low, high)
        for line in axes.lines:
            if line.get_marker() == "o" and line.get_linestyle() == "None":
                numbers |= {round(y): x for x, y in line.get_xydata()}
        yield from near((names(axes)[place], numbers[place], ends.get(place)) for place in sorted(numbers))


def near(rows: Iterable[Row]) -> list[Row]:
    """Rows without the last digits, which differ where a bar does not begin at 0."""
    return [(name, round(float(n), 9), ends and tuple(round(float(x), 9) for x in ends)) for name, n, ends in rows]


def check(figure: Figure) -> list[str]:
    """Texts: none outside the figure or on another one, or with a character that turns what is beside it."""
    boxes = []
    for text in _texts(figure):
        assert not {"\u202e", "\x1b", "\x00"} & {*text.get_text()}
        box = text.get_window_extent()
        assert box.x0 >= -2, text
        assert box.x1 <= figure.bbox.x1 + 2, text
        assert -2 <= box.y0 <= box.y1 <= figure.bbox.y1 + 2, text
        boxes.append((box.x0, box.y0, box.x1, box.y1, text.get_text()))
    for one, other in combinations(boxes, 2):
        apart = (other[0] - one[2], one[0] - other[2], other[1] - one[3], one[1] - other[3])
        assert max(apart) >= -1, (one, other)
    return [text for *_, text in boxes]


def _texts(figure: Figure) -> list[Text]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")
        figure.draw_without_rendering()
    beyond = {id(text) for axes in figure.axes for axis in (axes.xaxis, axes.yaxis) for text in _beyond(axis)}
    found = [each for each in figure.findobj(Text) if isinstance(each, Text) and id(each) not in beyond]
    return [text for text in found if text.get_visible() and text.get_text()]


def _beyond(axis: Axis) -> list[Text]:
    """Labels of ticks beyond the ends of an axis, which are not drawn."""
    low, high = sorted(axis.get_view_interval())
    return [tick.label1 for tick in axis.get_major_ticks() if not low - 1e-9 <= tick.get_loc() <= high + 1e-9]
