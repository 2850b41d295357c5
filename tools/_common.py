"""Shared by the resource builders: reproducible gzipped tables."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path

RESOURCES = Path(__file__).resolve().parents[1] / "fairsum_utils" / "_util" / "resources"


def write_table(name: str, lines: Iterable[str]) -> None:
    """Write `lines` to a gzipped table in the resources folder, without a time stamp."""
    data = ("\n".join(lines) + "\n").encode("utf-8")
    path = RESOURCES / name
    packed = gzip.compress(data, compresslevel=9, mtime=0)
    path.write_bytes(packed[:9] + b"\x03" + packed[10:])  # the system it was packed on, which newer Pythons leave open
    print(f"{path.name}: {len(data.splitlines())} lines, {path.stat().st_size} bytes")
