"""Results of the entities family."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypedDict

from fairsum_utils.families.arrow import Recorded
from fairsum_utils.families.entities.rows import EntityRow, EntityTable, Mention
from fairsum_utils.families.entities.samples import Originals
from fairsum_utils.families.entities.scorer import EntityScorer
from fairsum_utils.families.original_engine import OriginalsEngine
from fairsum_utils.measures._entities import EntityMeasure

_ALWAYS = ("index", "skipped", "article", "n_tokens")
ENGINE = OriginalsEngine("entities", Originals, EntityTable, EntityScorer, _ALWAYS)


class Evidence(TypedDict):
    """Persons and text that decided a sample.

    Attributes:
        persons: persons that the summary names.
        anonymized: summary without names; None unless distinguishability is scored.
    """

    persons: list[Mention]
    anonymized: str | None


class Decided(TypedDict):
    """Evidence of a sample.

    Attributes:
        evidence: persons and text that decided it; None for a skipped sample.
    """

    evidence: Evidence | None


def recorded(measures: Sequence[str], settings: EntityMeasure) -> Recorded:
    """Return the keys of a record, with evidence unless only words are counted."""
    shared = ENGINE.recorded(measures, settings)
    if not set(measures) - {"word_list_inclusion"}:
        return shared

    is_anonymized = "distinguishability" in measures  # rows scored for several measures hold the text for all of them

    def computed(rows: Sequence[EntityRow]) -> Iterator[Mapping[str, Any]]:
        for row, compared in zip(rows, shared.compute(rows), strict=True):
            evidence = {"persons": row.persons, "anonymized": row.anonymized if is_anonymized else None}
            yield {**compared, "evidence": None if row.persons is None else evidence}

    return shared._replace(computed=[*shared.computed, Decided], compute=computed)
