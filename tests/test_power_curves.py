"""Pages on the number of originals have the results of the benchmark, in tables and a picture."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from tests.reports._forms import SVG, groups

BIASED = {
    "longer": "longer",
    "dropping": "one claim in five dropped",
    "negative": "more negative words",
    "lead 10 %": "first sources, 10%",
    "lead 25 %": "first sources, 25%",
}


@pytest.fixture
def data(repository: Path) -> Any:
    return json.loads((repository / "docs" / "power_of_sensitivity.json").read_text(encoding="utf-8"))


@pytest.fixture
def benchmarks(repository: Path) -> str:
    return (repository / "benchmarks" / "README.md").read_text(encoding="utf-8")


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


def test_every_figure_is_that_of_the_data(benchmarks: str, data: Any) -> None:
    found = {tuple(row[:2]): row[2:] for row in table(benchmarks, "power")}
    assert [*map(int, found.pop(("(data sets)", "")))] == data["rows"][0]["data_sets"]
    assert sum(cell.count(",") + 1 for row in found.values() for cell in row) == 5 * len(data["rows"])
    assert [*dict.fromkeys(row["replicates"] for row in data["rows"])] == [1, 3]
    for row in data["rows"]:
        cells = [cell.split(", ")[row["replicates"] > 1] for cell in found[BIASED.get(row["bias"], "none"), named(row)]]
        assert len(cells) == len(data["originals"]) == 5
        for cell, p in zip(cells, row["power"], strict=True):
            assert abs(int(cell.strip("*")) - 100 * p) <= 0.5
            assert (cell[0] == "*") == (p >= 0.8)
        assert row["data_sets"] == data["rows"][0]["data_sets"]


def test_the_smallest_numbers_are_those_of_the_data(page: str, data: Any) -> None:
    found = {tuple(row[:2]): row[2:] for row in table(page, "enough")}
    rows = [row for row in data["rows"] if row["bias"] in BIASED]
    assert 2 * len(found) == len(rows)
    for row in rows:
        enough = [str(n) for n, p in zip(data["originals"], row["power"], strict=True) if p >= 0.8]
        assert found[BIASED[row["bias"]], named(row)][row["replicates"] > 1] == [*enough, "> 100"][0]


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
