"""Table cells: a score with intervals over assignments (s) and originals (d)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fairsum_reproductions.records import leading
from fairsum_utils.errors import InputError
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.panels import Mark, Points, Row
from fairsum_utils.reports.tables import Table, number

# In the order of the paper's table 3.
_MEASURES = ("word_list_inclusion", "entity_inclusion", "entity_hallucination", "distinguishability")

# Letter of the paper -> interval of a result: by resampling assignments within originals, and originals.
LEVELS: Mapping[str, str] = {"s": "ci_within", "d": "ci"}


def _row_of(result: Mapping[str, Any]) -> tuple[int, str] | None:
    """Return a result's row position and name in table 3, or None."""
    measure = next((measure for measure in _MEASURES if measure in result), None)
    if measure is None:
        return None
    title = get_measure(measure).title
    if measure == "distinguishability":
        title += " (Count)" if result.get("settings", {}).get("embedding") == "count" else " (Dense)"
    return _MEASURES.index(measure), title


def cell_of(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result's score, intervals and favoured group.

    ``s`` and ``d`` are [low, high], or None where there is none; ``s_lost`` and ``d_lost`` the share of replicates
    without a score; ``towards`` is the group that is included or hallucinated most, None where groups share that.

    Example:
        >>> cell = cell_of({"entity_inclusion": 0.5, "entity_inclusion_ci": [0.25, 1.0], "most_included": "female"})
        >>> cell["score"], cell["s"], cell["d"], cell["towards"]
        (0.5, None, [0.25, 1.0], 'female')
    """
    measure = next(measure for measure in _MEASURES if measure in result)
    cell: dict[str, Any] = {"score": _number(result[measure])}
    for letter, level in LEVELS.items():
        ends = result.get(f"{measure}_{level}")
        cell[letter] = None if ends is None else list(map(_number, ends))
        cell[f"{letter}_lost"] = None if ends is None else _number(result.get(f"{measure}_{level}_lost", 0.0))
    by_group = [*map(_number, result.get(f"{measure}_by_group", {}).values())]
    cell["towards"] = result.get("most_included") if measure == "entity_inclusion" else None
    if measure not in ("entity_inclusion", "distinguishability") and by_group and not any(map(math.isnan, by_group)):
        cell["towards"] = leading(result[f"{measure}_by_group"])
    cell["undefined"] = result.get("undefined")
    return cell


def _number(entry: float | None) -> float:
    return math.nan if entry is None else entry


def cells_by_row(
    module: str,
    results: Mapping[str, Mapping[str, Mapping[str, Any]]],
    make: Callable[[Mapping[str, Any]], dict[str, Any]] = cell_of,
) -> dict[str, dict[str, dict[str, Any]]]:
    """Map table rows and systems to cells; a system may have several corpora.

    Raises:
        InputError: a name has no result of a measure of the paper, or two of a system are of one row.
    """
    found: dict[tuple[int, str], dict[str, dict[str, Any]]] = {}
    where: dict[tuple[str, str], str] = {}
    for name, labelled in results.items():
        system = name.partition("/")[0]
        by_row = [(row, result) for result in labelled.values() if (row := _row_of(result)) is not None]
        if not by_row:
            raise InputError(f"{module}: {name} has none of {', '.join(_MEASURES)}; score these measures first")
        for row, result in by_row:
            if system in found.setdefault(row, {}):
                raise InputError(
                    f"{module}: {where[row[1], system]} and {name} both have {row[1]} of {system}; score each "
                    "corpus for its own measures (inclusion and hallucination where groups compete, distinguishability "
                    "where they do not), or name two systems"
                )
            where[row[1], system] = name
            found[row][system] = make(result)
    return {row[1]: found[row] for row in sorted(found)}


def stacked(rows: Mapping[str, Mapping[str, Mapping[str, Any]]], title: str) -> Table:
    """Lay out a table as printed: intervals below each score, two digits each."""
    systems = list(dict.fromkeys(system for by_system in rows.values() for system in by_system))
    lines: list[Sequence[Any]] = []
    for name, by_system in rows.items():
        cells = [by_system.get(system) for system in systems]
        lines.append([name, *("" if cell is None else number(cell["score"], 2) for cell in cells)])
        for letter in LEVELS:
            ends = [None if cell is None else cell[letter] for cell in cells]
            if any(ends):
                lines.append([f"  {letter}", *map(_ends, ends)])
    return Table(["", *systems], lines, title=title)


def _ends(ends: Sequence[float] | None) -> str:
    return "" if ends is None else "undefined" if any(map(math.isnan, ends)) else ",".join(number(e, 2) for e in ends)


def drawn_panel(title: str, cells: Mapping[str, Mapping[str, Any]]) -> Points:
    """Draw scores with intervals over originals, and write out those over assignments."""
    rows = []
    for label, cell in cells.items():
        within = "" if math.isnan(cell["score"]) else _ends(cell["s"])
        rows.append(Row(label, [Mark(cell["score"], cell["d"])], f"s {within}" if within else ""))
    axis = "0: no evidence of bias. The line is the interval over originals (d); s is the interval over assignments."
    return Points(title, rows, axis)
