"""Sentence boundaries by Punkt, with English parameters that are shipped.

Sentences: the rules are those of the paper as applied by NLTK, so the boundaries equal ``nltk.sent_tokenize``'s. They
are rewritten here because importing NLTK takes about two seconds and needs a download of its data. NLTK changed them
once: since 3.10.2 typographic quotes close a sentence as straight ones do. Text is split by the newer rules, and the
published normalization uses those of 3.8.

Words: the rules of ``nltk.word_tokenize`` of NLTK 3.8 (Apache-2.0, after R. MacIntyre's Penn Treebank script), in its
order. The published numbers come from that version. NLTK 3.9 and 3.10 cut dashes and single quotes differently, which
changes the numbers (SOF on Yelp from 0.5428 to 0.5483 percent with 3.10).

``tests/text/test_punkt.py`` compares both with NLTK.

Source: T. Kiss and J. Strunk, "Unsupervised Multilingual Sentence Boundary Detection", Computational Linguistics 32(4),
2006; section numbers below are the paper's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from fairsum_utils._util.resources import read_lines

#: Characters that end a word wherever they stand.
NON_WORD = ")\";}]*:@'({[?!"
#: Characters that stay with the sentence they close.
CLOSING = "\"')]}"
# Characters that NLTK adds to both since 3.10.2.
_TYPOGRAPHIC = "‘’“”«»"

_DOTS_OR_DASHES = r"(?:-{2,}|\.{2,}|(?:\.\s){2,}\.)"
_NUMBER = re.compile(r"^-?[.,]?\d[\d,.-]*\.?$")
_INITIAL = re.compile(r"[^\W\d]\.$")
_ASCII_SPACE = " \t\n\r\x0b\x0c"

# Orthographic contexts of a word type (section 4.1.1), as bits of a table entry.
_MID_UPPER, _BEGIN_LOWER = 1 << 2, 1 << 4
_UPPER = 1 << 1 | 1 << 2 | 1 << 3
_LOWER = 1 << 4 | 1 << 5 | 1 << 6


class _Patterns(NamedTuple):
    """The regular expressions that the quotes are part of."""

    potential_end: re.Pattern[str]
    token: re.Pattern[str]
    closing_run: re.Pattern[str]


def _patterns(quotes: str) -> _Patterns:
    non_word = f"[{re.escape(NON_WORD + quotes)}]"
    word_end = rf"\s|$|{non_word}|{_DOTS_OR_DASHES}"
    return _Patterns(
        re.compile(rf"[.?!](?=(?P<after>{non_word}|\s+(?P<next>\S+)))"),
        re.compile(rf"{_DOTS_OR_DASHES}|(?=[^(\"`{{\[:;&#*@)}}\]\-,])\S+?(?={word_end}|,(?={word_end}))|\S"),
        re.compile(rf"[{re.escape(CLOSING + quotes)}]+?(?:\s+|(?=--)|$)", re.MULTILINE),
    )


_STRAIGHT, _ALL = _patterns(""), _patterns(_TYPOGRAPHIC)


class PunktParameters(NamedTuple):
    """Parameters that Punkt learned from a training corpus."""

    abbreviations: frozenset[str]
    collocations: frozenset[tuple[str, str]]
    starters: frozenset[str]
    orthography: dict[str, int]


@cache
def english() -> PunktParameters:
    """NLTK's English parameters, read from the shipped table at first use."""
    sections: dict[str, list[str]] = {"abbreviation": [], "collocation": [], "starter": [], "orthography": []}
    for line in read_lines("punkt_english.tsv.gz"):
        kind, _, fields = line.partition("\t")
        sections[kind].append(fields)
    orthography = "\t".join(sections["orthography"]).split("\t")  # one split is faster than 20,000
    return PunktParameters(
        abbreviations=frozenset(sections["abbreviation"]),
        collocations=frozenset((first, second) for first, second in map(str.split, sections["collocation"])),
        starters=frozenset(sections["starter"]),
        orthography=dict(zip(orthography[::2], map(int, orthography[1::2]), strict=True)),
    )


def _type(token: str) -> str:
    return _NUMBER.sub("##number##", token.lower())


def _first_pass(token: str, parameters: PunktParameters) -> tuple[bool, bool]:
    """(sentence break, abbreviation or ellipsis), from the token alone (section 4.1)."""
    if token in (".", "?", "!"):
        return True, False
    if token.endswith(".."):
        return False, not token.strip(".")
    if not token.endswith("."):
        return False, False
    word = token[:-1].lower()
    known = parameters.abbreviations
    abbreviation = word in known or word.split("-")[-1] in known
    return not abbreviation, abbreviation


