"""Tables and picture on the number of originals."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from marked_page import filled

from fairsum_utils.reports.formats import as_markdown
from fairsum_utils.reports.panels import Curve, Curves, Point
from fairsum_utils.reports.svg import PHONE, Drawing, Panel, Sheet
from fairsum_utils.reports.tables import Table, Trusted

__all__ = ["DATA", "Beside", "drawing", "full", "load", "summary"]

# What `benchmarks/power_of_sensitivity.py` writes.
DATA = Path(__file__).parents[1] / "docs" / "power_of_sensitivity.json"

# Power of a test with enough originals.
ENOUGH = 0.8
# Bias of the data -> its name on the page.
BIASES = {
    "longer": "longer",
    "dropping": "one claim in five dropped",
    "negative": "more negative words",
    "lead 10 %": "first sources, 10%",
    "lead 25 %": "first sources, 25%",
}
# The data without a bias.
WITHOUT = ("none", "none in order")
# Title of a panel -> its biases.
_PANELS = {
    "Longer for one group": ("longer",),
    "One claim in five dropped": ("dropping",),
    "More negative words": ("negative",),
    "First sources in 10 or 25%": ("lead 10 %", "lead 25 %"),
}
# Matcher in the table only: its lines would cover those of the other.
_UNDRAWN = "ngram"
# Colours of the lines of a panel: first and second test, each with one and with several summaries per input.
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
    notes = [
        f"Share of simulated data sets with p at most {data['level']:g}, by number of originals.",
        "The number after each name: summaries per input.",
    ]
    panels = [_panel(data, title, biases) for title, biases in _PANELS.items()]
    return Drawing("How often a bias is detected", [Beside("Power", panels)], notes)


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
        return str(row["bias"].removeprefix("lead ").replace(" %", "%"))
    return str(row["by"] or "gap")


def summary(text: str, data: Mapping[str, Any]) -> str:
    """Return the page on the number of originals with its current table, see `marked_page.filled`."""
    return filled(text, "enough", as_markdown([_enough(data)]))


def full(text: str, data: Mapping[str, Any]) -> str:
    """Return the page of the benchmarks with its current table, see `marked_page.filled`."""
    return filled(text, "power", as_markdown([_power(data)]))


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


def _power(data: Mapping[str, Any]) -> Table:
    """Return the power of each test by number of originals, with one and with several summaries per input."""
    rows = [*_rows(data, [*BIASES]), *_rows(data, WITHOUT)]
    [n_sets] = {tuple(row["data_sets"]) for row in rows}
    found: dict[tuple[str, str], list[list[str]]] = {}
    for row in rows:
        percent = [f"**{100 * p:.0f}**" if p >= ENOUGH else f"{100 * p:.0f}" for p in row["power"]]
        found.setdefault((BIASES.get(row["bias"], "none"), _test(row)), []).append(percent)
    lines = [[*test, *map(", ".join, zip(*cells, strict=True))] for test, cells in found.items()]
    header = ["bias", "detected by", *(f"{n} originals" for n in data["originals"])]
    lines.append(["(data sets)", "", *map(str, n_sets)])
    return Table(header, [[Trusted(cell) for cell in line] for line in lines], n_texts=2)
