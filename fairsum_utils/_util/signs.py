"""Characters that nobody sees: what a terminal or a page would obey is written out."""

from __future__ import annotations

import re

__all__ = ["SIGNS", "UNSEEN", "on_one_line", "printable"]

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
