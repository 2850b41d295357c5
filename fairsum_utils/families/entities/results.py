"""Rows to results: scores, figures by group, intervals at two levels, signatures, and the scores of several systems."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, get_type_hints

from fairsum_utils.families import Results, System
from fairsum_utils.families.entities.rows import EntityRow, EntityTable, SourcePerson, Stranger
from fairsum_utils.families.entities.samples import Originals
from fairsum_utils.families.entities.scorer import EntityScorer
from fairsum_utils.families.entities.settings import PUBLISHED, EntitySettings
from fairsum_utils.families.entities.tallies import TALLIES, Distinguishability, Tally
from fairsum_utils.families.tally import compare_originals, drawn_system
from fairsum_utils.measures.distinguishability import mean_scores
from fairsum_utils.stats.sums import AnySums, Column, Key, Sums, check_same_samples


def sums_of(table: EntityTable, measures: Sequence[str], settings: EntitySettings, scorer: Any = None) -> Sums:
    """What `aggregate` needs of a table; its units are the originals.

    The buckets of parts of a data set add up to those of the whole if each original has all of its samples in one part;
    of an original in two parts the persons and words still add up, but it counts as two, and neither compares its
    summaries with those of the other part nor draws from among them.

    Args:
        table: the rows of a data set; every one has what the measures need, unless it is skipped.
        measures: names of measures of the family.
        settings: of the measures; seeded and sized.

    Returns:
        A column ``samples`` and those of the measures, by group: what is counted in the samples of each original (or,
        of distinguishability, its score); counts of what needs no interval. With a confidence level the sums of columns
        when samples are drawn anew within their originals, and the test's of inclusion, are drawn when somebody asks.

    Raises:
        InputError: a row that lacks what a measure needs, or two rows of one sample.

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

    Args:
        sums: of its rows, see `sums_of`.
        measure: its name.
        settings: of the measure; seeded.
        scored: what changes the rows, for the signature; see `EntityScorer.signature`.
        groups: that are compared besides those that the rows name, such as those of a name classifier: that nobody of a
            group is hallucinated cannot be told from rows.

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
    """One record a sample, skipped ones included, in the order of `rows`.

    Args:
        rows: of a data set; distinguishability compares the samples of an original, so give them together.
        measures: names of measures of the family.
        settings: of the measures.

    Returns:
        Dicts with ``index``, ``article``, ``skipped``, ``n_tokens`` and those attributes of `EntityRow` that the
        measures need, as JSON has them. For distinguishability also ``distinguishable``: 1 for a summary that is more
        like those of its own group, 0.5 for a tie, 0 for one that is more like the others, and None where that is
        undefined; and ``article_score``: the score of its original. ``evidence``, of all but word list inclusion, is
        None or a dict: ``persons``, those named in the summary, each with ``name``, ``entity`` (the position of the
        source's person whom it names, or None) and ``ambiguous``; and ``anonymized``, the anonymized summary (None but
        for distinguishability).

    Raises:
        InputError: as of `aggregate`.
    """
    is_compared = Distinguishability.measure in measures
    compared = _compared(rows, settings) if is_compared else {}
    records = []
    for place, row in enumerate(rows):
        record = {key: _plain(getattr(row, key, None)) for key in _keys(measures)} | compared.get(place, {})
        if row.persons is not None and "evidence" in record:
            persons = [person._asdict() for person in row.persons]
            record["evidence"] = {"persons": persons, "anonymized": row.anonymized if is_compared else None}
        records.append(record)
    return records


def _compared(rows: Sequence[EntityRow], settings: EntitySettings) -> dict[int, dict[str, float | None]]:
    """Place of a sample that has a score -> how its summary is classified, and the score of its original."""
    table = EntityTable(rows)
    originals = Originals(table, settings)
    credits = Distinguishability.classify(originals).credits
    scores = mean_scores(credits, originals.clusters, len(originals.names))[originals.clusters]
    columns = (map(_known, column.tolist()) for column in (credits, scores))
    keys = ("distinguishable", "article_score")
    found = (dict(zip(keys, entries, strict=True)) for entries in zip(*columns, strict=True))
    return dict(zip(table.order(settings.module).tolist(), found, strict=True))


def _known(number: float) -> float | None:
    return None if math.isnan(number) else number


def _keys(measures: Sequence[str]) -> list[str]:
    """The keys of a record."""
    recorded = [key for measure in measures for key in TALLIES[measure].recorded]
    return list(dict.fromkeys(["index", "article", "skipped", "n_tokens", *recorded]))


def _plain(entry: Any) -> Any:
    """As JSON has it."""
    if isinstance(entry, Mapping):
        return dict(entry)
    return list(map(list, entry)) if isinstance(entry, tuple) else entry


def file_records(rows: Sequence[EntityRow], measures: Sequence[str], settings: EntitySettings) -> list[dict[str, Any]]:
    """The records of `sample_records` as a file of samples has them.

    Persons have names for their parts, and the evidence lies flat.

    Args:
        rows: of a data set, or of all samples of some originals.
        measures: names of measures of the family.
        settings: of the measures.
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
    """A record of `sample_records` from one of a file: the evidence in one place."""
    if "persons" in record:
        persons = [person._asdict() for person in record.pop("persons") or ()]
        record["evidence"] = {"persons": persons, "anonymized": record.pop("anonymized", None)}
    return record


def record_types(measures: Sequence[str], settings: EntitySettings) -> dict[str, Any]:
    """Key of a record of `file_records` -> its type.

    Args:
        measures: names of measures of the family.
        settings: of the measures.

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
    """The scores of several systems on the same samples and their replicates, all from the same draws.

    Args:
        systems: the sums of each; their samples are the same, without those that some system skipped.
        measures: names of measures of the family.
        settings: of the measures; seeded and sized.
        scorer: names groups that are compared besides those that the rows of any system name.

    Raises:
        InputError: the systems do not have the same samples, or none.
    """
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
