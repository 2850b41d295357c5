"""OntoNotes 5.0: names, coreference chains and text from .name, .coref and .parse files.

The corpus is licensed by the LDC (LDC2013T19) and no part of this package. The text of a document is made from its
tokens: those that the trees tag as traces are left out, `detokenize` makes running text of the others, and every
sentence stands on one line. Offsets count in that text. Read are:

- entities: the spans of the .name file, with their TYPE;
- chains: those of the .coref file. Their IDs start anew in every TEXT part of a document, and so do chains. Mentions
  lose the traces at their ends, one of traces only is left out, and so are appositions (TYPE APPOS). A pronoun has its
  tag from the tree.

S_OFF and E_OFF, the numbers of characters of the first and the last token that are no part of a span, are followed.
A document whose files are malformed, or do not hold the same tokens, is skipped, with the reason.

Source: Steen and Markert 2024, section 4 and appendix D.

Trees of the Penn Treebank: their leaves, what a token looks like in print, and the running text of a sentence.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple, TypeVar

from fairsum_utils.counterfactual.documents import ORDINARY, PRONOUN_TAGS, Document, Mention, NamedEntity, in_chains
from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.io.stores import as_path
from fairsum_utils.text.punkt import CONTRACTIONS

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

_TREE_PIECE = re.compile(
    r"\(\s*(?P<tag>[^\s()]+)\s+(?P<word>[^\s()]+)\s*\)|(?P<open>\()\s*[^\s()]*|(?P<close>\))|(?P<stray>[^\s()]+)",
    re.ASCII,  # other blanks, such as no-break spaces, may be part of a token
)


class Leaf(NamedTuple):
    """A token of a tree."""

    word: str
    tag: str

    @property
    def is_trace(self) -> bool:
        """True for a trace, which has a tag but no text."""
        return self.tag == _TRACE

    @property
    def pronoun(self) -> str | None:
        """Tag of a pronoun, None for any other word."""
        return self.tag if self.tag in PRONOUN_TAGS else None


def surface(token: str) -> str:
    r"""Write a token as in print: quotes, brackets, escaped slashes and entities.

    Example:
        >>> [surface(token) for token in ["``", "-LRB-", "1\\/2", "AT&amp;T", "-"]]
        ['"', '(', '1/2', 'AT&T', '-']
    """
    return _WHOLE.get(token) or _ESCAPE.sub(lambda match: _ESCAPED[match[0]], token)


def read_trees(text: str) -> Iterator[list[Leaf]]:
    """Yield the leaves of each bracketed tree, including traces.

    Example:
        >>> next(read_trees("(TOP (S (NP (-NONE- *)) (VP (VB Go)) (. .)))"))
        [Leaf(word='*', tag='-NONE-'), Leaf(word='Go', tag='VB'), Leaf(word='.', tag='.')]
    """
    leaves: list[Leaf] = []
    depth = number = 0
    for piece in _TREE_PIECE.finditer(text):
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
        raise InputError(f"tree {number + 1} has unclosed brackets")


def detokenize(words: Iterable[Leaf]) -> tuple[str, list[tuple[int, int]]]:
    """Join the words of a sentence, and return the text and their positions.

    Words are separated by blanks, but there is none before ``, . ; : ? ! ) ] } %``, a closing quote, clitics such as
    ``'s`` and ``n't`` and the second half of "cannot"; none after ``( [ {``, signs of currencies and an opening quote;
    none around a hyphen (tagged HYPH) and a slash. A sentence that ends in an abbreviation has one period, which then
    is part of two words.

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
    """Return whether no blank separates two words."""
    if "HYPH" in (left.tag, right.tag) or "/" in (left.word, right.word):
        return True
    if (left.word.lower(), right.word.lower()) in _CUT:
        return True
    if left.tag in _OPENING_TAGS or left.word in _OPENING or right.tag == "''":
        return True
    return right.tag != "``" and _CLOSING.fullmatch(right.word) is not None


T = TypeVar("T")

logger = logging.getLogger(__name__)

_FOREIGN = ("/arabic", "/chinese")
_AROUND = ("DOC", "DOCUMENT", "TEXT")
_NEEDED = {"ENAMEX": ("TYPE",), "COREF": ("ID", "TYPE")}
_OFFSETS = ("S_OFF", "E_OFF")
_SHOWN = 3  # reasons in a log message

_PIECE = re.compile(r"<(?P<slash>/?)(?P<name>\w+)(?P<attributes>[^<>]*)>|(?P<token>[^\s<]+)|<", re.ASCII)
_ATTRIBUTE = re.compile(r"""(?<!\s)\s+([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


class Skipped(NamedTuple):
    """A document that could not be read."""

    document: str
    reason: str


class Reader:
    """Documents of a corpus; unreadable ones are skipped.

    Args:
        what: name of the format, for messages.
        found: function that yields the ids of documents, each with a function that reads the document.
        files: files to read, if they are known.
        n: number of documents, if it is known.

    Attributes:
        skipped: the documents that could not be read, once `documents` has come to its end.
    """

    def __init__(
        self,
        what: str,
        found: Callable[[], Iterable[tuple[str, Callable[[], Document]]]],
        *,
        files: tuple[Path, ...] = (),
        n: int | None = None,
    ) -> None:
        self.files, self.n = files, n
        self.skipped: list[Skipped] = []
        self._what, self._found = what, found

    def documents(self) -> Iterator[Document]:
        """Yield documents in order; log unreadable ones and add them to `skipped`."""
        self.skipped = []
        n_documents = 0
        for name, read in self._found():
            n_documents += 1
            try:
                document = read()
            except InputError as error:
                self.skipped.append(Skipped(name, str(error)))
            else:
                yield document
        if self.skipped:
            shown = "; ".join(f"{document}: {reason}" for document, reason in self.skipped[:_SHOWN])
            more = f"; and {len(self.skipped) - _SHOWN} more" if len(self.skipped) > _SHOWN else ""
            n_skipped = len(self.skipped)
            logger.warning("skipped %d of %d %s documents: %s%s", n_skipped, n_documents, self._what, shown, more)


def ontonotes(folder: str | os.PathLike[str], *, section: str | None = "nw") -> Reader:
    """Read the documents of an OntoNotes 5.0 folder that have coreference annotation, by id.

    Args:
        folder: the release or any folder of it, such as ``.../annotations/nw/wsj`` for one source. Files are found
            however deep they are; those of other languages than English are left out.
        section: the folder below ``annotations``: nw (newswire), bn, bc, mz, pt, tc or wb. None for all of them. Files
            that are in no folder ``annotations`` are read whatever the section.

    Raises:
        DataSourceError: there is no such document.

    Example:
        >>> ontonotes("no-such-folder")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.DataSourceError: no-such-folder: no such folder. Give a folder of OntoNotes 5.0 with files
        such as data/files/data/english/annotations/nw/wsj/24/wsj_2401.coref and their .name and .parse files, a
        folder of CoNLL-2012 with English *_conll files, or one that holds rows of conll2012_ontonotesv5 (.jsonl or
        .parquet). The corpus is licensed: get it from the LDC (https://catalog.ldc.upenn.edu/LDC2013T19)
    """
    files = _find(Path(folder), section)
    return Reader(
        "OntoNotes", lambda: ((name, partial(_read, name, path)) for name, path in files.items()), n=len(files)
    )


def _find(folder: Path, section: str | None) -> dict[str, Path]:
    """Map the ids of a section's documents to .coref files, in order."""
    files: dict[str, Path] = {}
    sections = set()
    as_path(folder)
    for path in folder.rglob("*.coref"):
        above, layout, name = path.absolute().with_suffix("").as_posix().rpartition("/annotations/")
        if not layout:
            files[path.relative_to(folder).with_suffix("").as_posix()] = path
        elif not above.endswith(_FOREIGN):
            sections.add(name.split("/")[0])
            if section in (None, name.split("/")[0]):
                files[name] = path
    if files:
        return dict(sorted(files.items()))
    if sections:
        raise DataSourceError(f"{folder}: no document of section {section!r}; there are {', '.join(sorted(sections))}")
    state = "has no .coref file" if folder.is_dir() else "no such folder"
    raise DataSourceError(
        f"{folder}: {state}. Give a folder of OntoNotes 5.0 with files such as "
        "data/files/data/english/annotations/nw/wsj/24/wsj_2401.coref and their .name and .parse files, a "
        "folder of CoNLL-2012 with English *_conll files, or one that holds rows of conll2012_ontonotesv5 (.jsonl or "
        ".parquet). The corpus is licensed: get it from the LDC (https://catalog.ldc.upenn.edu/LDC2013T19)"
    )


class Span(NamedTuple):
    """An annotation from `first` to `last` (exclusive), in tokens or in words.

    `before` and `after` count the characters at its ends that are no part of it.
    """

    where: str
    attributes: dict[str, str]
    part: int
    first: int
    last: int
    before: int = 0
    after: int = 0

    def in_words(self, places: Sequence[int]) -> Span | None:
        """Convert tokens to words, or return None for a span of traces."""
        covered = [word for word, place in enumerate(places) if self.first <= place < self.last]
        if not covered:
            return None
        first, last = covered[0], covered[-1]
        before = self.before if places[first] == self.first else 0
        after = self.after if places[last] == self.last - 1 else 0
        return self._replace(first=first, last=last + 1, before=before, after=after)

    def characters(self, words: Sequence[tuple[int, int]], offset: int) -> tuple[int, int]:
        """Locate a span of words in the text of a sentence at `offset`."""
        start, end = words[self.first][0] + self.before, words[self.last - 1][1] - self.after
        if start >= end:
            raise InputError(f"{self.where}: S_OFF and E_OFF leave an empty span")
        return offset + start, offset + end


def _read(name: str, path: Path) -> Document:
    """Read one document; raise InputError with the reason if unreadable."""
    parse = path.with_suffix(".parse")
    trees = [tree for tree in _load(parse, read_trees) if any(not leaf.is_trace for leaf in tree)]
    if not trees:
        raise InputError(f"{parse.name} holds no sentence")
    names = _annotations(path.with_suffix(".name"), "ENAMEX", trees)
    links = _annotations(path, "COREF", trees)
    words = [[leaf for leaf in tree if not leaf.is_trace] for tree in trees]
    return make_document(name, zip(words, names, links, strict=True))


def make_document(name: str, annotated: Iterable[tuple[list[Leaf], Sequence[Span], Sequence[Span]]]) -> Document:
    """Make a document of sentences, each with its words, names and mentions."""
    sentences: list[str] = []
    entities: set[NamedEntity] = set()
    mentions: list[tuple[tuple[int, str], Mention]] = []
    offset = 0
    for words, named, linked in annotated:
        sentence, places = detokenize(words)
        entities.update(NamedEntity(*span.characters(places, offset), span.attributes["TYPE"]) for span in named)
        for span in linked:
            pos = words[span.first].pronoun if span.last - span.first == 1 else None
            if span.attributes["TYPE"] == ORDINARY:
                mention = Mention(*span.characters(places, offset), pos)
                mentions.append(((span.part, span.attributes["ID"]), mention))
        sentences.append(sentence)
        offset += len(sentence) + 1
    return Document(name, "\n".join(sentences), tuple(sorted(entities)), tuple(in_chains(mentions).values()))


def _load(path: Path, read: Callable[[str], Iterable[T]]) -> list[T]:
    try:
        return list(read(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise InputError(f"there is no {path.name}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path.name}: not UTF-8 ({error.reason} at byte {error.start})") from None
    except InputError as error:
        raise InputError(f"{path.name}, {error}") from None


def _annotations(path: Path, tag: str, trees: Sequence[Sequence[Leaf]]) -> list[list[Span]]:
    """Read each tree's annotations in words; tokens must match the trees."""
    annotations = []
    sentences = _load(path, partial(_sentences, tag=tag, file=path.name))
    for number, (read_tree, sentence) in enumerate(zip_longest(trees, sentences), start=1):
        tree, (tokens, spans) = read_tree or [], sentence or ([], [])
        words = [leaf for leaf in tree if not leaf.is_trace]
        leaves = tree if tag == "COREF" and len(tokens) != len(words) else words
        # Traces are matched by position, because files do not always number them alike.
        numbered = len(tokens) == len(leaves)
        expected = [tokens[place] if leaf.is_trace and numbered else leaf.word for place, leaf in enumerate(leaves)]
        for place, (token, word) in enumerate(zip_longest(tokens, expected), start=1):
            if token != word:
                read, wanted = ("the end" if part is None else repr(part) for part in (token, word))
                raise InputError(
                    f"{path.name}, sentence {number}, token {place}: found {read}, but {path.stem}.parse has {wanted}"
                )
        places = [place for place, leaf in enumerate(leaves) if not leaf.is_trace]
        in_words = (span.in_words(places) for span in spans)
        annotations.append([span for span in in_words if span is not None])
    return annotations


def _sentences(text: str, tag: str, file: str) -> Iterator[tuple[list[str], list[Span]]]:
    """Yield tokens and annotations of the lines with tokens.

    No XML parser reads these files: they may lack a root, and have plain ampersands.
    """
    part = n_sentences = 0
    for number, line in enumerate(text.split("\n"), start=1):
        where = f"{file}, sentence {n_sentences + 1}"
        tokens: list[str] = []
        spans: list[Span] = []
        opened: list[tuple[dict[str, str], int]] = []
        for piece in _PIECE.finditer(line):
            name, is_end = piece["name"], bool(piece["slash"])
            if piece["token"]:
                tokens.append(surface(piece["token"]))
            elif name == tag and not is_end:
                opened.append((_attributes(piece["attributes"], tag, number), len(tokens)))
            elif name == tag and opened:
                attributes, first = opened.pop()
                before, after = (int(attributes[offset]) for offset in _OFFSETS)
                spans.append(Span(where, attributes, part, first, len(tokens), before, after))
            elif name in _AROUND and not opened:
                part += not is_end
            else:
                raise InputError(f"line {number}: malformed, {piece[0]!r} is out of place")
        if opened:
            raise InputError(f"line {number}: malformed, <{tag}> is not closed on its line")
        if tokens:
            n_sentences += 1
            yield tokens, spans


def _attributes(text: str, tag: str, number: int) -> dict[str, str]:
    attributes = dict.fromkeys(_OFFSETS, "0")
    attributes |= {name: double or single for name, double, single in _ATTRIBUTE.findall(text)}
    if (
        _ATTRIBUTE.sub("", text).strip()
        or not all(attributes.get(name, "").strip() for name in _NEEDED[tag])
        or not all(attributes[name].isdecimal() for name in _OFFSETS)
    ):
        raise InputError(f"line {number}: malformed, <{tag}{text}>")
    return attributes
