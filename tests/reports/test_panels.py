"""Every kind of panel keeps hostile and long names inert and inside the frame, wide and narrow."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fairsum_utils.reports import panels
from fairsum_utils.reports.panels import (
    Bars,
    Curve,
    Curves,
    Distribution,
    Group,
    Heat,
    Histogram,
    Line,
    Mark,
    Part,
    Point,
    Points,
    Row,
)
from fairsum_utils.reports.svg import Panel
from tests.reports._forms import HOSTILE, NARROW, WIDE, check, drawn


def bars(name: str, *, filled: bool) -> Panel:
    parts = [Part(name, "v1"), Part(f"{name}2", "v2", "level")]
    return Bars(name, parts, [Group(name), Group(name, [0.5, 0.5], "n = 1"), Group("b", [1.0, 0.0])], name, filled)


def curves(name: str) -> Panel:
    points = [Point(0, 0.1), Point(1, 0.7)]
    return Curves(name, [Curve(name, points), Curve("b", points)], name, name, [Line(0.5, name)])


def histogram(name: str) -> Panel:
    groups = [Distribution(name, [0.1, 0.7]), Distribution("b", [0.2])]
    return Histogram(name, groups, name, [Line(0.5, name)])


PANELS: dict[str, Callable[[str], Panel]] = {
    "rows": lambda name: Points(name, [Row(name, [Mark(0.5, shape="bar")])], name, lines=[Line(0.1, name)]),
    "grouped": lambda name: bars(name, filled=False),
    "proportions": lambda name: bars(name, filled=True),
    "curves": curves,
    "heat": lambda name: Heat(name, [name, "b"], ["x", name], [[0.1, 0.2], [0.3, 0.4]], name),
    "histogram": histogram,
}


def test_every_kind_is_here() -> None:
    kinds = {kind for kind in vars(panels).values() if isinstance(kind, type) and hasattr(kind, "described")}
    assert {type(make("a")) for make in PANELS.values()} == kinds - {Panel}


@pytest.mark.parametrize("kind", PANELS)
@pytest.mark.parametrize("name", [*HOSTILE, '" onload="x', "]]>", "</style><img src=x onerror=y>", "\u202e&"])
def test_hostile_names(kind: str, name: str) -> None:
    for wide in (WIDE, NARROW):
        check(drawn(PANELS[kind](name), wide=wide))
