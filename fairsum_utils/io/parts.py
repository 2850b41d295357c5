"""Parts of files: rows that follow one another and can be read without those before them."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Part"]


class Part(NamedTuple):
    """Some rows of one of the files that are read.

    Attributes:
        file: place of the file among them, from 0.
        first: index of the first row in the file.
        n_rows: how many there are, at least one.
        begin: of lines of JSON: the first byte.
        end: the byte after the last.
        line: number of the first line, from 1.
        copy: a Parquet file of these rows alone, to be read in place of the file; empty where there is none.
    """

    file: int
    first: int
    n_rows: int
    begin: int = 0
    end: int = 0
    line: int = 1
    copy: str = ""
