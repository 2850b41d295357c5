"""File formats and packings, found from names or first bytes."""

from __future__ import annotations

import codecs
import glob
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from fairsum_utils._util.secrets import masked
from fairsum_utils.errors import InputError
from fairsum_utils.io.stores import as_path, is_address, matching_addresses

Name: TypeAlias = "str | os.PathLike[str]"
"""A file, a folder, an address such as ``s3://bucket/rows.parquet``, or ``-`` for standard input."""

Names: TypeAlias = "Name | Sequence[Name]"
"""One or several; each may be a pattern such as ``data/*.parquet``."""

STANDARD_INPUT = "-"

PACKINGS = (".gz", ".zst")
"""Endings of compressed files."""

TABLES = {".csv": ",", ".tsv": "\t"}
"""Text tables: format -> usual delimiter."""

EXCEL = ".xlsx"

CAPTIONS = (".vtt", ".srt")

TEXTS = (".txt", *CAPTIONS)
"""Files that are one text, in a folder of them."""

PICTURES = (".svg", ".png", ".pdf")

FORMATS = (".jsonl", ".ndjson", ".json", *TABLES, ".parquet", ".arrow", ".feather", EXCEL)
"""Endings of files of rows, without endings such as .gz."""


def with_packing(endings: Iterable[str]) -> tuple[str, ...]:
    """Return file endings, each also with the packed forms.

    Example:
        >>> with_packing([".jsonl"])
        ('.jsonl', '.jsonl.gz', '.jsonl.zst')
    """
    return tuple(ending + packing for ending in endings for packing in ("", *PACKINGS))


ENDINGS = with_packing(FORMATS)
"""Possible endings of files of rows."""


def format_of(name: Name) -> str:
    """Return the ending that shows a file's format.

    Example:
        >>> format_of("rows.csv.gz"), format_of(Path("ROWS.CSV")), format_of("https://a.org/rows.jsonl?download=true")
        ('.csv', '.csv', '.jsonl')
    """
    return _endings(name)[0]


def packing_of(name: Name) -> str:
    """Return the ending of a packed file; empty if not packed.

    Example:
        >>> packing_of("rows.csv.gz"), packing_of("rows.csv")
        ('.gz', '')
    """
    return _endings(name)[1]


def _endings(name: Name) -> tuple[str, str]:
    path = Path(f"_{_last_part(name).name.lower()}")  # the whole of .csv is an ending
    if path.suffix in PACKINGS:
        return Path(path.stem).suffix, path.suffix
    return path.suffix, ""


def _last_part(name: Name) -> Path:
    text = os.fspath(name)
    return Path(re.split("[?#]", text)[0] if is_address(text) else text)


def check_ending(path: Name, endings: Sequence[str], remedy: str = "") -> None:
    """Refuse a file name that ends in none of the endings.

    Example:
        >>> check_ending("results.txt", with_packing([".csv", ".parquet"]))
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: results.txt: unknown format; the name must end in one of .csv, .parquet (.gz
        or .zst may follow)
    """
    if not _last_part(path).name.lower().endswith(tuple(endings)):
        plain = [ending for ending in endings if not ending.endswith(PACKINGS)]
        several = "one of " if len(plain) > 1 else ""
        packed = " (.gz or .zst may follow)" if len(plain) < len(endings) else ""
        raise InputError(f"{path}: unknown format; the name must end in {several}{', '.join(plain)}{packed}{remedy}")


def stems(names: Sequence[Name]) -> list[str]:
    """Return short names of files: without folders and endings, if these differ.

    Example:
        >>> stems(["out/gpt4.jsonl.gz", "out/lead.csv"])
        ['gpt4', 'lead']
        >>> stems(["gpt4/out.jsonl", "lead/out.jsonl"])
        ['gpt4/out.jsonl', 'lead/out.jsonl']
    """
    endings = sorted(ENDINGS, key=len, reverse=True)
    last = [_last_part(name).name for name in names]
    short = [next((name.removesuffix(end) for end in endings if name.endswith(end)), name) for name in last]
    return short if len(set(short)) == len(short) else [masked(os.fspath(name)) for name in names]


class Several(tuple[str, ...]):
    """Names of several files; as a text they are separated by commas."""

    __slots__ = ()

    def __str__(self) -> str:
        return ", ".join(self)


def list_names(names: Names) -> list[str]:
    """Return all named files in order, with patterns expanded and sorted.

    Example:
        >>> list_names(["a.csv", "s3://bucket/b.csv"])
        ['a.csv', 's3://bucket/b.csv']
    """
    given = [names] if isinstance(names, (str, os.PathLike)) else list(names)
    if not given:
        raise InputError("no file was given; name at least one")
    return [name for one in given for name in _matching(os.fspath(one))]


def _matching(name: str) -> list[str]:
    if not glob.has_magic(name):
        return [name]
    if is_address(name):
        matching = matching_addresses(name)
    elif as_path(name).exists():
        return [name]
    else:
        matching = sorted(glob.glob(name, recursive=True))  # noqa: PTH207 (of any folder)
    if matching:
        return matching
    raise InputError(f"{name}: no file matches this pattern")


HEAD = 4096
"""Number of first bytes that are examined."""


