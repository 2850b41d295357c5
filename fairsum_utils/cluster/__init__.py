"""Scoring of files in shards, on any number of processes and machines.

A run is a folder: its manifest, the rows and states of its shards, and the reasons of failures. Each file appears only
when it is complete, so that a killed run continues where it stopped, and no file needs a lock. `shards` cuts a file,
`worker` scores a shard, `local` and `ray` call workers, `merge` joins their results, and `scoring` runs all steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairsum_utils.cluster.api import compare, score

__all__ = ["compare", "score"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fairsum_utils.cluster import api

    return getattr(api, name)
