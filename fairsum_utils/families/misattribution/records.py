"""Records of samples of misattribution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_utils.families.misattribution.rows import ClaimEvidence, MisattributionRow
from fairsum_utils.families.misattribution.sums import LEFT_OUT
from fairsum_utils.measures.misattribution import Misattribution

_RECORDED: Mapping[str, Any] = {
    "index": int,
    "skipped": str | None,
    "n_claims": int,
    "n_misattributed": int,
    "n_unsupported": int,
    **dict.fromkeys(LEFT_OUT, int),
    "n_speakers": int,
    "n_named": int,
    "n_truncated": int,
}
"""Keys of every record that are fields of a row, with their types."""


def sample_records(
    rows: Sequence[MisattributionRow], measures: Sequence[str], settings: Misattribution
) -> list[dict[str, Any]]:
    """Return a record for every sample, including skipped ones, in the order of `rows`.

    Returns:
        Dicts with ``index``, ``skipped``, ``misattributed_share`` (None without a claim), counts of claims
        and speakers; with evidence ``named`` (speakers) and ``claims``, see `ClaimEvidence`.
    """
    records = []
    for row in rows:
        record: dict[str, Any] = {name: getattr(row, name) for name in _RECORDED}
        record["misattributed_share"] = row.n_misattributed / row.n_claims if row.n_claims else None
        if row.named is not None:
            record["named"] = list(row.named)
        if row.claims is not None:
            record["claims"] = list(map(_plain, row.claims))
        records.append(record)
    return records


def _plain(claim: ClaimEvidence) -> dict[str, Any]:
    return {**claim._asdict(), "spans": list(map(list, claim.spans))}


def record_types(measures: Sequence[str], settings: Any = None) -> dict[str, Any]:
    """Return the type of each key of `sample_records`.

    Example:
        >>> list(record_types(["misattribution"]))[-3:]
        ['misattributed_share', 'named', 'claims']
    """
    return {
        **_RECORDED,
        "misattributed_share": float | None,
        "named": list[str] | None,
        "claims": list[ClaimEvidence] | None,
    }


def from_file(record: dict[str, Any], measure: str) -> dict[str, Any]:
    """Convert a record from a file: claims become dicts."""
    if record.get("claims") is not None:
        record["claims"] = [_plain(claim) for claim in record["claims"]]
    if record.get("named") is not None:
        record["named"] = list(record["named"])
    return record
