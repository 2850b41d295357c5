"""Token positions in the original text: same tokens, own characters."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.settings import TextSettings
from fairsum_utils.text.fairsumm import FairsummNormalizer
from fairsum_utils.text.languages import fold
from fairsum_utils.text.lemmas import stem
from fairsum_utils.text.locations import folded_origins, lowered_origins
from fairsum_utils.text.nltk_reference import NltkNormalizer
from fairsum_utils.text.normalize import Normalizer, get_normalizer
from fairsum_utils.text.punkt import word_spans, word_tokenize

NEEDS = {"chinese": "rjieba", "japanese": "sudachidict_core", "hindi": "stopwordsiso"}
PUBLISHED = ("fairsumm", "english")
# Characters whose lower case or composed form has another length, or that join their neighbours.
UNLIKE = (
    "İIıKÅſßẞéÉe\u0301\u0323\u0345\u0307\u0344कि्षাোে\u09be\u0b57ÄöЁё\u064e\u0640\u200d\u200c"
    "ﷺﬁ½㎞ｶﾞﾊﾟﾃﾞ가\u1100\u1161\u11a8각각\U0001d15e\U000110ba"
)


def normalizer_of(name: str, language: str) -> Normalizer:
    if language in NEEDS:
        pytest.importorskip(NEEDS[language])
    return get_normalizer(TextSettings(normalizer=name, language=language))


def check(normalizer: Normalizer, text: str) -> None:
    """Check for the same tokens in order, each with at least one character."""
    located = normalizer.located(text)
    assert [token for token, _, _ in located] == normalizer.tokens(text)
    assert all(0 <= start < end <= len(text) for _, start, end in located)
    starts = [start for _, start, _ in located]
    assert starts == sorted(starts)


def written(normalizer: Normalizer, text: str) -> list[str]:
    return [text[start:end] for _, start, end in normalizer.located(text)]


@pytest.mark.parametrize(
    ("name", "language", "text", "expected"),
    [
        (*PUBLISHED, "The soups weren't COLD.", ["soups", "n't", "COLD"]),
        (*PUBLISHED, "Cannot say; gimme 'more'!", ["gim", "'more"]),
        # The period of the inner sentence belongs to its word, that of the last one does not.
        (*PUBLISHED, "Closed 5 p.m. today, closed 5 p.m.", ["Closed", "5", "p.m.", "today", "closed", "5", "p.m"]),
        # Lower case has two characters for the first letter.
        (*PUBLISHED, "İzmir's soup", ["İzmir", "'s", "soup"]),
        (*PUBLISHED, '"Tasty," he``said\'\'  "soup"', ["Tasty", "soup"]),
        (*PUBLISHED, "good.(Soup) ||\tbread\n--stale", ["Soup", "bread", "--", "stale"]),
        ("simple", "english", "The soups weren't COLD", ["soups", "COLD"]),
        ("simple", "french", "Les CAFE\u0301S e\u0301taient grands", ["CAFE\u0301S", "grands"]),
        ("simple", "german", "Die HÄUSER, die Ha\u0308user", ["HÄUSER", "Ha\u0308user"]),
        ("simple", "turkish", "İzmir İSTANBUL", ["İzmir", "İSTANBUL"]),
        ("simple", "arabic", "كِتَابٌ جميل", ["كِتَابٌ", "جميل"]),
        ("simple", "russian", "Ёлка зелёная", ["Ёлка", "зелёная"]),
        ("simple", "hindi", "खाना स्वादिष्ट था", ["खाना", "स्वादिष्ट"]),
        ("simple", "chinese", "汤是凉的。服务员很ＯＫ！", ["汤", "凉", "服务员", "很", "ＯＫ"]),
        # One character for three, and half-width letters, two of which are one.
        ("simple", "japanese", "㍍ ﾊﾟﾝがおいしかった。", ["㍍", "ﾊﾟﾝ", "おいしかっ"]),
    ],
)
def test_worked_examples(name: str, language: str, text: str, expected: list[str]) -> None:
    normalizer = normalizer_of(name, language)
    check(normalizer, text)
    assert written(normalizer, text) == expected


@given(data=st.data())
def test_fragments(messy_text: st.SearchStrategy[str], data: st.DataObject) -> None:
    """Positions found word by word equal those of the exact rules."""
    text, normalizer = data.draw(messy_text), normalizer_of(*PUBLISHED)
    assert isinstance(normalizer, FairsummNormalizer)
    check(normalizer, text)
    lowered = text.lower()
    if len(lowered) == len(text):
        exact = normalizer._spans(lowered, word_tokenize(lowered))
        assert [tuple(place) for place in normalizer.located(text)] == exact
        assert [stem(lowered[start:end]) for _, start, end in exact] == [token for token, _, _ in exact]


@given(data=st.data())
def test_through_nltk(through_nltk: NltkNormalizer, messy_text: st.SearchStrategy[str], data: st.DataObject) -> None:
    text, normalizer = data.draw(messy_text), through_nltk
    check(normalizer, text)
    if normalizer.version.startswith("3.8"):
        assert normalizer.located(text) == FairsummNormalizer().located(text)


@given(data=st.data())
def test_every_character_but_white_space_is_of_a_word(messy_text: st.SearchStrategy[str], data: st.DataObject) -> None:
    text = data.draw(messy_text)
    left = list(text)
    for _, start, end in word_spans(text, word_tokenize(text)):
        left[start:end] = " " * (end - start)
    assert "".join(left).isspace() or not text


@pytest.mark.parametrize(("name", "language"), [PUBLISHED, ("simple", "german")])
def test_every_real_text(name: str, language: str, real_texts: list[str]) -> None:
    normalizer = normalizer_of(name, language)
    for text in real_texts[::4]:
        check(normalizer, text)


@pytest.mark.parametrize("language", ["french", "arabic", "russian", "japanese"])
@given(text=st.one_of(st.text(max_size=30), st.text(UNLIKE + "ab", max_size=12)))
def test_origins_are_of_each_character_of_the_form(language: str, text: str) -> None:
    folded = fold(text, language)
    starts, ends = folded_origins(text, language)
    assert len(starts) == len(ends) == len(folded)
    assert list(starts) == sorted(starts)
    # What stands before a character's origin has as many characters in the form as come before it.
    for place in {start: place for place, start in reversed(list(enumerate(starts)))}.values():
        assert len(fold(text[: starts[place]], language)) == place


def test_only_one_letter_has_a_longer_lower_case() -> None:
    longer = [chr(code) for code in range(sys.maxunicode + 1) if len(chr(code).lower()) != 1]
    assert longer == ["İ"]
    assert list(lowered_origins("aİb").ends) == [1, 2, 2, 3]


def test_every_composition_stays_together() -> None:
    """The parts of each composed character are one piece."""
    for code in range(sys.maxunicode + 1):
        parts = unicodedata.normalize("NFD", chr(code))
        if len(parts) > 1 and len(unicodedata.normalize("NFC", parts)) == 1 and "İ" not in (chr(code), parts[0]):
            assert folded_origins(f"a{parts}a", "french").starts[:3] == [0, 1, 1 + len(parts)]
