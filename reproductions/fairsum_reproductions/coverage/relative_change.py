"""How much a measure changes between two runs, and which of two measures falls more."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fairsum_reproductions.contract import Input, Study
from fairsum_reproductions.coverage._roles import by_role, over_cells
from fairsum_reproductions.coverage._tables import SIGNIFICANT, place_of, starred, systems_table
from fairsum_utils.analysis.records import Intervals, Record, as_column, check_paired, mean_difference, record_entries
from fairsum_utils.families.settings import setting
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.stats.arrays import Floats, exact_mean
from fairsum_utils.validation import check_columns

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Part

_BASELINES = ("uer", "auc", "bur")


class ChangeSettings(Intervals):
    """Which measure Equal Coverage is compared with."""

    baseline: str = setting("uer", "measure of representation to compare with", choices=_BASELINES, key="baseline")


def relative_change(before: Sequence[float | None], after: Sequence[float | None]) -> dict[str, Any]:
    """The average relative change of a score: the mean over samples of (after - before) / before.

    A sample whose score was 0 has no relative change: it is left out and counted.

    Args:
        before: a score of each sample; None or NaN where it has none.
        after: the score of the same samples in another run.

    Returns:
        ``relative_change`` (below zero: the score fell), ``n_samples``, ``n_skipped`` (without a score in either run)
        and ``n_undefined`` (0 before). Small scores before weigh heavily; ``mean_before`` and ``mean_after``, over the
        same samples, tell whether they decide.

    Raises:
        InputError: columns that are empty or of different lengths, or hold something else than finite numbers.

    Source: papers/coverage-fairness, section 5.8.

    Example:
        >>> result = relative_change([0.5, 0.25, 0.0], [0.25, 0.25, 0.1])
        >>> result["relative_change"], result["n_samples"], result["n_undefined"]
        (-0.25, 2, 1)
    """
    module = "relative_change"
    check_columns(module, before=before, after=after)
    first, second = as_column(f"{module}: before", before), as_column(f"{module}: after", after)
    changes = _changes(first, second)
    defined = ~np.isnan(changes)
    n_scored = int(np.count_nonzero(~np.isnan(first + second)))
    result = {
        "relative_change": exact_mean(changes[defined]),
        "mean_before": exact_mean(first[defined]),
        "mean_after": exact_mean(second[defined]),
        "n_samples": int(defined.sum()),
        "n_skipped": len(changes) - n_scored,
        "n_undefined": n_scored - int(defined.sum()),
    }
    return result if defined.any() else result | {"undefined": "no sample with a score above 0 before"}


def compare_relative_change(
    runs: Mapping[str, Sequence[Record]], settings: ChangeSettings | None = None
) -> dict[str, Any]:
    """Which measure falls more when a model is asked to be fair: EC, or one of proportional representation?

    The measures are compared on the samples in which both have a relative change, see `relative_change`, so that the
    difference is one between measures and not one between samples.

    Args:
        runs: name, for messages -> records, in this order: those of ``equal_coverage`` of summaries that a plain
            prompt gave; of the same documents, prompted for a fair summary; then those of the baseline of the former
            and of the latter.
        settings: which measure is the baseline, and how samples are resampled; None for the defaults. BUR is 0 or 1,
            so it is defined only where the first summary was unfair, and can only fall.

    Returns:
        ``difference``, the average relative change of the baseline minus that of EC (above zero: EC falls more),
        ``difference_ci``, ``p_value`` (two-sided, never 0), ``relative_change`` of each measure, ``n_samples``,
        ``n_skipped`` (without a score in some run) and ``n_undefined`` (for each measure the samples with 0 before).

    Raises:
        InputError: records that are not of the same samples or lack a score.

    Source: papers/coverage-fairness, section 5.8, table 6.

    Example:
        >>> def records(name, *scores):
        ...     return [{"index": index, name: score} for index, score in enumerate(scores)]
        >>> result = compare_relative_change({
        ...     "before": records("equal_coverage", 0.5, 0.5), "after": records("equal_coverage", 0.25, 0.5),
        ...     "baseline_before": records("uer", 0.25, 0.5), "baseline_after": records("uer", 0.25, 0.5)})
        >>> result["difference"], result["relative_change"]
        (0.25, {'equal_coverage': -0.25, 'uer': 0.0})
    """
    options = (settings or ChangeSettings(module="relative_change")).seeded()
    module, baseline = options.module, options.baseline
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
    return mean_difference(difference[defined], options, (-math.inf, math.inf)) | {
        "relative_change": {name: exact_mean(column[defined]) for name, column in changes.items()},
        "n_skipped": int(np.count_nonzero(~scored)),
        "n_undefined": {name: int(np.count_nonzero(scored & np.isnan(column))) for name, column in changes.items()},
    }


def _changes(before: Floats, after: Floats) -> Floats:
    """(after - before) / before; NaN where either is undefined or `before` is 0, but for rounding."""
    return np.asarray((after - before) / np.where(np.abs(before) > TOLERANCE, before, np.nan))


def compute(samples: Mapping[str, Sequence[Record]], *, settings: ChangeSettings) -> dict[str, Any]:
    """System -> data set -> how much each measure falls where a model was asked to be fair."""
    grid = by_role(settings.module, samples, _ROLES)
    return over_cells(grid, partial(compare_relative_change, settings=settings), "difference")


def parts(result: dict[str, Any]) -> list[Part]:
    """The paper's table 6, a row a system and a column a data set, and what it is made of."""
    from fairsum_utils.reports.tables import Table, interval, short_name

    systems = result["systems"]
    rows: list[list[Any]] = []
    for system, row in systems.items():
        for data_set, cell in row.items():
            counts = [cell["n_samples"], cell["n_skipped"], *cell["n_undefined"].values()]
            changes = cell["relative_change"].values()
            ends = interval(cell["difference_ci"])
            rows.append([place_of(system, data_set, "all"), *changes, ends, cell["p_value"], *counts])
    measures = [short_name(name) for name in next(iter(next(iter(systems.values())).values()))["relative_change"]]
    zeros = [f"{name} 0 before" for name in measures]
    header = ["", *measures, "interval of difference", "p", "samples", "no score", *zeros]
    return [
        systems_table(
            systems,
            lambda cell: starred(cell["difference"], cell["p_value"]),
            title=f"Relative change of {measures[1]} minus that of {measures[0]} (* p < {SIGNIFICANT})",
            single="difference",
        ),
        Table(header, rows, title="Relative change of each measure"),
    ]


_ROLES = ("before", "after", "baseline_before", "baseline_after")


STUDY = Study(
    paper="coverage",
    source="section 5.8, table 6",
    help="which measure falls more when a model is asked to be fair?",
    inputs=(
        Input(
            "samples",
            "records: before and after (equal_coverage, of summaries by a plain prompt and by one that asks to be "
            "fair), baseline_before and baseline_after (the other measure); several as ROLE/SYSTEM/DATA_SET",
            "samples",
            systems=True,
            families={"": "coverage", "baseline": "representation"},
        ),
    ),
    settings=ChangeSettings,
    compute=compute,
    parts=parts,
    choices=("a sample whose score was 0 before has no relative change and is left out, for both measures",),
    examples=(
        "fairsum study relative_change before=ec.parquet after=ec_fair.parquet baseline_before=uer.parquet "
        "baseline_after=uer_fair.parquet",
        "fairsum study relative_change before/gpt4/amazon=a.parquet after/gpt4/amazon=b.parquet "
        "baseline_before/gpt4/amazon=c.parquet baseline_after/gpt4/amazon=d.parquet",
    ),
)
