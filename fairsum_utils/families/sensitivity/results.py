"""Rows to results: scores with intervals at two levels, signatures, records, and the scores of several systems."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, get_type_hints

from fairsum_utils.families import Results, System
from fairsum_utils.families.sensitivity.rows import SensitivityRow, SensitivityTable
from fairsum_utils.families.sensitivity.samples import Originals
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.settings import SensitivitySettings
from fairsum_utils.families.sensitivity.tally import tally_of
from fairsum_utils.families.sensitivity.texts import copy_warnings
from fairsum_utils.families.tally import compare_originals, drawn_system
from fairsum_utils.families.warnings import WarningRecord
from fairsum_utils.measures import measures_of
from fairsum_utils.stats.sums import AnySums, Column, Key, Sums, check_same_samples


def sums_of(
    table: SensitivityTable, measures: Sequence[str], settings: SensitivitySettings, scorer: SensitivityScorer
) -> Sums:
    """Sum a table for `aggregate`; the units are the originals.

    The buckets of parts of a data set add up to those of the whole if each original has all of its samples in one part.

    Example:
        >>> rows = [SensitivityRow(i, "a", variant, text="It rained.") for i, variant in enumerate("xxyy")]
        >>> settings = SensitivitySettings()
        >>> measures = ["counterfactual_gap"]
        >>> sums = sums_of(SensitivityTable(rows), measures, settings, SensitivityScorer(measures, settings))
        >>> sums.n_units, sums.n_samples, sums.counts[("inputs",)]
        (1, 4, 2)
    """
    originals = Originals(table, settings)
    sums = originals.sums()
    if n_changed := sum(words is not None for words in originals.column("changed")):
        sums.counts[("changed",)] = n_changed
    columns: dict[Key, Column] = {}
    for name in measures:
        columns |= tally_of(name).put(sums, originals, scorer)
    originals.redraw_later(sums, columns)
    return sums


def aggregate(
    sums: AnySums, measure: str, settings: SensitivitySettings, scored: Mapping[str, object]
) -> dict[str, Any]:
    """Compute a measure from the sums of a data set.

    Returns:
        A dict of plain Python numbers: the score under `measure`; what the measure says besides, see `Tally.details`;
        ``variants``: variant -> its inputs; ``n_samples``, ``n_articles`` (originals), ``n_inputs``, ``n_controls``
        (inputs with an edit that should not matter), ``n_replicated`` (inputs with several summaries), ``n_repeated``
        (samples that say they are the same replicate of their input as another), ``n_skipped``, ``skipped``,
        ``signature``; ``undefined``: the reason if the score or an interval is NaN.

        With a confidence level ``<measure>_ci``, by resampling originals, expanded for how few they are (see
        `expanded_interval`; the signature says so), and where some input has several summaries
        ``<measure>_ci_within``, by resampling these; ``<measure>_ci_lost`` and ``<measure>_ci_within_lost``: the share
        of replicates without a score, which are left out.
    """
    return tally_of(measure)(sums, settings).result(scored)


def results_of(
    sums: AnySums,
    measures: Sequence[str],
    settings: SensitivitySettings,
    scorer: SensitivityScorer,
    given: Collection[str],
) -> Results:
    """Compute measures from the sums of a data set, see `aggregate`."""
    there = _there(given, sums)
    return {name: aggregate(sums, name, settings, scorer.signature(name, there)) for name in measures}


def _there(given: Collection[str], *systems: AnySums) -> set[str]:
    """Drop `changed` from the columns if no sample has an entry there."""
    return {name for name in given if name != "changed" or any(sums.counts[("changed",)] for sums in systems)}


def warnings_of(sums: AnySums, settings: SensitivitySettings) -> list[WarningRecord]:
    """Warn of rows that weaken the scores, see `Tally.warnings_of`."""
    of_measures = [
        replace(warning, measure=measure)
        for measure in measures_of("sensitivity")
        for warning in tally_of(measure).warnings_of(sums)
    ]
    return [*copy_warnings(sums), *of_measures]


_ALWAYS = ("index", "article", "variant", "control", "replicate", "skipped", "n_tokens")
"""What the record of any sample says."""


def sample_records(
    rows: Sequence[SensitivityRow], measures: Sequence[str], settings: SensitivitySettings
) -> list[dict[str, Any]]:
    """Make one record a sample, skipped ones included, in the order of `rows`.

    Returns:
        Dicts with ``index``, ``article``, ``variant``, ``control``, ``replicate``, ``skipped``, ``n_tokens`` and what
        the measures record, see `Tally.recorded`; None where a sample has nothing to say.
    """
    compared: dict[int, dict[str, Any]] = {place: {} for place in range(len(rows))}
    with closing(SensitivityScorer(measures, settings)) as scorer:
        for tally in map(tally_of, measures):
            if tally.compared_types:
                table = SensitivityTable(rows)
                found = tally.compared(Originals(table, settings), scorer)
                for place, more in zip(table.order(settings.module).tolist(), found, strict=True):
                    compared[place].update(more)
    keys = _keys(measures)
    return [
        {key: _plain(compared[place].get(key, getattr(row, key, None))) for key in keys}
        for place, row in enumerate(rows)
    ]


def _keys(measures: Collection[str]) -> list[str]:
    """List the keys of a record."""
    return list(dict.fromkeys([*_ALWAYS, *(key for measure in measures for key in tally_of(measure).recorded)]))


def _plain(entry: Any) -> Any:
    """Convert mappings and tuples for JSON."""
    if isinstance(entry, Mapping):
        return dict(entry)
    return list(entry) if isinstance(entry, tuple) else entry


def record_types(measures: Sequence[str], settings: Any = None) -> dict[str, Any]:
    """List the type of each key of `sample_records`."""
    types = get_type_hints(SensitivityRow)
    for measure in measures:
        types |= tally_of(measure).compared_types
    return {key: types[key] for key in _keys(measures)}


def draw_systems(
    systems: Sequence[AnySums], measures: Sequence[str], settings: SensitivitySettings, scorer: Any = None
) -> list[System]:
    """Score several systems on the same samples, with replicates from the same draws."""
    check_same_samples(systems, "samples", "inputs")
    return [drawn_system(sums, {name: tally_of(name)(sums, settings) for name in measures}) for sums in systems]


def compare_systems(
    a: System,
    b: System,
    measures: Sequence[str],
    settings: SensitivitySettings,
    scorer: SensitivityScorer,
    given: Collection[str],
    n_skipped: int,
) -> Results:
    """Compare two systems on the same samples, see `compare_originals`."""
    there = _there(given, a.sums, b.sums)
    return {
        name: compare_originals(a, b, name, scorer.signature(name, there), n_skipped=n_skipped) for name in measures
    }
