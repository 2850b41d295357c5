"""Tag, lemmatize and stem one token as NLTK does when it sees the token alone, mostly by look-up.

The published pipeline tags each token by itself (averaged perceptron), lemmatizes it with the tag's class (WordNet's
morphology) and Porter-stems the lemma. Written down as one rule:

1. A word of the shipped table ``stems.txt.gz`` has the stem that stands there. The table holds every word that one
   suffix rule or an exception list of WordNet leads to a lemma, if its stem is not simply its Porter stem.
2. Any other word whose suffixes lead to a WordNet lemma only when stripped repeatedly ("yesss" -> "yess" -> "yes") is
   tagged with the shipped weights, stripped by the rules of its class, and Porter-stemmed. Such words are endless, so
   no table can hold them; they are also rare.
3. **Every other word is Porter-stemmed as it stands.**

tests/text/test_lemmas.py holds this against NLTK 3.8.1.
"""

from __future__ import annotations

import json
from functools import cache
from typing import NamedTuple

from fairsum_utils._util.resources import read_lines
from fairsum_utils.text.porter import porter_stem

_RULES = {
    "noun": "s> ses>s ves>f xes>x zes>z ches>ch shes>sh men>man ies>y",
    "verb": "s> ies>y es>e es> ed>e ed> ing>e ing>",
    "adjective": "er> est> er>e est>e",
    "adverb": "",
}
"""WordNet's rules of detachment, ``suffix>replacement`` (WordNet 3.0, morphy)."""

_SUFFIXES = {
    pos: [(suffix, new) for suffix, _, new in (rule.partition(">") for rule in rules.split())]
    for pos, rules in _RULES.items()
}
TWICE = tuple(
    {
        second + first if not new else first if new.endswith(second) else second.removesuffix(new) + first
        for rules in _SUFFIXES.values()
        for first, new in rules
        for second, _ in rules
        if new.endswith(second) or second.endswith(new)
    }
)
"""Endings of the words that can be stripped twice by rules of one part of speech."""
_CLASSES = {"NN": "noun", "VB": "verb", "JJ": "adjective", "RB": "adverb"}


class _Lexicon(NamedTuple):
    """WordNet's words of one part of speech, and the forms its exception list settles."""

    lemmas: frozenset[str]
    exceptions: frozenset[str]


class _Tagger(NamedTuple):
    """What NLTK's perceptron tagger needs for a token that stands alone and ends in `TWICE`."""

    known: dict[str, str]
    """The tag of words that nearly always have the same."""
    tags: list[str]
    weights: dict[str, dict[str, float]]
    """Feature -> tag -> weight."""


@cache
def _table() -> dict[str, str]:
    table = {}
    for line in read_lines("stems.txt.gz"):
        word, _, known = line.partition("\t")
        table[word] = known
    return table


@cache
def _lexicons() -> dict[str, _Lexicon]:
    words: dict[tuple[str, str], frozenset[str]] = {}
    for line in read_lines("wordnet.txt.gz"):
        pos, kind, section = line.split("\t")
        words[pos, kind] = frozenset(section.split(" "))
    return {pos: _Lexicon(words[pos, "lemmas"], words[pos, "exceptions"]) for pos in _RULES}


def is_listed(word: str) -> bool:
    """Whether WordNet has a word in small letters as a lemma, of whatever part of speech.

    Example:
        >>> is_listed("mill"), is_listed("okoye")
        (True, False)
    """
    return any(word in lexicon.lemmas for lexicon in _lexicons().values())


@cache
def _tagger() -> _Tagger:
    return _Tagger(**json.loads("\n".join(read_lines("tagger.json.gz"))))


def _word_class(token: str) -> str:
    """The part of speech of a token that stands alone and ends in `TWICE`; noun when its tag has none."""
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
    """Every result of one suffix rule on one of the forms."""
    return [form[: -len(suffix)] + new for form in forms for suffix, new in _SUFFIXES[pos] if form.endswith(suffix)]


def _stripped_repeatedly(token: str) -> dict[str, str]:
    """For each part of speech whose rules lead to a lemma in two or more steps: the shortest such lemma."""
    lemmas = {}
    for pos in _RULES:
        once = _strip([token], pos)
        forms = _strip(once, pos)
        if not forms:
            continue
        lexicon = _lexicons()[pos]
        if token in lexicon.exceptions or not lexicon.lemmas.isdisjoint([token, *once]):
            continue
        while forms:
            known = [form for form in forms if form in lexicon.lemmas]
            if known:
                lemmas[pos] = min(known, key=len)
                break
            forms = _strip(forms, pos)
    return lemmas


def stem(token: str) -> str:
    """Tag, lemmatize and stem one lower-case token, as the published pipeline does.

    Args:
        token: not empty, lower-case.

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
