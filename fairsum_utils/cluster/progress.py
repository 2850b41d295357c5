"""How far a run is: a bar on a terminal, and elsewhere a line a minute, as a log wants it."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Self

from fairsum_utils._util.terminal import bar, is_quiet
from fairsum_utils.cluster.events import Event, Failed, Finished
from fairsum_utils.cluster.manifest import Shard

__all__ = ["Progress"]

_MINUTE = 60.0
"""Seconds between two lines."""


class Progress(AbstractContextManager["Progress"]):
    """Counts what is done, and shows it on standard error.

    Args:
        shards: all that are to be scored.
        n_done: how many of their samples were scored by an earlier run.
        n_shards_done: how many of the shards.

    Attributes:
        failed: what could not be scored.
    """

    def __init__(self, shards: Iterable[Shard], n_shards_done: int = 0, n_done: int = 0) -> None:
        sizes = [shard.n_rows for shard in shards]
        self.n_shards, self.n_rows = len(sizes), sum(sizes)
        self.n_shards_done, self.n_done, self.n_before = n_shards_done, n_done, n_done
        self.failed: list[Failed] = []
        self._began = time.monotonic()
        self._ended = threading.Event()
        self._bar = bar(unit="samples", total=self.n_rows)
        self._bar.update(n_done)

    def __call__(self, event: Event) -> None:
        """Take an event in."""
        if isinstance(event, Finished):
            self.n_shards_done += 1
            self.n_done += event.n_rows
            self._bar.update(event.n_rows)
        elif isinstance(event, Failed):
            self.failed.append(event)
        self._bar.set_postfix_str(self._shards())

    def line(self) -> str:
        """Shards done and failed, rows a second, time left."""
        speed = (self.n_done - self.n_before) / max(time.monotonic() - self._began, 1e-9)
        said = f"{self._shards()}; {self.n_done:,} of {self.n_rows:,} samples, {speed:,.0f} a second"
        return f"{said}, {_time((self.n_rows - self.n_done) / speed)} left" if speed else said

    def _shards(self) -> str:
        failed = f", {len(self.failed)} failed" if self.failed else ""
        return f"{self.n_shards_done:,} of {self.n_shards:,} shards{failed}"

    def _say(self) -> None:
        while not self._ended.wait(_MINUTE):
            print(f"fairsum: {self.line()}", file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        if self._bar.disable and not is_quiet():
            threading.Thread(target=self._say, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._bar.close()


def _time(seconds: float) -> str:
    """A time for a log.

    Example:
        >>> _time(42), _time(125), _time(7300), _time(200_000)
        ('42 s', '2 min', '2 h 2 min', '2 d 8 h')
    """
    minutes, hours, days = seconds / 60, seconds / 3600, seconds / 86400
    if minutes < 2:
        return f"{seconds:.0f} s"
    if hours < 2:
        return f"{minutes:.0f} min"
    return f"{int(hours)} h {minutes % 60:.0f} min" if days < 2 else f"{int(days)} d {hours % 24:.0f} h"
