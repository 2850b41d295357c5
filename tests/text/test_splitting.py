"""Sentences of every language, cut by hand, and repairs of the splitter."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.text.languages import LANGUAGES, UNSPACED, check_language
from fairsum_utils.text.splitting import (
    ENDS,
    SentenceSplitter,
    chinese_pieces,
    cut_text,
    get_splitter,
    japanese_morphemes,
    located,
    pieces_of,
    reading_level,
    sentence_units,
    syllables,
)

TEXT = st.text("汤很好喝服务员すしはうまい。！? \nab1😀", max_size=60)


@given(text=TEXT)
@pytest.mark.parametrize(("language", "package"), [("chinese", "rjieba"), ("japanese", "sudachidict_core")])
def test_pieces_are_the_text(language: str, package: str, text: str) -> None:
    pytest.importorskip(package)
    assert "".join(pieces_of(language)(text)) == text


def test_pieces_of_a_text() -> None:
    pytest.importorskip("rjieba")
    assert chinese_pieces("价格是3.5元") == ["价格", "是", "3.5", "元"]
    pytest.importorskip("sudachidict_core")
    eaten = list(japanese_morphemes("寿司を食べた。"))
    assert [morpheme.lemma for morpheme in eaten] == ["寿司", "を", "食べる", "た", "。"]
    assert [morpheme.is_function for morpheme in eaten] == [False, True, False, True, False]
    assert [morpheme.is_word for morpheme in eaten] == [True, True, True, True, False]


GOLDENS = json.loads(Path(__file__).with_name("golden_languages.json").read_text(encoding="utf-8"))
PACKAGE = {"zh": "rjieba", "ja": "sudachidict_core"}


def splitter_of(code: str) -> SentenceSplitter:
    if code != "en":
        pytest.importorskip("sentencex")
    if code in PACKAGE:
        pytest.importorskip(PACKAGE[code])
    return get_splitter(check_language("test", "language", code))


ABBREVIATIONS = {
    "fr": ["M. Dupont est venu. | Il était content.", "Le Dr. Martin et MM. Leroy et Petit. | Fin."],
    "hi": ["डॉ. शर्मा आए। | वे खुश थे।"],
    "de": [
        "Am 3. Oktober war zu. | Schade.",
        "Am 31. Dezember und im 2. Stock. | Gut.",
        "Es waren 200. | Alle kamen.",
    ],
    "pt": [
        "Peixe, arroz, etc. estavam bons. | Voltamos.",
        "Vimos peixe, etc. | Voltamos.",
        "Ver pág. 12 do cardápio. | Obrigado.",
    ],
    "es": ["Véase pág. 5 de la carta. | Gracias."],
    "ru": ["Живу на ул. Ленина. | Тихо."],
    "ar": ["د. أحمد طبيب. | شكرا."],
    "ja": ["「また来ます。」 | スタッフは親切。"],
}


@pytest.mark.parametrize("code", GOLDENS)
def test_goldens_and_abbreviations(code: str) -> None:
    splitter = splitter_of(code)
    texts = [text["sentences"] for text in GOLDENS[code]["texts"]]
    for expected in (*texts, *(text.split(" | ") for text in ABBREVIATIONS.get(code, ()))):
        assert splitter.sentences(splitter.space.join(expected)) == expected


def test_signatures() -> None:
    pytest.importorskip("sentencex")
    assert get_splitter().signature is None
    assert get_splitter("german").signature == f"german(sentencex {version('sentencex')})"


def test_every_language_has_a_splitter() -> None:
    for package in ("sentencex", "rjieba", "sudachidict_core"):
        pytest.importorskip(package)
    for language in LANGUAGES:
        assert get_splitter(language).space == ("" if language in UNSPACED else " ")


@pytest.mark.parametrize("code", GOLDENS)
def test_sentences_stand_in_the_text(code: str, messy_text: st.SearchStrategy[str]) -> None:
    splitter = splitter_of(code)
    goldens = st.sampled_from([sentence for text in GOLDENS[code]["texts"] for sentence in text["sentences"]])

    @given(text=st.lists(goldens | messy_text, max_size=5).map("\n ".join))
    def check(text: str) -> None:
        parts = splitter.sentences(text)
        spans = located(text, parts)
        assert [text[start:stop] for start, stop in spans] == parts
        # Nothing but white space is between them, and words of a sentence are found alike.
        assert "".join("".join(parts).split()) == "".join(text.split())
        words = [word for part in parts for word in splitter.words(part)]
        assert [text[start:stop] for start, stop in located(text, words)] == words

    check()


@pytest.mark.parametrize("blank", ["\xa0", "\u2028", "\n\x85\u3000"])
def test_an_initial_with_an_odd_blank(blank: str) -> None:
    """sentencex panics at these with an error outside Exception."""
    pytest.importorskip("sentencex")
    text = f"Bon. Louis I{blank}. \xd9t\xe9"
    assert get_splitter("french").sentences(text)[0] == "Bon."
    assert "".join("".join(get_splitter("french").sentences(text)).split()) == "".join(text.split())


def test_sentence_units() -> None:
    for summary, units in [
        ("Dr. Who came. He left!", ["Dr. Who came.", "He left!"]),
        ("  It was good.\n\n42! \n", ["It was good.", "42!"]),
        ("Great! !!! Cold.", ["Great!", "Cold."]),
        ("Très bon. すし。", ["Très bon.", "すし。"]),
        ("", []),
        (" \n", []),
        ("?! - ...", []),
    ]:
        assert sentence_units(summary) == units


# Syllables -> words that have so many in the CMU Pronouncing Dictionary.
KNOWN = {
    1: "the cat time walked times strength eyes moved queue lived judged bridge likes",
    2: "table wanted houses being riot people faces prism didn't happy water added lately careless judges",
    3: "syllables animal area creating radio united December audience beautiful realized",
    4: "society operation information January education American",
    5: "university opportunity administrative",
}


def test_syllables() -> None:
    for n, word in [(n, word) for n, words in KNOWN.items() for word in words.split()]:
        assert syllables(word) == syllables(word.upper()) == n


def test_grade_by_hand() -> None:
    """Ten words in two sentences, of 9 and 5 syllables."""
    text = "The happy people wanted water. The cat sat on it."
    assert reading_level(text) == pytest.approx(0.39 * 5 + 11.8 * (9 + 5) / 10 - 15.59)


TEXT_CUTTING = " It was\n\ngood.  We left. "


def test_by_hand() -> None:
    for words, from_beginning, from_end in [
        (5, TEXT_CUTTING, TEXT_CUTTING),
        (4, "was\n\ngood.  We left. ", " It was\n\ngood.  We"),
        (1, "left. ", " It"),
    ]:
        assert cut_text(TEXT_CUTTING, words) == from_beginning
        assert cut_text(TEXT_CUTTING, words, cut_from="end") == from_end


@given(text=st.text("ab \n.\u3000", max_size=40), words=st.integers(1, 9), cut_from=st.sampled_from(ENDS))
def test_it_keeps_a_stretch_of_so_many_words(text: str, words: int, cut_from: str) -> None:
    cut = cut_text(text, words, cut_from)
    kept = text.split()[-words:] if cut_from == "beginning" else text.split()[:words]
    assert cut.split() == kept
    assert text.endswith(cut) if cut_from == "beginning" else text.startswith(cut)


def test_longer_than_the_tokenizer_takes() -> None:
    pytest.importorskip("sudachidict_core")
    for sentence in ("寿司", "😀"):
        text = sentence * (60_000 // len(sentence))
        assert "".join(morpheme.surface for morpheme in japanese_morphemes(text)) == text
    # It is cut behind sentences.
    assert list(japanese_morphemes("おいしいです。" * 4000)) == list(japanese_morphemes("おいしいです。")) * 4000
