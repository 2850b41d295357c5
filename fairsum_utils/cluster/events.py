"""What is said of shards while they are scored."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

__all__ = ["Event", "Failed", "Finished", "Report", "Started"]


class Started(NamedTuple):
    """A worker has begun with a shard."""

    number: int


class Finished(NamedTuple):
    """The rows of a shard are in the folder, whole.

    Attributes:
        number: of the shard.
        n_rows: samples in it.
        seconds: that its worker took.
    """

    number: int
    n_rows: int
    seconds: float


class Failed(NamedTuple):
    """A shard could not be scored; the others are, all the same.

    Attributes:
        number: of the shard.
        errors: one line each: of bad input, one for each sample that is not as described.
        is_input: whether it is the input that has to be mended, rather than the machine.
    """

    number: int
    errors: tuple[str, ...]
    is_input: bool = False


Event = Started | Finished | Failed

Report: TypeAlias = Callable[[Event], None]
"""Takes events, one at a time, in the process that runs the whole."""
