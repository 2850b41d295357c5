"""Making the next thing while somebody is busy with the last one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")


def map_ahead(make: Callable[[Given], Made], things: Iterable[Given]) -> Iterator[Made]:
    """As `map`, but the next thing is made in a thread while the caller has the last one.

    Args:
        make: is called with one thing at a time, in their order.
        things: are asked for in this thread.

    Example:
        >>> list(map_ahead(str.upper, ["a", "b", "c"]))
        ['A', 'B', 'C']
    """
    with ThreadPoolExecutor(1) as thread:
        waiting: Future[Made] | None = None
        for thing in things:
            last, waiting = waiting, thread.submit(make, thing)
            if last is not None:
                yield last.result()
        if waiting is not None:
            yield waiting.result()
