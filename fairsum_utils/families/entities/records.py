"""Records of samples of the entities family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairsum_utils.families.entities.distinguishability import Distinguishability
from fairsum_utils.families.entities.results import TALLIES
from fairsum_utils.families.entities.rows import EntityRow, EntityTable, SourcePerson, Stranger
from fairsum_utils.families.entities.samples import Originals
from fairsum_utils.families.entities.scorer import EntityScorer
from fairsum_utils.families.original_records import OriginalsRecords
from fairsum_utils.measures._entities import EntityMeasure

_RECORDS = OriginalsRecords(
    TALLIES.__getitem__, EntityTable, Originals, EntityScorer, always=("index", "article", "skipped", "n_tokens")
)

_PARTS = {"entities": SourcePerson, "hallucinated": Stranger}
"""Key of a record -> class of its entries, whose parts have names in a file of samples."""


_EVIDENCE = ("persons", "anonymized")
"""What decided, in a row: the persons named in the summary, and the anonymized summary."""


def sample_records(rows: Sequence[EntityRow], measures: Sequence[str], settings: EntityMeasure) -> list[dict[str, Any]]:
    """Return a record for every sample, including skipped ones, in the order of `rows`.

    ``evidence`` holds the persons named in the summary and, for distinguishability, the anonymized summary.
    """
    records = _RECORDS.sample_records(rows, measures, settings)
    for row, record in zip(rows, records, strict=True):
        if row.persons is not None and "evidence" in record:
            anonymized = row.anonymized if Distinguishability.measure in measures else None
            record["evidence"] = {"persons": [person._asdict() for person in row.persons], "anonymized": anonymized}
    return records


def file_records(rows: Sequence[EntityRow], measures: Sequence[str], settings: EntityMeasure) -> list[dict[str, Any]]:
    """Convert records for a file: persons with named parts, evidence at the top level."""
    records = sample_records(rows, measures, settings)
    for record in records:
        for key, kind in _PARTS.items():
            if record.get(key) is not None:
                record[key] = [kind(*parts)._asdict() for parts in record[key]]
        if "evidence" in record:
            record |= record.pop("evidence") or dict.fromkeys(_EVIDENCE)
    return records


def from_file(record: dict[str, Any], measure: str) -> dict[str, Any]:
    """Read a record of `sample_records` from a file."""
    if "persons" in record:
        persons = [person._asdict() for person in record.pop("persons") or ()]
        record["evidence"] = {"persons": persons, "anonymized": record.pop("anonymized", None)}
    return record


def record_types(measures: Sequence[str], settings: EntityMeasure) -> dict[str, Any]:
    """Return the type of each key of `file_records`.

    Example:
        >>> list(record_types(["word_list_inclusion"], EntityMeasure()))
        ['index', 'article', 'skipped', 'n_tokens', 'summary_words', 'source_words']
    """
    keys = dict.fromkeys(_RECORDS.keys(measures))
    if "evidence" in keys:
        keys = {key: None for key in (*keys, *_EVIDENCE) if key != "evidence"}
    types = _RECORDS.types(measures)
    return {key: types[key] for key in keys}
