"""What the name of a file tells: its format, how it is packed, and whether it is an address or several files."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

from fairsum_utils._util.secrets import masked
from fairsum_utils.errors import InputError
from fairsum_utils.io.paths import as_path
from fairsum_utils.io.stores import is_address, matching_addresses

__all__ = [
    "ENDINGS",
    "FORMATS",
    "PACKINGS",
    "STANDARD_INPUT",
    "TABLES",
    "Name",
    "Names",
    "Several",
    "check_ending",
    "format_of",
    "is_address",
    "list_names",
    "packing_of",
    "stems",
    "with_packing",
]

Name: TypeAlias = "str | os.PathLike[str]"
"""A file, a folder, an address such as ``s3://bucket/rows.parquet``, or ``-`` for standard input."""

Names: TypeAlias = "Name | Sequence[Name]"
"""One or several; each may be a pattern such as ``data/*.parquet``."""

STANDARD_INPUT = "-"

PACKINGS = (".gz", ".zst")
"""Endings of packed files."""

TABLES = {".csv": ",", ".tsv": "\t"}
"""Tables of text: format -> what usually separates their columns."""

FORMATS = (".jsonl", ".ndjson", ".json", *TABLES, ".parquet", ".arrow", ".feather")
"""Files of rows: endings of their names, without that of a packing."""


def with_packing(endings: Iterable[str]) -> tuple[str, ...]:
    """Return endings of file names, each followed by those of the packed file.

    Example:
        >>> with_packing([".jsonl"])
        ('.jsonl', '.jsonl.gz', '.jsonl.zst')
    """
    return tuple(ending + packing for ending in endings for packing in ("", *PACKINGS))


ENDINGS = with_packing(FORMATS)
"""What the name of a file of rows may end in."""


def format_of(name: Name) -> str:
    """Return the ending that tells the format of a file, packed or not.

    Example:
        >>> format_of("rows.csv.gz"), format_of(Path("ROWS.CSV")), format_of("https://a.org/rows.jsonl?download=true")
        ('.csv', '.csv', '.jsonl')
    """
    path = _last_part(name)
    return (path.with_suffix("") if path.suffix.lower() in PACKINGS else path).suffix.lower()


def packing_of(name: Name) -> str:
    """Return the ending that tells how a file is packed; empty if it is not.

    Example:
        >>> packing_of("rows.csv.gz"), packing_of("rows.csv")
        ('.gz', '')
    """
    ending = _last_part(name).suffix.lower()
    return ending if ending in PACKINGS else ""


def _last_part(name: Name) -> Path:
    text = os.fspath(name)
    return Path(re.split("[?#]", text)[0] if is_address(text) else text)


def check_ending(path: Name, endings: Sequence[str]) -> None:
    """Refuse a file name that ends in none of the endings.

    Args:
        path: name of a file, which need not be there.
        endings: such as ``".jsonl"`` and ``".jsonl.gz"``.

    Raises:
        InputError: another ending.

    Example:
        >>> check_ending("results.txt", with_packing([".csv", ".parquet"]))
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: results.txt: unknown format; the name must end in one of .csv, .parquet, each
        also .gz or .zst
    """
    if not _last_part(path).name.lower().endswith(tuple(endings)):
        plain = [ending for ending in endings if not ending.endswith(PACKINGS)]
        several = "one of " if len(plain) > 1 else ""
        packed = f",{' each' if several else ''} also .gz or .zst" if len(plain) < len(endings) else ""
        raise InputError(f"{path}: unknown format; the name must end in {several}{', '.join(plain)}{packed}")


def stems(names: Sequence[Name]) -> list[str]:
    """What files are called for short: without folders and endings, or as they are where these would be the same.

    Args:
        names: of the files.

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
    """Return the names that are meant, in their order; those of a pattern are sorted.

    Args:
        names: one or several. What is there under exactly this name is no pattern, nor is an address of the web.

    Raises:
        InputError: there is no file that a pattern fits, no name at all, or a store cannot be asked for a pattern.

    Example:
        >>> list_names(["a.csv", "s3://bucket/b.csv"])
        ['a.csv', 's3://bucket/b.csv']
    """
    given = [names] if isinstance(names, (str, os.PathLike)) else list(names)
    if not given:
        raise InputError("no file is named; give at least one")
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
    raise InputError(f"{name}: no file has such a name")
