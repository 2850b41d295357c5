"""One sequence of characters for texts that look the same.

A letter and its accent become one character (NFC), invisible characters are dropped (Default_Ignorable_Code_Point of
Unicode 15), and ligatures of print become letters. Joiners stay where they change what a reader sees.

Source: Unicode Standard Annexes 15 (normalization) and 31, section 2.3 (joiners in identifiers).
"""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# Latin, Armenian and Hebrew ligatures, and the forms of Arabic letters that PDF files contain.
_LIGATURES = "\u0132\u0133\ufb00-\ufb06\ufb13-\ufb17\ufb4f\ufb50-\ufdff\ufe80-\ufefc"

_RUN = re.compile(f"[{_INVISIBLE}]+")
_LIGATURE = re.compile(f"[{_LIGATURES}]")
_EITHER = re.compile(f"[{_INVISIBLE}{_LIGATURES}]")

# Time of NFC is quadratic in a run of accents. Pieces end before ASCII characters, which join nothing before them.
_PIECES = re.compile(r"(?s:.{1,250})[^\x00-\x7f]{0,250}")

_NON_JOINER, _JOINER, _BREAK = "\u200c", "\u200d", "\u200b"
_FLAG = "\N{WAVING BLACK FLAG}"
_TAGS = re.compile("[\U000e0020-\U000e007f]+")
# Scripts whose letters are joined: Arabic, Syriac, N'Ko, Mandaic, Mongolian.
_JOINED = re.compile("[\u0600-\u07ff\u0840-\u08ff\u1800-\u18af\ufb50-\ufdff\ufe70-\ufefc]")
# Devanagari to Sinhala, where a joiner also shapes the last letter of a word.
_INDIC = re.compile("[\u0900-\u0dff]")
# Thai, Lao, Burmese and Khmer, where an invisible blank separates words.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")


def unified(text: str, *, as_published: bool = False) -> str:
    """Return the one form of all texts that look like this one.

    Args:
        text: text, label or id.
        as_published: keep invisible characters that stand alone between blanks, which are words to the published code
            (three Yelp reviews have some).

    Example:
        >>> unified("cafe\N{COMBINING ACUTE ACCENT}"), unified("\N{LATIN SMALL LIGATURE FI}sh")
        ('café', 'fish')
    """
    if text.isascii():
        return text
    if _EITHER.search(text):
        text = _LIGATURE.sub(_letters, _RUN.sub(_visible_or_alone if as_published else _visible, text))
    if unicodedata.is_normalized("NFC", text):
        return text
    return "".join([unicodedata.normalize("NFC", piece) for piece in _PIECES.findall(text)])


def _letters(ligature: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", ligature[0])


def _visible_or_alone(run: re.Match[str]) -> str:
    before, after = _neighbors(run)
    return run[0] if before.isspace() and not after.strip() else _visible(run)


def _neighbors(run: re.Match[str]) -> tuple[str, str]:
    """Return the characters before and after a run, empty at ends."""
    start, end = run.span()
    return run.string[start - 1 : start], run.string[end : end + 1]


def _visible(run: re.Match[str]) -> str:
    """Return the joiner, break or flag that a reader sees of a run."""
    before, after = _neighbors(run)
    if before == _FLAG and (tags := _TAGS.fullmatch(run[0])):
        return tags[0]
    joiner = next((character for character in run[0] if character in (_NON_JOINER, _JOINER)), "")
    is_word = _INDIC.match(before) or (_JOINED.match(before) and _JOINED.match(after))
    is_emoji = joiner == _JOINER and _is_picture(before) and _is_picture(after)
    if joiner and (is_word or is_emoji):
        return joiner
    return _BREAK if _BREAK in run[0] and _UNSPACED.match(before) and _UNSPACED.match(after) else ""


def _is_picture(character: str) -> bool:
    """Check for a part of an emoji: a picture, skin tone, arrow or sign."""
    return not character.isascii() and unicodedata.category(character) in ("So", "Sk", "Sm")
