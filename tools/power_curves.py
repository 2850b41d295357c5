"""Tables and picture of the page on the number of originals."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from marked_page import filled

from fairsum_utils.reports.formats import as_markdown
from fairsum_utils.reports.panels import Curve, Curves, Point
from fairsum_utils.reports.svg import PHONE, Drawing, Panel, Sheet
from fairsum_utils.reports.tables import Table

__all__ = ["DATA", "Beside", "drawing", "load", "page"]

# What `benchmarks/power_of_sensitivity.py` writes.
DATA = Path(__file__).parents[1] / "docs" / "power_of_sensitivity.json"

# The power that is asked of a test.
ENOUGH = 0.8
# Bias of the data -> what the page calls it.
BIASES = {
    "longer": "longer",
    "dropping": "one claim in five dropped",
    "negative": "more negative words",
    "lead 10 %": "first sources, 10 %",
    "lead 25 %": "first sources, 25 %",
}
# The data without a bias.
WITHOUT = ("none", "none in order")
# Title of a panel -> what it shows.
_PANELS = {
    "Longer for one group": ("longer",),
    "One claim in five dropped": ("dropping",),
    "More negative words": ("negative",),
    "First sources in 10 or 25 %": ("lead 10 %", "lead 25 %"),
}
# The matcher that is in the tables only: its lines would lie on those of the other.
_UNDRAWN = "ngram"
# Of the lines of a panel: of the first and the second test, with one summary of each input and with several.
_COLOURS = (("v5", "v1"), ("v2", "v6"))


class Beside(NamedTuple):
    """Panels in two columns, if there is room.

    Attributes:
        title: Title above all panels; each panel also has its own.
        panels: row by row.
    """

    title: str
    panels: Sequence[Panel]

    def draw(self, sheet: Sheet, y: float, beside: Sequence[Panel]) -> float:
        """Draw the panels, see `fairsum_utils.reports.svg.Panel`."""
        n = 1 if sheet.wide < PHONE else 2
        column = Sheet(sheet.wide / n)
        for start in range(0, len(self.panels), n):
            ends = []
            for place, panel in enumerate(self.panels[start : start + n]):
                column.shapes = [f'<g transform="translate({place * column.wide:g})">']
                ends.append(panel.draw(column, y, beside))
                sheet.shapes += [*column.shapes, "</g>"]
            y = max(ends) + 16
        return y

    def described(self) -> str:
        """Describe the panels for screen readers."""
        return " ".join(panel.described() for panel in self.panels)


def load() -> dict[str, Any]:
    """Read the results of the benchmark."""
    found: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    return found


def drawing(data: Mapping[str, Any]) -> Drawing:
    """Draw a panel per bias with a line per test.

    Args:
        data: Results of the benchmark.
    """
    said = [
        f"Share of simulated data sets with p at most {data['level']:g}, by number of originals.",
        "The number after each name: summaries of each input.",
    ]
    panels = [_panel(data, title, biases) for title, biases in _PANELS.items()]
    return Drawing("How often a bias is detected", [Beside("Power", panels)], said)


def _panel(data: Mapping[str, Any], title: str, biases: Sequence[str]) -> Curves:
    rows = [row for row in data["rows"] if row["bias"] in biases and row["by"] != _UNDRAWN]
    names = [_name(row) for row in rows]
    tests = list(dict.fromkeys(names))
    originals = data["originals"]
    curves = [
        Curve(
            f"{name}, {row['replicates']}",
            [Point(n, share) for n, share in zip(originals, row["power"], strict=True)],
            _COLOURS[tests.index(name)][row["replicates"] > 1],
        )
        for name, row in zip(names, rows, strict=True)
    ]
    chance = Curve("by chance", [Point(n, data["level"]) for n in (0, originals[-1])], "muted")
    axis = "Sets" if len(biases) > 1 else "Originals"
    return Curves(title, [*curves, chance], axis, "Share of data sets")


def _name(row: Mapping[str, Any]) -> str:
    """Return a short name for a line."""
    if row["measure"] == "order_sensitivity":
        return str(row["bias"].removeprefix("lead "))
    return str(row["by"] or "gap")


def page(text: str, data: Mapping[str, Any]) -> str:
    """Return the page with current tables.

    Args:
        text: Page with marks around each table, see `marked_page.filled`.
        data: Results of the benchmark.
    """
    for name, table in (("enough", _enough(data)), ("power", _power(data, BIASES)), ("level", _power(data, WITHOUT))):
        text = filled(text, name, as_markdown([table]))
    return text


def _rows(data: Mapping[str, Any], biases: Sequence[str]) -> list[Mapping[str, Any]]:
    """Return the rows of some biases, grouped by test."""
    tests = [(row["bias"], row["measure"], row["by"]) for row in data["rows"]]
    places = {test: place for place, test in enumerate(dict.fromkeys(tests))}
    ordered = sorted(zip(tests, data["rows"], strict=True), key=lambda each: places[each[0]])
    return [row for (bias, _, _), row in ordered if bias in biases]


def _test(row: Mapping[str, Any]) -> str:
    """Return the name of a test on the page."""
    return str(row["by"] or "gap").replace("ngram", "n-grams")


def _enough(data: Mapping[str, Any]) -> Table:
    """Return the smallest numbers of originals with enough power."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in _rows(data, [*BIASES]):
        reached = (str(n) for n, share in zip(data["originals"], row["power"], strict=True) if share >= ENOUGH)
        fewest = next(reached, f"> {data['originals'][-1]}")
        found.setdefault((BIASES[row["bias"]], _test(row)), []).append(fewest)
    header = ["bias", "detected by", "1 summary", "3 summaries"]
    return Table(header, [[*of, *numbers] for of, numbers in found.items()], n_texts=2)


def _power(data: Mapping[str, Any], biases: Sequence[str]) -> Table:
    """Return the power of each test, by number of originals."""
    rows = _rows(data, biases)
    [n_sets] = {tuple(row["data_sets"]) for row in rows}
    header = ["bias", "detected by", "summaries", *(f"{n} originals" for n in data["originals"])]
    found = [
        [BIASES.get(row["bias"], "none"), _test(row), str(row["replicates"]), *(f"{100 * p:.0f}" for p in row["power"])]
        for row in rows
    ]
    return Table(header, [*found, ["(data sets)", "", "", *map(str, n_sets)]], n_texts=2)
