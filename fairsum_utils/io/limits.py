"""How much of a file may be in memory at a time: a row, and no more of that than was agreed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from fairsum_utils.errors import FileError
from fairsum_utils.validation import check_count

__all__ = ["MAX_ROW_BYTES", "bounded_lines", "bytes_of", "check_limit", "check_rowless", "check_unpacked", "too_large"]

MAX_ROW_BYTES = 64 << 20
"""Largest row that is read if nobody says otherwise."""

_UNPACKED, _RATIO = 1 << 30, 200
"""What is unpacked onto the disk may have so many bytes, or so many times those that it is stored in."""


def check_limit(module: str, max_row_bytes: object) -> int:
    """A limit as somebody gave it; None for the usual one.

    Raises:
        InputError: it is no whole number of at least 1.

    Example:
        >>> check_limit("read_rows", None), check_limit("read_rows", 10)
        (67108864, 10)
    """
    return MAX_ROW_BYTES if max_row_bytes is None else check_count(module, "max_row_bytes", max_row_bytes)


def too_large(where: str, limit: int) -> FileError:
    """The error of a row that is larger than it may be.

    Args:
        where: file and row.
        limit: most bytes of a row.

    Example:
        >>> str(too_large("rows.jsonl, line 3", 1000))
        'rows.jsonl, line 3: more than 1,000 bytes in one row; split it, or allow more with --max-row-bytes'
    """
    return FileError(f"{where}: more than {limit:,} bytes in one row; split it, or allow more with --max-row-bytes")


def bounded_lines(file: BinaryIO, where: str, limit: int, first: int = 1) -> Iterator[bytes]:
    r"""The lines of a file of bytes, with their ends.

    Args:
        file: cut at ``\n``.
        where: what messages call it.
        limit: most bytes of a line.
        first: number of the first line.

    Raises:
        FileError: a line is longer; no more of it than that has been read.
    """
    number = first
    while line := file.readline(limit + 1):
        if len(line) > limit:
            raise too_large(f"{where}, line {number}", limit)
        yield line
        number += 1


def check_unpacked(where: str, n_bytes: int, n_stored: int) -> None:
    """Refuse what grows without end when it is unpacked.

    Args:
        where: the file.
        n_bytes: that were unpacked so far.
        n_stored: that they are stored in.

    Raises:
        FileError: it is so.
    """
    if n_bytes > max(_UNPACKED, _RATIO * n_stored):
        raise FileError(
            f"{where}: {n_stored:,} bytes of it unpack to more than {n_bytes:,}; if it is what it should be, unpack it "
            "first and read that"
        )


def check_rowless(where: str, n_bytes: int, n_stored: int) -> None:
    """Refuse what grows without end when it is unpacked, and holds no row.

    Args:
        where: the file.
        n_bytes: bytes that were unpacked since the last row.
        n_stored: bytes that they are stored in.

    Raises:
        FileError: there are too many.
    """
    if n_bytes > max(MAX_ROW_BYTES, _RATIO * n_stored):
        raise FileError(
            f"{where}: {n_stored:,} bytes of it unpack to more than {n_bytes:,} without a row; write the file again "
            "without the blanks"
        )


def bytes_of(cell: Any, limit: int) -> int:
    """About how many bytes a cell holds: its texts, and eight for anything else; counting stops above the limit."""
    n_bytes, waiting = 0, [cell]
    while waiting and n_bytes <= limit:
        item = waiting.pop()
        if isinstance(item, dict):
            waiting += [*item, *item.values()]
        elif isinstance(item, list):
            waiting += item
        else:
            n_bytes += len(item) if isinstance(item, (str, bytes)) else 8
    return n_bytes
