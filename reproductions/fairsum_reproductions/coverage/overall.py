"""One score a system over several data sets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_reproductions.contract import Input, NoSettings
from fairsum_reproductions.coverage._overall import overall_scores
from fairsum_reproductions.coverage._tables import SIGNIFICANT, starred
from fairsum_reproductions.layout import by_system
from fairsum_utils.errors import InputError
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.reports.panels import Drawing, Mark, Points, Row
from fairsum_utils.reports.tables import Marked, Part, Table
from fairsum_utils.reports.wording import short_name

INPUTS = (
    Input("results", "equal_coverage or coverage_parity results, named SYSTEM/DATA_SET", "results", systems=True),
)

# Measure -> which of its results the paper compares.
_MEASURES = {"equal_coverage": "r_ec", "coverage_parity": "coverage_parity"}
_TITLES = {
    "equal_coverage": "Proportion of unfair summaries, R_EC (* fairest)",
    "coverage_parity": "Coverage Parity and the most over- and underrepresented groups (* fairest; for a group: "
    "significant)",
}


def compute(results: Mapping[str, Mapping[str, Any]], *, settings: NoSettings) -> dict[str, Any]:
    """Compute scores, overall scores and the extreme groups by measure."""
    for name, labelled in results.items():
        if not _MEASURES.keys() & labelled.keys():
            raise InputError(
                f"{settings.module}: {name} has neither {' nor '.join(_MEASURES)}; score these measures first"
            )
    systems = by_system(results)
    found: dict[str, Any] = {"data_sets": list(dict.fromkeys(name for row in systems.values() for name in row))}
    found["undefined"] = {}
    for measure, key in _MEASURES.items():
        rows = {
            system: {name: cell[measure] for name, cell in row.items() if measure in cell}
            for system, row in systems.items()
        }
        if not any(rows.values()):
            continue
        # An entry that is no number is refused.
        scores = {system: {name: float(cell[key]) for name, cell in row.items()} for system, row in rows.items()}
        overall = overall_scores(scores)
        found["undefined"] |= {f"{measure} of {system}": why for system, why in overall.pop("undefined").items()}
        found[measure] = {"scores": scores, **overall}
        if measure == "coverage_parity":
            found[measure]["extremes"] = {
                system: {name: _extremes(cell) for name, cell in row.items()} for system, row in rows.items()
            }
    return found


def _extremes(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the most over- and underrepresented groups, and their significance."""
    p_values = result.get("p_value_by_value", {})
    named = {"over": result["most_overrepresented"], "under": result["most_underrepresented"]}
    return {
        side: {"value": value, "is_significant": p_values.get(value, math.nan) < SIGNIFICANT}
        for side, value in named.items()
    }


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out tables 3 and 4: a row per system, the fairest marked."""
    return [_table(result[name], result["data_sets"], title) for name, title in _TITLES.items() if name in result]


def _table(found: Mapping[str, Any], data_sets: Sequence[str], title: str) -> Table:
    """Lay out one measure: scores by data set, extreme groups, overall score."""
    columns: list[list[Any]] = [["system", *found["scores"]]]
    for data_set in data_sets:
        scores = [row.get(data_set) for row in found["scores"].values()]
        head = f"{data_set} CP".lstrip() if "extremes" in found else data_set or "R_EC"
        columns.append([head, *_marked(scores)])
        if "extremes" in found:
            cells = [row.get(data_set, {}) for row in found["extremes"].values()]
            columns += [[side, *(_value(cell.get(side)) for cell in cells)] for side in ("over", "under")]
    columns.append(["overall", *_marked([*found["overall"].values()])])
    header, *rows = zip(*columns, strict=True)
    return Table(header, rows, title=title)


def _marked(numbers: Sequence[float | None]) -> list[Marked | None]:
    """Mark the lowest number of a column with several numbers."""
    known = [number for number in numbers if number is not None and not math.isnan(number)]
    lowest = min(known) + TOLERANCE if len(known) > 1 else -math.inf
    return [None if number is None else starred(number, number <= lowest) for number in numbers]


def _value(side: Mapping[str, Any] | None) -> str | None:
    return None if not side or side["value"] is None else f"{side['value']}{'*' if side['is_significant'] else ''}"


def drawing(result: dict[str, Any]) -> Drawing:
    """Overall scores, a panel for each measure."""
    axis = "Position between the fairest (0) and the least fair (1) system, averaged over data sets; lower is fairer."
    panels = []
    for measure in (name for name in _MEASURES if name in result):
        rows = [Row(system, [Mark(score, shape="bar")]) for system, score in result[measure]["overall"].items()]
        panels.append(Points(short_name(measure), rows, axis))
    return Drawing("Overall scores", panels)