def _starts_sentence(token: str, token_type: str, parameters: PunktParameters) -> bool | None:
    """Apply the orthographic heuristic (section 4.1.1); None if undecided."""
    if token in (";", ":", ",", ".", "!", "?"):
        return False
    context = parameters.orthography.get(token_type, 0)
    if token[0].isupper() and context & _LOWER and not context & _MID_UPPER:
        return True
    if token[0].islower() and (context & _UPPER or not context & _BEGIN_LOWER):
        return False
    return None


def _breaks_between(token: str, following: str, parameters: PunktParameters) -> bool:
    """Return whether a sentence ends between two tokens (sections 4.1 to 4.3)."""
    is_break, abbreviation_or_ellipsis = _first_pass(token, parameters)
    if not token.endswith("."):
        return is_break
    word_type = _type(token)
    if len(word_type) > 1 and word_type.endswith("."):
        word_type = word_type[:-1]
    next_type = _type(following)
    if _first_pass(following, parameters)[0] and len(next_type) > 1 and next_type.endswith("."):
        next_type = next_type[:-1]
    if (word_type, next_type) in parameters.collocations:
        return False
    initial = _INITIAL.match(token) is not None
    starts = _starts_sentence(following, next_type, parameters)
    starter = following[0].isupper() and next_type in parameters.starters
    if abbreviation_or_ellipsis and not initial and (starts or starter):
        return True
    if initial or word_type == "##number##":
        if starts is False:
            return False
        always_upper = following[0].isupper() and not parameters.orthography.get(next_type, 0) & _LOWER
        if starts is None and initial and always_upper:
            return False
    return is_break


def splits_here(context: str) -> bool:
    """Return whether Punkt of NLTK 3.8 ends a sentence in a context.

    Example:
        >>> splits_here("food. we"), splits_here("dr. who")
        (True, False)
    """
    return _splits(context, _STRAIGHT)


def _splits(context: str, patterns: _Patterns) -> bool:
    parameters = english()
    tokens = [token for line in context.split("\n") if line.strip() for token in patterns.token.findall(line)]
    return any(_breaks_between(token, following, parameters) for token, following in pairwise(tokens))


def _potential_ends(text: str, patterns: _Patterns) -> Iterator[tuple[re.Match[str], str]]:
    """Yield the last potential end of each word with its context."""
    word, held = slice(0, 0), None
    for match in patterns.potential_end.finditer(text):
        before = text[word.stop : match.start()]
        space = max(map(before.rfind, _ASCII_SPACE))
        start = word.stop + space + 1 if space > 0 else word.start
        if held is not None and word.stop <= start:
            yield held, text[word] + held.group() + held.group("after")
        held, word = match, slice(start, match.start())
    if held is not None:
        yield held, text[word] + held.group() + held.group("after")


def _raw_spans(text: str, patterns: _Patterns) -> Iterator[tuple[int, int]]:
    start = 0
    for match, context in _potential_ends(text, patterns):
        if _splits(context, patterns):
            yield start, match.end()
            start = match.start("next") if match.group("next") else match.end()
    yield start, len(text.rstrip())


def sentence_spans(text: str, *, typographic: bool = True) -> Iterator[tuple[int, int]]:
    """Start and end offsets of each sentence of `text`.

    Example:
        >>> list(sentence_spans("It was good. (Really.) I left."))
        [(0, 12), (13, 22), (23, 30)]
    """
    patterns = _ALL if typographic else _STRAIGHT
    moved = 0
    spans = [*_raw_spans(text, patterns), None]
    for span, following in pairwise(spans):
        assert span is not None  # only the last item is None
        start, end = span[0] + moved, span[1]
        closing = patterns.closing_run.match(text[slice(*following)]) if following else None
        if following and closing:
            # Closing marks after the end belong to the sentence they close.
            yield start, following[0] + len(closing.group().rstrip())
            moved = closing.end()
            continue
        moved = 0
        if text[start:end]:
            yield start, end


def sentences(text: str, *, typographic: bool = True) -> list[str]:
    """Split English text into sentences, exactly as ``nltk.sent_tokenize`` does.

    Source: Kiss and Strunk 2006.

    Example:
        >>> sentences("Dr. Who came at 5 p.m. on Monday. He left.")
        ['Dr. Who came at 5 p.m. on Monday.', 'He left.']
        >>> sentences("He said “No.” Then he left.")
        ['He said “No.”', 'Then he left.']
    """
    return [text[start:end] for start, end in sentence_spans(text, typographic=typographic)]


#: Words that are cut in two, such as "cannot".
CONTRACTIONS = {
    word: (word[:cut], word[cut:])
    for word, cut in {"cannot": 3, "gimme": 3, "gonna": 3, "gotta": 3, "lemme": 3, "wanna": 3}.items()
}


