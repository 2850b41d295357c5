"""What ``accelerate launch`` tells the processes that it has started to do one work together."""

from __future__ import annotations

import os

__all__ = ["is_main_process", "world_size"]


def world_size() -> int:
    """Processes that do this work together; 1 where nothing was launched."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def is_main_process() -> bool:
    """Whether this is the one of them that writes and prints."""
    return os.environ.get("RANK", "0") == "0"
