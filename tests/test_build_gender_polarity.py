"""Hard debiasing: by hand in the plane, and against the whole procedure on whole matrices."""

from __future__ import annotations

import math
import os
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.polarity.gender import shipped_table
from tests.conftest import ROOT, load_script

sys.path.insert(0, str(ROOT / "tools"))
TOOL = load_script(ROOT / "tools" / "build_gender_polarity.py")
sys.path.remove(str(ROOT / "tools"))

Floats = npt.NDArray[np.float64]


def debias_everything(vectors: dict[str, Floats], lists: Any) -> dict[str, float]:
    """The procedure of Bolukbasi et al. to the letter: every vector is debiased, then compared with she - he."""
    names = list(vectors)
    rows = {word: row for row, word in enumerate(names)}
    matrix = np.array([vectors[word] for word in names], dtype=np.float64)
    matrix /= np.linalg.norm(matrix, axis=1)[:, None]
    centered = []
    for a, b in lists.definitional:
        if a in rows and b in rows:
            center = (matrix[rows[a]] + matrix[rows[b]]) / 2
            centered += [matrix[rows[a]] - center, matrix[rows[b]] - center]
    # The first eigenvector of the covariance.
    covariance = np.array(centered).T @ np.array(centered)
    g = np.linalg.eigh(covariance)[1][:, -1]
    neutral = [row for row, word in enumerate(names) if word not in lists.specific]
    matrix[neutral] -= np.outer(matrix[neutral] @ g, g)
    matrix /= np.linalg.norm(matrix, axis=1)[:, None]
    for a, b in lists.equalize:
        if a in rows and b in rows:
            first, second = matrix[rows[a]], matrix[rows[b]]
            mean = (first + second) / 2
            y = mean - (mean @ g) * g
            z = math.sqrt(1 - y @ y) * (1 if (first - second) @ g > 0 else -1)
            matrix[rows[a]], matrix[rows[b]] = y + z * g, y - z * g
    matrix /= np.linalg.norm(matrix, axis=1)[:, None]
    axis = matrix[rows["she"]] - matrix[rows["he"]]
    polarity = matrix @ axis / np.linalg.norm(axis)
    return dict(zip(names, polarity.tolist(), strict=True))


def test_worked_example() -> None:
    # she - he is (1.2, 0), so g = (1, 0); she and he already lie mirrored: y = (0, 0.8), z = 0.6.
    lists = TOOL.GenderWords(
        definitional=(("she", "he"),),
        equalize=(("she", "he"), ("queen", "king"), ("wives", "husbands")),
        specific=frozenset({"she", "he", "queen", "king", "wives", "husbands", "nun"}),
    )
    vectors = {
        "she": np.array([0.6, 0.8]),
        "he": np.array([-0.6, 0.8]),
        # Kept: cos((3, -4), (1, 0)) = 3/5.
        "nun": np.array([3.0, -4.0]),
        # Equalized: (0.96, 0.28) and (-0.28, 0.96) have y = (0, 0.62), z = sqrt(1 - 0.3844) = 0.7846...
        "queen": np.array([0.96, 0.28]),
        "king": np.array([-0.28, 0.96]),
        # "wives" lies nearer to "he" than "husbands" does, and stays so: y = (0, (0.8 + 0.6) / 2), z = sqrt(0.51).
        "wives": np.array([0.6, 0.8]),
        "husbands": np.array([0.8, 0.6]),
    }
    polarity = TOOL.debiased_polarity(vectors, lists)
    z = math.sqrt(0.6156)
    expected = {
        "she": 0.6,
        "he": -0.6,
        "nun": 0.6,
        "queen": z,
        "king": -z,
        "wives": -math.sqrt(0.51),
        "husbands": math.sqrt(0.51),
    }
    assert polarity == pytest.approx(expected, abs=1e-12)
    # Equalized words are equally polar to the last bit, so that a tie between them is one.
    assert polarity["queen"] == -polarity["king"]


@given(seed=st.integers(0, 10_000), dimensions=st.integers(4, 12))
def test_equals_debiasing_everything(seed: int, dimensions: int) -> None:
    names = ["she", "he", *(f"w{number}" for number in range(20))]
    lists = TOOL.GenderWords(
        definitional=(("she", "he"), ("w0", "w1"), ("w2", "w3"), ("absent", "w4")),
        equalize=(("he", "she"), ("w2", "w5"), ("w6", "w7"), ("w8", "absent")),
        specific=frozenset({"she", "he", "w2", "w5", "w6", "w9", "w10", "absent"}),
    )
    draw = np.random.default_rng(seed)
    vectors = {name: draw.normal(size=dimensions) * draw.uniform(0.1, 9) for name in names}
    before = {name: vector.copy() for name, vector in vectors.items()}
    needed = {word: vector for word, vector in vectors.items() if word in lists.needed()}
    found = dict.fromkeys(names, 0.0) | TOOL.debiased_polarity(needed, lists)
    assert found == pytest.approx(debias_everything(vectors, lists), abs=1e-9)
    assert all((vectors[name] == before[name]).all() for name in names)


