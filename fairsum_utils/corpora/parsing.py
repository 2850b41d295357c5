"""What the readers of raw files share: labels, and the hint that a file is cut short."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from fairsum_utils.errors import DataSourceError

T = TypeVar("T")


def cut_short(ended: bool) -> str:
    """Return what a message says of a line that is malformed.

    Args:
        ended: whether the line has its line end, which only the last one of a file can lack.
    """
    return "" if ended else " It is the last line and lacks a line end, so the file is probably cut short."


def labelled(label: str, values: Mapping[str, T], where: object, *, what: str = "the stance", hint: str = "") -> T:
    """Return the value that a label of a file stands for.

    Args:
        label: as it is in the file.
        values: label -> value.
        where: its place, for the message.
        what: what it is a label of, for the message.
        hint: what to do, for the message; begins with a blank.

    Raises:
        DataSourceError: an unknown label; names the place and the labels that are known.

    Example:
        >>> labelled("AGAINST", {"FAVOR": "support", "AGAINST": "against"}, "semeval.txt, line 2")
        'against'
    """
    if label not in values:
        known = ", ".join(name or "nothing" for name in values)
        raise DataSourceError(f"{where}: {what} is {label!r}, expected one of {known}.{hint}")
    return values[label]
