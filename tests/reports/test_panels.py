"""Numbers of each kind of chart, read back from its axes, whatever its names are."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex, to_rgba
from matplotlib.figure import Figure

from fairsum_utils.reports.panels import (
    HATCHINGS,
    MOST,
    STRENGTH,
    Bars,
    Curve,
    Curves,
    Distribution,
    Group,
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
    distinct_parts,
)
from fairsum_utils.reports.theme import DARK, LIGHT
from tests.reports._contrast import contrast, mixed, parts
from tests.reports._forms import HOSTILE, check, made, names, rows_of, texts

PARTS = [Part("positive", "v3"), Part("neutral", "grid"), Part("negative", "v4", "///")]


def bars(name: str, *, filled: bool) -> Panel:
    both = [Part(name, "v1"), Part(f"{name}2", "v2", "---")]
    return Bars(name, both, [Group(name), Group(name, [0.5, 0.5], "n = 1"), Group("b", [1.0, 0.0])], name, filled)


def curves(name: str) -> Panel:
    points = [Point(0, 0.1), Point(1, 0.7)]
    return Curves(name, [Curve(name, points), Curve("b", points, "v2")], name, name, [Line(0.5, name)])


KINDS: dict[str, Callable[[str], Panel]] = {
    "rows": lambda name: Points(
        name,
        [Row(name), Row(name, [Mark(0.5, (0.4, 0.6), shape="bar"), Mark(0.2, shape="tick", text=name)], "n = 1")],
        name,
        lines=[Line(0.1, name)],
        notes=[name],
    ),
    "grouped": lambda name: bars(name, filled=False),
    "proportions": lambda name: bars(name, filled=True),
    "curves": curves,
    "heat": lambda name: Heat(name, [name, "b"], ["x", name], [[0.1, 0.2], [0.3, 0.4]], name),
    "histogram": lambda name: Histogram(
        name, [Distribution(name, [0.1, 0.7]), Distribution("b", [0.2])], name, [Line(0.5, name)]
    ),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_as_they_are_and_apart(kind: str, name: str) -> None:
    for width in (6.4, 3.4):
        figure = made(KINDS[kind](name), width=width)
        check(figure)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph")
            figure.canvas.draw()
        if name in ("$x$ $", "_hidden", "\\frac{", "a^b_c"):
            assert name in texts(figure)


@pytest.mark.parametrize("kind", ["rows", "grouped", "proportions", "curves", "histogram"])
def test_a_legend_shows_names_that_begin_with_an_underscore(kind: str) -> None:
    [axes] = made(KINDS[kind]("_hidden")).axes
    legend = axes.get_legend()
    assert legend is not None
    assert "_hidden" in [text.get_text() for text in legend.get_texts()]


def test_points_by_hand() -> None:
    rows = [
        Row("ab", [Mark(0.25, (0.125, 0.5)), Mark(0.2, shape="tick", text="chance")], "n = 4"),
        Row("none", [Mark(math.nan, (math.nan, math.nan))]),
    ]
    figure = made(Points("P", rows, "axis", lines=[Line(0.4, "equal")]))
    [axes] = figure.axes
    assert [*rows_of(axes)] == [("ab", 0.25, pytest.approx((0.125, 0.5)))]
    assert [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "|" and len(line.get_xdata()) == 1][
        -1
    ] == 0.2
    assert [*axes.lines[-1].get_xdata()] == [0.2]
    assert 0.4 in [line.get_xdata()[0] for line in axes.lines]
    low, high = axes.get_xlim()
    assert low == 0
    assert high > 0.5
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["equal", "chance"]
    assert {"ab", "none", "0.250, n = 4", "undefined", "P", "Axis"} <= {*texts(figure)}


def test_bars_begin_at_the_base() -> None:
    rows = [Row("a", [Mark(0.5, shape="bar", color="v2")]), Row("b", [Mark(2.0, shape="bar")])]
    [axes] = made(Points("P", rows, "", base=1.0)).axes
    assert [(bar.get_x(), bar.get_width()) for bar in axes.patches] == [(1.0, -0.5), (1.0, 1.0)]
    assert [to_hex(bar.get_facecolor()) for bar in axes.patches] == [LIGHT["v2"], LIGHT["accent"]]


def test_both_sides_are_even_if_asked() -> None:
    [axes] = made(Points("P", [Row("a", [Mark(0.3)])], "", lines=[Line(0.0, "zero")], even=True)).axes
    low, high = axes.get_xlim()
    assert low == pytest.approx(-high)


def test_an_interval_may_leave_out_its_number() -> None:
    [axes] = made(Points("P", [Row("a", [Mark(0.5, (0.1, 0.2))])], "")).axes
    assert [*rows_of(axes)] == [("a", 0.5, pytest.approx((0.1, 0.2)))]


def test_too_many_rows_are_counted() -> None:
    figure = made(Points("P", [Row(f"g{n}", [Mark(n / 999, shape="bar")]) for n in range(999)], "axis"))
    [axes] = figure.axes
    assert len(axes.patches) == MOST
    assert any(f"Drawn are the first {MOST} of 999." in text for text in texts(figure))


def test_parts_by_hand() -> None:
    groups = [Group("men"), Group("a", [0.5, 0.25, 0.25], "n = 4"), Group("b", [math.nan] * 3)]
    figure = made(Bars("T", PARTS, groups, "x", filled=True))
    [axes] = figure.axes
    found = [[(bar.get_x(), bar.get_width()) for bar in container.patches] for container in axes.containers]
    assert [each[1] for each in found] == [(0.0, 0.5), (0.5, 0.25), (0.75, 0.25)]
    assert all(math.isnan(each[2][1]) for each in found)
    assert names(axes) == ["men", "a", "b"]
    assert [label.get_fontweight() for label in axes.get_yticklabels()] == ["bold", "normal", "normal"]
    assert texts(figure).count("25%") == 2
    assert {"50%", "n = 4", "positive", "negative"} <= {*texts(figure)}
    assert [container.patches[0].get_hatch() for container in axes.containers] == ["", "", "///"]


def test_bars_beside_each_other_by_hand() -> None:
    systems = distinct_parts(["Wikipedia", "GPT-2"])
    groups = [Group("writing", [0.5, -0.25], "n = 4"), Group("art", [0.0, math.nan])]
    [axes] = made(Bars("T", systems, groups, "x", even=True)).axes
    first, second = axes.containers
    assert [bar.get_width() for bar in first.patches] == [0.5, 0.0]
    assert second.patches[0].get_width() == -0.25
    assert math.isnan(second.patches[1].get_width())
    low, high = axes.get_xlim()
    assert low == pytest.approx(-high)
    assert first.patches[0].get_y() + first.patches[0].get_height() == pytest.approx(second.patches[0].get_y())


def test_many_parts_differ() -> None:
    many = distinct_parts([str(n) for n in range(20)])
    assert len({(part.color, part.hatching) for part in many}) == 20
    assert {part.hatching for part in many} == set(HATCHINGS)


def test_curves_by_hand() -> None:
    points = [Point(0, 0.25, (0.0, 0.5)), Point(1, math.nan), Point(2, 0.75, (0.5, 1.0))]
    panel = Curves("T", [Curve("a", points, "ink"), Curve("b", [Point(0, 1.0)], "v2", steps=True)], "x", "y")
    [axes] = made(panel).axes
    a, b = axes.lines[:2]
    np.testing.assert_array_equal(a.get_xydata(), [[0, 0.25], [1, math.nan], [2, 0.75]])
    assert (a.get_color(), b.get_color()) == (LIGHT["ink"], LIGHT["v2"])
    assert b.get_drawstyle() == "steps-post"
    assert a.get_linestyle() != b.get_linestyle()
    corners = np.concatenate([path.vertices for path in axes.collections[0].get_paths()])
    assert {*map(tuple, corners)} >= {(0.0, 0.0), (0.0, 0.5), (2.0, 0.5), (2.0, 1.0)}
    assert (axes.get_ylabel(), axes.get_xlabel()) == ("y", "X")


def shares(axes: object, n: int) -> list[list[float]]:
    """Counts of each group, from the heights of its bars."""
    found = []
    for place, patch in enumerate(axes.patches):  # type: ignore[attr-defined]
        tops, _, base = patch.get_data()
        assert base == place + 0.4
        found.append([float(base - top) / 0.8 for top in tops])
    assert len(found) == n
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
    a, b, c = shares(axes, 3)
    # A third of the numbers of a is the height of 2/3: the highest bar is that of b, of all its numbers.
    assert {place: share for place, share in enumerate(a) if share > 1e-9} == {
        0: pytest.approx(2 / 3),
        31: pytest.approx(1 / 3),
    }
    assert {place: share for place, share in enumerate(b) if share > 1e-9} == {8: pytest.approx(1.0)}
    assert max(c) < 1e-9
    assert {"n = 3, median 0.010", "n = 1, median 0.200", "n = 0"} <= {*texts(figure)}
    assert [*axes.lines[-1].get_xdata()] == [0.01, 0.2]
    assert [to_hex(patch.get_facecolor()) for patch in axes.patches] == [LIGHT["v1"], LIGHT["v2"], LIGHT["accent"]]


def test_large_numbers_stand_in_the_last_bin() -> None:
    figure = made(Histogram("T", [Distribution("a", [0.0, 2.0, 9.0])], "x", most=3.0))
    assert figure.axes[0].patches[0].get_data().edges[-1] == 4.0
    assert any("the last bin also holds what is above 3" in text for text in texts(figure))


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


def cells(figure: Figure) -> list[list[float]]:
    figure.draw_without_rendering()
    return figure.axes[0].collections[0].get_facecolor().tolist()


def test_cells_by_hand() -> None:
    figure = made(
        Heat("T", ["a", "b"], ["x", "y"], [[0.5, -1.0], [None, math.nan]], "axis", framed=[[False, True]] * 2)
    )
    expected = [
        to_rgba(LIGHT["plus"], STRENGTH / 2),
        to_rgba(LIGHT["minus"], STRENGTH),
        to_rgba(LIGHT["surface"], 0),
        to_rgba(LIGHT["grid"], 0.5),
    ]
    assert cells(figure) == [pytest.approx(shade) for shade in expected]
    [axes] = figure.axes
    assert [(text.get_position(), text.get_text()) for text in axes.texts] == [
        ((0.5, 0.5), "0.50"), ((1.5, 0.5), "−1.00"), ((0.5, 1.5), ""), ((1.5, 1.5), "?"),
    ]  # fmt: skip
    assert axes.get_ylim() == (2, 0)
    assert names(axes) == ["a", "b"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["x", "y"]
    frames = [line.get_xydata() for line in axes.lines]
    assert [(min(frame[:, 0]), min(frame[:, 1])) for frame in frames] == [(1.04, 0.06), (1.04, 1.06)]
    assert "Axis\n?: undefined" in texts(figure)


def test_what_is_rounded_to_nothing_has_no_sign() -> None:
    assert "0.00" in texts(made(Heat("T", ["a"], ["x"], [[-0.001]], "axis")))


def test_a_heat_map_of_nothing() -> None:
    assert "Axis\nThere is nothing to compare." in texts(made(Heat("T", [], [], [], "axis")))


def test_names_of_many_columns_stand_upright() -> None:
    columns = [f"a long name of a column {n}" for n in range(12)]
    figure = made(Heat("T", ["a"], columns, [[0.1] * 12], "axis"))
    assert {label.get_rotation() for label in figure.axes[0].get_xticklabels()} == {90.0}
    check(figure)


FLOATS = st.floats(-1e6, 1e6) | st.sampled_from([math.nan, math.inf, -math.inf])
TEXTS = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), max_size=40)


@given(
    TEXTS,
    st.lists(FLOATS, min_size=1, max_size=4),
    st.none() | st.tuples(FLOATS, FLOATS),
    st.sampled_from(["bar", "dot"]),
)
def test_any_points_have_their_rows(
    label: str, numbers: list[float], ends: tuple[float, float] | None, shape: str
) -> None:
    ordered = None if ends is None else (min(ends), max(ends))
    rows = [
        Row(label),
        *(Row(label, [Mark(n, ordered, shape=shape), Mark(0.5, shape="tick", text=label)]) for n in numbers),
    ]
    [axes] = made(Points(label, rows, label, lines=[Line(0.25, label)])).axes
    assert [number for _, number, _ in rows_of(axes)] == pytest.approx([n for n in numbers if math.isfinite(n)])


@given(st.lists(st.lists(st.integers(0, 50), min_size=3, max_size=3), max_size=8))
def test_any_counts_fill_a_bar(counts: list[list[int]]) -> None:
    groups = [
        Group(f"g{place}", [n / sum(each) if sum(each) else math.nan for n in each])
        for place, each in enumerate(counts)
    ]
    [axes] = made(Bars("T", PARTS, groups, "x", filled=True)).axes
    for place, each in enumerate(counts):
        ends = [
            container.patches[place].get_x() + container.patches[place].get_width() for container in axes.containers
        ]
        assert math.isnan(ends[-1]) if not sum(each) else ends[-1] == pytest.approx(1)
