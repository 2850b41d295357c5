"""Numbers of each kind of chart, read back from its axes, whatever its names are."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex, to_rgba

from fairsum_utils.reports import panels
from fairsum_utils.reports.panels import (
    STRENGTH,
    Bars,
    Curve,
    Curves,
    Distribution,
    Heat,
    Histogram,
    Line,
    Mark,
    Panel,
    Part,
    Point,
    Points,
    Row,
    bin_edges,
    counted,
)
from fairsum_utils.reports.theme import DARK, LIGHT, VALUES
from tests.reports._contrast import contrast, mixed, parts
from tests.reports._forms import HOSTILE, axes_of, check, entries, made, names, rows_of, texts

PARTS = [Part("positive", "v3"), Part("neutral", "grid"), Part("negative", "v4", "///")]
# A chart of each kind with hostile names, whose titles and axes have some of them
KINDS: dict[str, Panel] = {
    "points": Points(
        "$x$ $",
        [row for name in HOSTILE for row in (Row(name), Row(name, [Mark(0.5, (0.4, 0.6), shape="bar")], "n = 1"))],
        "x" * 200,
        lines=[Line(0.1, "_hidden")],
        notes=["\\frac{"],
    ),
    "bars": Bars(
        "_hidden",
        [Part("_hidden", "v1"), Part("a^b_c", "v2", "---")],
        [row for name in HOSTILE for row in (Row(name), Row(name, [Mark(0.5)] * 2, "n = 1"))],
        "中文" * 30,
    ),
    "curves": Curves(
        "a^b_c",
        [Curve(name, [Point(0, 0.1), Point(1, 0.7)], "v2") for name in ("_hidden", *HOSTILE[:8])],
        "</style>",
        "\u202eneg",
        [Line(0.5, "$x$ $")],
    ),
    "heat": Heat("]]>", HOSTILE, HOSTILE[:4], [[0.1, 0.2, 0.3, 0.4]] * len(HOSTILE), "$x$ $"),
    "histogram": Histogram(
        "x" * 200, [Distribution(name, [0.1, 0.7]) for name in HOSTILE], "\x1b[31m", [Line(0.5, "_hidden")]
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_names_stay_as_they_are_and_apart(kind: str) -> None:
    figure = made(KINDS[kind], width=3.4)
    shown = check(figure)
    assert KINDS[kind].title in ("]]>", "x" * 200) or KINDS[kind].title in shown
    [axes] = figure.axes
    assert kind == "heat" or "_hidden" in entries(axes)  # matplotlib leaves out such labels
    if kind in ("points", "bars", "histogram"):
        assert {"$x$ $", "_hidden", "\\frac{", "a^b_c"} <= {*names(axes)}


def test_long_names_have_two_small_lines() -> None:
    [axes] = made(Points("P", [Row("Counterfactual Outcomes", [Mark(0.1)]), Row("BUR", [Mark(0.2)])], "axis")).axes
    long, short = axes.get_yticklabels()
    assert long.get_text() == "Counterfactual\nOutcomes"
    assert long.get_fontsize() < short.get_fontsize()


def test_points_by_hand() -> None:
    rows = [
        Row("ab", [Mark(0.25, (0.125, 0.5)), Mark(0.2, shape="tick", text="chance")], "n = 4"),
        Row("none", [Mark(math.nan, (math.nan, math.nan))]),
        Row("outside", [Mark(0.5, (0.1, 0.2))]),  # an interval may leave out its number
        Row("infinite", [Mark(math.inf, (0.1, math.inf))]),
        Row("open", [Mark(-0.25, (-math.inf, 0.2), shape="bar")]),
    ]
    figure = made(Points("P", rows, "axis", lines=[Line(0.4, "equal")]))
    [axes] = figure.axes
    assert [*rows_of(axes)] == [
        ("ab", 0.25, pytest.approx((0.125, 0.5))), ("outside", 0.5, pytest.approx((0.1, 0.2))), ("open", -0.25, None),
    ]  # fmt: skip
    assert [*axes.lines[-1].get_xdata()] == [0.2]
    assert 0.4 in [line.get_xdata()[0] for line in axes.lines]
    low, high = axes.get_xlim()
    assert low < -0.25
    assert high > 0.5
    assert entries(axes) == ["equal", "chance"]
    assert {"ab", "none", "0.250, n = 4", "undefined", "∞", "P", "Axis"} <= {*texts(figure)}
    assert axes_of(Points("P", rows[:3], "")).get_xlim()[0] == 0


def test_bars_begin_at_the_base() -> None:
    rows = [Row("a", [Mark(0.5, shape="bar", color="v2")]), Row("b", [Mark(2.0, shape="bar")])]
    axes = axes_of(Points("P", rows, "", base=1.0))
    assert [(bar.get_x(), bar.get_width()) for bar in axes.patches] == [(1.0, -0.5), (1.0, 1.0)]
    assert [to_hex(bar.get_facecolor()) for bar in axes.patches] == [LIGHT["v2"], LIGHT["accent"]]


def test_both_sides_are_even_if_asked() -> None:
    low, high = axes_of(Points("P", [Row("a", [Mark(0.3)])], "", lines=[Line(0.0, "zero")], even=True)).get_xlim()
    assert low == pytest.approx(-high)


@pytest.mark.parametrize(
    ("panel", "n", "left_out"),
    [
        (Points("P", [Row("g", [Mark(0.5, shape="bar")])] * 9, "x"), 3, "the first 3 of 9 rows"),
        (Bars("P", PARTS[:1], [Row("g", [Mark(0.5)])] * 9, "x"), 3, "the first 3 of 9 bars"),
        (Histogram("P", [Distribution("g", [0.5])] * 9, "x"), 3, "the first 3 of 9 groups"),
        (Curves("P", [Curve("g", [Point(0, 0.5)])] * 99, "x", "y"), 0, f"the first {len(VALUES) + 1} of 99 curves"),
        (Heat("P", ["g"] * 9, ["x"], [[0.5]] * 9, "x"), 0, "the first 3 of 9 rows"),
        (Heat("P", ["g"], ["x"] * 9, [[0.5] * 9], "x"), 0, "the first 3 of 9 columns"),
    ],
)
def test_what_is_left_out_is_said(panel: Panel, n: int, left_out: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panels, "MOST", 3)
    axes = axes_of(panel)
    assert len(axes.patches) == n
    assert len(axes.texts) == (0 if isinstance(panel, Curves) else 3)
    assert f"Only {left_out} are drawn" in " ".join(axes.get_xlabel().split())


def test_parts_by_hand() -> None:
    rows = [Row("men"), Row("a", [*map(Mark, (0.5, 0.25, 0.25))], "n = 4"), Row("b", [Mark(math.nan)] * 3)]
    figure = made(Bars("T", PARTS, rows, "x"))
    [axes] = figure.axes
    found = [[(bar.get_x(), bar.get_width()) for bar in container.patches] for container in axes.containers]
    assert [each[1] for each in found] == [(0.0, 0.5), (0.5, 0.25), (0.75, 0.25)]
    assert all(math.isnan(each[2][1]) for each in found)
    assert names(axes) == ["men", "a", "b"]
    assert [label.get_fontweight() for label in axes.get_yticklabels()] == ["bold", "normal", "normal"]
    assert texts(figure).count("25%") == 2
    assert {"50%", "n = 4", "positive", "negative"} <= {*texts(figure)}
    assert [container.patches[0].get_hatch() for container in axes.containers] == ["", "", "///"]


def test_curves_by_hand() -> None:
    points = [Point(0, 0.25, (0.0, 0.5)), Point(1, math.nan), Point(2, 0.75, (0.5, 1.0))]
    axes = axes_of(Curves("T", [Curve("a", points, "ink"), Curve("b", [Point(0, 1.0)], "v2")], "x", "y"))
    a, b = axes.lines[:2]
    np.testing.assert_array_equal(a.get_xydata(), [[0, 0.25], [1, math.nan], [2, 0.75]])
    assert (a.get_color(), b.get_color()) == (LIGHT["ink"], LIGHT["v2"])
    assert a.get_linestyle() != b.get_linestyle()
    corners = np.concatenate([path.vertices for path in axes.collections[0].get_paths()])
    assert {*map(tuple, corners)} >= {(0.0, 0.0), (0.0, 0.5), (2.0, 0.5), (2.0, 1.0)}
    assert (axes.get_ylabel(), axes.get_xlabel()) == ("y", "X")


def shares(axes: object) -> list[dict[int, float]]:
    """Bin -> height of its bar over the highest one, for each group."""
    found = []
    for place, patch in enumerate(axes.patches):  # type: ignore[attr-defined]
        tops, _, base = patch.get_data()
        assert base == place + 0.4
        found.append({at: float(base - top) / 0.8 for at, top in enumerate(tops) if base - top > 1e-9})
    return found


def test_a_histogram_by_hand() -> None:
    groups = [
        Distribution("a", [0.0, 0.01, 0.8, math.nan], "v1"),
        Distribution("b", [0.2], "v2"),
        Distribution("c", []),
    ]
    figure = made(Histogram("T", groups, "x"))
    [axes] = figure.axes
    edges = axes.patches[0].get_data().edges
    assert [*edges] == [pytest.approx(place * 0.025) for place in range(33)]
    # A third of the numbers of a is the height of 2/3: the highest bar is that of b, of all its numbers.
    assert shares(axes) == [{0: pytest.approx(2 / 3), 31: pytest.approx(1 / 3)}, {8: pytest.approx(1.0)}, {}]
    assert {"n = 3, median 0.010", "n = 1, median 0.200", "n = 0"} <= {*texts(figure)}
    assert [*axes.lines[-1].get_xdata()] == [0.01, 0.2]
    assert [to_hex(patch.get_facecolor()) for patch in axes.patches] == [LIGHT["v1"], LIGHT["v2"], LIGHT["accent"]]


def test_large_numbers_stand_in_the_last_bin() -> None:
    axes = axes_of(Histogram("T", [Distribution("a", [0.0, 2.0, 9.0])], "x", most=3.0))
    assert axes.patches[0].get_data().edges[-1] == 4.0
    assert "the last bin also holds what is above 3" in axes.get_xlabel()


@pytest.mark.parametrize(
    ("numbers", "edges"),
    [
        ([1.0, 4.0], [1, 2, 3, 4, 5]),  # counts: a bin for each
        ([0.5, 0.5], [place / 50 for place in range(26)]),
        ([-0.4, 0.6], [place / 20 for place in range(-8, 13)]),
        ([0.0, 1.0], [place / 20 for place in range(21)]),  # scores, not counts
    ],
)
def test_edges_by_hand(numbers: list[float], edges: list[float]) -> None:
    assert bin_edges(numbers) == pytest.approx(edges)


NUMBERS = st.lists(st.floats(-1e6, 1e6).map(lambda number: round(number, 4)), min_size=1, max_size=8)


@given(NUMBERS)
def test_every_number_is_counted_once(numbers: list[float]) -> None:
    edges = bin_edges(numbers)
    assert len(edges) <= 35
    assert edges[0] <= min(numbers) + 1e-6
    assert max(numbers) <= edges[-1] + 1e-6
    counts = counted(numbers, edges)
    assert min(counts) >= 0
    assert sum(counts) == len(numbers)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("color", "most"), [("accent", STRENGTH), ("plus", STRENGTH), ("minus", STRENGTH), ("grid", 0.5)]
)
def test_numbers_are_read_on_every_strength(theme: Mapping[str, str], color: str, most: float) -> None:
    for step in range(21):
        strength = most * step / 20
        assert contrast(parts(theme["ink"]), mixed(theme[color], theme["surface"], strength)) >= 4.5, strength


def test_cells_by_hand() -> None:
    numbers = [[0.5, -1.0], [None, math.nan], [-0.001, 0.0]]
    figure = made(Heat("T", ["a", "b", "c"], ["x", "y"], numbers, "axis"))
    [axes] = figure.axes
    assert [(text.get_position(), text.get_text()) for text in axes.texts] == [
        ((0.5, 0.5), "0.50"), ((1.5, 0.5), "−1.00"), ((0.5, 1.5), ""), ((1.5, 1.5), "?"),
        ((0.5, 2.5), "0.00"), ((1.5, 2.5), "0.00"),  # what is rounded to nothing has no sign
    ]  # fmt: skip
    figure.draw_without_rendering()
    expected = [
        to_rgba(LIGHT["plus"], STRENGTH / 2),
        to_rgba(LIGHT["minus"], STRENGTH),
        to_rgba(LIGHT["surface"], 0),
        to_rgba(LIGHT["grid"], 0.5),
    ]
    assert axes.collections[0].get_facecolor().tolist()[:4] == [pytest.approx(shade) for shade in expected]
    assert axes.get_ylim() == (3, 0)
    assert names(axes) == ["a", "b", "c"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["x", "y"]
    assert axes.get_xlabel() == "Axis\n?: undefined"


def test_cells_with_texts_of_their_own() -> None:
    axes = axes_of(Heat("T", ["a"], ["x", "y"], [[0.5, math.nan]], "axis", texts=[["1/2", "0/0"]]))
    assert [text.get_text() for text in axes.texts] == ["1/2", "?"]


@pytest.mark.parametrize(("rows", "columns"), [((), ()), ((), ("x",)), (("a",), ())])
def test_a_heat_map_of_nothing(rows: tuple[str, ...], columns: tuple[str, ...]) -> None:
    axes = axes_of(Heat("T", rows, columns, [[] for _ in rows], "axis"))
    assert axes.get_xlabel() == "Axis\nThere is nothing to compare."


def test_names_of_many_columns_stand_upright() -> None:
    figure = made(Heat("T", ["a"], [f"a long name of a column {n}" for n in range(12)], [[0.1] * 12], "axis"))
    assert {label.get_rotation() for label in figure.axes[0].get_xticklabels()} == {90.0}
    check(figure)
