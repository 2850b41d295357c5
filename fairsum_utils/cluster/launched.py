"""What ``accelerate launch`` tells the processes that it has started to do one work together."""

from __future__ import annotations

import os

from fairsum_utils.errors import InputError
from fairsum_utils.validation import describe

__all__ = ["is_main_process", "rank", "world_size"]


def world_size() -> int:
    """Processes that do this work together; 1 where nothing was launched.

    Raises:
        InputError: ``$WORLD_SIZE`` is no such number.
    """
    return _number("WORLD_SIZE", 1)


def rank() -> int:
    """Which of them this is, from 0.

    Raises:
        InputError: ``$RANK`` is no such number.
    """
    return _number("RANK", 0)


def is_main_process() -> bool:
    """Whether this is the one of them that writes and prints."""
    return rank() == 0


def _number(variable: str, least: int) -> int:
    """What a launcher has set, or the least where none has."""
    text = os.environ.get(variable, str(least)).strip()
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) >= least):
        raise InputError(
            f"${variable} must be a whole number of at least {least}, as accelerate launch sets it, found "
            f"{describe(text)}; unset it where nothing is launched"
        )
    return int(text)
