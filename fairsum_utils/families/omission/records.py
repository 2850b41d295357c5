"""Records of samples of omission."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

import numpy as np

from fairsum_utils.families.omission.rows import OmissionRow
from fairsum_utils.measures.omission import Omission, sample_omission


class MatterRecord(TypedDict):
    """Matter in the record of a sample."""

    category: str
    entry: str
    is_omitted: bool | None
    n_texts: int
    values: list[str]
    texts: list[int]
    starts: list[int]
    sentences: list[str]
    trace: str | None
    named: bool
    probability: float | None


def record_types(measures: Sequence[str], settings: Any = None) -> dict[str, Any]:
    """Return the type of each key of `sample_records`.

    Example:
        >>> list(record_types(["omission"]))[:4]
        ['index', 'skipped', 'omission', 'not_found']
    """
    return {
        "index": int,
        "skipped": str | None,
        "omission": float | None,
        "not_found": float | None,
        "n_matters": int,
        "n_omitted": int | None,
        "n_ordinary": int,
        "n_ordinary_omitted": int,
        "n_pairs": int,
        "n_truncated": int,
        "matters": list[MatterRecord],
        "ordinary": list[str] | None,
    }


def sample_records(rows: Sequence[OmissionRow], measures: Sequence[str], settings: Omission) -> list[dict[str, Any]]:
    """Yield a record for every sample, including skipped ones, in the order of `rows`.

    Returns:
        Dicts with ``index``, ``skipped``, ``omission`` and ``n_omitted`` (None if the entailer does not read meaning),
        ``not_found`` (None if it does), ``n_matters``, ``n_ordinary`` and ``n_ordinary_omitted``, ``n_pairs``,
        ``n_truncated``; ``matters``: of each its ``category``, ``entry``, ``is_omitted`` (None if no trace was found by
        an entailer that does not read meaning), ``n_texts``, ``values`` and, with evidence, the ``texts`` (from 0),
        ``starts`` and ``sentences`` that raise it, its ``trace`` in the summary, whether the trace names it (``named``)
        and the largest ``probability`` of entailment; with evidence also ``ordinary``: the drawn ordinary sentences.
    """
    return [_record(row, settings.reads_meaning) for row in rows]


def _record(row: OmissionRow, is_judged: bool) -> dict[str, Any]:
    matters = []
    for place, matter in enumerate(row.matters):
        found = {**matter._asdict(), "values": list(matter.values)}
        found["is_omitted"] = None if found.pop("to_read") else matter.is_omitted
        if row.evidence is not None:
            evidence = row.evidence[place]._asdict()
            found |= {key: list(entry) if isinstance(entry, tuple) else entry for key, entry in evidence.items()}
        matters.append(found)
    is_omitted = np.array([matter.is_omitted for matter in row.matters])
    share = None if row.skipped is not None else sample_omission(is_omitted)
    return {
        "index": row.index,
        "skipped": row.skipped,
        "omission": share if is_judged else None,
        "not_found": None if is_judged else share,
        "n_matters": len(row.matters),
        "n_omitted": int(is_omitted.sum()) if is_judged else None,
        "n_ordinary": row.n_ordinary,
        "n_ordinary_omitted": row.n_ordinary_omitted,
        "n_pairs": row.n_pairs,
        "n_truncated": row.n_truncated,
        "matters": matters,
        "ordinary": None if row.ordinary is None else list(row.ordinary),
    }
