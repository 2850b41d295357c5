"""Psycholinguistic norms of texts, and the tables they come from."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.families.polarity.norms import FUNCTION_WORDS, content_words, located_words, read_lexicon
from tests.families.polarity.scoring import labelled, make_scorer

HEADER = "word\tvalence\tarousal\tdominance\tjoy\tanger\tsadness\tfear\tdisgust\n"
NEUTRAL = "5\t5\t5\t1\t1\t1\t1\t1\n"


def test_worked_example(lexicon: Path) -> None:
    texts = ["With WAR, and joyful tables!", "Joyful; with the table's.", "With it."]
    rows = list(labelled("psycholinguistic_norms", texts, lexicon=lexicon))
    # "tables" is unknown, "with", "and", "the" are function words. War and joyful: see
    # tests/measures/test_psycholinguistic_norms.py.
    norms = [0, 5 / 12, 1 / 4, 3 / 4, 3 / 4, 2 / 4, 3 / 4, 1 / 4]
    assert list(rows[0].scores.values()) == pytest.approx(norms)
    assert list(rows[0].scores)[:4] == ["valence", "arousal", "dominance", "joy"]
    assert rows[0].labels == ("arousal_positive", "dominance_positive", "joy", "anger", "sadness", "fear", "disgust")
    assert rows[0].counts == {"unknown": 0, "known_words": 2, "unknown_words": 1}
    # Of equally strong words the first; joyful moves valence by 3/4 up, war by 3/4 down and comes first.
    assert [word.dimension for word in rows[0].evidence] == list(rows[0].scores)
    assert rows[0].evidence[0] == ("valence", "war", -0.75)
    assert rows[0].evidence[3] == ("joy", "joyful", 0.75)
    # A word that is neutral throughout has no weight; "table's" is "table".
    assert rows[1].scores["valence"] == 3 / 4
    assert rows[1].counts == {"unknown": 0, "known_words": 2, "unknown_words": 0}
    assert rows[1].labels == ("valence_positive", "arousal_positive", "dominance_positive", "joy")
    # No content word: no score, no label, and counted.
    assert all(map(math.isnan, rows[2].scores.values()))
    assert (rows[2].labels, rows[2].evidence) == ((), None)
    assert rows[2].counts == {"unknown": 1, "known_words": 0, "unknown_words": 0}


@given(st.one_of(st.text(), st.text("aB'’ é-.İK\n ", max_size=30)))
def test_words_stand_in_the_text(text: str) -> None:
    found = located_words(text)
    assert [word for word, _, _ in found] == content_words(text)
    if len(text.lower()) == len(text):  # else a letter can be part of two words
        spelled = [text[start:stop].lower().replace("’", "'") for _, start, stop in found]
        assert spelled == content_words(text)


def test_threshold(lexicon: Path) -> None:
    [row] = labelled("psycholinguistic_norms", ["war"], lexicon=lexicon, threshold=0.75)
    assert row.labels == ("valence_negative", "anger", "fear")  # -3/4, 3/4, 3/4; arousal 1/2, sadness 1/2


def test_a_letter_that_becomes_two_moves_no_word() -> None:
    # The small form of "İ" is "i", a pronoun, with a dot above it, which is no letter.
    assert located_words("İstanbul dog") == [("stanbul", 1, 8), ("dog", 9, 12)]


def test_content_words() -> None:
    found = content_words("She’s well-known; they'll re-open café No. 7 in the O'Hare wing.")
    assert found == ["well", "known", "re", "open", "café", "no", "o'hare", "wing"]
    assert all(word.isalpha() and word.islower() for word in FUNCTION_WORDS)
    assert FUNCTION_WORDS.isdisjoint({"like", "past", "down", "not", "no", "love", "save", "round"})


def test_a_table_as_memolon_has_it(tmp_path: Path) -> None:
    # Written by pandas: quoted where needed, a word that looks like a missing one, predictions beyond the scale, words
    # in capitals of their own, and rows without ratings.
    path = tmp_path / "en.tsv"
    path.write_text(
        HEADER
        + '""""\t5.12\t3.98\t5.0\t2.01\t1.5\t1.43\t1.6\t1.38\n'
        + "nan\t9.31\t0.88\t5.0\t5.2\t0.71\t1.4\t1.4\t1.3\n"
        + "Nan\t5.0\t5.0\t5.0\t1.0\t1.0\t1.0\t1.0\t1.0\n"
        + "null\t\t\t\t\t\t\t\t\n",
        encoding="utf-8",
    )
    table = read_lexicon(path)
    assert table.places == {'"': 0, "nan": 1, "Nan": 2}
    assert table.norms[0].tolist() == pytest.approx([0.03, -0.255, 0.0, 0.2525, 0.125, 0.1075, 0.15, 0.095])
    assert table.norms[1].tolist() == pytest.approx([1.0, -1.0, 0.0, 1.0, 0.0, 0.1, 0.1, 0.075])
    packed = tmp_path / "en.tsv.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read_lexicon(packed).places == table.places


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "cannot be read (Empty CSV file). Give a tab-separated file with the columns word, valence"),
        (b"word\tvalence\njoy\t5\n", "must have exactly one column arousal, found the columns word, valence. Give"),
        (b"word,valence,arousal\n", "must have exactly one column word, found the columns word,valence,arousal. Give"),
        ((HEADER[:-1] + "\tfear\n").encode(), "must have exactly one column fear, found the columns word, valence,"),
        ((HEADER + "joy\t5\t5\n").encode(), "Row #2: Expected 9 columns, got 3"),
        ((HEADER + "joy\thigh\t5\t5\t1\t1\t1\t1\t1\n").encode(), "Row #2: CSV conversion error to double"),
        ((HEADER + "jo\xffy\t" + NEUTRAL).encode("latin-1"), "invalid UTF8"),
        (("w\xffrd" + HEADER + "joy\t" + NEUTRAL).encode("latin-1"), "cannot be read ('utf-8' codec can't decode"),
        (HEADER.encode(), "has no word with all eight ratings. Give"),
        ((HEADER + "joy\t\t5\t5\t1\t1\t1\t1\t1\n").encode(), "has no word with all eight ratings. Give"),
        ((HEADER + "a\t" + NEUTRAL + ("joy\t" + NEUTRAL) * 2).encode(), "has the word 'joy' twice; keep one of the"),
        ((HEADER + "joy\t55\t5\t5\t1\t1\t1\t1\t1\n").encode(), "valence must lie between 1 and 9, found 55 for 'joy'"),
        ((HEADER + "joy\t5\t5\tinf\t1\t1\t1\t1\t1\n").encode(), "dominance must lie between 1 and 9, found inf"),
        ((HEADER + "joy\t.9\t.5\t.5\t1\t1\t1\t1\t1\n").encode(), "between 1 and 9, found a mean of 0.9"),
        ((HEADER + "joy\t5\t5\t5\t.7\t0\t0\t0\t0\n").encode(), "joy must lie between 1 and 5, found a mean of 0.7"),
    ],
)
def test_what_is_no_table_of_norms(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "norms.tsv"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read_lexicon(path)
    assert str(error.value).startswith(f"psycholinguistic_norms: lexicon '{path}'")
    assert message in str(error.value)


def test_without_a_table_there_are_no_norms() -> None:
    with pytest.raises(InputError, match="psycholinguistic_norms: lexicon is missing; give the path of a table"):
        make_scorer("psycholinguistic_norms")
