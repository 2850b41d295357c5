"""Scoring in pieces: a file is cut into shards, which any number of processes and machines score in any order.

A run is a folder: what it is a run of (`manifest`), the shards' rows and states, and what failed. Each file of it
appears when it is whole, so that a run that was killed goes on where it stood. What scores a shard is in `shards`;
`callers` says who may call it; `running` puts a run together, and `merging` what it made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairsum_utils.cluster.api import score

__all__ = ["score"]


def __getattr__(name: str) -> object:
    if name != "score":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fairsum_utils.cluster.api import score

    return score
