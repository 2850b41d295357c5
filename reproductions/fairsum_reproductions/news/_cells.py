"""What the paper's tables are made of: a score with its intervals over assignments (s) and over originals (d)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_reproductions.naming import grid_of
from fairsum_utils.analysis.records import leading
from fairsum_utils.errors import InputError
from fairsum_utils.measures import get_measure
from fairsum_utils.signature import settings_of

if TYPE_CHECKING:
    from fairsum_utils.reports.drawings.chart import Panel
    from fairsum_utils.reports.tables import Table

_MEASURES = ("word_list_inclusion", "entity_inclusion", "entity_hallucination", "distinguishability")
"""In the order of the paper's table 3."""

LEVELS: Mapping[str, str] = {"s": "ci_within", "d": "ci"}
"""Letter of the paper -> interval of a result: by resampling assignments within originals, and originals."""


def row_of(result: Mapping[str, Any]) -> str | None:
    """The row of a result in the paper's table 3, such as ``"Distinguishability (Count)"``; None of another measure.

    Example:
        >>> row_of({"distinguishability": 0.2, "settings": {"embedding": "count"}})
        'Distinguishability (Count)'
    """
    measure = _measure_of(result)
    if measure != "distinguishability":
        return None if measure is None else get_measure(measure).title
    return f"{get_measure(measure).title} ({'Count' if settings_of(result).get('embedding') == 'count' else 'Dense'})"


def _measure_of(result: Mapping[str, Any]) -> str | None:
    return next((measure for measure in _MEASURES if measure in result), None)


def cell_of(result: Mapping[str, Any]) -> dict[str, Any]:
    """The score of a result, its intervals, and the group that it favours.

    Args:
        result: of one of the measures of the paper.

    Returns:
        ``score``; ``s`` and ``d``, each [low, high], or None where there is none; ``s_lost`` and ``d_lost``, the share
        of replicates without a score; ``towards``, the group that is included or hallucinated most, None where groups
        share that or none is favoured; ``undefined``, the reason where the score or an interval is.

    Example:
        >>> cell = cell_of({"entity_inclusion": 0.5, "entity_inclusion_ci": [0.25, 1.0], "most_included": "female"})
        >>> cell["score"], cell["s"], cell["d"], cell["towards"]
        (0.5, None, [0.25, 1.0], 'female')
    """
    measure = _measure_of(result)
    assert measure is not None
    cell: dict[str, Any] = {"score": _number(result[measure])}
    for letter, level in LEVELS.items():
        ends = result.get(f"{measure}_{level}")
        cell[letter] = None if ends is None else [_number(end) for end in ends]
        cell[f"{letter}_lost"] = None if ends is None else _number(result.get(f"{measure}_{level}_lost", 0.0))
    cell["towards"] = _towards(measure, result)
    cell["undefined"] = result.get("undefined")
    return cell


def _number(entry: float | None) -> float:
    return math.nan if entry is None else entry


def _towards(measure: str, result: Mapping[str, Any]) -> str | None:
    if measure == "distinguishability":
        return None
    if measure == "entity_inclusion":
        group = result.get("most_included")
        return group if group is None else str(group)
    by_group = {group: _number(share) for group, share in result.get(f"{measure}_by_group", {}).items()}
    return leading(by_group) if by_group and not any(map(math.isnan, by_group.values())) else None


def cells_by_row(
    module: str,
    results: Mapping[str, Mapping[str, Mapping[str, Any]]],
    make: Callable[[Mapping[str, Any]], dict[str, Any]] = cell_of,
) -> dict[str, dict[str, dict[str, Any]]]:
    """Row of the paper's table -> system -> its cell.

    Args:
        module: name used in messages.
        results: name, as SYSTEM or SYSTEM/CORPUS -> label -> result. What the corpora of a system tell goes together.
        make: from a result to its cell.

    Raises:
        InputError: a name has no result of a measure of the paper, or two of a system are of one row.
    """
    found: dict[str, dict[str, dict[str, Any]]] = {}
    where: dict[tuple[str, str], str] = {}
    for (system, corpus), labelled in grid_of(results).cells.items():
        name = "/".join(filter(None, (system, corpus)))
        by_row = [(row, result) for result in labelled.values() if (row := row_of(result)) is not None]
        if not by_row:
            raise InputError(f"{module}: {name} has none of {', '.join(_MEASURES)}; score for them")
        for row, result in by_row:
            if (row, system) in where:
                raise InputError(
                    f"{module}: {where[row, system]} and {name} both have {row} of {system}; score each corpus for its "
                    "own measures (inclusion and hallucination where groups compete, distinguishability where they do "
                    "not), or name two systems"
                )
            where[row, system] = name
            found.setdefault(row, {})[system] = make(result)
    order = [get_measure(measure).title for measure in _MEASURES]
    return {row: found[row] for row in sorted(found, key=lambda row: (order.index(row.partition(" (")[0]), row))}


def stacked(rows: Mapping[str, Mapping[str, Mapping[str, Any]]], title: str) -> Table:
    """A table as the paper prints it: below each score its intervals, two digits each.

    Args:
        rows: of `cells_by_row`.
        title: above it.
    """
    from fairsum_utils.reports.tables import Table, number

    systems = list(dict.fromkeys(system for by_system in rows.values() for system in by_system))
    lines: list[Sequence[Any]] = []
    for name, by_system in rows.items():
        cells = [by_system.get(system) for system in systems]
        lines.append([name, *("" if cell is None else number(cell["score"], 2) for cell in cells)])
        for letter in LEVELS:
            ends = [None if cell is None else cell[letter] for cell in cells]
            if any(ends):
                lines.append([f"  {letter}", *(_told(each) for each in ends)])
    return Table(["", *systems], lines, title=title)


def _told(ends: Sequence[float] | None) -> str:
    from fairsum_utils.reports.tables import number

    return "" if ends is None else "undefined" if any(map(math.isnan, ends)) else ",".join(number(e, 2) for e in ends)


def drawn_panel(title: str, cells: Mapping[str, Mapping[str, Any]]) -> Panel:
    """Scores with their intervals over originals; those over assignments are written behind them.

    Args:
        title: of the panel.
        cells: label of a row -> its cell, see `cell_of`.
    """
    from fairsum_utils.reports.drawings.chart import Mark, Panel, Row

    rows = []
    for label, cell in cells.items():
        within = "" if math.isnan(cell["score"]) else _told(cell["s"])
        rows.append(Row(label, [Mark(cell["score"], cell["d"])], f"s {within}" if within else ""))
    axis = "0: no evidence of bias. The line is the interval over originals (d); s is that over assignments."
    return Panel(title, rows, axis)
