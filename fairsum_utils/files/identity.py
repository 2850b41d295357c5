"""What tells a file from what it was, without reading all of it."""

from __future__ import annotations

import io
from hashlib import sha256
from pathlib import Path
from typing import Any

from fairsum_utils.files.names import STANDARD_INPUT, Name, Names, is_address, list_names
from fairsum_utils.files.opening import Place, open_packed

__all__ = ["identities"]

_PART = 1 << 20
"""Bytes at either end of a file that are looked at."""


def identities(names: Names) -> list[dict[str, Any]]:
    """Size, time of the last change, and a hash of the first and the last megabyte of each file.

    Args:
        names: of files, folders or addresses.

    Raises:
        InputError: there is no such file.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "rows.jsonl"
        >>> _ = path.write_text("{}")
        >>> before = identities(path)
        >>> _ = path.write_text("[]")
        >>> identities(path) == before
        False
    """
    return [_identity(name) for each in list_names(names) for name in _files(each)]


def _files(name: str) -> list[str]:
    """A file; or those of a folder that ``save_to_disk`` has written."""
    if name == STANDARD_INPUT or is_address(name) or not Path(name).is_dir():
        return [name]
    return [str(path) for path in sorted(Path(name).rglob("*")) if path.is_file()]


def _identity(name: Name) -> dict[str, Any]:
    place = Place(str(name))
    with open_packed(place) as file:
        ends = sha256(file.read(_PART))
        size = None
        if file.seekable():
            size = file.seek(0, io.SEEK_END)
            file.seek(max(0, size - _PART))
            ends.update(file.read(_PART))
    return {"bytes": size, "changed": _changed(place), "ends": ends.hexdigest()}


def _changed(place: Place) -> int | str | None:
    """When a file was last changed, or what a store calls its version; None where nobody tells."""
    if place.name == STANDARD_INPUT:
        return None
    if not is_address(place.name):
        return Path(place.name).stat().st_mtime_ns
    return None
