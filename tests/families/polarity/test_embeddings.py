"""Reading word vectors: both formats of word2vec, and whatever is none of them."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.polarity.embeddings import iter_vectors

VECTORS = {"she": (0.5, -0.25), "café": (1.0, 2.0), "he": (-0.75, 3.0)}


def as_text(vectors: dict[str, tuple[float, ...]], dimensions: int = 2, end: str = "\n") -> bytes:
    lines = [f"{len(vectors)} {dimensions}"]
    lines += [" ".join([word, *map(repr, numbers)]) for word, numbers in vectors.items()]
    return (end.join(lines) + end).encode()


def as_binary(vectors: dict[str, tuple[float, ...]], dimensions: int = 2, between: bytes = b"") -> bytes:
    head = f"{len(vectors)} {dimensions}\n".encode()
    return head + b"".join(
        word.encode() + b" " + struct.pack(f"<{len(numbers)}f", *numbers) + between for word, numbers in vectors.items()
    )


def read(path: Path, *wanted: str) -> dict[str, list[float] | None]:
    return {word: None if vector is None else vector.tolist() for word, vector in iter_vectors(path, set(wanted))}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "vectors.any"


@pytest.mark.parametrize(
    "content",
    [
        as_text(VECTORS),
        as_text(VECTORS, end=" \n"),  # as the word2vec tool and fastText end their lines
        as_text(VECTORS, end="\r\n"),
        as_text(VECTORS).rstrip(b"\n"),
        as_text(VECTORS) + b"\n\n",
        as_binary(VECTORS),
        as_binary(VECTORS, between=b"\n"),  # as the word2vec tool writes it
    ],
)
def test_formats(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert read(file, "she", "he", "absent") == {"she": [0.5, -0.25], "café": None, "he": [-0.75, 3.0]}


# In the binary file the header ends at 4, "she" at 4 + 3 + 1 + 8 = 16, "café" at 16 + 5 + 1 + 8 = 30, "he" at 41.
REFUSED = {
    "empty": (b"", "line 1: expected the header of word2vec's format"),
    "glove": (b"the 0.1 0.2\nof 0.3 0.4\n", "line 1: expected the header of word2vec's format .* found b'the 0.1"),
    "gzip": (b"\x1f\x8b\x08\x00\x00", "line 1: .*decompress a .gz file"),
    "no words": (b"0 300\n", "line 1: expected the header of word2vec's format"),
    "text ends early": (
        as_text(VECTORS).replace(b"3 2", b"4 2"),
        "end of the file: the header announces 4 words, found 3",
    ),
    "line ends early": (
        as_text(VECTORS)[: -len(" 3.0\n")],
        "line 4: expected a word and 2 numbers, separated by single spaces, found 1 spaces; download the file again if",
    ),
    "line too long": (b"1 2\nshe 1 2 3\n", "line 2: expected a word and 2 numbers.* found 3 spaces"),
    "blank line": (b"2 1\nshe 1\n\nhe 2\n", "line 3: expected a word and 1 numbers.* found 0 spaces"),
    "no numbers": (b"1 2\nshe 1 x\n", r"line 2: expected numbers after the word \(could not convert .*x"),
    "text goes on": (b"1 1\nshe 1\nhe 2\n", "line 3: the header announces 1 words, but more follow"),
    "vector ends early": (as_binary(VECTORS)[:-1], "byte 30: the file ends in word 3 of 3"),
    "binary ends early": (
        as_binary(VECTORS).replace(b"3 2", b"4 2"),
        "byte 41: the file ends in word 4 of 4; download it again",
    ),
    "binary goes on": (as_binary(VECTORS) + b"\x01", "byte 41: the header announces 3 words, but more data follow"),
    "other binary": (
        b"9 9\n" + b"\x00" * 9000,
        "byte 4: no word ends within 4096 bytes; save the vectors in word2vec format",
    ),
    "zero vector": (as_text({"she": (0.0, 0.0)}), "word 'she': its vector is zero or not finite"),
    "nan": (b"1 2\nshe 1 nan\n", "word 'she': its vector is zero or not finite"),
    "infinite": (as_binary({"she": (1.0, float("inf"))}), "word 'she': its vector is zero or not finite"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(file: Path, name: str) -> None:
    content, problem = REFUSED[name]
    file.write_bytes(content)
    with pytest.raises(InputError, match=rf"^gender_polarity: embeddings \S*vectors\.any: {problem}"):
        read(file, "she")


@pytest.mark.parametrize("kept", range(len(as_binary(VECTORS))))
def test_any_truncation_of_a_binary_file_is_found(file: Path, kept: int) -> None:
    file.write_bytes(as_binary(VECTORS)[:kept])
    with pytest.raises(InputError, match=r"vectors\.any: (line 1|line 2|byte \d+|end of the file): "):
        read(file)


def test_vectors_are_float64(file: Path) -> None:
    file.write_bytes(as_binary({"a": (0.1, 0.2)}))
    [(_, vector)] = iter_vectors(file, {"a"})
    assert vector is not None
    assert vector.dtype == np.float64
    assert vector.tolist() == [float(np.float32(0.1)), float(np.float32(0.2))]


def test_a_word_that_is_not_utf8_is_replaced(file: Path) -> None:
    file.write_bytes(b"1 1\n\xff\xfe " + struct.pack("<f", 1.5))
    assert list(read(file)) == ["\ufffd\ufffd"]
