"""What a file really is, by its first bytes: to read what has no name, and to say what is not what its name tells."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

__all__ = ["HEAD", "Kind", "guess_format", "mistaken", "unicode_mark"]

HEAD = 4096
"""First bytes that are looked at."""


class Kind(NamedTuple):
    """A kind of file.

    Attributes:
        what: it is called, in a message.
        remedy: what to do with one.
        format: the format that it has, if it can be read.
        packing: how it is packed, if it can be unpacked.
    """

    what: str
    remedy: str
    format: str = ""
    packing: str = ""


def _readable(what: str, format: str) -> Kind:
    option = format.removeprefix(".")
    return Kind(what, f"end its name in {format}, or read it with --input-format {option}", format)


_UNPACK = "unpack it and read what is in it"
_EXPORT = "save its sheet as CSV UTF-8 and read that"
_JSON = _readable("JSON", ".json")
_PAGE = Kind("a web page (HTML), not data", "look at it in a browser: it may ask to log in, or show an error")

_MAGIC: tuple[tuple[bytes, Kind], ...] = (
    (b"PAR1", _readable("a Parquet file", ".parquet")),
    (b"ARROW1", _readable("an Arrow file", ".arrow")),
    (b"\xff\xff\xff\xff", _readable("an Arrow stream", ".arrow")),
    (b"FEA1", Kind("a Feather file of version 1", "write it again with pyarrow.feather.write_feather")),
    (b"\x1f\x8b", Kind("packed with gzip", "end its name in .gz, after that of its format", packing=".gz")),
    (b"\x28\xb5\x2f\xfd", Kind("packed with zstd", "end its name in .zst, after that of its format", packing=".zst")),
    (b"BZh", Kind("packed with bzip2", _UNPACK)),
    (b"\xfd7zXZ", Kind("packed with xz", _UNPACK)),
    (b"7z\xbc\xaf\x27\x1c", Kind("a 7z archive", _UNPACK)),
    (b"\xd0\xcf\x11\xe0", Kind("an Excel workbook (.xls)", _EXPORT)),
    (b"%PDF", Kind("a PDF", "ask its makers for the data as CSV or JSON")),
    (b"SQLite format 3", Kind("an SQLite database", "export the table as CSV")),
    (b"\x89HDF", Kind("an HDF5 file", "write its table with DataFrame.to_parquet")),
    (b"\x93NUMPY", Kind("a NumPy array", "write rows as JSON Lines or Parquet")),
    (
        b"version https://git-lfs",
        Kind("a pointer of Git LFS, not the data", "fetch the file itself, for example with: git lfs pull"),
    ),
)
_PICKLE = Kind("a Python pickle, which is never loaded because it can run code", "write it with to_json or to_parquet")
_WORKBOOK, _ARCHIVE = Kind("an Excel workbook (.xlsx)", _EXPORT), Kind("a zip archive", _UNPACK)

_HTML = re.compile(rb"\s*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_XML = re.compile(rb"\s*<\?xml")

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins as that of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def unicode_mark(head: bytes) -> tuple[int, str]:
    """The length of a byte order mark, and the encoding that it tells.

    Example:
        >>> unicode_mark(b"\\xff\\xfea\\x00"), unicode_mark(b"a")
        ((2, 'utf-16-le'), (0, ''))
    """
    return next(((len(mark), encoding) for mark, encoding in _MARKS if head.startswith(mark)), (0, ""))


def _kind(head: bytes) -> Kind | None:
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if head.startswith(b"PK\x03\x04"):
        return _WORKBOOK if b"xl/" in head or b"[Content_Types].xml" in head else _ARCHIVE
    if re.match(rb"\x80[\x02-\x05]", head):
        return _PICKLE
    text = head[unicode_mark(head)[0] :].replace(b"\0", b"")  # UTF-16 of what is in ASCII
    if _HTML.match(text):
        return _PAGE
    return Kind("XML", "write its rows as CSV or JSON") if _XML.match(text) else None


def mistaken(head: bytes, format: str) -> Kind | None:
    """What a file is that cannot be of a format; None if it can.

    Args:
        head: its first bytes, unpacked.
        format: what its name tells, such as ``".csv"``; empty for any text.

    Example:
        >>> mistaken(b"<!DOCTYPE html><title>Log in</title>", ".jsonl").what
        'a web page (HTML), not data'
        >>> mistaken(b"id,text", ".csv")
    """
    kind = _kind(head)
    if kind is not None:
        alike = {".feather": ".arrow"}.get(format, format)
        return None if kind.format and kind.format == alike else kind
    if format in (".csv", ".tsv") and re.match(rb'\s*\[?\s*\{\s*"', head):
        return _JSON
    if format != ".parquet" and not unicode_mark(head)[0] and b"\0" in head[:200]:
        evens, odds = head[:200:2], head[1:200:2]
        for sparse, dense, encoding in ((odds, evens, "utf-16-le"), (evens, odds, "utf-16-be")):
            if sparse.count(0) > len(sparse) // 2 and not dense.count(0):
                return Kind("UTF-16 without a byte order mark", f"read it with --encoding {encoding}")
        return Kind("no text", "read a file of one of the known formats")
    return None


def guess_format(head: bytes) -> tuple[str, str]:
    """The format and the packing of what has no name.

    Args:
        head: its first bytes.

    Returns:
        The format, empty if it is packed; and the packing, empty if there is none.

    Example:
        >>> guess_format(b'{"id": 1}'), guess_format(b"id,text"), guess_format(b"PAR1")
        (('.jsonl', ''), ('.csv', ''), ('.parquet', ''))
    """
    kind = _kind(head)
    if kind is not None and (kind.format or kind.packing):
        return kind.format, kind.packing
    text = head[unicode_mark(head)[0] :].replace(b"\0", b"").lstrip()
    return {b"{": ".jsonl", b"[": ".json"}.get(text[:1], ".csv"), ""
