"""Shared layouts: systems by data set, numbers with intervals, bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from fairsum_utils.reports.panels import Mark, Row
from fairsum_utils.reports.tables import Cell, Marked, Table, interval

_Entry = TypeVar("_Entry")


def by_system(named: Mapping[str, _Entry]) -> dict[str, dict[str, _Entry]]:
    """Sort entries by system and data set, which may be unnamed.

    Example:
        >>> by_system({"gpt4/yelp": 1, "gpt4/iq2": 2, "llama": 3})
        {'gpt4': {'yelp': 1, 'iq2': 2}, 'llama': {'': 3}}
    """
    found: dict[str, dict[str, _Entry]] = {}
    for name, entry in named.items():
        system, _, data_set = name.partition("/")
        found.setdefault(system, {})[data_set] = entry
    return found


def place_of(system: str, data_set: str, unnamed: str = "") -> str:
    """Name a system on a data set; either name may be empty.

    Example:
        >>> place_of("gpt4", "amazon"), place_of("", "", "rho")
        ('gpt4 on amazon', 'rho')
    """
    return " on ".join(filter(None, (system, data_set))) or unnamed


def systems_table(
    systems: Mapping[str, Mapping[str, Any]], cell: Callable[[Any], Cell], *, title: str, single: str
) -> Table:
    """Lay out systems by data set; `single` heads an unnamed system's column.

    Example:
        >>> systems_table({"gpt4": {"yelp": 1}, "llama": {"iq2": 2}}, float, title="Scores", single="score")[:2]
        (['system', 'yelp', 'iq2'], [['gpt4', 1.0, None], ['llama', None, 2.0]])
    """
    data_sets = list(dict.fromkeys(name for row in systems.values() for name in row))
    rows: list[list[Cell]] = [
        [system or "all", *(cell(row[name]) if name in row else None for name in data_sets)]
        for system, row in systems.items()
    ]
    return Table(["system", *(name or single for name in data_sets)], rows, title=title)


def number_cells(result: Mapping[str, Any], *keys: str) -> list[Cell]:
    """Give each number of a result, followed by its interval.

    Example:
        >>> number_cells({"bur": 0.5, "bur_ci": [0.25, 0.75]}, "bur")
        [0.5, Interval(low=0.25, high=0.75)]
    """
    return [cell for key in keys for cell in (result[key], interval(result[f"{key}_ci"]))]


def bars(results: Mapping[str, Mapping[str, Any]], key: str, shape: str = "bar") -> list[Row]:
    """Draw a number of each result, with its interval if present.

    Example:
        >>> [row] = bars({"gpt4": {"bur": 0.5, "bur_ci": [0.25, 0.75]}}, "bur")
        >>> row.label, row.marks[0].number, row.marks[0].ends
        ('gpt4', 0.5, [0.25, 0.75])
    """
    return [Row(label, [Mark(result[key], result.get(f"{key}_ci"), shape=shape)]) for label, result in results.items()]


def percent_cell(share: float, mark: str = "") -> Marked:
    """Print a share in percent, with two digits.

    Example:
        >>> str(percent_cell(0.5, "*"))
        '50.00*'
    """
    return Marked(100 * share, mark, 2)


def level_of(result: Mapping[str, Any]) -> str:
    """Name the level of a result's intervals.

    Example:
        >>> level_of({"confidence_level": 0.95})
        '95%'
    """
    return f"{100 * result['confidence_level']:g}%"
