"""One score a system over several data sets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_reproductions.contract import Input, NoSettings, Study
from fairsum_reproductions.coverage._tables import SIGNIFICANT
from fairsum_reproductions.naming import grid_of
from fairsum_utils.analysis.overall import overall_scores
from fairsum_utils.errors import InputError
from fairsum_utils.measures.equal_coverage import TOLERANCE

if TYPE_CHECKING:
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.tables import Part

_MEASURES = {"equal_coverage": "r_ec", "coverage_parity": "coverage_parity"}
"""Measure -> which of its results the paper compares."""


def compute(results: Mapping[str, Mapping[str, Mapping[str, Any]]], *, settings: NoSettings) -> dict[str, Any]:
    """Measure -> scores, overall scores and, of Coverage Parity, the most over- and underrepresented values."""
    systems, data_sets, cells = grid_of(results)
    for (system, data_set), labelled in cells.items():
        if not _MEASURES.keys() & labelled.keys():
            name = "/".join(filter(None, (system, data_set)))
            raise InputError(f"{settings.module}: {name} has neither {' nor '.join(_MEASURES)}; score for them")
    found: dict[str, Any] = {"data_sets": list(data_sets), "undefined": {}}
    for measure, key in _MEASURES.items():
        scores = {
            system: {
                data_set: cells[system, data_set][measure][key]
                for data_set in data_sets
                if measure in cells.get((system, data_set), {})
            }
            for system in systems
        }
        if not any(scores.values()):
            continue
        overall = overall_scores(scores)
        found["undefined"] |= {f"{measure} of {system}": why for system, why in overall.pop("undefined").items()}
        found[measure] = {"scores": scores, **overall}
        if measure == "coverage_parity":
            found[measure]["extremes"] = {
                system: {data_set: _extremes(cells[system, data_set][measure]) for data_set in row}
                for system, row in scores.items()
            }
    return found


def _extremes(result: Mapping[str, Any]) -> dict[str, Any]:
    """The values that are over- and underrepresented most, and whether that is significant."""
    p_values = result.get("p_value_by_value", {})
    named = {"over": result["most_overrepresented"], "under": result["most_underrepresented"]}
    return {
        side: {"value": value, "is_significant": p_values.get(value, math.nan) < SIGNIFICANT}
        for side, value in named.items()
    }


def parts(result: dict[str, Any]) -> list[Part]:
    """Tables 3 and 4 of the paper: a row a system, the fairest of each column marked."""
    from fairsum_utils.reports.tables import Table

    made: list[Part] = []
    data_sets = result["data_sets"]
    if "equal_coverage" in result:
        title = "Proportion of unfair summaries, R_EC (* fairest)"
        header = ["system", *(data_set or "R_EC" for data_set in data_sets), "overall"]
        made.append(Table(header, _rows(result["equal_coverage"], data_sets), title=title))
    if "coverage_parity" in result:
        header = ["system"]
        for data_set in data_sets:
            header += [f"{data_set} CP".lstrip(), "over", "under"]
        title = "Coverage Parity, the most over- and underrepresented values (* fairest; of a value: significant)"
        made.append(Table([*header, "overall"], _rows(result["coverage_parity"], data_sets), title=title))
    return made


def _rows(found: Mapping[str, Any], data_sets: Sequence[str]) -> list[list[Any]]:
    from fairsum_utils.reports.tables import Marked

    def marked(number: float | None, column: Mapping[str, float]) -> Any:
        known = [each for each in column.values() if not math.isnan(each)]
        is_fairest = number is not None and len(known) > 1 and number <= min(known) + TOLERANCE
        return None if number is None else Marked(number, "*" if is_fairest else "", 3)

    columns = {
        data_set: {system: row[data_set] for system, row in found["scores"].items() if data_set in row}
        for data_set in data_sets
    }
    rows: list[list[Any]] = []
    for system in found["scores"]:
        row: list[Any] = [system]
        for data_set, column in columns.items():
            row.append(marked(column.get(system), column))
            if "extremes" in found:
                sides = found["extremes"][system].get(data_set, {})
                row += [_told(sides.get(side)) for side in ("over", "under")]
        rows.append([*row, marked(found["overall"][system], found["overall"])])
    return rows


def _told(side: Mapping[str, Any] | None) -> str | None:
    return None if not side or side["value"] is None else f"{side['value']}{'*' if side['is_significant'] else ''}"


def drawing(result: dict[str, Any]) -> Drawing:
    """Overall scores, a panel a measure."""
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.drawings.chart import Mark, Panel, Row
    from fairsum_utils.reports.tables import short_name

    panels = [
        Panel(
            short_name(measure),
            [Row(system, [Mark(score, shape="bar")]) for system, score in result[measure]["overall"].items()],
            "Place between the fairest (0) and the least fair (1) system, averaged over data sets; lower is fairer.",
        )
        for measure in _MEASURES
        if measure in result
    ]
    return Drawing("Overall scores", panels)


STUDY = Study(
    paper="coverage",
    source="section 5.5, tables 3 and 4",
    help="which system is fairest over several data sets?",
    inputs=(
        Input("results", "results of equal_coverage or coverage_parity, SYSTEM/DATA_SET each", "results", systems=True),
    ),
    compute=compute,
    parts=parts,
    drawing=drawing,
    choices=(
        "a score is normalized between the lowest and the highest of the systems that have one on every data set",
        "a data set on which all of these are equal is left out",
    ),
    examples=(
        "fairsum study overall gpt4/amazon=a.json gpt4/semeval=b.json llama/amazon=c.json llama/semeval=d.json",
        "fairsum study overall gpt4/amazon.json gpt4/semeval.json llama/amazon.json llama/semeval.json --format latex",
    ),
)
