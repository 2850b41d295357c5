"""What the readers of raw files share: objects in JSON, labels, and the hint that a file is cut short."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from fairsum_utils.errors import DataSourceError

__all__ = ["cut_short", "json_object", "labelled"]

T = TypeVar("T")


def cut_short(ended: bool) -> str:
    """Return what a message says of a line that is malformed.

    Args:
        ended: whether the line has its line end, which only the last one of a file can lack.
    """
    return "" if ended else " It is the last line and lacks a line end, so the file is probably cut short."


def json_object(content: bytes, where: object, *, what: str = "a JSON object", ended: bool = True) -> dict[str, Any]:
    """Parse a JSON object.

    Args:
        content: the file, or a line of it.
        where: its place, for the message.
        what: what it should be, for the message.
        ended: whether it has its line end, if it is a line.

    Raises:
        DataSourceError: not JSON in UTF-8, or another kind of JSON; names the place.

    Example:
        >>> json_object(b'{"overall": 5.0}', "reviews.json, line 1")
        {'overall': 5.0}
    """
    try:
        parsed = json.loads(content)
    except ValueError as error:  # UnicodeDecodeError is one too
        raise DataSourceError(
            f"{where}: not JSON in UTF-8 ({error}).{cut_short(ended)} Fetch the file again."
        ) from error
    if not isinstance(parsed, dict):
        raise DataSourceError(f"{where}: expected {what}, found {type(parsed).__name__}.")
    return parsed


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
