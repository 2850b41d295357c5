"""Reading word vectors: both formats of word2vec, and whatever is none of them."""

from __future__ import annotations

import pickle
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def test_vectors_are_float64(file: Path) -> None:
    file.write_bytes(as_binary({"a": (0.1, 0.2)}))
    [(_, vector)] = iter_vectors(file, {"a"})
    assert vector is not None
    assert vector.dtype == np.float64
    assert vector.tolist() == [float(np.float32(0.1)), float(np.float32(0.2))]


@given(
    vectors=st.dictionaries(
        st.text("abcXYZ_é#'0", min_size=1, max_size=6),
        st.tuples(*[st.floats(-4, 4, width=32).filter(lambda x: abs(x) > 1e-3)] * 3),
        min_size=1,
        max_size=5,
    )
)
def test_both_formats_give_back_what_was_written(tmp_path_factory: Any, vectors: Any) -> None:
    folder = tmp_path_factory.mktemp("vectors")
    (folder / "text").write_bytes(as_text(vectors, 3))
    (folder / "binary").write_bytes(as_binary(vectors, 3))
    expected = {word: list(numbers) for word, numbers in vectors.items()}
    assert read(folder / "text", *vectors) == expected
    assert read(folder / "binary", *vectors) == expected


def test_a_word_that_is_not_utf8_is_replaced(file: Path) -> None:
    file.write_bytes(b"1 1\n\xff\xfe " + struct.pack("<f", 1.5))
    assert list(read(file)) == ["\ufffd\ufffd"]


# In the binary file the header ends at 4, "she" at 4 + 3 + 1 + 8 = 16, "café" at 16 + 5 + 1 + 8 = 30, "he" at 41.
REFUSED = {
    "empty": (b"", "line 1: expected word2vec's header"),
    "glove": (b"the 0.1 0.2\nof 0.3 0.4\n", "line 1: expected word2vec's header.* found b'the 0.1"),
    "gzip": (b"\x1f\x8b\x08\x00\x00", "line 1: .*decompress a .gz file first"),
    "no words": (b"0 300\n", "line 1: expected word2vec's header"),
    "text ends early": (as_text(VECTORS).replace(b"3 2", b"4 2"), "end of the file: the header gives 4 words, found 3"),
    "line ends early": (
        as_text(VECTORS)[: -len(" 3.0\n")],
        "line 4: expected a word and 2 numbers, each after one space, found 1 spaces; the file may be truncated",
    ),
    "line too long": (b"1 2\nshe 1 2 3\n", "line 2: expected a word and 2 numbers.* found 3 spaces"),
    "blank line": (b"2 1\nshe 1\n\nhe 2\n", "line 3: expected a word and 1 numbers.* found 0 spaces"),
    "no numbers": (b"1 2\nshe 1 x\n", r"line 2: expected numbers after the word \(could not convert .*x"),
    "text goes on": (b"1 1\nshe 1\nhe 2\n", "line 3: the header gives 1 words, but here is another"),
    "vector ends early": (as_binary(VECTORS)[:-1], "byte 30: the file ends in word 3 of the 3 of its header"),
    "binary ends early": (
        as_binary(VECTORS).replace(b"3 2", b"4 2"),
        "byte 41: the file ends in word 4 of the 4 of its header; fetch it again",
    ),
    "binary goes on": (as_binary(VECTORS) + b"\x01", "byte 41: the header gives 3 words, but the file goes on"),
    "other binary": (b"9 9\n" + b"\x00" * 9000, "byte 4: no word within 4096 bytes; this is not word2vec's format"),
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


def test_vectors_that_nobody_wants_are_not_looked_at(file: Path) -> None:
    file.write_bytes(as_text({"she": (0.0, 0.0), "he": (1.0, 0.0)}))
    assert read(file, "he") == {"she": None, "he": [1.0, 0.0]}


@pytest.mark.parametrize("name", ["absent.bin", "."])
def test_no_such_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="no such file; give the path"):
        read(tmp_path / name)


@pytest.mark.parametrize("protocol", range(6))
def test_a_pickle_is_never_loaded(file: Path, protocol: int) -> None:
    file.write_bytes(pickle.dumps(Evil(file.with_name("owned")), protocol=protocol))
    is_known = protocol >= 2  # those before have no mark of their own
    problem = (
        "this is a Python pickle, which is never loaded.*save_word2vec_format" if is_known else "expected word2vec"
    )
    with pytest.raises(InputError, match=f"line 1: {problem}"):
        read(file)
    assert not file.with_name("owned").exists()


class Evil:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.write_text, (self.path, "x")
