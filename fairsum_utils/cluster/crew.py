"""Which worker scores which shard, where workers come and go: every shard is scored, or is named as failed."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from fairsum_utils.cluster.callers import TRIES
from fairsum_utils.cluster.events import Failed, Finished, Report, Started
from fairsum_utils.cluster.manifest import Shard
from fairsum_utils.errors import FairSumError, InputError

__all__ = ["DIED", "Answer", "Crew", "Lost", "News", "Ready", "Unfit", "WorkerId", "score_with"]

_NODES = 10
"""How often a node may vanish with a shard's worker: machines are taken away, which is no fault of a shard."""

_STILLBORN = 20
"""How many workers in a row may die before they are ready, where one was once ready: some may be killed."""

DIED = "its worker died, perhaps for want of memory"
"""The reason where none is known."""

WorkerId = int


class Ready(NamedTuple):
    """A worker that was asked for is there, with its models."""

    worker: WorkerId


class Unfit(NamedTuple):
    """A worker cannot score anything: it does not see the files, has no model, or cannot write."""

    worker: WorkerId
    reason: str


class Answer(NamedTuple):
    """What a worker says about the shard that it was given."""

    worker: WorkerId
    event: Finished | Failed


class Lost(NamedTuple):
    """A worker is no more.

    Attributes:
        worker: that was asked for, or was at work.
        reason: one line, such as "its worker died".
        with_node: its whole node is gone, or was taken from us.
    """

    worker: WorkerId
    reason: str
    with_node: bool = False


News = Ready | Unfit | Answer | Lost


class Crew(Protocol):
    """The workers of a cluster."""

    def room(self) -> int:
        """How many workers fit on the nodes that are there."""

    def most(self) -> int:
        """How many workers to ask for; those beyond `room` wait for nodes that may join."""

    def hire(self) -> WorkerId:
        """Ask for a worker; `Ready` says when it is there."""

    def give(self, worker: WorkerId, shard: Shard) -> None:
        """Have a worker that has nothing to do score a shard."""

    def dismiss(self, worker: WorkerId) -> None:
        """Let go of a worker, whatever it is doing."""

    def news(self) -> Iterable[News]:
        """What has happened; waits a little while for it."""


def score_with(crew: Crew, shards: Sequence[Shard], *, report: Report, say: Callable[[str], None]) -> None:
    """Have a crew score shards; as many workers as there is room for, each of them one shard after another.

    A shard whose worker dies is given to another one, after those that wait; one whose workers died `TRIES` times is
    reported as `Failed`. A worker that is unfit is left where it is, so that none is started in its place.

    Args:
        crew: scores them.
        shards: in the order in which they are begun.
        report: takes the events.
        say: takes a line about a worker that cannot be used.

    Raises:
        InputError: no worker is fit to score anything.
        FairSumError: workers die before they can be given anything.
    """
    _Run(crew, shards, report, say).run()


class _Run:
    """Workers, what they are doing, and the shards that wait."""

    def __init__(self, crew: Crew, shards: Sequence[Shard], report: Report, say: Callable[[str], None]) -> None:
        self.crew, self.report, self.say = crew, report, say
        self.waiting = deque(shards)
        self.awaited: set[WorkerId] = set()
        self.idle: list[WorkerId] = []
        self.busy: dict[WorkerId, Shard] = {}
        self.unfit: dict[WorkerId, str] = {}
        self.deaths: Counter[int] = Counter()
        self.vanished: Counter[int] = Counter()
        self.stillborn, self.has_begun = 0, False

    def run(self) -> None:
        try:
            while self.waiting or self.busy:
                self.match_crew()
                self.hand_out()
                for news in self.crew.news():
                    self.take(news)
        finally:
            for worker in [*self.awaited, *self.idle, *self.busy, *self.unfit]:
                self.crew.dismiss(worker)

    def match_crew(self) -> None:
        """Ask for workers where shards wait, and let go of those for whom there is nothing left."""
        lacking = len(self.waiting) - len(self.idle) - len(self.awaited)
        at_most = self.crew.most() - sum(map(len, (self.awaited, self.idle, self.busy, self.unfit)))
        for _ in range(min(lacking, at_most)):
            self.awaited.add(self.crew.hire())
        if not self.waiting:
            for worker in [*self.awaited, *self.idle]:
                self.crew.dismiss(worker)
            self.awaited.clear()
            self.idle.clear()

    def hand_out(self) -> None:
        while self.waiting and self.idle:
            worker, shard = self.idle.pop(), self.waiting.popleft()
            self.busy[worker] = shard
            self.crew.give(worker, shard)
            self.report(Started(shard.number))

    def take(self, news: News) -> None:
        """Act on what a worker says, unless it was let go of in the meantime."""
        worker = news.worker
        if worker not in self.awaited and worker not in self.busy:
            if isinstance(news, Lost):
                self.unfit.pop(worker, None)
                self.idle = [other for other in self.idle if other != worker]
            return
        self.awaited.discard(worker)
        shard = self.busy.pop(worker, None)
        match news:
            case Ready():
                self.stillborn, self.has_begun = 0, True
                self.idle.append(worker)
            case Answer(event=event):
                self.idle.append(worker)
                self.report(event)
            case Unfit(reason=reason):
                self.leave_out(worker, shard, reason)
            case Lost(reason=reason, with_node=with_node):
                self.replace(shard, reason, with_node)

    def leave_out(self, worker: WorkerId, shard: Shard | None, reason: str) -> None:
        is_new = reason not in self.unfit.values()
        self.unfit[worker] = reason
        if not self.idle and not self.busy and len(self.unfit) >= self.crew.room():
            raise InputError(f"score: {reason}")
        if is_new:
            self.say(reason)
        if shard is not None:
            self.waiting.appendleft(shard)

    def replace(self, shard: Shard | None, reason: str, with_node: bool) -> None:
        if shard is None:
            self.stillborn += not with_node
            # Where none was ever ready, as soon as each has died that there is room for: there is a reason then.
            if self.stillborn >= (_STILLBORN if self.has_begun else max(TRIES, self.crew.room())):
                raise FairSumError(
                    f"score: {self.stillborn} workers in a row died before they could score anything: {reason}"
                )
            return
        counts, least = (self.vanished, _NODES) if with_node else (self.deaths, TRIES)
        counts[shard.number] += 1
        if counts[shard.number] < least:
            self.waiting.append(shard)
        else:
            self.report(Failed(shard.number, (f"{reason} ({least} times)",)))
