"""Measures of the paper for several systems, with both kinds of intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

from fairsum_reproductions.contract import Input
from fairsum_reproductions.news._cells import LEVELS, cells_by_row, drawn_panel, stacked
from fairsum_utils.reports.panels import Drawing
from fairsum_utils.reports.tables import Part, Table, interval
from fairsum_utils.settings import Settings, setting

INPUTS = (Input("results", "results of the news measures, named SYSTEM[/CORPUS]", kind="results", systems=True),)


class BiasTableSettings(Settings):
    """Treatment of replicates without a score."""

    lost: Literal["left out", "undefined"] = setting(
        "left out",
        "replicates without a score: left out of the interval, or making it undefined, as in the paper",
        key="lost",
    )


SETTINGS = BiasTableSettings


def compute(results: Mapping[str, Mapping[str, Mapping[str, Any]]], *, settings: BiasTableSettings) -> dict[str, Any]:
    """Compute score, intervals and favoured group by table row and system."""
    rows = cells_by_row(settings.module, results)
    undefined = {}
    for name, by_system in rows.items():
        for system, cell in by_system.items():
            if reason := cell.pop("undefined"):
                undefined[f"{name} of {system}"] = reason
            for letter in LEVELS:
                if settings.lost == "undefined" and cell[f"{letter}_lost"]:
                    cell[letter] = [math.nan, math.nan]
                    undefined[f"{letter} of {name} of {system}"] = "some replicates have no score"
    return {"measures": rows, "undefined": undefined}


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out unrounded numbers, then table 3 or 12."""
    rows = []
    lost = []
    for name, by_system in result["measures"].items():
        for system, cell in by_system.items():
            rows.append([name, system, cell["score"], interval(cell["s"]), interval(cell["d"]), cell["towards"]])
            lost += [
                f"{letter} of {name} of {system}: {cell[f'{letter}_lost']:.0%} of the replicates have no score"
                for letter in LEVELS
                if cell[f"{letter}_lost"] and not math.isnan(cell["score"])
            ]
    return [
        Table(["measure", "system", "score", "s", "d", "towards"], rows, below=lost, n_texts=2),
        stacked(result["measures"], "s: resampling assignments within originals; d: resampling originals"),
    ]


def drawing(result: dict[str, Any]) -> Drawing:
    """Draw a panel per measure, a row per system."""
    panels = [drawn_panel(name, by_system) for name, by_system in result["measures"].items()]
    return Drawing("Bias in news summaries", panels)
