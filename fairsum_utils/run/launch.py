"""Processes that accelerate launch has started."""

from __future__ import annotations

import os

from fairsum_utils.errors import InputError
from fairsum_utils.validation import describe

ENGINES = ("ray",)
"""Engines other than processes of this machine."""


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
