"""The geometry of a small chart by hand, and what holds for every chart."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.reports.panels import Line, Mark, Points, Row
from fairsum_utils.reports.svg import Drawing
from tests.reports._forms import SVG, TAGS


def drawn(*panels: Points, wide: float = 400, title: str = "T", notes: Any = ()) -> ET.Element:
    return ET.fromstring(Drawing(title, panels, notes=notes).at(wide))


def test_geometry_by_hand() -> None:
    root = drawn(Points("P", [Row("ab", [Mark(0.25, (0.125, 0.5))])], "axis"))
    # Label "ab": 2 letters of 0.68 x 13 px = 17.68; number "0.250": (4 x 0.68 + 0.42) x 13 = 40.82.
    # The axis begins at 16 + 17.68 + 12 = 45.68 and ends at 400 - 16 - 40.82 - 12 = 331.18.
    # It holds 0 to 0.5 in at most 285.5 // 64 = 4 steps: 0.125, rounded up to 0.2, hence 0 to 0.6.
    left, right = 45.68, 331.18
    circle = root.find(f".//{SVG}circle")
    assert circle is not None
    assert float(circle.get("cx", "")) == pytest.approx(left + 0.25 / 0.6 * (right - left), abs=0.01)
    # Title at 20 + 16, 4 below it; 24 to the panel, 17 for its title, 8 to the row, whose middle is 12 further.
    assert float(circle.get("cy", "")) == 20 + 16 + 4 + 24 + 17 + 8 + 12
    whisker = next(line for line in root.iter(f"{SVG}line") if line.get("stroke-width") == "1.5")
    ends = [float(whisker.get(end, "")) for end in ("x1", "x2")]
    assert ends == pytest.approx([left + end / 0.6 * (right - left) for end in (0.125, 0.5)], abs=0.01)
    ticks = [text.text for text in root.iter(f"{SVG}text") if text.get("text-anchor") == "middle"]
    assert ticks == ["0.0", "0.2", "0.4", "0.6"]


def test_a_bar_begins_at_the_base() -> None:
    root = drawn(Points("P", [Row("a", [Mark(0.5, shape="bar")]), Row("b", [Mark(2.0, shape="bar")])], "", base=1.0))
    low, high = (bar for bar in root.iter(f"{SVG}rect") if bar.get("rx") == "1.5")
    assert float(low.get("x", "")) + float(low.get("width", "")) == pytest.approx(float(high.get("x", "")), abs=0.02)
    assert float(high.get("width", "")) == pytest.approx(2 * float(low.get("width", "")), abs=0.02)


def test_both_sides_are_even_if_asked() -> None:
    root = drawn(Points("P", [Row("a", [Mark(0.3)])], "", lines=[Line(0.0, "zero")], even=True))
    ticks = [text.text for text in root.iter(f"{SVG}text") if text.get("text-anchor") == "middle"]
    assert [text.replace("−", "-") for text in ticks[1:] if text] == ["-0.4", "-0.2", "0.0", "0.2", "0.4"]


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_what_is_undefined_is_said_and_not_drawn(number: float) -> None:
    root = drawn(Points("P", [Row("a", [Mark(number, (math.nan, math.nan), shape="bar")])], ""))
    assert not [bar for bar in root.iter(f"{SVG}rect") if bar.get("rx") == "1.5"]
    assert ("undefined" if math.isnan(number) else "∞") in [text.text for text in root.iter(f"{SVG}text")]


def test_captions_that_would_touch_stand_below_each_other() -> None:
    lines = [Line(0.5, "one rather long caption"), Line(0.51, "another long caption"), Line(0.0, "far")]
    root = drawn(Points("P", [Row("a", [Mark(1.0)])], "", lines=lines))
    at = {text.text: text.get("y") for text in root.iter(f"{SVG}text")}
    assert at["one rather long caption"] != at["another long caption"]


def test_people_who_see_nothing_hear_the_figures() -> None:
    root = drawn(
        Points("P", [Row(f"v{n}", [Mark(n / 100)]) for n in range(20)], "axis"), title="A title", notes=["Few."]
    )
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "A title"
    said = root.findtext(f"{SVG}desc") or ""
    assert "P (axis): v0 0.000, v1 0.010," in said
    assert "and 8 more" in said
    assert said.endswith("Few.")


TEXTS = st.text(st.characters(), max_size=40)
FLOATS = st.floats(-1e6, 1e6) | st.sampled_from([math.nan, math.inf, -math.inf])


@given(
    title=TEXTS,
    label=TEXTS,
    note=TEXTS,
    numbers=st.lists(FLOATS, min_size=1, max_size=4),
    ends=st.none() | st.tuples(FLOATS, FLOATS),
    shape=st.sampled_from(["bar", "dot"]),
    wide=st.sampled_from([344, 680]),
)
def test_any_chart_is_well_formed_and_inside_its_frame(
    title: str, label: str, note: str, numbers: list[float], ends: Any, shape: str, wide: int
) -> None:
    rows = [
        Row(label),
        *(Row(label, [Mark(n, ends, shape=shape), Mark(0.5, shape="tick", text=note)], "n") for n in numbers),
    ]
    root = drawn(Points(title, rows, note, lines=[Line(0.25, label)]), wide=wide, title=title, notes=[note])
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= TAGS
    for element in root.iter():
        assert not [name for name in element.attrib if name.lower().startswith("on") or "href" in name]
        for name in ("x", "x1", "x2", "cx"):
            if name in element.attrib:
                assert -5 <= float(element.attrib[name]) <= wide + 5
