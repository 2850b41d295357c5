"""Processes that accelerate launch has started, and other engines: Ray."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fairsum_utils.errors import InputError
from fairsum_utils.validation import check_choice, describe

if TYPE_CHECKING:
    from fairsum_utils.cluster.scoring import Engine


def world_size() -> int:
    """Return the number of launched processes that share the work."""
    return _number("WORLD_SIZE", 1)


def rank() -> int:
    """Return the number of this process, from 0."""
    return _number("RANK", 0)


def is_main_process() -> bool:
    """Return whether this process writes and prints."""
    return rank() == 0


def _number(variable: str, least: int) -> int:
    """Read a number that a launcher has set, or return `least`."""
    text = os.environ.get(variable, str(least)).strip()
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) >= least):
        raise InputError(
            f"${variable} must be a whole number of at least {least}, as accelerate launch sets it, found "
            f"{describe(text)}; unset it if you do not use a launcher"
        )
    return int(text)


ENGINES = ("ray",)
"""Engines other than processes on this machine."""


def engine_named(
    engine: str | None,
    *,
    address: str | None = None,
    gpus_per_worker: float | None = None,
    workers: int | None = None,
) -> Engine | None:
    """Return the engine of a name.

    Example:
        >>> engine_named(None) is None
        True
        >>> engine_named("ray", gpus_per_worker=0.5)
        OnRay(address=None, gpus_per_worker=0.5, n_workers=None)
    """
    if engine is not None:
        check_choice("score", "engine", engine, ENGINES)
        if world_size() > 1:
            raise InputError(f"score: {engine} starts its own processes; run this without accelerate launch")
        from fairsum_utils.cluster.ray import OnRay

        return OnRay(address=address, gpus_per_worker=gpus_per_worker or 0, n_workers=workers)
    for name, value in (("address", address), ("gpus_per_worker", gpus_per_worker)):
        if value is not None:
            raise InputError(f'score: {name} needs an engine; add engine="ray" or omit {name}')
    return None
