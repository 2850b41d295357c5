"""Writers of annotated documents as CoNLL-2012 and as rows of `conll2012_ontonotesv5`."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from fairsum_utils.counterfactual.documents import Document

_TOKEN = re.compile(
    r"(?:Mr|Mrs|Ms|Dr|St|(?<= )[A-Z])\.(?= )|\w+(?=n't\b)|n't|'(?:s|m|d|ll|re|ve)\b|can(?=not\b)|\d+(?:[.,]\d+)*"
    r"|\w+(?:-\w+|'(?!(?:s|m|d|ll|re|ve)\b)\w+)*|\S"
)
_END = re.compile(r'(?<!Mr)(?<!Ms)(?<!Dr)(?<!St)(?<!Mrs)(?<! [A-Z])[.?!]"? (?=["A-Z])')
LABELS = ["PERSON", "NORP", "FAC", "ORG", "GPE", "LOC"]
CLASSES = ["O", *(f"{side}-{label}" for label in LABELS for side in "BI")]
TAGS = ["NN", "NNP", "PRP", "PRP$", "``", "''", ".", "CD"]


class Token(NamedTuple):
    """A word with its position in the text."""

    word: str
    tag: str
    start: int
    end: int


class Sentence(NamedTuple):
    """Words, names (first, last, label) and mentions (first, last, chain); last is inclusive."""

    tokens: list[Token]
    names: list[tuple[int, int, str]]
    mentions: list[tuple[int, int, int]]


def sentences_of(document: Document) -> list[Sentence]:
    """Split a document into sentences and words; annotation must begin and end with words."""
    pronouns = {mention[:2]: mention.pos for chain in document.chains for mention in chain if mention.pos}
    found = []
    start = 0
    for end in (*(match.end() for match in _END.finditer(document.text)), len(document.text)):
        tokens = []
        for match in _TOKEN.finditer(document.text, start, end):
            span = match.span()
            quote = "``" if match[0] == '"' and (span[0] == start or document.text[span[0] - 1] == " ") else "''"
            tag = pronouns.get(span) or (quote if match[0] == '"' else "NN")
            tokens.append(Token(match[0], tag, *span))
        firsts = {token.start: place for place, token in enumerate(tokens)}
        lasts = {token.end: place for place, token in enumerate(tokens)}
        names = [(firsts[e.start], lasts[e.end], e.label) for e in document.entities if start <= e.start < end]
        mentions = [
            (firsts[mention.start], lasts[mention.end], number)
            for number, chain in enumerate(document.chains)
            for mention in chain
            if start <= mention.start < end
        ]
        found.append(Sentence(tokens, names, mentions))
        start = end
    return found


def _escaped(token: Token) -> str:
    return token.tag if token.word == '"' else token.word


def conll(document: Document, part: int = 0) -> str:
    """Write a document as a block of a CoNLL-2012 file."""
    lines = [f"#begin document ({document.id}); part {part:03d}"]
    for tokens, names, mentions in sentences_of(document):
        for place, token in enumerate(tokens):
            opened = "".join(f"({label}" for first, _, label in names if first == place)
            closed = ")" * sum(last == place for _, last, _ in names)
            chains = [f"({c})" if f == e else f"({c}" for f, e, c in mentions if f == place]
            chains += [f"{c})" for f, e, c in mentions if e == place and f != e]
            tree = ("(TOP(S*" if place == 0 else "*") + ("))" if place == len(tokens) - 1 else "")
            columns = [document.id, str(part), str(place), _escaped(token), token.tag, tree, "-", "-", "-", "-"]
            column = opened + closed if opened and closed else f"{opened}*{closed}"
            lines.append("   ".join([*columns, column, "*", "|".join(chains) or "-"]))
        lines.append("")
    return "\n".join([*lines, "#end document", ""])


def row(document: Document) -> dict[str, Any]:
    """Write a document as a row, with numbers for tags and labels as in JSON Lines."""
    sentences = []
    for tokens, names, mentions in sentences_of(document):
        labels = [0] * len(tokens)
        for first, last, label in names:
            number = 1 + 2 * LABELS.index(label)
            labels[first : last + 1] = [number, *[number + 1] * (last - first)]
        leaves = " ".join(f"({token.tag} {_escaped(token)})" for token in tokens)
        sentences.append(
            {
                "part_id": 0,
                "words": [_escaped(token) for token in tokens],
                "pos_tags": [TAGS.index(token.tag) for token in tokens],
                "parse_tree": f"(TOP(S{leaves} ))",
                "predicate_lemmas": [None] * len(tokens),
                "predicate_framenet_ids": [None] * len(tokens),
                "word_senses": [None] * len(tokens),
                "speaker": None,
                "named_entities": labels,
                "srl_frames": [],
                "coref_spans": [[chain, first, last] for first, last, chain in mentions],
            }
        )
    return {"document_id": document.id, "sentences": sentences}
