"""Label shares of each group, with means over systems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairsum_reproductions.labels import (
    LABEL_RESULTS,
    RATIOS,
    LabelSettings,
    drawn_shares,
    label_shares_of,
    percents,
)
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.tables import Marked, Part, Table
from fairsum_utils.stats.arrays import exact_mean

INPUTS = (LABEL_RESULTS,)
SETTINGS = LabelSettings
drawing = drawn_shares


def compute(results: Mapping[str, Any], *, settings: LabelSettings) -> dict[str, Any]:
    """Count labels by system and group, with shares, and average over systems.

    Source: Dhamala et al. 2021, tables 9 to 11; in rows "mean" each system counts alike.
    """
    found = label_shares_of(results, settings)
    mean: dict[str, dict[str, float]] = {}
    for group in found["groups"]:
        shares = [row[group]["shares"] for row in found["systems"].values() if group in row]
        mean[group] = {label: exact_mean([of_system[label] for of_system in shares]) for label in found["labels"]}
    return {**found, "mean": mean}


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out tables 9 to 11: a row per group and system, in percent."""
    labels, systems = result["labels"], result["systems"]
    ratios = [key for key in RATIOS if any(key in row for of in systems.values() for row in of.values())]
    rows: list[list[Any]] = []
    for group in result["groups"]:
        there = {system: of_system[group] for system, of_system in systems.items() if group in of_system}
        columns = [percents([row["shares"][label] for row in there.values()]) for label in labels]
        for (system, row), *cells in zip(there.items(), *columns, strict=True):
            marked = [Marked(row[key], digits=2 if key == RATIOS[0] else 4) for key in ratios]
            rows.append([group, system, row["n"], *cells, *marked])
        if len(there) > 1:
            mean = [Marked(100 * result["mean"][group][label], digits=2) for label in labels]
            rows.append([group, "mean", None, *mean, *[None] * len(ratios)])
    header = ["group", "model", "total", *labels, *(key.replace("_", " ") for key in ratios)]
    mark = " (* largest of the group)" if len(systems) > 1 else ""
    title = f"{get_measure(result['measure']).title}: percent of each group's texts with a label{mark}"
    return [Table(header, rows, title=title, n_texts=2)]
