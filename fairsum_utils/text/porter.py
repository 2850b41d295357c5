"""The Porter stemmer, with the extensions of NLTK's default mode.

Written from the paper and from the description of NLTK's extensions, because importing NLTK costs about two
seconds; ``tests/text/test_porter.py`` holds it against ``nltk.stem.PorterStemmer``.

Source: M. Porter, "An algorithm for suffix stripping", Program 14(3), 1980; step numbers below are the paper's.
"""

from __future__ import annotations

# NLTK: words the rules get wrong.
_IRREGULAR = {
    "sky": "sky",
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "news": "news",
    "innings": "inning",
    "inning": "inning",
    "outings": "outing",
    "outing": "outing",
    "cannings": "canning",
    "canning": "canning",
    "howe": "howe",
    "proceed": "proceed",
    "exceed": "exceed",
    "succeed": "succeed",
}

# (suffix, replacement), tried in order; the first suffix that fits decides, whether its condition holds or not.
_STEP2 = (
    "ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous ization>ize "
    "ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble fulli>ful logi>log"
)
_STEP3 = "icate>ic ative> alize>al iciti>ic ical>ic ful> ness>"
_STEP4 = "al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion> ou> ism> ate> iti> ous> ive> ize>"

_TOUCHED = frozenset("cdegilmnrstuy")
"""Last letters of all suffixes; no step changes a word that ends otherwise."""

_Rules = dict[str, list[tuple[str, str]]]


def _by_last_letter(rules: str) -> _Rules:
    table: _Rules = {}
    for rule in rules.split():
        suffix, _, replacement = rule.partition(">")
        table.setdefault(suffix[-1], []).append((suffix, replacement))
    return table


_RULES2, _RULES3, _RULES4 = _by_last_letter(_STEP2), _by_last_letter(_STEP3), _by_last_letter(_STEP4)


class _LetterClass(dict[int, str]):
    """Code point -> "v" for a vowel, "c" for anything else; "y" is decided by its neighbour."""

    def __missing__(self, code: int) -> str:
        return "c"


_LETTERS = _LetterClass({ord(letter): "v" for letter in "aeiou"} | {ord("y"): "y"})


def _form(word: str) -> str:
    """The word as a string of c and v: "toy" -> "cvc", "syzygy" -> "cvcvcv"."""
    form = word.translate(_LETTERS)
    if "y" not in form:
        return form
    letters: list[str] = []
    for letter in form:
        if letter == "y":
            letter = "v" if letters and letters[-1] == "c" else "c"
        letters.append(letter)
    return "".join(letters)


def _measure(word: str) -> int:
    """Porter's m: how often a vowel run is followed by a consonant run."""
    return _form(word).count("vc")


def _ends_cvc(word: str) -> bool:
    """Porter's *o, and (NLTK) a two-letter vowel-consonant word."""
    form = _form(word)
    return form == "vc" or (form.endswith("cvc") and word[-1] not in "wxy")


def _apply(word: str, rules: _Rules, least: int) -> str:
    """Replace the first suffix that fits if the measure of what stands before it exceeds `least`."""
    for suffix, replacement in rules.get(word[-1:], ()):
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            # The l of "logi" counts with the stem (NLTK), so that geo, theo work like archaeo.
            counted = stem + "l" if suffix == "logi" else stem
            if _measure(counted) > least and (suffix != "ion" or stem[-1] in "st"):
                return stem + replacement
            return word
    return word


def _step1a(word: str) -> str:
    if word[-1] != "s":
        return word
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word if word.endswith("ss") else word[:-1]


def _step1b(word: str) -> str:
    if word[-1] not in "dg":
        return word
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix) and "v" in _form(word[: -len(suffix)]):
            stem = word[: -len(suffix)]
            break
    else:
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if len(stem) >= 2 and stem[-1] == stem[-2] and _form(stem)[-1] == "c":
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _ends_cvc(stem) else stem


def _step1c(word: str) -> str:
    if word[-1] == "y" and len(word) > 2 and _form(word[:-1])[-1] == "c":
        return word[:-1] + "i"
    return word


def _step2(word: str) -> str:
    if word[-1] == "i" and word.endswith("alli") and _measure(word[:-4]) > 0:
        return _step2(word[:-2])
    return _apply(word, _RULES2, 0)


def _step5(word: str) -> str:
    if word[-1] == "e":
        stem = word[:-1]
        measure = _measure(stem)
        if measure > 1 or (measure == 1 and not _ends_cvc(stem)):
            word = stem
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word


def porter_stem(word: str) -> str:
    """Stem one word.

    Args:
        word: any string; lower-cased first.

    Returns:
        The stem: a lower-case string, never empty unless the word is.

    Example:
        >>> [porter_stem(word) for word in ("ponies", "relational", "hopping", "dying")]
        ['poni', 'relat', 'hop', 'die']
    """
    stem = word.lower()
    if stem in _IRREGULAR:
        return _IRREGULAR[stem]
    if len(word) <= 2 or stem[-1] not in _TOUCHED:
        return stem
    for step in (_step1a, _step1b, _step1c, _step2):
        stem = step(stem)
    stem = _apply(stem, _RULES3, 0)
    stem = _apply(stem, _RULES4, 1)
    return _step5(stem)
