"""Rank correlation of Equal Coverage and proportional representation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_reproductions.coverage._tables import SIGNIFICANT, compare_roles, samples_input, starred
from fairsum_reproductions.coverage.entailers import EntailerSettings
from fairsum_reproductions.coverage.relative_change import Baseline, ChangeSettings
from fairsum_reproductions.layout import systems_table
from fairsum_reproductions.records import Record, check_paired, record_entries
from fairsum_utils.reports.tables import Part
from fairsum_utils.settings import override

INPUTS = (
    samples_input(
        "records: coverage (equal_coverage) and baseline (a measure of representation, of the same summaries); "
        "several as ROLE/SYSTEM/DATA_SET",
        baseline="representation",
    ),
)


class RepresentationMeasure(EntailerSettings):
    """Measure to compare Equal Coverage with."""

    baseline: Baseline = override(ChangeSettings, "baseline")


SETTINGS = RepresentationMeasure


def compute(samples: Mapping[str, Sequence[Record]], *, settings: RepresentationMeasure) -> dict[str, Any]:
    """System -> data set -> Spearman's rho of both measures over samples."""
    module = settings.module

    def compare(runs: Mapping[str, Sequence[Record]]) -> dict[str, Any]:
        check_paired(module, **runs)
        keys = ("equal_coverage", settings.baseline)
        scores = (record_entries(module, *run, key) for run, key in zip(runs.items(), keys, strict=True))
        return settings.correlation(*scores)

    return compare_roles(module, samples, ("coverage", "baseline"), compare, "rho")


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out table 8: a row per system, a column per data set."""
    title = f"Spearman's rho of Equal Coverage and proportional representation over samples (* p < {SIGNIFICANT})"
    return [
        systems_table(
            result["systems"],
            lambda found: starred(found["rho"], found["p_value"] < SIGNIFICANT),
            title=title,
            single="rho",
        )
    ]
