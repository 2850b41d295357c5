"""Shipped lexical tables and their reader; README.md here lists sources."""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files


def read_lines(name: str) -> list[str]:
    """Return a shipped table's lines, without comments (``#``) and line ends.

    Args:
        name: file name in this folder, such as ``"stopwords.txt.gz"``; it is compressed if it says so.

    Example:
        >>> len(read_lines("stopwords.txt.gz")) > 1000
        True
    """
    content = files(__name__).joinpath(name).read_bytes()
    text = (gzip.decompress(content) if name.endswith(".gz") else content).decode("utf-8")
    return [line for line in text.split("\n") if line and not line.startswith("#")]


def read_words(kind: str) -> tuple[str, ...]:
    """Read the words of a kind in ``words.txt``.

    Example:
        >>> read_words("title_hindi")[:2]
        ('कु', 'डॉ')
    """
    return _word_lists()[kind]


@cache
def _word_lists() -> dict[str, tuple[str, ...]]:
    lists: dict[str, tuple[str, ...]] = {}
    for line in read_lines("words.txt"):
        kind, _, words = line.partition("\t")
        lists[kind] = (*lists.get(kind, ()), *words.split())
    return lists
