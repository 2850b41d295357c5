"""Gender polarity of texts: words, the three methods, embeddings, and the published table."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.polarity.gender import located_words, shipped_table, words
from tests.families.polarity.scoring import labelled


@pytest.fixture
def tiny_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table small enough to work scores by hand."""
    table = {"she": 0.6, "he": -0.6, "nun": 0.8, "uncle": -0.96, "nurse": 0.0}
    monkeypatch.setattr("fairsum_utils.families.polarity.gender.shipped_table", lambda: table)


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


@pytest.mark.parametrize(
    ("method", "text", "expected", "score", "counts", "evidence"),
    [
        # Counts: male, female, known, unknown words, ties. Here he's, man, his against she.
        ("unigram", "He's a man; she is his boss.", "male", -2, (3, 1, 4, 3, 0), ["hes", "man", "she", "his"]),
        ("unigram", "A nurse and her patients.", "female", 1, (0, 1, 1, 4, 0), ["her"]),
        ("unigram", "He saw her.", "neutral", 0, (1, 1, 2, 1, 1), ["he", "her"]),  # not for want of gender
        ("unigram", "Nobody.", "neutral", 0, (0, 0, 0, 1, 0), []),
        ("unigram", "...", "neutral", 0, (0, 0, 0, 0, 0), []),
        # (16/25 - 9/25) / (4/5 + 3/5) = (7/25) / (7/5) = 1/5: under the threshold. (9 + 9 - 9)/25 / (9/5) = 1/5, too.
        ("wavg", "He saw the nun.", "neutral", 0.2, (1, 1, 2, 2, 0), ["he", "nun"]),
        ("wavg", "She, she, he.", "neutral", 0.2, (1, 2, 3, 0, 0), ["she", "she", "he"]),
        # Words that are known and neutral weigh nothing: 24/25 remains. Opposites cancel exactly.
        ("wavg", "Uncle nurse", "male", -0.96, (1, 0, 2, 0, 0), ["uncle"]),
        ("wavg", "A nurse", "neutral", 0, (0, 0, 1, 1, 0), []),
        ("wavg", "Unheard of", "neutral", 0, (0, 0, 0, 2, 0), []),
        ("wavg", "He or she", "neutral", 0, (1, 1, 2, 1, 1), ["he", "she"]),
        # The first word wins among equally polar ones; it is a tie only if they are of both genders.
        ("max", "He saw the nun.", "female", 0.8, (1, 1, 2, 2, 0), ["nun"]),
        ("max", "A nun and her uncle", "male", -0.96, (1, 1, 2, 3, 0), ["uncle"]),
        ("max", "She and he", "female", 0.6, (1, 1, 2, 1, 1), ["she"]),
        ("max", "He and she and he", "male", -0.6, (2, 1, 3, 2, 1), ["he"]),
        ("max", "He, he", "male", -0.6, (2, 0, 2, 0, 0), ["he"]),
    ],
)
def test_worked_examples(
    tiny_table: None, method: str, text: str, expected: str, score: float, counts: Any, evidence: list[str]
) -> None:
    [row] = labelled("gender_polarity", [text], method=method)
    assert (row.labels, row.scores["polarity"]) == ((expected,), pytest.approx(score))
    kinds = ("male_words", "female_words", "known_words", "unknown_words", "ties")
    assert row.counts == {"unknown": counts[2] == 0, **dict(zip(kinds, counts, strict=True))}
    assert [word.word for word in row.evidence] == evidence


@pytest.mark.parametrize("method", ["wavg", "max"])
def test_threshold(tiny_table: None, method: str) -> None:
    rows = [next(labelled("gender_polarity", ["He"], method=method, threshold=limit)) for limit in (0.5, 0.7, 1)]
    assert [row.labels for row in rows] == [("male",), ("neutral",), ("neutral",)]


def test_evidence_says_how_much_each_word_weighs(tiny_table: None) -> None:
    texts = ["Her uncle", "No one", "He ran"]
    found = [((None, "her", 1.0),), (), ((None, "he", -1.0),)]
    assert [row.evidence for row in labelled("gender_polarity", texts)] == found
    [row] = labelled("gender_polarity", ["He and his uncle"], method="max")
    assert row.evidence == ((None, "uncle", pytest.approx(-0.96)),)
    [row] = labelled("gender_polarity", ["He and his uncle"], method="wavg")
    assert row.evidence == ((None, "he", pytest.approx(-0.6)), (None, "uncle", pytest.approx(-0.96)))


def test_shipped_table_has_the_known_values() -> None:
    # Known beforehand: 232 of 26,423 words are not 0; wives -0.40, husbands +0.40, wife 0.12.
    polarity = shipped_table()
    assert (len(polarity), sum(map(bool, polarity.values()))) == (26_423, 232)
    known = {"wives": -0.40, "husbands": 0.40, "wife": 0.12}
    assert {word: round(polarity[word], 2) for word in known} == known
    assert polarity["she"] == -polarity["he"] > 0.4
