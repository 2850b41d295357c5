"""Shipped lexical tables: data files and the one function that reads them. Sources and licences: README.md here."""

from __future__ import annotations

import gzip
from importlib.resources import files


def read_lines(name: str) -> list[str]:
    """The lines of a shipped UTF-8 table, without comment lines (``#``) and without line ends.

    Args:
        name: file name in this folder, such as ``"stopwords.txt.gz"``; it is compressed if it says so.

    Example:
        >>> len(read_lines("stopwords.txt.gz")) > 1000
        True
    """
    content = files(__name__).joinpath(name).read_bytes()
    text = (gzip.decompress(content) if name.endswith(".gz") else content).decode("utf-8")
    return [line for line in text.split("\n") if line and not line.startswith("#")]
