"""Gender polarity of texts: words, the three methods, embeddings, and the published table."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.polarity.gender import located_words, shipped_table, words
from fairsum_utils.measures.gender_polarity import GenderPolarity


@pytest.fixture
def tiny_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table small enough to work scores by hand."""
    table = {"she": 0.6, "he": -0.6, "nun": 0.8, "uncle": -0.96, "nurse": 0.0}
    monkeypatch.setattr("fairsum_utils.families.polarity.gender.shipped_table", lambda: table)


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
            assert set(counts) == set(GenderPolarity.counted)
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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("She's HERE, isn't he?", ["shes", "here", "isnt", "he"]),
        ("well-known e_mail a/b 3.5", ["well", "known", "e", "mail", "a", "b", "3", "5"]),
        ("caf\u00e9 he\u2019s \u2014 x\u2014y", ["caf", "hes", "xy"]),  # what is not ASCII is dropped, not a space
        ("a\tb\nc  d", ["a", "b", "c", "d"]),
        ("'' \u00e9 !?", []),
        ("\u212aing", ["king"]),  # the Kelvin sign is a k in lower case
    ],
)
def test_words(text: str, found: list[str]) -> None:
    assert words(text) == found


@given(st.text())
def test_words_are_what_the_rules_say(text: str) -> None:
    kept = "".join(character for character in text.lower() if ord(character) < 128 and character != "'")
    # White space is ASCII's six; the other separators of str.split() are outside ASCII or control characters.
    assert words(text) == [word for word in re.split(r"[ \t\n\r\f\v!-/:-@\[-`{-~\x1c-\x1f]+", kept) if word]


def test_unigram_worked_example(score: Any) -> None:
    rows = score(["He's a man; she is his boss.", "A nurse and her patients.", "He saw her.", "Nobody.", "..."])
    # he's, man, his against she
    assert rows[0] == Row("male", -2.0, 3, 1, 4, 3, False, ("hes", "man", "she", "his"))
    assert rows[1] == Row("female", 1.0, 0, 1, 1, 4, False, ("her",))
    # As many: neutral, but not for want of gender.
    assert rows[2] == Row("neutral", 0.0, 1, 1, 2, 1, True, ("he", "her"))
    assert rows[3] == Row("neutral", 0.0, n_unknown=1)
    assert rows[4] == Row("neutral", 0.0)


def test_wavg_worked_example(tiny_table: None, score: Any) -> None:
    texts = ["He saw the nun.", "She, she, he.", "Uncle nurse", "A nurse", "Unheard of", "He or she"]
    rows = score(texts, method="wavg")
    # (16/25 - 9/25) / (4/5 + 3/5) = (7/25) / (7/5) = 1/5: under the threshold.
    assert rows[0].label == "neutral"
    assert rows[0].score == pytest.approx(0.2)
    assert rows[0][2:] == (1, 1, 2, 2, False, ("he", "nun"))
    # (9/25 + 9/25 - 9/25) / (9/5) = 1/5
    assert rows[1].score == pytest.approx(0.2)
    assert rows[1][2:] == (1, 2, 3, 0, False, ("she", "she", "he"))
    # Words that are known and neutral weigh nothing: 24/25 remains.
    assert rows[2].label == "male"
    assert rows[2].score == pytest.approx(-0.96)
    assert rows[2][2:] == (1, 0, 2, 0, False, ("uncle",))
    # A known word without polarity, and no known word: both neutral, told apart by n_known.
    assert rows[3] == Row("neutral", 0.0, n_known=1, n_unknown=1)
    assert rows[4] == Row("neutral", 0.0, n_known=0, n_unknown=2)
    # Opposites cancel exactly.
    assert rows[5] == Row("neutral", 0.0, 1, 1, 2, 1, True, ("he", "she"))


def test_max_worked_example(tiny_table: None, score: Any) -> None:
    texts = ["He saw the nun.", "A nun and her uncle", "She and he", "He and she and he", "He, he"]
    rows = score(texts, method="max")
    assert [row.label for row in rows] == ["female", "male", "female", "male", "male"]
    assert [row.score for row in rows] == pytest.approx([0.8, -0.96, 0.6, -0.6, -0.6])
    assert [row.evidence for row in rows] == [("nun",), ("uncle",), ("she",), ("he",), ("he",)]
    # The first word wins among equally polar ones; it is a tie only if they are of both genders.
    assert [row.tie for row in rows] == [False, False, True, True, False]
    assert [(row.n_male, row.n_female) for row in rows] == [(1, 1), (1, 1), (1, 1), (2, 1), (2, 0)]


def test_threshold(tiny_table: None, score: Any) -> None:
    for method in ("wavg", "max"):
        labels = [score(["He"], method=method, threshold=threshold)[0].label for threshold in (0.5, 0.7, 1)]
        assert labels == ["male", "neutral", "neutral"]


def test_evidence_says_how_much_each_word_weighs(tiny_table: None, label: Any) -> None:
    texts = ["Her uncle", "No one", "He ran"]
    found = [((None, "her", 1.0),), (), ((None, "he", -1.0),)]
    assert [row.evidence for row in label("gender_polarity", texts)] == found
    [row] = label("gender_polarity", ["He and his uncle"], method="max")
    assert row.evidence == ((None, "uncle", pytest.approx(-0.96)),)
    [row] = label("gender_polarity", ["He and his uncle"], method="wavg")
    assert row.evidence == ((None, "he", pytest.approx(-0.6)), (None, "uncle", pytest.approx(-0.96)))


def test_shipped_table_has_the_known_values() -> None:
    # Known beforehand: 232 of 26,423 words are not 0; wives -0.40, husbands +0.40, wife 0.12.
    polarity = shipped_table()
    assert (len(polarity), sum(map(bool, polarity.values()))) == (26_423, 232)
    known = {"wives": -0.40, "husbands": 0.40, "wife": 0.12}
    assert {word: round(polarity[word], 2) for word in known} == known
    assert polarity["she"] == -polarity["he"] > 0.4
