"""Hard debiasing: by hand in the plane, and against the whole procedure on whole matrices."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.families.polarity.embeddings import iter_vectors
from fairsum_utils.families.polarity.gender_table import (
    GenderWords,
    case_variants,
    debiased_polarity,
    gender_words,
    present,
    shipped_table,
)

Floats = npt.NDArray[np.float64]


def debias_everything(vectors: dict[str, Floats], lists: GenderWords) -> dict[str, float]:
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
    lists = GenderWords(
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
    polarity = debiased_polarity(vectors, lists)
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
    lists = GenderWords(
        definitional=(("she", "he"), ("w0", "w1"), ("w2", "w3"), ("absent", "w4")),
        equalize=(("he", "she"), ("w2", "w5"), ("w6", "w7"), ("w8", "absent")),
        specific=frozenset({"she", "he", "w2", "w5", "w6", "w9", "w10", "absent"}),
    )
    draw = np.random.default_rng(seed)
    vectors = {name: draw.normal(size=dimensions) * draw.uniform(0.1, 9) for name in names}
    before = {name: vector.copy() for name, vector in vectors.items()}
    needed = {word: vector for word, vector in vectors.items() if word in lists.needed()}
    found = dict.fromkeys(names, 0.0) | debiased_polarity(needed, lists)
    assert found == pytest.approx(debias_everything(vectors, lists), abs=1e-9)
    assert all((vectors[name] == before[name]).all() for name in names)


@pytest.mark.parametrize(("present_word", "named"), [("she", "'he'"), ("he", "'she'"), ("nun", "'she' and 'he'")])
def test_she_and_he_are_needed(present_word: str, named: str) -> None:
    with pytest.raises(InputError, match=rf"gender_polarity: the embeddings have no vector for {named}, .* English"):
        debiased_polarity({present_word: np.array([1.0, 0.0])}, gender_words())


def test_pairs_without_difference_are_refused() -> None:
    same = np.array([1.0, 2.0])
    with pytest.raises(InputError, match="definitional pair have the same vector"):
        debiased_polarity({"she": same, "he": same}, gender_words())


def test_shipped_lists_are_the_published_ones(shared_data: Path) -> None:
    read = {path.stem: json.loads(path.read_text()) for path in (shared_data / "gender_polarity").glob("*.json")}
    lists = gender_words()
    assert [list(pair) for pair in lists.definitional] == read["definitional_pairs"]
    assert lists.equalize == case_variants(tuple(pair) for pair in read["equalize_pairs"])
    assert lists.specific == set(read["gender_specific_full"])


def test_shipped_table_equals_debiasing_the_whole_embedding() -> None:
    path = Path(os.environ.get("FAIRSUM_WORD2VEC", "GoogleNews-vectors-negative300-bolukbasi.bin"))
    if not path.is_file():
        pytest.skip(
            f"no embedding at {path}; FAIRSUM_WORD2VEC names the file that tools/build_gender_polarity.py reads"
        )
    every_word = shipped_table().polarity.keys()
    vectors = {word: vector for word, vector in iter_vectors(path, every_word) if vector is not None}
    expected = debias_everything(vectors, gender_words())
    assert expected.keys() == every_word
    assert shipped_table().polarity == pytest.approx(expected, abs=1e-9)


def test_case_variants() -> None:
    assert case_variants([("ex_girlfriend", "ex_boyfriend"), ("Dad", "Mom"), ("dad", "mom")]) == (
        ("ex_girlfriend", "ex_boyfriend"),
        ("Ex_Girlfriend", "Ex_Boyfriend"),
        ("EX_GIRLFRIEND", "EX_BOYFRIEND"),
        ("dad", "mom"),
        ("Dad", "Mom"),
        ("DAD", "MOM"),
    )


def test_shipped_table_has_the_known_values() -> None:
    # Known beforehand: 232 of 26,423 words are not 0; wives -0.40, husbands +0.40, wife 0.12.
    polarity = shipped_table().polarity
    assert (len(polarity), sum(map(bool, polarity.values()))) == (26_423, 232)
    known = {"wives": -0.40, "husbands": 0.40, "wife": 0.12}
    assert {word: round(polarity[word], 2) for word in known} == known
    assert polarity["she"] == -polarity["he"] > 0.4
    assert all(polarity[a] == -polarity[b] != 0 for a, b in present(gender_words().equalize, polarity))
