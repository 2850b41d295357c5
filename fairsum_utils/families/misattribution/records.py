"""Records of samples of misattribution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypedDict

from fairsum_utils.families.arrow import Recorded
from fairsum_utils.families.misattribution.rows import MisattributionRow
from fairsum_utils.families.misattribution.sums import LEFT_OUT
from fairsum_utils.measures.misattribution import Misattribution


class Share(TypedDict):
    """Score of a sample.

    Attributes:
        misattributed_share: share of the claims that are misattributed; None without a claim.
    """

    misattributed_share: float | None


def recorded(measures: Sequence[str], settings: Misattribution) -> Recorded:
    """Return the keys of a record: counts of claims and speakers, and evidence."""
    claims = ("n_claims", "n_misattributed", "n_unsupported", *LEFT_OUT, "n_speakers", "n_named", "n_truncated")
    return Recorded(("index", "skipped", *claims, "named", "claims"), [Share], _computed)


def _computed(rows: Sequence[MisattributionRow]) -> Iterator[Share]:
    for row in rows:
        yield {"misattributed_share": row.n_misattributed / row.n_claims if row.n_claims else None}
