"""Lines by hand, their bands and their names."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.reports.panels import Curve, Curves, Point
from tests.reports._forms import NARROW, SVG, WIDE, check, drawn, groups, texts


def paths(root: ET.Element) -> list[list[tuple[float, float]]]:
    """The points of each line or band."""
    return [
        [(float(x), float(y)) for x, y in re.findall(r"([\d.]+) ([\d.]+)", path.get("d", ""))]
        for path in root.iter(f"{SVG}path")
    ]


def test_a_line_goes_through_its_points() -> None:
    root = drawn(Curves("T", [Curve("a", [Point(0, 0.0), Point(1, 0.5), Point(2, 1.0)])], "x", "y"))
    [line] = paths(root)
    (x0, y0), (x1, y1), (x2, y2) = line
    assert x1 - x0 == pytest.approx(x2 - x1)
    assert y0 - y1 == pytest.approx(y1 - y2) == pytest.approx(120)  # half of 240 pixels
    [curve] = groups(root, "curve")
    assert (curve.get("data-name"), curve.get("data-x"), curve.get("data-y")) == ("a", "0 1 2", "0 0.5 1")
    assert [(float(dot.get("cx", "")), float(dot.get("cy", ""))) for dot in root.iter(f"{SVG}circle")] == line


def test_steps_stay_until_the_next_point() -> None:
    [line] = paths(drawn(Curves("T", [Curve("a", [Point(0, 0.0), Point(1, 1.0)], steps=True)], "x", "y")))
    (x0, y0), (xm, ym), (x1, y1) = line
    assert (xm, ym) == (x1, y0)
    assert x0 < x1
    assert y1 < y0


def test_a_gap_where_nothing_is_defined() -> None:
    points = [Point(0, 0.1), Point(1, 0.2), Point(2, math.nan), Point(3, 0.3), Point(4, 0.4)]
    lines = paths(drawn(Curves("T", [Curve("a", points)], "x", "y")))
    assert [len(line) for line in lines] == [2, 2]


def test_a_band_goes_there_and_back() -> None:
    points = [Point(0, 0.2, (0.1, 0.3)), Point(1, 0.3, (0.2, 0.4)), Point(2, 0.3, (math.nan, 1.0)), Point(3, 0.2)]
    band, line = paths(drawn(Curves("T", [Curve("a", points)], "x", "y")))
    assert len(band) == 4
    assert [x for x, _ in band] == [band[0][0], band[1][0], band[1][0], band[0][0]]
    (_, high0), (_, high1), (_, low1), (_, low0) = band
    middle = [y for _, y in line][:2]
    assert middle == pytest.approx([(high0 + low0) / 2, (high1 + low1) / 2])


def test_names_stand_at_the_ends_in_their_order_and_apart() -> None:
    curves = [Curve(f"s{n}", [Point(0, 0.5), Point(1, 0.5 + n / 1000)]) for n in range(10)]
    root = drawn(Curves("T", curves, "x", "y"))
    check(root)
    names = [text.text for text in root.iter(f"{SVG}text") if (text.text or "").startswith("s")]
    assert names == [f"s{n}" for n in range(9, -1, -1)]


def test_nothing_to_draw() -> None:
    panel = Curves("T", [Curve("a", [Point(0, math.nan)]), Curve("b", [])], "x", "y")
    assert "No point is defined." in texts(drawn(panel))
    assert panel.described() == "T (y over x): a undefined; b undefined."


def test_what_a_person_hears() -> None:
    curve = Curve("a", [Point(0.5, math.nan), Point(1, 0.25), Point(2, 0.5)])
    assert Curves("T", [curve], "x", "y").described() == "T (y over x): a from 0.250 at 1 to 0.500 at 2."


NUMBERS = st.floats(-1e6, 1e6) | st.just(math.nan)
POINTS = st.lists(st.builds(Point, st.floats(0, 100), NUMBERS, st.none() | st.tuples(NUMBERS, NUMBERS)), max_size=5)


@given(st.lists(POINTS, max_size=8), st.booleans(), st.sampled_from([WIDE, NARROW]))
def test_any_curves_stay_in_their_frame(curves: list[list[Point]], steps: bool, wide: int) -> None:
    panel = Curves("T", [Curve(f"c{n}", points, steps=steps) for n, points in enumerate(curves)], "x", "y")
    check(drawn(panel, wide=wide))
