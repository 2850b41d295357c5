"""Tagging, lemmatizing and stemming of single tokens as NLTK does, mostly by look-up.

The published pipeline tags each token by itself (averaged perceptron), lemmatizes it with the tag's class (WordNet's
morphology) and Porter-stems the lemma. The same in three rules:

1. A word in the shipped table ``stems.txt.gz`` has the stem given there. The table holds every word that one suffix
   rule or an exception list of WordNet leads to a lemma, unless its stem is simply its Porter stem.
2. Any other word whose suffixes lead to a WordNet lemma only when stripped repeatedly ("yesss" -> "yess" -> "yes") is
   tagged with the shipped weights, stripped by the rules of its class, and Porter-stemmed. These words are rare, and
   there are infinitely many, so a table cannot hold them.
3. **Every other word is Porter-stemmed directly.**

The Porter stemmer includes the extensions of NLTK's default mode. It is written from the paper and from the description
of these extensions, because importing NLTK takes about two seconds. ``tests/text/test_lemmas.py`` compares all results
with NLTK 3.8.1.

Source: M. Porter, "An algorithm for suffix stripping", Program 14(3), 1980; step numbers below are the paper's.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from functools import cache
from typing import NamedTuple

from fairsum_utils._util.resources import read_lines

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

# (suffix, replacement), tried in order; the first matching suffix decides, even if its condition fails.
_STEP2 = (
    "ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous ization>ize "
    "ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble fulli>ful logi>log"
)
_STEP3 = "icate>ic ative> alize>al iciti>ic ical>ic ful> ness>"
_STEP4 = "al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion> ou> ism> ate> iti> ous> ive> ize>"

# Last letters of all suffixes; no step changes a word with another ending.
_TOUCHED = frozenset("cdegilmnrstuy")

_Rules = list[tuple[str, str]]


def _parsed(rules: str) -> _Rules:
    """Split rules ``suffix>replacement``."""
    return [(suffix, new) for suffix, _, new in (rule.partition(">") for rule in rules.split())]


_RULES2, _RULES3, _RULES4 = _parsed(_STEP2), _parsed(_STEP3), _parsed(_STEP4)


class _LetterClass(dict[int, str]):
    """Map from code point to "v" for vowels and "c" otherwise."""

    def __missing__(self, code: int) -> str:
        return "c"


_LETTERS = _LetterClass({ord(letter): "v" for letter in "aeiou"} | {ord("y"): "y"})


def _form(word: str) -> str:
    """Spell the word in c and v: "toy" -> "cvc", "syzygy" -> "cvcvcv"."""
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
    """Count the vowel runs followed by a consonant run (Porter's m)."""
    return _form(word).count("vc")


def _ends_cvc(word: str) -> bool:
    """Porter's *o, and (NLTK) a two-letter vowel-consonant word."""
    form = _form(word)
    return form == "vc" or (form.endswith("cvc") and word[-1] not in "wxy")


def _apply(word: str, rules: _Rules, least: int) -> str:
    """Replace the first matching suffix if the stem's measure exceeds `least`."""
    for suffix, replacement in rules:
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


# WordNet's rules of detachment, ``suffix>replacement`` (WordNet 3.0, morphy).
_RULES = {
    "noun": "s> ses>s ves>f xes>x zes>z ches>ch shes>sh men>man ies>y",
    "verb": "s> ies>y es>e es> ed>e ed> ing>e ing>",
    "adjective": "er> est> er>e est>e",
    "adverb": "",
}

_SUFFIXES = {pos: _parsed(rules) for pos, rules in _RULES.items()}
#: Endings of the words that can be stripped twice by rules of one part of speech.
TWICE = tuple(
    {
        second + first if not new else first if new.endswith(second) else second.removesuffix(new) + first
        for rules in _SUFFIXES.values()
        for first, new in rules
        for second, _ in rules
        if new.endswith(second) or second.endswith(new)
    }
)
_CLASSES = {"NN": "noun", "VB": "verb", "JJ": "adjective", "RB": "adverb"}


class _Tagger(NamedTuple):
    """Data of NLTK's perceptron tagger for a single token ending in `TWICE`."""

    #: The tag of words that nearly always have the same.
    known: dict[str, str]
    tags: list[str]
    #: Feature -> tag -> weight.
    weights: dict[str, dict[str, float]]


@cache
def _table() -> dict[str, str]:
    table = {}
    for line in read_lines("stems.txt.gz"):
        word, _, known = line.partition("\t")
        table[word] = known
    return table


class _Words:
    """Sorted words in one text, searched by bisection: a tenth of a set's memory."""

    def __init__(self, words: str) -> None:
        self._text = f" {words} "

    def __contains__(self, word: str) -> bool:
        found = bisect_left(range(1, len(self._text) - 1), word, key=self._word_at)
        return self._word_at(found + 1) == word

    def _word_at(self, place: int) -> str:
        start = self._text.rfind(" ", 0, place) + 1
        return self._text[start : self._text.find(" ", start)]


@cache
def _wordnet() -> dict[tuple[str, str], _Words]:
    """Map (part of speech, ``lemmas`` or ``exceptions``) to WordNet's words."""
    lines = (line.split("\t") for line in read_lines("wordnet.txt.gz"))
    return {(pos, kind): _Words(section) for pos, kind, section in lines}


def is_listed(word: str) -> bool:
    """Return whether WordNet lists a lower-case word as a lemma.

    Example:
        >>> is_listed("mill"), is_listed("okoye")
        (True, False)
    """
    return any(word in _wordnet()[pos, "lemmas"] for pos in _RULES)


@cache
def _tagger() -> _Tagger:
    return _Tagger(**json.loads("\n".join(read_lines("tagger.json.gz"))))


def _word_class(token: str) -> str:
    """Return the part of speech of a lone token ending in `TWICE`."""
    tagger = _tagger()
    if token in tagger.known:
        return _CLASSES.get(tagger.known[token][:2], "noun")
    if "-" in token and token[0] != "-":
        word = "!HYPHEN"
    elif token.isdigit() and len(token) == 4:
        word = "!YEAR"
    else:
        word = "!DIGITS" if token[0].isdigit() else token
    tags, edges = [f"tags {number}" for number in range(3)], [f"edges {number}" for number in range(6)]
    # In this order: floating-point sums must round as NLTK's do, since ties occur.
    ends = f"suffix {token[-3:]}", f"prefix {token[0]}"
    features = ("bias", *ends, *tags, f"word {word}", f"first {word}", *edges)
    scores = dict.fromkeys(tagger.tags, 0.0)
    for feature in features:
        for tag, weight in tagger.weights.get(feature, {}).items():
            scores[tag] += weight
    return _CLASSES.get(max(scores, key=lambda tag: (scores[tag], tag))[:2], "noun")


def _strip(forms: list[str], pos: str) -> list[str]:
    """List every result of one suffix rule on one of the forms."""
    return [form[: -len(suffix)] + new for form in forms for suffix, new in _SUFFIXES[pos] if form.endswith(suffix)]


def _stripped_repeatedly(token: str) -> dict[str, str]:
    """Find the shortest lemma that needs several rule steps, by part of speech."""
    lemmas = {}
    for pos in _RULES:
        once = _strip([token], pos)
        forms = _strip(once, pos)
        if not forms:
            continue
        listed = _wordnet()[pos, "lemmas"]
        if token in _wordnet()[pos, "exceptions"] or any(word in listed for word in (token, *once)):
            continue
        while forms:
            known = [form for form in forms if form in listed]
            if known:
                lemmas[pos] = min(known, key=len)
                break
            forms = _strip(forms, pos)
    return lemmas


def stem(token: str) -> str:
    """Tag, lemmatize and stem one lower-case token, as the published pipeline does.

    Example:
        >>> [stem(token) for token in ("children", "went", "tasty", "yesss", "covfefes")]
        ['child', 'go', 'tasti', 'ye', 'covfef']
    """
    known = _table().get(token)
    if known is not None:
        return known
    plain = porter_stem(token)
    if token.endswith(TWICE):
        stems = {pos: porter_stem(lemma) for pos, lemma in _stripped_repeatedly(token).items()}
        if any(stemmed != plain for stemmed in stems.values()):
            return stems.get(_word_class(token), plain)
    return plain
