"""Terminal output: progress bars, and texts without control characters."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tqdm import tqdm

# Environment variable: quiet unless empty or 0. Processes that a run starts inherit it.
QUIET = "FAIRSUM_QUIET"


def is_quiet() -> bool:
    """Return whether to show results only."""
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
    """Return a progress bar on standard error.

    It counts the rows as they pass, or calls of ``update``, in `unit` (plural). It is shown on a terminal only, unless
    `hidden` or quiet; with `leave` it stays at the end.

    Example:
        >>> sum(bar([1, 2], unit="numbers", hidden=True))
        3
    """
    from tqdm import tqdm

    disable = True if hidden or is_quiet() else None
    # A title may be the name of a file, with control characters in it.
    shown = None if title is None else "".join(each if each.isprintable() else "?" for each in title)
    return tqdm(rows, unit=f" {unit}", total=total, desc=shown, disable=disable, leave=leave)


# Invisible characters, for a regular expression: control characters but tabs and line ends, changes of the direction
# of writing, halves of characters.
SIGNS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff"
# Characters that move the cursor, change the terminal or the direction of writing, or are half a character.
UNSEEN = re.compile(f"[\t\r\u2028\u2029{SIGNS}]")


def printable(text: str) -> str:
    """Escape control characters and changes of direction for terminals.

    Example:
        >>> print(printable("red \\x1b[31m"))
        red \\x1b[31m
    """
    return UNSEEN.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def on_one_line(text: str) -> str:
    """Escape a text as `printable` does, and join its lines.

    Example:
        >>> print(on_one_line("a\\nb\\u2028c \\x1b[31m"))
        a b c \\x1b[31m
    """
    return printable(" ".join(text.splitlines()))
