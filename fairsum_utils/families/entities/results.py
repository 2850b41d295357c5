"""Rows to results: scores, figures by group, intervals at two levels, signatures, and the scores of several systems."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, get_type_hints

from fairsum_utils.families import Results, System
from fairsum_utils.families.entities.distinguishability import Distinguishability, compared_summaries
from fairsum_utils.families.entities.rows import EntityRow, EntityTable, SourcePerson, Stranger
from fairsum_utils.families.entities.samples import Originals
from fairsum_utils.families.entities.scorer import EntityScorer
from fairsum_utils.families.entities.settings import PUBLISHED, EntitySettings
from fairsum_utils.families.entities.tallies import Hallucination, Inclusion, Tally, WordLists
from fairsum_utils.families.tally import compare_originals, drawn_system
from fairsum_utils.stats.sums import AnySums, Column, Key, Sums, check_same_samples

_MEASURES: tuple[type[Tally], ...] = (WordLists, Inclusion, Hallucination, Distinguishability)
TALLIES = {tally.measure: tally for tally in _MEASURES}
"""Measure -> its tally."""


def sums_of(table: EntityTable, measures: Sequence[str], settings: EntitySettings, scorer: Any = None) -> Sums:
    """Sum a table for `aggregate`; the units are the originals.

    The buckets of parts of a data set add up to those of the whole if each original has all of its samples in one part;
    of an original in two parts the persons and words still add up, but it counts as two, and neither compares its
    summaries with those of the other part nor draws from among them.

    Returns:
        A column ``samples`` and those of the measures, by group: what is counted in the samples of each original (or,
        of distinguishability, its score); counts of what needs no interval. With a confidence level the sums of columns
        when samples are drawn anew within their originals, and the test's of inclusion, are drawn on demand.

    Example:
        >>> rows = [EntityRow(0, "a", entities=(("x", True), ("y", False))), EntityRow(1, "a", entities=(("x", True),))]
        >>> sums = sums_of(EntityTable(rows), ["entity_inclusion"], EntitySettings())
        >>> sums.n_units, sums.n_samples, sums.total("entity_inclusion.included", "x")
        (1, 2, 2.0)
    """
    originals = Originals(table, settings)
    sums = originals.sums()
    columns: dict[Key, Column] = {}
    for name in measures:
        columns |= TALLIES[name].put(sums, originals)
    originals.redraw_later(sums, columns)
    return sums


def aggregate(
    sums: AnySums,
    measure: str,
    settings: EntitySettings,
    scored: Mapping[str, object],
    groups: Sequence[str] = (),
) -> dict[str, Any]:
    """Compute a measure from the sums of a data set.

    Returns:
        A dict of plain Python numbers. Of each measure: the score under `measure`; ``<measure>_by_group``: the share in
        the summaries minus that in the reference (word lists), the share of the group's entities that is included, the
        share of hallucinated entities, or the mean score of the group's summaries (distinguishability);
        ``counts_by_group``: group -> what is counted -> count; ``n_samples``, ``n_articles`` (originals),
        ``n_skipped``, ``skipped``, ``signature``; ``undefined``: the reason if the score or an interval is NaN.

        With a confidence level ``<measure>_ci``, by resampling originals, and where some original has several samples
        ``<measure>_ci_within``, by resampling the samples of each original, those of a pair as one (not of
        distinguishability, whose summaries depend on each other), and ``n_unpaired``: samples without a pair, which are
        drawn singly; ``<measure>_by_group_ci`` and ``<measure>_by_group_ci_within``: group -> interval;
        ``<measure>_ci_lost`` and ``<measure>_ci_within_lost``: the share of replicates without a score, which are left
        out.

        ``entity_inclusion`` also: ``log_odds_ratios``: for each pair (of more than 100 groups only for the two that
        differ most) ``group_a``, ``group_b``, ``log_odds_ratio`` (above 0 if A is included more) and its intervals
        ``ci`` and ``ci_within``; ``most_included`` and
        ``least_included`` (None where groups share it), ``p_value`` (of `permuted_counts`) and ``n_ambiguous``.
        ``entity_hallucination`` also: ``n_mentions``, ``n_hallucinated``, ``n_unclassified``, ``hallucinated_share``
        (of all mentions), ``most_frequent``: the ten most frequent names, ties in alphabetical order (empty where
        buckets are drawn and there are more than 50,000 different names), and ``mean_tokens``, ``sd_tokens``,
        ``mean_entities`` and ``sd_entities``, over samples; deviations are of the population.
        ``distinguishability`` also: ``n_articles_scored``, ``n_undefined`` and ``undefined_summaries`` (reason ->
        number): summaries that cannot be classified.

    Example:
        >>> persons = ("x", True), ("x", True), ("x", False), ("y", True), ("y", False)
        >>> table = EntityTable([EntityRow(0, "a", entities=persons)])
        >>> sums = sums_of(table, ["entity_inclusion"], EntitySettings())
        >>> result = aggregate(sums, "entity_inclusion", EntitySettings(), {})
        >>> round(result["entity_inclusion"], 9), result["most_included"], result["counts_by_group"]["y"]
        (1.0, 'x', {'included': 1, 'entities': 2})
    """
    tally = TALLIES[measure](sums, settings, groups)
    if tally.within and settings.confidence_level is not None:
        drawn = PUBLISHED if settings.resampling == PUBLISHED else "pairs"
        scored = {**scored, "within": drawn if sums.counts[("paired",)] else None}
    return tally.result(scored)


def results_of(
    sums: AnySums, measures: Sequence[str], settings: EntitySettings, scorer: EntityScorer, given: Collection[str]
) -> Results:
    """Compute measures from the sums of a data set, see `aggregate`."""
    return {
        name: aggregate(sums, name, settings, scorer.signature(name, given), scorer.groups(name)) for name in measures
    }


_EVIDENCE = ("persons", "anonymized")
"""What decided, in a row: the persons named in the summary, and the anonymized summary."""


def sample_records(
    rows: Sequence[EntityRow], measures: Sequence[str], settings: EntitySettings
) -> list[dict[str, Any]]:
    """Make one record a sample, skipped ones included, in the order of `rows`.

    Returns:
        Dicts with ``index``, ``article``, ``skipped``, ``n_tokens`` and those attributes of `EntityRow` that the
        measures need, as JSON has them. For distinguishability also ``distinguishable``: 1 for a summary that is more
        like those of its own group, 0.5 for a tie, 0 for one that is more like the others, and None where that is
        undefined; and ``article_score``: the score of its original. ``evidence``, of all but word list inclusion, is
        None or a dict: ``persons``, those named in the summary, each with ``name``, ``entity`` (the position of the
        source's person whom it names, or None) and ``ambiguous``; and ``anonymized``, the anonymized summary (None but
        for distinguishability).
    """
    is_compared = Distinguishability.measure in measures
    compared = compared_summaries(rows, settings) if is_compared else {}
    records = []
    for place, row in enumerate(rows):
        record = {key: _plain(getattr(row, key, None)) for key in _keys(measures)} | compared.get(place, {})
        if row.persons is not None and "evidence" in record:
            persons = [person._asdict() for person in row.persons]
            record["evidence"] = {"persons": persons, "anonymized": row.anonymized if is_compared else None}
        records.append(record)
    return records


def _keys(measures: Sequence[str]) -> list[str]:
    """List the keys of a record."""
    recorded = [key for measure in measures for key in TALLIES[measure].recorded]
    return list(dict.fromkeys(["index", "article", "skipped", "n_tokens", *recorded]))


def _plain(entry: Any) -> Any:
    """Convert mappings and tuples for JSON."""
    if isinstance(entry, Mapping):
        return dict(entry)
    return list(map(list, entry)) if isinstance(entry, tuple) else entry


def file_records(rows: Sequence[EntityRow], measures: Sequence[str], settings: EntitySettings) -> list[dict[str, Any]]:
    """Make the records of a file of samples.

    Persons have names for their parts, and the evidence lies flat.
    """
    records = sample_records(rows, measures, settings)
    for record in records:
        for key, kind in (("entities", SourcePerson), ("hallucinated", Stranger)):
            if record.get(key) is not None:
                record[key] = [kind(*parts)._asdict() for parts in record[key]]
        if "evidence" in record:
            record |= record.pop("evidence") or dict.fromkeys(_EVIDENCE)
    return records


def from_file(record: dict[str, Any], measure: str) -> dict[str, Any]:
    """Make a record of `sample_records` from one of a file."""
    if "persons" in record:
        persons = [person._asdict() for person in record.pop("persons") or ()]
        record["evidence"] = {"persons": persons, "anonymized": record.pop("anonymized", None)}
    return record


def record_types(measures: Sequence[str], settings: EntitySettings) -> dict[str, Any]:
    """List the type of each key of `file_records`.

    Example:
        >>> list(record_types(["word_list_inclusion"], EntitySettings()))
        ['index', 'article', 'skipped', 'n_tokens', 'summary_words', 'source_words']
    """
    types = {**get_type_hints(EntityRow), "distinguishable": float | None, "article_score": float | None}
    keys = dict.fromkeys(_keys(measures))
    if "evidence" in keys:
        del keys["evidence"]
        keys |= dict.fromkeys(_EVIDENCE)
    return {key: types[key] for key in keys}


_SAME = {"word_list_inclusion": "sources", "entity_inclusion": "entities", "distinguishability": "summaries"}
"""Measure -> what it counts that does not depend on the summaries."""


def draw_systems(
    systems: Sequence[AnySums],
    measures: Sequence[str],
    settings: EntitySettings,
    scorer: EntityScorer | None = None,
) -> list[System]:
    """Score several systems on the same samples, with replicates from the same draws."""
    check_same_samples(systems, "samples", *(f"{name}.{kind}" for name, kind in _SAME.items()))
    tallies: list[dict[str, Tally]] = [{} for _ in systems]
    for name in measures:
        make, given = TALLIES[name], () if scorer is None else scorer.groups(name)
        known = sorted(set(given).union(*(make(sums, settings).groups for sums in systems)))
        for sums, of_system in zip(systems, tallies, strict=True):
            of_system[name] = make(sums, settings, known)
    return list(map(drawn_system, systems, tallies))


def compare_systems(
    a: System,
    b: System,
    measures: Sequence[str],
    settings: EntitySettings,
    scorer: EntityScorer,
    given: Collection[str],
    n_skipped: int,
) -> Results:
    """Compare two systems on the same samples, see `compare_originals`."""
    return {
        name: compare_originals(a, b, name, scorer.signature(name, given), n_skipped=n_skipped) for name in measures
    }
