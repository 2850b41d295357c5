"""Texts that look the same become the same; what a reader sees stays."""

from __future__ import annotations

import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils._util.characters import unified
from tests._steps import slowdown

E_ACUTE = "\N{LATIN SMALL LETTER E WITH ACUTE}"


def test_by_hand() -> None:
    for text, seen in [
        ("plain", "plain"),
        ("cafe\N{COMBINING ACUTE ACCENT}", f"caf{E_ACUTE}"),
        ("\N{ANGSTROM SIGN}", "\N{LATIN CAPITAL LETTER A WITH RING ABOVE}"),
        ("e\N{ZERO WIDTH SPACE}\N{COMBINING ACUTE ACCENT}", E_ACUTE),
        *((f"so{char}up", "soup") for char in "\u200b\u200c\u200d\u2060\u034f\ufeff"),
        ("co\N{SOFT HYPHEN}op\N{SOFT HYPHEN}", "coop"),
        ("\N{LEFT-TO-RIGHT MARK}soup\N{POP DIRECTIONAL FORMATTING}", "soup"),
        ("\N{HANGUL FILLER}soup", "soup"),
        ("\N{ZERO WIDTH SPACE}", ""),
        ("o\N{LATIN SMALL LIGATURE FFI}ce \N{LATIN SMALL LIGATURE FL}y \N{LATIN SMALL LIGATURE ST}", "office fly st"),
        ("\N{LATIN SMALL LIGATURE IJ}s", "ijs"),
        ("\N{ARABIC LIGATURE LAM WITH ALEF ISOLATED FORM}", "\N{ARABIC LETTER LAM}\N{ARABIC LETTER ALEF}"),
        # No ligatures: letters, and forms that a reader tells apart.
        (
            "\N{LATIN SMALL LIGATURE OE}uvre \N{LATIN SMALL LETTER AE}",
            "\N{LATIN SMALL LIGATURE OE}uvre \N{LATIN SMALL LETTER AE}",
        ),
        (
            "m\N{SUPERSCRIPT TWO} \N{FULLWIDTH LATIN CAPITAL LETTER A}",
            "m\N{SUPERSCRIPT TWO} \N{FULLWIDTH LATIN CAPITAL LETTER A}",
        ),
        ("a\N{NO-BREAK SPACE}b", "a\N{NO-BREAK SPACE}b"),
    ]:
        assert unified(text) == seen


def test_invisible_characters_that_a_reader_sees_the_effect_of() -> None:
    for text in [
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian: mi-khaham
        "\u0d28\u0d4d\u200d",  # Malayalam: a letter that ends a word
        "\u0915\u094d\u200d\u0937",  # Devanagari: half a letter before another
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # Sinhala: Sri
        "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{STAFF OF AESCULAPIUS}",
        "\N{MAN}\N{EMOJI MODIFIER FITZPATRICK TYPE-4}\N{ZERO WIDTH JOINER}\N{COOKING}",
        "\N{WAVING BLACK FLAG}\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # Scotland
        "\u0e01\u0e34\u0e19\u200b\u0e02\u0e49\u0e32\u0e27",  # Thai: two words
    ]:
        assert unified(text) == text


def test_of_a_run_only_the_joiner_stays() -> None:
    heart, fire = "\N{HEAVY BLACK HEART}", "\N{FIRE}"
    assert (
        unified(f"{heart}\N{VARIATION SELECTOR-16}\N{ZERO WIDTH JOINER}{fire}") == f"{heart}\N{ZERO WIDTH JOINER}{fire}"
    )
    assert unified("\u0645\u06cc\u200c\u200c\u0631") == "\u0645\u06cc\u200c\u0631"
    assert unified("\u0645\u06cc\u200c") == "\u0645\u06cc", "nothing follows that it could keep apart"


def test_a_lone_invisible_character_is_a_word_to_the_published_code() -> None:
    lone = "girl \N{ZERO WIDTH JOINER}"
    assert unified(lone, as_published=True) == lone
    assert unified(lone) == "girl "
    assert unified("gi\N{ZERO WIDTH JOINER}rl \N{ZERO WIDTH SPACE}x", as_published=True) == "girl x"


@given(st.text(st.characters(codec="utf-8"), max_size=30))
def test_properties(text: str) -> None:
    found = unified(text)
    assert unified(found) == found
    assert unicodedata.is_normalized("NFC", found)
    assert unified(unicodedata.normalize("NFC", text)) == found == unified(unicodedata.normalize("NFD", text))
    assert unified(found, as_published=True) == found


def test_time_is_linear() -> None:
    for run in ("\u0301\u0327", "\u200b", "a\u0301", "\ufb01"):
        assert slowdown(lambda n, run=run: unified(f"e{run * n}"), 10_000) < 40


def test_long_texts_are_composed_throughout() -> None:
    text = "une cre\u0300me bru\u0302le\u0301e " * 500
    assert unified(text) == unicodedata.normalize("NFC", text)


def test_dropped_characters_are_those_of_unicode() -> None:
    """Nearly all characters of category Cf are default ignorable; prefixed signs of Arabic and Egyptian are not."""
    dropped = {
        chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000 and not unified(chr(code))
    }
    kept = {char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(char) == "Cf"} - dropped
    named = [unicodedata.name(char, "") for char in kept]
    prefixed = ("ARABIC", "SYRIAC ABBREVIATION", "KAITHI", "EGYPTIAN", "INTERLINEAR", "SYRIAC")
    assert all(name.startswith(prefixed) for name in named)
    others = {unicodedata.category(char) for char in dropped} - {"Cf"}
    assert others == {"Mn", "Lo", "Cn"}, "variation selectors, fillers and reserved places"
