"""Records of samples, as scoring writes them, from shares."""

from __future__ import annotations

from typing import Any


def record(index: int, **shares: tuple[float, float]) -> dict[str, Any]:
    """A record of a sample: value -> share in the summary, desired share; without any it was skipped."""
    given, desired = ([pair[place] for pair in shares.values()] for place in (0, 1))
    return {
        "index": index,
        "skipped": None if shares else "empty_prediction",
        "values": list(shares),
        "summary_share": given,
        "desired_share": desired,
    }
