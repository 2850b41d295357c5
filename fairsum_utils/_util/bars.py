"""Bars that show how far a long run is: on a terminal only, and not where quiet is asked for."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tqdm import tqdm

__all__ = ["QUIET", "bar", "is_quiet"]

QUIET = "FAIRSUM_QUIET"
"""Environment variable: anything but an empty text and 0 asks for quiet. It reaches the processes that a run starts."""


def is_quiet() -> bool:
    """Whether nothing but results is wanted."""
    return os.environ.get(QUIET, "") not in ("", "0")


def bar(
    rows: Iterable[Any] | None = None,
    *,
    unit: str,
    total: int | None = None,
    title: str | None = None,
    hidden: bool = False,
    leave: bool = False,
) -> tqdm[Any]:
    """A bar on standard error; with a total it also shows the time that is left.

    Args:
        rows: to be counted as they pass; None where the caller counts with ``update``.
        unit: what is counted, in the plural.
        total: how many there are, where that is known.
        title: stands before the bar.
        hidden: show none; else there is one on a terminal, unless quiet is asked for.
        leave: the bar stays when all is done.

    Example:
        >>> sum(bar([1, 2], unit="numbers", hidden=True))
        3
    """
    from tqdm import tqdm

    disable = True if hidden or is_quiet() else None
    # A title may be the name of a file, in which a terminal must find nothing to obey.
    shown = None if title is None else "".join(each if each.isprintable() else "?" for each in title)
    return tqdm(rows, unit=f" {unit}", total=total, desc=shown, disable=disable, leave=leave)