@pytest.mark.parametrize(("present_word", "named"), [("she", "'he'"), ("he", "'she'"), ("nun", "'she' and 'he'")])
def test_she_and_he_are_needed(present_word: str, named: str) -> None:
    lists = TOOL.GenderWords((("she", "he"),), (), frozenset({"she", "he"}))
    with pytest.raises(ValueError, match=f"the vectors lack {named}, which"):
        TOOL.debiased_polarity({present_word: np.array([1.0, 0.0])}, lists)


def test_pairs_without_difference_are_refused() -> None:
    lists, same = TOOL.GenderWords((("she", "he"),), (), frozenset({"she", "he"})), np.array([1.0, 2.0])
    with pytest.raises(ValueError, match="definitional pair have the same vector"):
        TOOL.debiased_polarity({"she": same, "he": same}, lists)


@pytest.fixture
def lists(shared_data: Path) -> Any:
    return TOOL.GenderWords.read(shared_data / "gender_polarity")


def test_published_lists(lists: Any) -> None:
    assert (len(lists.definitional), len(lists.specific)) == (10, 1_441)
    assert lists.definitional[:2] == (("woman", "man"), ("girl", "boy"))
    assert {("he", "she"), ("He", "She"), ("HE", "SHE")} <= {*lists.equalize}


def test_shipped_table_equals_debiasing_the_whole_embedding(lists: Any) -> None:
    path = Path(os.environ.get("FAIRSUM_WORD2VEC", "GoogleNews-vectors-negative300-bolukbasi.bin"))
    if not path.is_file():
        pytest.skip(f"no embedding at {path}; FAIRSUM_WORD2VEC names the file that the tool reads")
    vectors = dict(TOOL.iter_vectors(path, shipped_table().keys()))
    expected = debias_everything(vectors, lists)
    assert expected.keys() == shipped_table().keys()
    assert shipped_table() == pytest.approx(expected, abs=1e-9)


def test_case_variants() -> None:
    assert TOOL.case_variants([("ex_girlfriend", "ex_boyfriend"), ("Dad", "Mom"), ("dad", "mom")]) == (
        ("ex_girlfriend", "ex_boyfriend"),
        ("Ex_Girlfriend", "Ex_Boyfriend"),
        ("EX_GIRLFRIEND", "EX_BOYFRIEND"),
        ("dad", "mom"),
        ("Dad", "Mom"),
        ("DAD", "MOM"),
    )


def test_equalized_words_are_opposite_in_the_shipped_table(lists: Any) -> None:
    polarity = shipped_table()
    assert all(polarity[a] == -polarity[b] != 0 for a, b in TOOL.present(lists.equalize, polarity))


VECTORS = {"she": (0.5, -0.25), "café": (1.0, 2.0), "he": (-0.75, 3.0)}
AS_TEXT = "3 2\nshe 0.5 -0.25\ncafé 1.0 2.0\nhe -0.75 3.0\n".encode()


def as_binary(between: bytes = b"") -> bytes:
    words = (word.encode() + b" " + struct.pack("<2f", *numbers) + between for word, numbers in VECTORS.items())
    return b"3 2\n" + b"".join(words)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("v.txt", AS_TEXT),
        ("v.txt", AS_TEXT.replace(b"\n", b" \n")),  # as the word2vec tool and fastText end their lines
        ("v.txt", AS_TEXT + b"\n"),
        ("v.bin", as_binary()),
        ("v.bin", as_binary(between=b"\n")),  # as the word2vec tool writes it
    ],
)
def test_formats_of_word_vectors(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    found = {
        word: None if vector is None else vector.tolist()
        for word, vector in TOOL.iter_vectors(tmp_path / name, {"she", "he", "absent"})
    }
    assert found == {"she": [0.5, -0.25], "café": None, "he": [-0.75, 3.0]}


@pytest.mark.parametrize("content", [AS_TEXT, as_binary()])
def test_truncated_vectors_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / ("v.txt" if content is AS_TEXT else "v.bin")
    for kept in range(5, len(content) - 3):  # what the header leaves open ends a number early, but not a line
        path.write_bytes(content[:kept])
        with pytest.raises(ValueError, match="download the file again"):
            list(TOOL.iter_vectors(path, set()))


@pytest.mark.parametrize("numbers", [b"0 0", b"1 nan", b"inf 1"])
def test_vectors_without_a_direction_are_refused(tmp_path: Path, numbers: bytes) -> None:
    path = tmp_path / "v.txt"
    path.write_bytes(b"1 2\nshe " + numbers + b"\n")
    with pytest.raises(ValueError, match="the vector of 'she' is zero or not finite"):
        list(TOOL.iter_vectors(path, {"she"}))


def test_table_of_a_tiny_embedding(tmp_path: Path) -> None:
    """Nun lies at 4/5, uncle at -24/25; nurse is neutral. Of two vectors of nun the first counts."""
    path = tmp_path / "tiny.txt"
    path.write_text("6 2\nshe 0.6 0.8\nhe -0.6 0.8\nnun 0.8 0.6\nuncle -0.96 0.28\nnurse 0.6 0.8\nnun 0.6 0.8\n")
    lists = TOOL.GenderWords(
        (("she", "he"), ("woman", "man")), (("she", "he"),), frozenset({"nun", "uncle", "she", "he"})
    )
    expected = {"she": 0.6, "he": -0.6, "nun": 0.8, "uncle": -0.96, "nurse": 0.0}
    assert TOOL.polarity_of(path, lists) == pytest.approx(expected, abs=1e-9)
