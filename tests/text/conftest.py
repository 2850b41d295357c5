"""Text that is hard to cut, and real text."""

from __future__ import annotations

import gzip
import json
import string
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from fairsum_utils.text.nltk_reference import NltkNormalizer

from ..conftest import LONG

LETTERS = ("a", "b", "t", "x", "I", "Z", "é", "ß", "ſ", "Σ", "日本", "😀", "i\u0307", "İ", "e\u0301", "\u200b")
MARKS = (*string.punctuation, *"“”‘’„«»–—…", "''", "``", "...", "..", ". . .", "--", "---", "||", "?!", '."', ".)")
WORDS = (
    "dr. Dr. U.S. u.s. p.m. a.m. e.g. etc. No. St. j. Mr. cannot wanna gonna gotta gimme lemme d'ye more'n 'tis "
    "'twas n't don't it's we'll they've I'm he'd 's 'S 'RE N'T food The was Was great yesss dogs children 1 42 3.5 "
    "1,000 2nd 2020 -7 co-op x.y a.b.c. http://t.co/Ab1 @user #tag :) :-( <3"
)
SPACES = (*"    \n\t\x0b\x0c\x1c\x1f\x85\xa0\u2028\u3000", "  ", "\n\n", "\r\n")


@pytest.fixture(scope="session")
def messy_text() -> st.SearchStrategy[str]:
    """Strategy of rule-relevant fragments, joined in any order."""
    fragment = st.one_of(*map(st.sampled_from, (LETTERS, MARKS, MARKS, WORDS.split(), SPACES, SPACES)))
    return st.lists(fragment, max_size=18).map("".join)


@pytest.fixture(scope="session")
def through_nltk(nltk_data: Path) -> NltkNormalizer:
    """Return the published normalization by NLTK; loading its tagger takes a second."""
    return NltkNormalizer()


@pytest.fixture(scope="session")
def real_texts(shared_data: Path) -> list[str]:
    """Yelp sets (joined reviews, GPT-4's summaries) and raw tweets; every sixteenth unless LONG."""
    folder = shared_data / "perspectivesumm"
    texts = []
    with gzip.open(folder / "yelp_gpt4.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            for value in sorted(set(row["values"])):
                of_value = [text for text, label in zip(row["sources"], row["values"], strict=True) if label == value]
                texts.append(" || ".join(of_value))
            texts.append(row["prediction"])
    for name in ("claritin_raw.txt", "us_election_raw.txt"):
        lines = (folder / name).read_bytes().decode("utf-8", errors="replace").split("\n")
        texts += [line.split("<||>")[2] for line in lines if line]
    return texts if LONG else texts[::16]


@pytest.fixture(scope="session")
def real_words(real_texts: list[str], oracle: Any) -> list[tuple[str, list[str]]]:
    """Each real text, lower-cased, with the words NLTK cuts it into."""
    return [(text, oracle.word_tokenize(text)) for text in map(str.lower, real_texts)]
