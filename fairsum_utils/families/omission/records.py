"""Records of samples of omission."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, TypedDict

import numpy as np

from fairsum_utils.families.arrow import Recorded
from fairsum_utils.families.omission.rows import OmissionRow
from fairsum_utils.measures.omission import Omission, sample_omission


class MatterRecord(TypedDict):
    """Matter of a sample; keys of evidence are None without it.

    Attributes:
        category: category of the list, ``"given"`` or ``"found"``.
        entry: entries of the list, joined by commas.
        is_omitted: the summary has no trace of it; None if an entailer that does not read meaning found none.
        n_texts: number of source texts that raise it.
        values: groups of these texts.
        texts: position of the source text of each sentence, from 0.
        starts: position of the first character of each sentence in its text.
        sentences: the sentences that raise it.
        trace: sentence of the summary that traces it.
        named: the trace names an entry of the matter.
        probability: largest probability of entailment.
    """

    category: str
    entry: str
    is_omitted: bool | None
    n_texts: int
    values: list[str]
    texts: list[int] | None
    starts: list[int] | None
    sentences: list[str] | None
    trace: str | None
    named: bool | None
    probability: float | None


class Omitted(TypedDict):
    """Scores and matters of a sample.

    Attributes:
        omission: share of the matters that are omitted; None if the entailer does not read meaning.
        not_found: share of the matters without a trace; None if the entailer reads meaning.
        n_matters: number of serious matters.
        n_omitted: number of omitted matters; None if the entailer does not read meaning.
        matters: the matters.
    """

    omission: float | None
    not_found: float | None
    n_matters: int
    n_omitted: int | None
    matters: list[MatterRecord]


def recorded(measures: Sequence[str], settings: Omission) -> Recorded:
    """Return the keys of a record: scores, counts, matters and evidence."""
    counts = ("n_ordinary", "n_ordinary_omitted", "n_pairs", "n_truncated")
    return Recorded(("index", "skipped", *counts, "ordinary"), [Omitted], partial(_computed, settings.reads_meaning))


def _computed(is_judged: bool, rows: Sequence[OmissionRow]) -> Iterator[dict[str, Any]]:
    for row in rows:
        is_omitted = np.array([matter.is_omitted for matter in row.matters])
        share = None if row.skipped is not None else sample_omission(is_omitted)
        yield {
            "omission": share if is_judged else None,
            "not_found": None if is_judged else share,
            "n_matters": len(row.matters),
            "n_omitted": int(is_omitted.sum()) if is_judged else None,
            "matters": list(_matters(row)),
        }


def _matters(row: OmissionRow) -> Iterator[dict[str, Any]]:
    for place, matter in enumerate(row.matters):
        evidence = {} if row.evidence is None else row.evidence[place]._asdict()
        yield {**matter._asdict(), **evidence, "is_omitted": None if matter.to_read else matter.is_omitted}
