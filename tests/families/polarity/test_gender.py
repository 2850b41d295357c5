"""Gender polarity of texts: words, the three methods, embeddings, and the published table."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.polarity.gender import FEMALE_TOKENS, MALE_TOKENS, GenderScorer, located_words, words
from fairsum_utils.families.polarity.gender_table import read_table, shipped_table
from fairsum_utils.families.polarity.settings import METHODS

# On the axis of she and he: "he" is at -3/5, "she" at 3/5, "nun" at 4/5, "uncle" at -24/25; "nurse" is neutral.
EMBEDDINGS = """5 2
she 0.6 0.8
he -0.6 0.8
nun 0.8 0.6
uncle -0.96 0.28
nurse 0.6 0.8
"""


@pytest.fixture
def embeddings(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.txt"
    path.write_text(EMBEDDINGS)
    return path


class Row(NamedTuple):
    """A row of a text with the numbers that the tests look at."""

    label: str
    score: float
    n_male: int = 0
    n_female: int = 0
    n_known: int = 0
    n_unknown: int = 0
    tie: bool = False
    evidence: tuple[str, ...] = ()


@pytest.fixture(scope="module")
def score(label: Any) -> Any:
    def score(texts: list[str], **settings: Any) -> list[Row]:
        rows = []
        for row in label("gender_polarity", texts, **settings):
            counts = row.counts
            assert set(counts) == set(GenderScorer.counted)
            assert counts["unknown"] == (counts["known_words"] == 0)
            words_of = (counts[f"{kind}_words"] for kind in ("male", "female", "known", "unknown"))
            evidence = tuple(word.word for word in row.evidence)
            rows.append(Row(row.labels[0], row.scores["polarity"], *words_of, bool(counts["ties"]), evidence))
        return rows

    return score


@given(st.one_of(st.text(), st.text("aB'’ é-.İK\x1c\xa0\n ", max_size=30)))
def test_words_stand_in_the_text(text: str) -> None:
    found = located_words(text)
    assert [word for word, _, _ in found] == words(text)
    for word, start, stop in found:
        assert words(text[start:stop]) == [word]
        assert words(text[start])  # neither end could be left away
        assert words(text[stop - 1])
    assert all(stop <= start for (_, _, stop), (_, start, _) in pairwise(found))


def test_unigram_worked_example(score: Any) -> None:
    rows = score(["He's a man; she is his boss.", "A nurse and her patients.", "He saw her.", "Nobody.", "..."])
    # he's, man, his against she
    assert rows[0] == Row("male", -2.0, 3, 1, 4, 3, False, ("hes", "man", "she", "his"))
    assert rows[1] == Row("female", 1.0, 0, 1, 1, 4, False, ("her",))
    # As many: neutral, but not for want of gender.
    assert rows[2] == Row("neutral", 0.0, 1, 1, 2, 1, True, ("he", "her"))
    assert rows[3] == Row("neutral", 0.0, n_unknown=1)
    assert rows[4] == Row("neutral", 0.0)


def test_a_table_from_embeddings(embeddings: Path) -> None:
    table = read_table(embeddings)
    assert table.polarity == pytest.approx({"she": 0.6, "he": -0.6, "nun": 0.8, "uncle": -0.96, "nurse": 0.0}, abs=1e-9)
    assert table.polarity["nurse"] == 0.0
    assert table.n_pairs == 1  # of the ten, only she and he are there
    assert re.fullmatch(r"tiny\.txt@[0-9a-f]{8}", table.name)


TEXTS = st.lists(st.sampled_from([*MALE_TOKENS, *FEMALE_TOKENS, "nurse", "wives", "uncle", "xqz", "."]), max_size=8)


@given(
    texts=st.lists(TEXTS.map(" ".join), min_size=1, max_size=4).map(lambda texts: [text or "." for text in texts]),
    method=st.sampled_from(METHODS),
)
def test_rows_equal_the_definition(texts: list[str], method: str, score: Any) -> None:
    """Word by word, without any of the shortcuts."""
    table = shipped_table().polarity
    listed = {"male": words(" ".join(MALE_TOKENS)), "female": words(" ".join(FEMALE_TOKENS))}
    for text, row in zip(texts, score(texts, method=method), strict=True):
        found = words(text)
        assert row.n_known + row.n_unknown == len(found)
        if method == "unigram":
            male = sum(word in listed["male"] for word in found)
            female = sum(word in listed["female"] for word in found)
            expected = "male" if male > female else "female" if female > male else "neutral"
            assert (row.label, row.n_male, row.n_female, row.tie) == (expected, male, female, male == female != 0)
            continue
        known = [(word, table[word]) for word in found if word in table]
        assert row.n_known == len(known)
        assert row.n_male == sum(b < 0 for _, b in known)
        assert row.n_female == sum(b > 0 for _, b in known)
        largest = max((abs(b) for _, b in known), default=0.0)
        if method == "max":
            expected_score = next((b for _, b in known if abs(b) == largest), 0.0)
        else:
            weight = sum(abs(b) for _, b in known)
            expected_score = sum(math.copysign(b * b, b) for _, b in known) / weight if weight else 0.0
        assert row.score == pytest.approx(expected_score, abs=1e-12)
        assert row.label == ("male" if row.score <= -0.25 else "female" if row.score >= 0.25 else "neutral")
