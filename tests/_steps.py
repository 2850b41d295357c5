"""How much work a call does, counted instead of timed, so that a test of growth says the same on every machine."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

__all__ = ["growth", "slowdown", "steps"]


def steps(call: Callable[[], Any]) -> int:
    """Functions that a call enters, of Python and of C, and lines of Python that it runs.

    What a single function of C does in its loops is not seen.
    """
    counted = 0

    def line(frame: Any, event: str, argument: Any) -> Any:
        nonlocal counted
        counted += 1
        return line

    def entered(frame: Any, event: str, argument: Any) -> None:
        nonlocal counted
        counted += event == "c_call"

    traced, profiled = sys.gettrace(), sys.getprofile()
    sys.settrace(line)
    sys.setprofile(entered)
    try:
        call()
    finally:
        sys.setprofile(profiled)
        sys.settrace(traced)
    return counted


def growth(call: Callable[[int], Any], n: int, times: int = 4) -> float:
    """How many times as much work is done for so many times as much of something; what is done once is taken off.

    Args:
        call: does the work for n.
        n: where to begin.
        times: as much.
    """
    call(1)  # what is loaded or kept by then counts for nobody
    once = steps(lambda: call(1))
    return (steps(lambda: call(times * n)) - once) / (steps(lambda: call(n)) - once)


def slowdown(call: Callable[[int], Any], n: int) -> float:
    """How many times as much processor time ten times as much takes; unlike steps, it knows the loops of C."""

    def seconds(n: int) -> float:
        began = time.process_time()
        call(n)
        return time.process_time() - began

    seconds(n)
    return seconds(10 * n) / max(seconds(n), 0.005)