class _Rule(NamedTuple):
    """A replacement, skipped for sentences without one of its characters."""

    needs: frozenset[str]
    pattern: re.Pattern[str]
    replacement: str


def _rules(*rules: tuple[str, str, str]) -> list[_Rule]:
    return [_Rule(frozenset(needs), re.compile(pattern), replacement) for needs, pattern, replacement in rules]


_OPENING = _rules(
    ("«“‘„`", r"[«“‘„]|`+", r" \g<0> "),
    ('"', r'^"', "``"),
    ('`"', r"``", r" \g<0> "),
    ("\"'", r"([ (\[{<])(?:\"|'')", r"\1 `` "),
    # A quote before a lone letter, unless the letter is a clitic.
    ("'", r"(?i)'(?!re|ve|ll|m|t|s|d|n)(\w)\b", r"' \1"),
)
_MARKS = _rules(
    # The period that ends the sentence, perhaps followed by closing marks; any other period stays with its word.
    (".", r"([^.])(\.)([\])}>\"'»”’ ]*+)\s*$", r"\1 \2 \3 "),
    (":,", r"([:,])([^\d])", r" \1 \2"),
    (":,", r"([:,])$", r" \1 "),
    (".", r"\.{2,}", r" \g<0> "),
    (";@#$%&", r"[;@#$%&]", r" \g<0> "),
    (".", r"([^.])(\.)([\])}>\"']*)\s*$", r"\1 \2\3 "),
    ("?!", r"[?!]", r" \g<0> "),
    ("'", r"([^'])' ", r"\1 ' "),
    ("*", r"\*", r" \g<0> "),
    ("][(){}<>", r"[\]\[(){}<>]", r" \g<0> "),
    ("-", r"--", r" -- "),
)
_CLOSING = _rules(
    ("»”’", r"[»”’]", r" \g<0> "),
    ("'", r"''", " '' "),
    ('"', r'"', " '' "),
    ("'", r"([^' ])('[sSmMdD]|') ", r"\1 \2 "),
    ("'", r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
)
_REWRITTEN = frozenset(("``", "''"))
# Sources of the tokens above.
_QUOTE = re.compile("\"|``|''")
MAY_CONTRACT = re.compile(r"(?i)cannot|d'ye|[gl][ie]mme|gonna|gotta|more'n|wanna|'tis|'twas")
_CONTRACTED = [
    re.compile(pattern)
    for pattern in (
        r"(?i)\b(can)(not)\b",
        r"(?i)\b(d)('ye)\b",
        r"(?i)\b(gim|lem)(me)\b",
        r"(?i)\b(gon)(na)\b",
        r"(?i)\b(got)(ta)\b",
        r"(?i)\b(more)('n)\b",
        r"(?i)\b(wan)(na)(?=\s)",
        r"(?i) ('t)(is)\b",
        r"(?i) ('t)(was)\b",
    )
]


def _apply(rules: list[_Rule], sentence: str) -> str:
    present = set(sentence)
    for needs, pattern, replacement in rules:
        if not needs.isdisjoint(present):
            sentence = pattern.sub(replacement, sentence)
    return sentence


def tokenize_sentence(sentence: str) -> list[str]:
    """Cut one sentence into word tokens.

    Example:
        >>> tokenize_sentence("They didn't like it (at all).")
        ['They', 'did', "n't", 'like', 'it', '(', 'at', 'all', ')', '.']
    """
    sentence = _apply(_MARKS, _apply(_OPENING, sentence))
    sentence = _apply(_CLOSING, f" {sentence} ")
    if MAY_CONTRACT.search(sentence):
        for pattern in _CONTRACTED:
            sentence = pattern.sub(r" \1 \2 ", sentence)
    return sentence.split()


def word_tokenize(text: str) -> list[str]:
    """Cut English text into word tokens, exactly as ``nltk.word_tokenize`` does (NLTK 3.8).

    Example:
        >>> word_tokenize("Good food. Can't complain!")
        ['Good', 'food', '.', 'Ca', "n't", 'complain', '!']
    """
    return [token for sentence in sentences(text, typographic=False) for token in tokenize_sentence(sentence)]


def word_spans(text: str, tokens: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    """Locate the word tokens of a text, with start and end.

    The rules only insert white space and rewrite double quotes; everything else stays in place.

    Example:
        >>> list(word_spans('"Soup."', word_tokenize('"Soup."')))
        [('``', 0, 1), ('Soup', 1, 5), ('.', 5, 6), ("''", 6, 7)]
    """
    end = 0
    for token in tokens:
        if token in _REWRITTEN:
            quote = _QUOTE.search(text, end)
            assert quote is not None  # a rule wrote it
            start, end = quote.span()
        else:
            start = text.index(token, end)
            end = start + len(token)
        yield token, start, end
