"""The files in which results were kept before SQLite; they are read once.

A segment is a row of records,

    magic (4 bytes) | payload length (4) | digest of the key (16) | CRC-32 of length, digest and payload (4) | payload

and one that is cut off or damaged is passed over: reading goes on at the next magic.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from collections.abc import Generator
from pathlib import Path

SUFFIX = ".segment"

_MAGIC = b"\xfaFS1"
_HEADER = struct.Struct("<4sI16sI")


def read_segment(path: Path) -> Generator[tuple[bytes, bytes]]:
    """Digest and payload of each sound record, in the order of writing.

    Args:
        path: a segment; it is mapped, not read whole.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        if not path.stat().st_size:
            return  # nothing can be mapped
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as segment:
            start = 0
            while 0 <= start < len(segment):
                if record := _record_at(segment, start):
                    yield record
                    start += _HEADER.size + len(record[1])
                else:
                    start = segment.find(_MAGIC, start + 1)


def _record_at(segment: mmap.mmap, start: int) -> tuple[bytes, bytes] | None:
    """Digest and payload of the record that starts there; None if there is no sound one."""
    body = start + _HEADER.size
    if body > len(segment):
        return None
    magic, length, digest, checksum = _HEADER.unpack_from(segment, start)
    if magic != _MAGIC or body + length > len(segment):
        return None
    payload = segment[body : body + length]
    return (digest, payload) if zlib.crc32(payload, zlib.crc32(digest, length)) == checksum else None
