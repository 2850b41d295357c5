"""The page on how many originals are enough says what the benchmark of power found, in tables, picture and prose."""

from __future__ import annotations

import importlib
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from scipy.stats import binom

from fairsum_utils.reports.marks import Curve, Curves, Point
from fairsum_utils.reports.svg import Drawing
from tests.reports._forms import NARROW, SVG, WIDE, groups, texts

BIASED = {
    "longer": "longer",
    "dropping": "one claim in five dropped",
    "negative": "more negative words",
    "lead 10 %": "first sources, 10 %",
    "lead 25 %": "first sources, 25 %",
}


@pytest.fixture
def tool(repository: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(repository / "tools")
    return importlib.import_module("power_curves")


@pytest.fixture
def data(repository: Path) -> Any:
    return json.loads((repository / "docs" / "power_of_sensitivity.json").read_text(encoding="utf-8"))


@pytest.fixture
def page(repository: Path) -> str:
    return (repository / "docs" / "pages" / "explanation" / "sensitivity.md").read_text(encoding="utf-8")


def table(page: str, name: str) -> list[list[str]]:
    """The cells of a table, without its head."""
    between = page.split(f"<!-- {name} -->")[1].split("<!-- end -->")[0]
    lines = [line for line in between.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def named(row: dict[str, Any]) -> str:
    return {"": "gap", "ngram": "n-grams"}.get(row["by"], row["by"])


def test_every_figure_is_that_of_the_data(page: str, data: Any) -> None:
    for name, titles in (("power", BIASED), ("level", {"none": "none", "none in order": "none"})):
        found = {tuple(row[:3]): row[3:] for row in table(page, name)}
        rows = [row for row in data["rows"] if row["bias"] in titles]
        assert rows
        n_sets = found.pop(("(data sets)", "", ""))
        assert len(found) == len(rows)
        for row in rows:
            cells = found[titles[row["bias"]], named(row), str(row["replicates"])]
            assert len(cells) == len(data["originals"]) == 5
            assert all(abs(int(cell) - 100 * p) <= 0.5 for cell, p in zip(cells, row["power"], strict=True))
            assert [*map(int, n_sets)] == row["data_sets"]


def test_how_many_are_enough(page: str, data: Any) -> None:
    found = {tuple(row[:2]): row[2:] for row in table(page, "enough")}
    rows = [row for row in data["rows"] if row["bias"] in BIASED]
    assert 2 * len(found) == len(rows)
    for row in rows:
        cell = found[BIASED[row["bias"]], named(row)][{1: 0, 3: 1}[row["replicates"]]]
        below = [n for n, p in zip(data["originals"], row["power"], strict=True) if p < 0.8]
        if cell == "> 100":
            assert below == data["originals"]
        else:
            at = data["originals"].index(int(cell))
            assert row["power"][at] >= 0.8
            assert data["originals"][:at] == below[:at]


def test_the_picture_has_the_lines_of_the_data(repository: Path, data: Any) -> None:
    root = ET.fromstring((repository / "docs/pages/images/power.svg").read_text(encoding="utf-8"))
    described = root.find(f"{SVG}desc")
    assert described is not None
    assert "One claim in five dropped" in (described.text or "")
    curves = [curve for curve in groups(root, "curve") if curve.get("data-name") != "by chance"]
    drawn = sorted((curve.get("data-x"), curve.get("data-y"), curve.get("data-name", "")[-1]) for curve in curves)
    x = " ".join(map(str, data["originals"]))
    rows = [row for row in data["rows"] if row["bias"] in BIASED and row["by"] != "ngram"]
    assert len(rows) == 16
    assert drawn == sorted((x, " ".join(f"{p:g}" for p in row["power"]), str(row["replicates"])) for row in rows)


def test_without_bias_no_more_is_told_than_by_chance(data: Any) -> None:
    rows = [row for row in data["rows"] if row["bias"] not in BIASED]
    assert {row["measure"] for row in rows} == {"counterfactual_gap", "counterfactual_outcomes", "order_sensitivity"}
    for row in rows:
        for n, p in zip(row["data_sets"], row["power"], strict=True):
            # Of all of these at once: as many are told in one of a thousand simulations at most.
            assert binom.sf(round(n * p) - 1, n, data["level"]) > 0.001 / (5 * len(rows)), row


def test_the_card_of_the_gap_says_what_was_found(repository: Path, data: Any) -> None:
    card = (repository / "metrics/counterfactual_gap/README.md").read_text(encoding="utf-8")
    said = re.search(
        r"fair one in\s+(\d+) of 100 simulated data sets of 12 originals and in (\d+) of 100 of 100 originals, with "
        r"one summary of each input;\s+`counterfactual_outcomes`, [^.]* told it in (\d+) and in (\d+)\.",
        card,
    )
    assert said is not None
    of_gap, of_outcome = (row["power"] for row in data["rows"] if row["bias"] == "dropping" and row["replicates"] == 1)
    expected = [shares[place] for shares in (of_gap, of_outcome) for place in (1, 4)]
    assert all(abs(int(number) - 100 * p) <= 0.5 for number, p in zip(said.groups(), expected, strict=True))


def test_panels_stand_beside_each_other_where_there_is_room(tool: ModuleType) -> None:
    panels = [Curves(f"T{n}", [Curve("a", [Point(0, 0.0), Point(1, n)])], "x", "y") for n in (1, 2, 3)]
    made = Drawing("D", [tool.Beside("B", panels)])
    wide, narrow = (ET.fromstring(made.at(pixels)) for pixels in (WIDE, NARROW))
    for root, places in ((wide, ["0", "340", "0"]), (narrow, ["0", "0", "0"])):
        moved = [found for group in root.iter(f"{SVG}g") if (found := group.get("transform"))]
        assert moved == [f"translate({place})" for place in places]
        assert {"T1", "T2", "T3"} <= {*texts(root)}
    tops = [
        next(float(text.get("y", "")) for text in root.iter(f"{SVG}text") if text.text == title)
        for root in (wide, narrow)
        for title in ("T1", "T2", "T3")
    ]
    assert tops[0] == tops[1] < tops[2]
    assert tops[3] < tops[4] < tops[5]
    assert "T2" in made.panels[0].described()


def test_a_page_without_a_place_for_a_table_is_refused(tool: ModuleType, page: str, data: Any) -> None:
    assert tool.page(page, data) == page
    with pytest.raises(AssertionError, match="power"):
        tool.page(page.replace("<!-- power -->", ""), data)
