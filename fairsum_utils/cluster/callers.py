"""Who scores shards: the contract between a run and what calls `Worker.score`, and the simplest caller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fairsum_utils.cluster.events import Event, Failed, Finished, Report, Started
from fairsum_utils.cluster.job import Job
from fairsum_utils.cluster.manifest import Shard
from fairsum_utils.cluster.shards import Worker
from fairsum_utils.io.folders import Folder

__all__ = ["TRIES", "Caller", "Event", "Failed", "Finished", "Report", "Started", "in_this_process"]

TRIES = 3
"""How often a shard is begun whose worker dies, before the others go on without it."""


class Caller(Protocol):
    """Has shards scored: makes a `Worker(job, folder)` wherever it likes, and calls its `score` with each shard."""

    def __call__(self, job: Job, shards: Sequence[Shard], folder: Folder, *, report: Report) -> None:
        """Have shards scored, in any order.

        Args:
            job: what to score and how; can be pickled.
            shards: that are not finished.
            folder: of the run; can be pickled.
            report: takes `Started`, and what `Worker.score` returned, of each shard; or `Failed`, if its workers died
                `TRIES` times. Not to be called from several threads at once.
        """


def in_this_process(job: Job, shards: Sequence[Shard], folder: Folder, *, report: Report) -> None:
    """Score shards one after the other, here.

    Args:
        job: what to score and how.
        shards: that are not finished.
        folder: of the run.
        report: takes the events.
    """
    with Worker(job, folder) as worker:
        for shard in shards:
            report(Started(shard.number))
            report(worker.score(shard))
