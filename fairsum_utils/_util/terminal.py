"""Bars that show how far a long run is: on a terminal only, and not where quiet is asked for."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tqdm import tqdm

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


SIGNS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff"
"""What nobody sees, as a set of a regular expression: control characters but tabs and the ends of lines, changes of the
direction of writing, halves of characters."""
UNSEEN = re.compile(f"[\t\r\u2028\u2029{SIGNS}]")
"""What moves the cursor, changes the terminal or the direction of writing, or is half a character."""


def printable(text: str) -> str:
    """A text whose control characters and changes of direction are written out, so that a terminal does not obey them.

    Example:
        >>> print(printable("red \\x1b[31m"))
        red \\x1b[31m
    """
    return UNSEEN.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def on_one_line(text: str) -> str:
    """A text as `printable`, its lines after each other.

    Example:
        >>> print(on_one_line("a\\nb\\u2028c \\x1b[31m"))
        a b c \\x1b[31m
    """
    return printable(" ".join(text.splitlines()))
