"""Relative change of two measures between two runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np

from fairsum_reproductions.contract import Intervals
from fairsum_reproductions.coverage._tables import SIGNIFICANT, compare_roles, samples_input, starred
from fairsum_reproductions.layout import place_of, systems_table
from fairsum_reproductions.records import Record, as_column, check_paired, mean_difference, record_entries
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.reports.tables import Part, Table, interval
from fairsum_utils.reports.wording import short_name
from fairsum_utils.settings import setting
from fairsum_utils.stats.arrays import Floats, exact_mean

INPUTS = (
    samples_input(
        "records: before and after (equal_coverage, of summaries by a plain prompt and by one that asks to be "
        "fair), baseline_before and baseline_after (the other measure); several as ROLE/SYSTEM/DATA_SET",
        baseline="representation",
    ),
)

_ROLES = ("before", "after", "baseline_before", "baseline_after")


Baseline = Literal["uer", "auc", "bur"]


class ChangeSettings(Intervals):
    """Measure to compare Equal Coverage with."""

    baseline: Baseline = setting("uer", "measure of representation to compare with", key="baseline")


SETTINGS = ChangeSettings


def compute(samples: Mapping[str, Sequence[Record]], *, settings: ChangeSettings) -> dict[str, Any]:
    """Compute each measure's relative change under an instruction to be fair."""
    return compare_roles(settings.module, samples, _ROLES, partial(_compare, settings.seeded()), "difference")


def _compare(settings: ChangeSettings, runs: Mapping[str, Sequence[Record]]) -> dict[str, Any]:
    """Compare relative changes: baseline minus EC, so EC falls more above zero.

    The measures are compared on the samples in which both have a relative change, so that the difference is one
    between measures and not one between samples. BUR is 0 or 1, so it is defined only where the first summary was
    unfair, and can only fall.
    """
    module, baseline = settings.module, settings.baseline
    check_paired(module, **runs)
    keys = ("equal_coverage", "equal_coverage", baseline, baseline)
    columns = [
        as_column(f"{module}: {name}", record_entries(module, name, samples, key))
        for (name, samples), key in zip(runs.items(), keys, strict=True)
    ]
    changes = {"equal_coverage": _changes(*columns[:2]), baseline: _changes(*columns[2:])}
    scored = ~np.isnan(sum(columns))
    difference = changes[baseline] - changes["equal_coverage"]
    defined = ~np.isnan(difference)
    return mean_difference(difference[defined], settings, (-math.inf, math.inf)) | {
        "relative_change": {name: exact_mean(column[defined]) for name, column in changes.items()},
        "n_skipped": int(np.count_nonzero(~scored)),
        "n_undefined": {name: int(np.count_nonzero(scored & np.isnan(column))) for name, column in changes.items()},
    }


def _changes(before: Floats, after: Floats) -> Floats:
    """Compute (after - before) / before; NaN if undefined or `before` is 0."""
    return np.asarray((after - before) / np.where(np.abs(before) > TOLERANCE, before, np.nan))


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out table 6 and the changes that it compares."""
    rows: list[list[Any]] = []
    measures: list[str] = []
    for system, row in result["systems"].items():
        for data_set, cell in row.items():
            measures = [short_name(name) for name in cell["relative_change"]]
            counts = [cell["n_samples"], cell["n_skipped"], *cell["n_undefined"].values()]
            numbers = [*cell["relative_change"].values(), interval(cell["difference_ci"]), cell["p_value"]]
            rows.append([place_of(system, data_set, "all"), *numbers, *counts])
    zeros = [f"{name} 0 before" for name in measures]
    header = ["", *measures, "interval of difference", "p", "samples", "no score", *zeros]
    return [
        systems_table(
            result["systems"],
            lambda cell: starred(cell["difference"], cell["p_value"] < SIGNIFICANT),
            title=f"Relative change of {measures[1]} minus that of {measures[0]} (* p < {SIGNIFICANT})",
            single="difference",
        ),
        Table(header, rows, title="Relative change of each measure"),
    ]