class Kind(NamedTuple):
    """A kind of file.

    Attributes:
        what: description in messages.
        remedy: advice in messages.
        format: actual format, if it can be read.
        packing: packing, if fairsum can unpack it.
    """

    what: str
    remedy: str
    format: str = ""
    packing: str = ""


def _readable(what: str, format: str) -> Kind:
    option = format.removeprefix(".")
    return Kind(what, f"rename it to end in {format}, or add --input-format {option}", format)


_UNPACK = "unpack it and name the file inside"
_JSON = _readable("JSON", ".json")
NOT_UTF8 = Kind("not UTF-8 text", "name its encoding, for example --encoding utf-16-le")

# First bytes of a file, as a regular expression -> its kind.
_KINDS: tuple[tuple[bytes, Kind], ...] = (
    (rb"PAR1", _readable("a Parquet file", ".parquet")),
    (rb"ARROW1", _readable("an Arrow file", ".arrow")),
    (rb"\xff{4}", _readable("an Arrow stream", ".arrow")),
    (rb"FEA1", Kind("a Feather file of version 1", "write it again with pyarrow.feather.write_feather")),
    (rb"\x1f\x8b", Kind("packed with gzip", "add .gz to the end of its name", packing=".gz")),
    (rb"\x28\xb5\x2f\xfd", Kind("packed with zstd", "add .zst to the end of its name", packing=".zst")),
    (rb"PK\x03\x04.*(?:xl/|\[Content_Types\])", _readable("an Excel workbook", EXCEL)),
    (rb"PK\x03\x04|7z\xbc\xaf|BZh|\xfd7zXZ", Kind("a packed file or an archive", _UNPACK)),
    (rb"\xd0\xcf\x11\xe0", Kind("an Excel workbook (.xls)", "save the sheet as CSV UTF-8")),
    (rb"%PDF", Kind("a PDF", "ask its author for CSV or JSON")),
    (rb"SQLite format 3", Kind("an SQLite database", "export the table as CSV")),
    (rb"\x89HDF|\x93NUMPY", Kind("an HDF5 file or a NumPy array", "write rows as JSON Lines or Parquet")),
    (rb"version https://git-lfs", Kind("a pointer of Git LFS, not the data", "fetch the file with git lfs pull")),
    (
        rb"\x80[\x02-\x05]",
        Kind(
            "a Python pickle, which fairsum does not load because it can run code",
            "write it with to_json or to_parquet",
        ),
    ),
)
_TEXTS: tuple[tuple[bytes, Kind], ...] = (
    (
        rb"\s*<(?i:!doctype\s+html|html|head|body)\b",
        Kind("a web page (HTML), not data", "open it in a browser: it may be a login page or an error"),
    ),
    (rb"\s*<\?xml", Kind("XML", "write its rows as CSV or JSON")),
)

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins like UTF-16
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def unicode_mark(head: bytes) -> tuple[int, str]:
    """Return the length of a byte order mark, and its encoding.

    Example:
        >>> unicode_mark(b"\\xff\\xfea\\x00"), unicode_mark(b"a")
        ((2, 'utf-16-le'), (0, ''))
    """
    return next(((len(mark), encoding) for mark, encoding in _MARKS if head.startswith(mark)), (0, ""))


def _kind(head: bytes) -> Kind | None:
    text = head[unicode_mark(head)[0] :].replace(b"\0", b"")  # UTF-16 with ASCII characters
    for content, kinds in ((head, _KINDS), (text, _TEXTS)):
        for pattern, kind in kinds:
            if re.match(pattern, content, re.DOTALL):
                return kind
    return None


def mistaken(head: bytes, format: str) -> Kind | None:
    """Return the actual kind of a misnamed file; None if it fits.

    Example:
        >>> mistaken(b"<!DOCTYPE html><title>Log in</title>", ".jsonl").what
        'a web page (HTML), not data'
        >>> mistaken(b"id,text", ".csv")
    """
    kind = _kind(head)
    if kind is not None:
        alike = {".feather": ".arrow"}.get(format, format)
        return None if kind.format and kind.format == alike else kind
    if format in TABLES and re.match(rb'\s*\[?\s*\{\s*"', head):
        return _JSON
    if format == ".json" and re.match(rb"[^\s\[{][^\r\n]*[,;\t|][^\r\n]*[\r\n]", head[unicode_mark(head)[0] :]):
        return _readable("a text table, not JSON", ".csv")
    is_text = format in TABLES or "json" in format
    return NOT_UTF8 if is_text and not unicode_mark(head)[0] and b"\0" in head[:200] else None


def guess_format(head: bytes) -> tuple[str, str]:
    """Guess format and packing of a stream from its first bytes.

    Example:
        >>> guess_format(b'{"id": 1}'), guess_format(b"id,text"), guess_format(b"PAR1")
        (('.jsonl', ''), ('.csv', ''), ('.parquet', ''))
    """
    kind = _kind(head)
    if kind is not None and (kind.format or kind.packing):
        return kind.format, kind.packing
    text = head[unicode_mark(head)[0] :].replace(b"\0", b"").lstrip()
    return {b"{": ".jsonl", b"[": ".json"}.get(text[:1], ".csv"), ""
