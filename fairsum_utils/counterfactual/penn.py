"""Trees of the Penn Treebank: their leaves, what a token looks like in print, and the running text of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.text.punkt import CONTRACTIONS

PRONOUN_TAGS = ("PRP", "PRP$")
"""Parts of speech of personal and possessive pronouns."""

_TRACE = "-NONE-"

_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&", "-AMP-": "&"}
_PAIRS = {"R": "()", "S": "[]", "C": "{}", "A": "<>"}
_BRACKETS = {f"-{side}{kind}B-": mark for kind, marks in _PAIRS.items() for side, mark in zip("LR", marks, strict=True)}
_ESCAPED = {**_ENTITIES, **_BRACKETS, "\\/": "/", "\\*": "*"}
_ESCAPE = re.compile("|".join(map(re.escape, _ESCAPED)))
_WHOLE = {"``": '"', "''": '"', "`": "'", "/.": ".", "/?": "?", "/-": "-"}

_OPENING_TAGS = ("``", "$", "#")  # the last is the pound sign
_OPENING = ("(", "[", "{")
_CLOSING = re.compile(r"[,.;:?!)\]}%]|'|'(?:s|m|d|ll|re|ve)|n't", re.IGNORECASE)
_CUT = frozenset(CONTRACTIONS.values())

_PIECE = re.compile(
    r"\(\s*(?P<tag>[^\s()]+)\s+(?P<word>[^\s()]+)\s*\)|(?P<open>\()\s*[^\s()]*|(?P<close>\))|(?P<stray>[^\s()]+)",
    re.ASCII,  # other blanks, such as no-break spaces, may be part of a token
)


class Leaf(NamedTuple):
    """A token of a tree.

    Attributes:
        word: the token as it is printed, see `surface`.
        tag: its part of speech.
    """

    word: str
    tag: str

    @property
    def is_trace(self) -> bool:
        """Whether it stands for something that is not in the text; only the tag tells."""
        return self.tag == _TRACE

    @property
    def pronoun(self) -> str | None:
        """The tag of a pronoun, None for any other word."""
        return self.tag if self.tag in PRONOUN_TAGS else None


def surface(token: str) -> str:
    r"""A token as it is printed: quotes, brackets, escaped slashes and entities.

    Example:
        >>> [surface(token) for token in ["``", "-LRB-", "1\\/2", "AT&amp;T", "-"]]
        ['"', '(', '1/2', 'AT&T', '-']
    """
    return _WHOLE.get(token) or _ESCAPE.sub(lambda match: _ESCAPED[match[0]], token)


def read_trees(text: str) -> Iterator[list[Leaf]]:
    """The leaves of each bracketed tree, traces among them.

    Raises:
        InputError: brackets that do not match, or a word without a tag; the message gives the tree and the line.

    Example:
        >>> next(read_trees("(TOP (S (NP (-NONE- *)) (VP (VB Go)) (. .)))"))
        [Leaf(word='*', tag='-NONE-'), Leaf(word='Go', tag='VB'), Leaf(word='.', tag='.')]
    """
    leaves: list[Leaf] = []
    depth = number = 0
    for piece in _PIECE.finditer(text):
        if piece["tag"]:
            leaves.append(Leaf(surface(piece["word"]), piece["tag"]))
        elif piece["open"]:
            depth += 1
        else:
            depth -= 1
            if piece["stray"] or depth < 0:
                line = text.count("\n", 0, piece.start()) + 1
                raise InputError(f"line {line}, tree {number + 1}: {piece[0]!r} is out of place")
        if depth == 0:
            number += 1
            yield leaves
            leaves = []
    if depth:
        raise InputError(f"tree {number + 1} does not end; brackets that were opened are not closed")


def detokenize(words: Iterable[Leaf]) -> tuple[str, list[tuple[int, int]]]:
    """The running text of a sentence, and where its words are in it.

    Words are separated by blanks, but there is none before ``, . ; : ? ! ) ] } %``, a closing quote, clitics such as
    ``'s`` and ``n't`` and the second half of "cannot"; none after ``( [ {``, signs of currencies and an opening quote;
    none around a hyphen (tagged HYPH) and a slash. A sentence that ends in an abbreviation has one period, which then
    is part of two words.

    Args:
        words: leaves that are no traces.

    Returns:
        The text, and (start, end) of each word: what stands there is the word itself.

    Example:
        >>> detokenize([Leaf("Bo", "NNP"), Leaf("'s", "POS"), Leaf("car", "NN"), Leaf(",", ","), Leaf("etc.", "FW"),
        ...             Leaf(".", ".")])
        ("Bo's car, etc.", [(0, 2), (2, 4), (5, 8), (8, 9), (10, 14), (13, 14)])
    """
    text = ""
    spans: list[tuple[int, int]] = []
    previous: Leaf | None = None
    for leaf in words:
        if leaf.word == "." and text.endswith(".") and text[spans[-1][0] : -1]:
            spans.append((len(text) - 1, len(text)))
            continue
        if previous is not None and not _touch(previous, leaf):
            text += " "
        spans.append((len(text), len(text) + len(leaf.word)))
        text += leaf.word
        previous = leaf
    return text, spans


def _touch(left: Leaf, right: Leaf) -> bool:
    """Whether no blank stands between two words."""
    if "HYPH" in (left.tag, right.tag) or "/" in (left.word, right.word):
        return True
    if (left.word.lower(), right.word.lower()) in _CUT:
        return True
    if left.tag in _OPENING_TAGS or left.word in _OPENING or right.tag == "''":
        return True
    return right.tag != "``" and _CLOSING.fullmatch(right.word) is not None
