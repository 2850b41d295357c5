"""Every number is written in its cell and can be read there, on light and on dark."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.reports.panels import STRENGTH, Heat
from fairsum_utils.reports.svg import Sheet
from fairsum_utils.reports.theme import DARK, LIGHT
from tests.reports._contrast import contrast, mixed, parts
from tests.reports._forms import HOSTILE, NARROW, SVG, WIDE, check, drawn, groups, texts


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("colour", "most"), [("accent", STRENGTH), ("plus", STRENGTH), ("minus", STRENGTH), ("grid", 0.5)]
)
def test_numbers_are_read_on_every_strength(theme: Mapping[str, str], colour: str, most: float) -> None:
    for step in range(21):
        strength = most * step / 20
        assert contrast(parts(theme["ink"]), mixed(theme[colour], theme["surface"], strength)) >= 4.5, strength


def test_cells_by_hand() -> None:
    root = drawn(Heat("T", ["a", "b"], ["x", "y"], [[0.5, -1.0], [None, math.nan]], "axis"))
    cells = {(cell.get("data-row"), cell.get("data-column")): cell for cell in groups(root, "cell")}
    assert {place: cell.get("data-number") for place, cell in cells.items()} == {
        ("a", "x"): "0.5",
        ("a", "y"): "-1.0",
        ("b", "y"): "nan",
    }
    written = {place: next(cell.iter(f"{SVG}text")).text for place, cell in cells.items()}
    assert written == {("a", "x"): "0.50", ("a", "y"): "−1.00", ("b", "y"): "?"}
    strengths = {place: float(next(cell.iter(f"{SVG}rect")).get("fill-opacity", "")) for place, cell in cells.items()}
    assert strengths["a", "y"] == STRENGTH
    assert strengths["a", "x"] == STRENGTH / 2
    classes = {place: next(cell.iter(f"{SVG}rect")).get("class") for place, cell in cells.items()}
    assert classes == {("a", "x"): "f-plus", ("a", "y"): "f-minus", ("b", "y"): "f-grid"}
    assert "?: undefined" in texts(root)


def test_what_is_rounded_to_nothing_has_no_sign() -> None:
    assert "0.00" in texts(drawn(Heat("T", ["a"], ["x"], [[-0.001]], "axis")))


def test_some_cells_are_framed() -> None:
    root = drawn(Heat("T", ["a"], ["x", "y"], [[0.1, 0.2]], "axis", framed=[[False, True]]))
    assert [len(list(cell.iter(f"{SVG}path"))) for cell in groups(root, "cell")] == [0, 1]


def test_columns_without_room_are_numbered() -> None:
    names = [f"a long name of a column {n}" for n in range(8)]
    root = drawn(Heat("T", ["a"], names, [[0.1] * 8], "axis"))
    assert any(text.startswith("1: a long name of a column 0, 2: ") for text in texts(root))
    check(root)


def test_the_same_rows_and_columns_are_numbered_once() -> None:
    written = texts(drawn(Heat("T", ["a", "b"], ["a", "b"], [[None, 1.0], [2.0, None]], "axis")))
    assert written == ["T", "T", "1", "2", "1 a", "1.00", "2 b", "2.00", "axis"]


def test_what_does_not_fit_beside_follows_below() -> None:
    names = [f"s{n}" for n in range(12)]
    root = drawn(Heat("T", names, names, [[1 / 3] * 12] * 12, "axis"), wide=NARROW)
    check(root)
    assert len(list(groups(root, "cell"))) == 144
    assert texts(root).count("1 s0") == 2


def test_what_a_person_hears() -> None:
    panel = Heat("T", ["a", "b"], ["x", "y"], [[0.5, -1.0], [None, math.nan]], "axis")
    assert panel.described() == "T (axis), the largest of each row: a -1.00 (y), b none."
    assert "There is nothing to compare." in texts(drawn(Heat("T", [], [], [], "axis")))


@given(st.integers(1, 12), st.integers(1, 12), st.sampled_from([WIDE, NARROW]), st.randoms())
def test_any_table_stays_in_its_frame(rows: int, columns: int, wide: int, draw: object) -> None:
    numbers = [[(7 * row - 5 * column) / 13 for column in range(columns)] for row in range(rows)]
    names = [f"row {row}" * (1 + row % 3) for row in range(rows)]
    check(drawn(Heat("T", names, [f"column {n}" for n in range(columns)], numbers, "axis"), wide=wide))


def test_time_grows_as_the_cells() -> None:
    """All numbers are looked at once, not again for each cell: 25,000 cells take a second or two, else minutes."""
    names = [f"n{place}" for place in range(160)]
    heat = Heat("t", names, names, [[0.5] * 160] * 160, "axis")
    sheet = Sheet(60_000)
    heat.draw(sheet, 0, [])
    assert sum("<rect" in shape for shape in sheet.shapes) == 160 * 160


def test_columns_that_are_named_although_they_are_the_rows() -> None:
    written = texts(drawn(Heat("T", ["a", "b"], ["a", "b"], [[None, 1.0], [2.0, None]], "axis", named=True)))
    assert written == ["T", "T", "a", "b", "a", "1.00", "b", "2.00", "axis"]


def test_cells_with_texts_of_their_own() -> None:
    root = drawn(Heat("T", ["a"], ["x", "y", "z"], [[0.5, None, math.nan]], "axis", texts=[["3/4", "gone", "gone"]]))
    assert [next(cell.iter(f"{SVG}text")).text for cell in groups(root, "cell")] == ["3/4", "?"]
    assert next(iter(groups(root, "cell"))).get("data-number") == "0.5"
    check(root)
    hostile = [[f"{label}{label}" for label in HOSTILE]]
    check(drawn(Heat("T", ["a"], HOSTILE, [[0.5] * len(HOSTILE)], "axis", texts=[[text[:9] for text in hostile[0]]])))


@pytest.mark.parametrize(("signed", "colour"), [(False, "f-accent"), (True, "f-plus")])
def test_two_colours_also_without_a_number_below_zero(signed: bool, colour: str) -> None:
    root = drawn(Heat("T", ["a"], ["x"], [[0.5]], "axis", signed=signed))
    assert [next(cell.iter(f"{SVG}rect")).get("class") for cell in groups(root, "cell")] == [colour]
