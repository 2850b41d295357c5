"""Readers of word vectors in word2vec's text and binary formats.

Files are read once from front to back. A binary file is mapped into memory, so that it costs none; only the vectors
that are asked for are kept.
"""

from __future__ import annotations

import codecs
import mmap
import re
from collections.abc import Iterator, Set
from pathlib import Path
from typing import NoReturn

import numpy as np

from fairsum_utils._util.terminal import bar
from fairsum_utils.errors import InputError
from fairsum_utils.io.opening import MAX_ROW_BYTES, bounded_lines
from fairsum_utils.io.stores import as_path
from fairsum_utils.stats.arrays import Floats

Entry = tuple[str, Floats | None]

_HEADER = re.compile(rb"([1-9]\d*) ([1-9]\d*)[ \t\r]*\n")
_LONGEST_HEADER = 64
_LONGEST_WORD = 4096
_PICKLE = b"\x80"
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")


def check_embeddings(path: str | Path) -> Path:
    """Return the path of a file of word vectors without opening it."""
    file = as_path(path, "gender_polarity: embeddings")
    if not file.is_file():
        raise InputError(f"gender_polarity: embeddings {path}: no such file; give the path of a file of word vectors")
    return file


def iter_vectors(path: str | Path, wanted: Set[str]) -> Iterator[Entry]:
    """Yield all words of an embedding in file order, with the vectors of some.

    Yields:
        Each word, with its vector, shape (dimensions,), if it is wanted, else None. Bytes of a word that are not UTF-8
        are replaced.

    Source: the format of the word2vec tool: a line ``words dimensions``, then each word, a space, and its numbers: in
    decimal and up to the end of the line, or as little-endian 32-bit floats.
    """
    path = check_embeddings(path)
    with path.open("rb") as file:
        head = file.read(_LONGEST_HEADER + _LONGEST_WORD)
    header = _HEADER.match(head[:_LONGEST_HEADER])
    if header:
        read = _iter_text if _is_text(head[header.end() :]) else _iter_binary
        entries = read(path, header.end(), int(header[1]), int(header[2]), wanted)
        total = int(header[1])
    elif head.startswith(_PICKLE):
        _refuse(
            path,
            "line 1",
            "the file is a Python pickle, which fairsum does not load because it can run code; if gensim's "
            "KeyedVectors.save wrote it, write it again with save_word2vec_format(..., binary=True)",
        )
    else:
        _refuse(
            path,
            "line 1",
            f"expected the header of word2vec's format (number of words, number of dimensions), found {head[:40]!r}; "
            "save the vectors in word2vec format, decompress a .gz file, or add this header to GloVe's text format",
        )
    for word, vector in bar(entries, unit="words", total=total, title=path.name):
        if vector is not None and not (np.isfinite(vector).all() and vector.any()):
            _refuse(path, f"word {word!r}", "its vector is zero or not finite, so it has no direction; remove the word")
        yield word, vector


def _refuse(path: Path, place: str, problem: str) -> NoReturn:
    raise InputError(f"gender_polarity: embeddings {path}: {place}: {problem}")


def _is_text(sample: bytes) -> bool:
    """Check whether bytes are UTF-8 text without control characters."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return False
    return not _CONTROL.search(sample)


def _iter_text(path: Path, start: int, n_words: int, dimensions: int, wanted: Set[str]) -> Iterator[Entry]:
    with path.open("rb") as file:
        file.seek(start)
        found = 0
        for number, line in enumerate(bounded_lines(file, str(path), MAX_ROW_BYTES, first=2), start=2):
            line = line.rstrip()
            if found == n_words:
                if line:
                    _refuse(
                        path,
                        f"line {number}",
                        f"the header announces {n_words} words, but more follow; correct the header",
                    )
                continue
            n_numbers = line.count(b" ")
            if n_numbers != dimensions:
                expected = f"expected a word and {dimensions} numbers, separated by single spaces"
                _refuse(
                    path,
                    f"line {number}",
                    f"{expected}, found {n_numbers} spaces; download the file again if it is truncated",
                )
            word = line[: line.index(b" ")].decode("utf-8", "replace")
            found += 1
            yield word, _parsed(path, number, line) if word in wanted else None
    if found < n_words:
        _refuse(
            path,
            "end of the file",
            f"the header announces {n_words} words, found {found}; the file is truncated: download it again",
        )


def _parsed(path: Path, number: int, line: bytes) -> Floats:
    try:
        return np.array([float(field) for field in line.split(b" ")[1:]])
    except ValueError as error:
        _refuse(path, f"line {number}", f"expected numbers after the word ({error}); correct the line")


def _iter_binary(path: Path, start: int, n_words: int, dimensions: int, wanted: Set[str]) -> Iterator[Entry]:
    size = 4 * dimensions
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        place = start
        for found in range(n_words):
            space = data.find(b" ", place, place + _LONGEST_WORD)
            if space + 1 + size > len(data) or (space < 0 and place + _LONGEST_WORD >= len(data)):
                _refuse(
                    path,
                    f"byte {place}",
                    f"the file ends in word {found + 1} of {n_words}; download it again",
                )
            if space < 0:
                _refuse(
                    path,
                    f"byte {place}",
                    f"no word ends within {_LONGEST_WORD} bytes; save the vectors in word2vec format",
                )
            word = data[place:space].lstrip(b"\n").decode("utf-8", "replace")
            place = space + 1 + size
            # A copy, for the map cannot be closed while an array lies in it.
            numbers = data[space + 1 : place] if word in wanted else None
            yield word, None if numbers is None else np.frombuffer(numbers, dtype="<f4").astype(np.float64)
        if data[place : place + _LONGEST_WORD].strip():
            _refuse(
                path, f"byte {place}", f"the header announces {n_words} words, but more data follow; correct the header"
            )
