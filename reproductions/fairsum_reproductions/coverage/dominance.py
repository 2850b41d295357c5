"""Fairness by the value that dominates a set of documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_reproductions.coverage._dominance import NEEDED, DominanceSettings, dominance_difference
from fairsum_reproductions.coverage._tables import samples_input, starred
from fairsum_reproductions.layout import place_of, systems_table
from fairsum_reproductions.records import Record
from fairsum_utils.errors import InputError
from fairsum_utils.reports.panels import Drawing, Mark, Points, Row
from fairsum_utils.reports.tables import Part
from fairsum_utils.reports.wording import short_name

INPUTS = (samples_input("equal_coverage or coverage_parity records of each system"),)
SETTINGS = DominanceSettings


def compute(samples: Mapping[str, Sequence[Record]], *, settings: DominanceSettings) -> dict[str, Any]:
    """Measure -> system -> data set -> its difference."""
    found: dict[str, Any] = {}
    undefined: dict[str, str] = {}
    for name, records in samples.items():
        if not any(needed in records[0] for needed in NEEDED.values()):
            raise InputError(f"{settings.module}: the records of {name} belong to neither {' nor '.join(NEEDED)}")
    for measure, needed in NEEDED.items():
        given = {name: records for name, records in samples.items() if needed in records[0]}
        for name, records in given.items():
            system, _, data_set = name.partition("/")
            result = dominance_difference(records, measure, settings, name=name)
            result["is_significant"] = result["p_value"] < settings.alpha
            found.setdefault(measure, {}).setdefault(system, {})[data_set] = result
            if "undefined" in result:
                undefined[place_of(f"{measure} of {system}", data_set)] = result["undefined"]
    return {**found, "undefined": undefined}


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out a table per measure: systems as rows, data sets as columns."""
    return [
        systems_table(
            result[measure],
            lambda found: starred(found["difference"], found["is_significant"]),
            title=f"Largest difference, {short_name(measure)} (* significant)",
            single="difference",
        )
        for measure in NEEDED
        if measure in result
    ]


def drawing(result: dict[str, Any]) -> Drawing:
    """Draw a panel per measure and data set, a row per system."""
    panels: dict[str, list[Row]] = {}
    for measure in (name for name in NEEDED if name in result):
        for system, row in result[measure].items():
            for data_set, cell in row.items():
                mark, note = Mark(cell["difference"], cell["difference_ci"]), " and ".join(cell["between"] or ())
                title = ", ".join(filter(None, (short_name(measure), data_set)))
                panels.setdefault(title, []).append(Row(system, [mark], note))
    axis = "Largest difference between sets dominated by different groups."
    return Drawing(
        "Does fairness depend on the dominating group?",
        [Points(title, rows, axis) for title, rows in panels.items()],
    )
