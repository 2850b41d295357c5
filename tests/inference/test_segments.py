"""Files of older versions: what is sound in them is read, whatever is damaged."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.inference.segments import read_segment

RECORDS = st.lists(st.tuples(st.binary(min_size=16, max_size=16), st.binary(max_size=12)), min_size=1, max_size=5)
MAGIC = b"\xfaFS1"


def record(digest: bytes, payload: bytes) -> bytes:
    """Magic, length, digest, checksum of these two and the payload, payload; all numbers little-endian."""
    length = struct.pack("<I", len(payload))
    checksum = zlib.crc32(payload, zlib.crc32(digest, len(payload)))
    return MAGIC + length + digest + struct.pack("<I", checksum) + payload


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("segments") / "1-a.segment"


@given(records=RECORDS)
def test_what_was_written_is_read_in_order(path: Path, records: list[tuple[bytes, bytes]]) -> None:
    path.write_bytes(b"".join(record(*each) for each in records))
    assert list(read_segment(path)) == records


@given(records=RECORDS, data=st.data())
def test_a_flipped_byte_loses_one_record(path: Path, records: list[tuple[bytes, bytes]], data: st.DataObject) -> None:
    content = bytearray(b"".join(record(*each) for each in records))
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    read = list(read_segment(path))
    assert len(read) == len(records) - 1
    assert [each for each in records if each in read] == read or len(set(records)) < len(records)


@given(records=RECORDS, data=st.data())
def test_a_cut_off_segment_keeps_what_is_whole(
    path: Path, records: list[tuple[bytes, bytes]], data: st.DataObject
) -> None:
    path.write_bytes(b"".join(record(*each) for each in records))
    ends = [sum(28 + len(payload) for _, payload in records[: n + 1]) for n in range(len(records))]
    size = data.draw(st.integers(0, ends[-1]))
    os.truncate(path, size)
    assert list(read_segment(path)) == [each for each, end in zip(records, ends, strict=True) if end <= size]


def test_a_record_after_a_torn_one_is_found(path: Path) -> None:
    torn = record(b"a" * 16, b"1" * 50)[:40]
    path.write_bytes(torn + record(b"b" * 16, b"2"))
    assert list(read_segment(path)) == [(b"b" * 16, b"2")]


def test_a_payload_may_hold_the_magic(path: Path) -> None:
    records = [(b"a" * 16, MAGIC * 3), (b"b" * 16, b"2")]
    content = b"".join(record(*each) for each in records)
    path.write_bytes(content)
    assert list(read_segment(path)) == records
    path.write_bytes(b"x" + content[1:])
    assert list(read_segment(path)) == records[1:]


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(read_segment(tmp_path / "missing.segment"))
