"""Names and texts in whole tokens."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.text.person_names import (
    SUFFIXES,
    TITLES,
    core_tokens,
    is_initial,
    name_tokens,
    split_words,
    text_tokens,
)


def test_name_tokens() -> None:
    for name, tokens in [
        ("Melissa LEVIN", ["melissa", "levin"]),
        ("Mr. Levin's", ["mr", "levin"]),
        ("LEVIN'S", ["levin"]),
        ("Adler’", ["adler"]),
        ("J.R.R. Tolkien", ["j", "r", "r", "tolkien"]),
        ("Martin Luther King, Jr.", ["martin", "luther", "king", "jr"]),
        ("O’Adlersen's", ["o'adlersen"]),
        ("D'Souza", ["d'souza"]),
        ("Smith-Jones", ["smith-jones"]),
        ("Smith‑Jones", ["smith-jones"]),  # a hyphen that does not break
        ('‘Melissa’ "Mel" Levin', ["melissa", "mel", "levin"]),
        ("Weiß", ["weiss"]),
        ("Jose\u0301 Núñez", ["jose", "nunez"]),  # an accent as a character of its own
        ("m\u0303a", ["ma"]),  # an accent that no letter is composed with
        ("İpek", ["ipek"]),  # lower case gives "i" and a dot above
        ("ＡＤＬＥＲ ﬁona", ["adler", "fiona"]),  # letters of full width, a ligature
        ("Wałęsa, Bjørn Đukić Işık Æneas", ["walesa", "bjorn", "dukic", "isik", "aeneas"]),  # a stroke is an accent
        ("Þór Friðrik", ["þor", "friðrik"]),  # letters of their own
        ("Adler™", ["adler"]),
        # possessive endings as tokenized corpora write them, and other apostrophes
        ("Adler 's", ["adler"]),
        ("Adlers '", ["adlers"]),
        ("Adlerʼs Adler´s Adler`s O´Neil", ["adler", "adler", "adler", "o'neil"]),
        ("Adler\n's", ["adler", "s"]),  # another line
        ("Malcolm 'S' Adler", ["malcolm", "s", "adler"]),  # a letter in quotes
        # marks of other scripts, which Python's \\w leaves out
        ("राम मोहन", ["राम", "मोहन"]),
        ("محمّد", ["محمّد"]),
        ("_Levin_ 2nd 007", ["levin", "2nd"]),
        ("", []),
        ("12 — ?", []),
    ]:
        assert name_tokens(name) == tuple(tokens)


def test_marks_of_other_scripts_tell_names_apart() -> None:
    for name, other in [
        ("राम", "रोम"),  # vowel signs
        ("قّ", "قَ"),  # short vowels
        ("が", "か"),  # voiced and not
        ("דִּ", "דָ"),
    ]:
        assert name_tokens(name) != name_tokens(other)
        assert name_tokens(unicodedata.normalize("NFD", name)) == name_tokens(name)


def test_marks_do_not_cut_words() -> None:
    """Marks of the module's scripts; rarer scripts are left out."""
    marks = [mark for mark in map(chr, range(0x300, 0x483)) if unicodedata.category(mark).startswith("M")]
    scripts = "DEVANAGARI BENGALI GURMUKHI GUJARATI ORIYA TAMIL TELUGU KANNADA MALAYALAM SINHALA THAI LAO KHMER HEBREW"
    named = tuple(f"{script} " for script in scripts.split())
    of_script = [mark for mark in map(chr, range(0x590, 0x17D4)) if unicodedata.name(mark, "").startswith(named)]
    rare = "\u09fe\u0afa\u0afb\u0afc\u0afd\u0afe\u0aff"  # in the writing of Sanskrit and of Arabic
    marks += [mark for mark in of_script if unicodedata.category(mark).startswith("M") and mark not in rare]
    assert len(marks) > 400
    for mark in marks:
        assert len(name_tokens(f"क{mark}क")) == 1, unicodedata.name(mark)


def test_titles_and_suffixes() -> None:
    assert set(name_tokens("Mr. Mrs Ms. Miss SIR Lady Dr. Prof. President Sen.")) <= TITLES
    assert set(name_tokens("Jr. Sr II III IV")) <= SUFFIXES


def test_core_tokens() -> None:
    for tokens, core in [
        (("prime", "minister", "ann", "lee"), ("ann", "lee")),
        (("stephen", "king"), ("stephen", "king")),  # a title stands before a name
        (("mr", "king"), ("king",)),
        (("lee", "jr"), ("lee",)),
        (("sir",), ("sir",)),
        ((), ()),
    ]:
        assert core_tokens(tokens) == core


def test_initials() -> None:
    assert [token for token in ("j", "é", "jr", "1", "李", "") if is_initial(token)] == ["j", "é"]


def test_text_tokens() -> None:
    for text, tokens in [
        ("The Levin-led firm's U.S. arm.", {"the", "levin-led", "levin", "led", "firm", "u", "s", "arm"}),
        ("Lincoln (LI’s)", {"lincoln", "li"}),
        ("O’Adlersen, O'Adlersen and 'Adler'", {"o'adlersen", "and", "adler"}),
        ("she'll he'd I'm don't", {"she", "he", "i", "don't"}),
        ("Smith‐Jones's", {"smith-jones", "smith", "jones"}),
        ("", set()),
    ]:
        assert text_tokens(text) == tokens


@given(st.text())
def test_split_words_loses_nothing(text: str) -> None:
    pairs = split_words(text)
    assert "".join(word + after for word, after in pairs) == text
    assert pairs[0][0] == ""
    assert all(word for word, _ in pairs[1:])
