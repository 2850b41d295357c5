"""CoNLL-2012: OntoNotes as ``*_gold_conll`` and ``*_auto_conll`` files, or as rows of `conll2012_ontonotesv5`.

The columns of a file are document, part, number, word, tag, tree, lemma, frameset, sense, speaker, names, arguments
(any number) and chains. A row of the Hub is one document: ``document_id`` and ``sentences``, each with ``part_id``,
``words``, ``parse_tree``, ``named_entities`` (B- and I- labels or their numbers) and ``coref_spans`` (chain, first and
last word). Documents are the same as those of `ontonotes`, except for the annotation that CoNLL-2012 lacks:

- parts of words: a name or mention in "anti-Adams" covers the whole word.
- chains with one mention. `ontonotes` has those of which only one mention is no trace.

A document without any chain, such as one of the test set without its key, is skipped: its coreference may be missing.
So is a document without any name.

Pronouns and hyphens need tags. On the Hub they are numbers that depend on the version; then those of the tree are read.

Source: https://conll.cemantix.org/2012/data.html
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from fairsum_utils.counterfactual.documents import ENDINGS, ORDINARY, Document
from fairsum_utils.counterfactual.ontonotes import (
    Leaf,
    Reader,
    Span,
    make_document,
    ontonotes,
    read_trees,
    surface,
)
from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.io.reading import columns_of, read_rows
from fairsum_utils.validation import describe

Annotated = tuple[list[Leaf], list[Span], list[Span]]

_SECTIONS = ("bc", "bn", "mz", "nw", "pt", "tc", "wb")
_FILE = re.compile(r"(?P<stem>|.*?[._])(?:v(?P<version>\d+)_)?(?P<kind>gold|auto)_(?P<words>conll|skel)")
_FOREIGN = re.compile(r"/(?:arabic|chinese)/annotations/|[./](?:arabic|chinese)\.[^/]*$")
_BEGIN = re.compile(r"#begin document \(?(?P<id>[^()\s;]+)\)?")
_BLANKS = re.compile(r"[ \t]+")  # other blanks, such as no-break spaces, may be part of a word
_NAMES = re.compile(r"(?:\([^()*]+)*\*?\)*")
_NAME_MARK = re.compile(r"\((?P<label>[^()*]+)|\)")
_CHAIN_MARK = re.compile(r"(?P<open>\(?)(?P<chain>\d+)(?P<close>\)?)")
_FEWEST_COLUMNS = 12
_COLUMNS = ("document_id", "sentences")
_NO_TAG = ("", "XX")
_NO_WORD = "[WORD]"
_FILL = (
    "the words are missing. Fill them in with skeleton2conll.sh of the CoNLL-2012 scripts "
    "(https://conll.cemantix.org/2012/data.html): skeleton2conll.sh -D ontonotes-release-5.0/data/files/data FOLDER"
)
_TYPES = (
    *("PERSON", "NORP", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "DATE", "TIME", "PERCENT", "MONEY", "QUANTITY"),
    *("ORDINAL", "CARDINAL", "EVENT", "WORK_OF_ART", "LAW", "LANGUAGE"),
)
_CLASSES = dict(enumerate(["O", *(f"{side}-{label}" for label in _TYPES for side in "BI")]))  # on the Hub
_LABEL = re.compile(r"O|([BI])-(\S+)")


def conll(files: Sequence[Path], *, section: str | None = "nw") -> Reader:
    """Read the English documents of CoNLL-2012 files or rows.

    Args:
        files: ``*_gold_conll`` and ``*_auto_conll`` files, or files with rows of `conll2012_ontonotesv5`.
        section: first part of a document's id: nw (newswire), bn, bc, mz, pt, tc or wb. None for all of them. Documents
            with other ids are read whatever the section.

    Raises:
        DataSourceError: no document is of this section; raised after the last file.
    """
    return Reader("CoNLL-2012", partial(_found, files, section), files=tuple(files))


def _found(files: Sequence[Path], section: str | None) -> Iterator[tuple[str, Callable[[], Document]]]:
    """Yield documents in file order, each once."""
    first_in: dict[str, Path] = {}
    others = set()
    for path in files:
        for name, read in _in_file(path) if _FILE.fullmatch(path.name) else _in_rows(path):
            own = name.split("/")[0]
            if section is not None and own in _SECTIONS and own != section:
                others.add(own)
            elif name in first_in:
                yield name, partial(_refuse, f"{path.name}: {first_in[name].name} has this document already")
            else:
                first_in[name] = path
                yield name, read
    if others and not first_in:
        raise DataSourceError(
            f"{files[0].parent}: no document of section {section!r}; there are {', '.join(sorted(others))}"
        )


def _refuse(reason: str) -> Document:
    raise InputError(reason)


def find_reader(path: Path, *, section: str | None = "nw") -> Reader:
    """Choose the reader of a file or folder.

    A folder with .coref files is one of OntoNotes 5.0. If a document has several files, gold comes before auto
    and a new version before an old one.
    """
    if path.is_file():
        return conll([path], section=section)
    if not path.is_dir() or next(path.rglob("*.coref"), None):
        return ontonotes(path, section=section)
    best: dict[str, tuple[tuple[bool, float], Path]] = {}
    has_skeletons = False
    for file in sorted(path.rglob("*_*")):
        found = _FILE.fullmatch(file.name)
        place = file.absolute().as_posix()
        if found is None or _FOREIGN.search(place) or not file.is_file():
            continue
        if found["words"] == "skel":
            has_skeletons = True
            continue
        rank = (found["kind"] == "gold", float(found["version"] or "inf"))
        name = (place.removesuffix(file.name) + found["stem"]).rpartition("/annotations/")[2]
        if name not in best or rank > best[name][0]:
            best[name] = (rank, file)
    if best:
        return conll([best[name][1] for name in sorted(best)], section=section)
    if has_skeletons:
        raise DataSourceError(f"{path}: there are *_skel files, but no *_conll files: {_FILL}")
    if rows := [file for file in sorted(path.iterdir()) if is_conll(file)]:
        return conll(rows, section=section)
    return ontonotes(path, section=section)


def is_conll(path: Path) -> bool:
    """Return whether a file is of CoNLL-2012, or has rows of `conll2012_ontonotesv5`."""
    if _FILE.fullmatch(path.name):
        return True
    return path.name.endswith((*ENDINGS, ".parquet")) and set(_COLUMNS) <= set(columns_of(path))


def _in_file(path: Path) -> Iterator[tuple[str, Callable[[], Document]]]:
    """Yield the documents of a file; the parts of a document follow each other."""
    name = None
    parts: list[list[tuple[int, bytes]]] = []
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            begin = line.startswith(b"#begin") and _BEGIN.match(line.decode(errors="replace"))
            if begin:
                if name is not None and begin["id"] != name:
                    yield name, partial(_read, name, path.name, parts)
                    parts = []
                name = begin["id"]
                parts.append([])
            elif name is not None:
                parts[-1].append((number, line))
            elif line.strip():
                yield path.name, partial(_refuse, f"line {number}: '#begin document' must open a document")
                return
    if name is None:
        yield path.name, partial(_refuse, "the file is empty")
    else:
        yield name, partial(_read, name, path.name, parts)


def _read(name: str, file: str, parts: Sequence[Sequence[tuple[int, bytes]]]) -> Document:
    try:
        return _document(name, [found for number, lines in enumerate(parts) for found in _sentences(lines, number)])
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def _document(name: str, sentences: Sequence[Annotated]) -> Document:
    """Make a document, which must have words, names and chains."""
    if not sentences:
        raise InputError("there is no sentence")
    if any(leaf.word == _NO_WORD for words, *_ in sentences for leaf in words):
        raise InputError(_FILL)
    for place, missing in ((2, "coreference"), (1, "names")):
        if not any(sentence[place] for sentence in sentences):
            raise InputError(f"there is no annotation of {missing}")
    return make_document(name, sentences)


def _sentences(lines: Iterable[tuple[int, bytes]], part: int) -> Iterator[Annotated]:
    """Yield the sentences of a part; blank lines and comments end them."""
    rows: list[tuple[int, list[str]]] = []
    for number, line in (*lines, (0, b"")):
        try:
            text = line.decode().strip(" \t\r\n")
        except UnicodeDecodeError as error:
            raise InputError(f"line {number}: not UTF-8 ({error.reason} at byte {error.start})") from None
        if text and not text.startswith("#"):
            columns = _BLANKS.split(text)
            if len(columns) < _FEWEST_COLUMNS:
                raise InputError(f"line {number}: found {len(columns)} columns, at least {_FEWEST_COLUMNS} are needed")
            rows.append((number, columns))
        elif rows:
            words = [_leaf(columns[3], columns[4]) for _, columns in rows]
            yield words, _names(rows, part), _mentions(rows, part)
            rows = []


def _leaf(word: str, tag: str) -> Leaf:
    """Make a word; a quote without a tag is its own tag."""
    return Leaf(surface(word), word if tag in _NO_TAG and word in ("``", "''") else tag)


def _names(rows: Sequence[tuple[int, list[str]]], part: int) -> list[Span]:
    """Read the column of names, such as ``(PERSON*`` and ``*)``."""
    spans: list[Span] = []
    opened: list[tuple[str, int]] = []
    for place, (number, columns) in enumerate(rows):
        if not _NAMES.fullmatch(columns[10]):
            raise InputError(f"line {number}: the names must be (PERSON*, * or *), found {columns[10]!r}")
        for mark in _NAME_MARK.finditer(columns[10]):
            if mark["label"]:
                opened.append((mark["label"], place))
            elif opened:
                label, first = opened.pop()
                spans.append(_name(f"line {number}", label, part, first, place))
            else:
                raise InputError(f"line {number}: {columns[10]!r} closes a name that is not open")
    if opened:
        raise InputError(f"line {rows[-1][0]}: a name of type {opened[0][0]} is not closed in its sentence")
    return spans


def _mentions(rows: Sequence[tuple[int, list[str]]], part: int) -> list[Span]:
    """Read the column of chains, such as ``(3|(12)`` and ``3)``."""
    spans: list[Span] = []
    opened: dict[str, list[int]] = {}
    for place, (number, columns) in enumerate(rows):
        for segment in columns[-1].split("|") if columns[-1] != "-" else ():
            mark = _CHAIN_MARK.fullmatch(segment)
            if mark is None or not (mark["open"] or mark["close"]):
                raise InputError(f"line {number}: the last column must be chains such as (3|12), found {columns[-1]!r}")
            if mark["open"]:
                opened.setdefault(mark["chain"], []).append(place)
            if mark["close"]:
                if not opened.get(mark["chain"]):
                    raise InputError(f"line {number}: {columns[-1]!r} closes a mention that is not open")
                spans.append(_mention(f"line {number}", mark["chain"], part, opened[mark["chain"]].pop(), place))
    if still := [chain for chain, places in opened.items() if places]:
        raise InputError(f"line {rows[-1][0]}: a mention of chain {still[0]} is not closed in its sentence")
    return spans


def _name(where: str, label: str, part: int, first: int, last: int) -> Span:
    return Span(where, {"TYPE": label}, part, first, last + 1)


def _mention(where: str, chain: object, part: int, first: int, last: int) -> Span:
    return Span(where, {"ID": str(chain), "TYPE": ORDINARY}, part, first, last + 1)


def _in_rows(path: Path) -> Iterator[tuple[str, Callable[[], Document]]]:
    """Yield the documents of a file of rows."""
    for number, row in enumerate(read_rows(path, dict.fromkeys(_COLUMNS, ""), others=()), start=1):
        name = row.get("document_id")
        where = f"{path.name}, row {number}"
        yield (name if isinstance(name, str) and name else where), partial(_read_row, row, where)


def _read_row(row: Mapping[str, Any], where: str) -> Document:
    name, sentences = row.get("document_id"), row.get("sentences")
    if not isinstance(name, str) or not name or not isinstance(sentences, list):
        raise InputError(
            f"{where}: document_id must be a name and sentences a list, found {describe(name)} and "
            f"{describe(sentences)}"
        )
    found = []
    for number, sentence in enumerate(sentences, start=1):
        try:
            found.append(_of_row(sentence))
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise InputError(f"{where}, sentence {number}: malformed ({error})") from None
    try:
        return _document(name, [sentence for sentence in found if sentence[0]])
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _of_row(sentence: Mapping[str, Any]) -> Annotated:
    words, labels, part = sentence["words"], sentence["named_entities"], sentence["part_id"]
    if type(part) is not int:
        raise ValueError(f"part_id is {describe(part)}")
    if not all(isinstance(word, str) and word and not word.isspace() for word in words):
        raise ValueError("words must be non-empty strings")
    if len(words) != len(labels):
        raise ValueError(f"{len(words)} words, but {len(labels)} named_entities")
    names: list[Span] = []
    for place, label in enumerate(labels):
        match = _LABEL.fullmatch(str(_CLASSES.get(label, label)))
        if match is None:
            raise ValueError(f"named_entities[{place}] must be 0 to {max(_CLASSES)} or as B-PERSON, found {label!r}")
        side, kind = match.groups()
        if side == "B":
            names.append(_name("", kind, part, place, place))
        elif side == "I":
            if not names or names[-1].last != place or names[-1].attributes["TYPE"] != kind:
                raise ValueError(f"named_entities[{place}] continues no {kind}")
            names[-1] = names[-1]._replace(last=place + 1)
    for chain, first, last in sentence["coref_spans"]:
        if not 0 <= first <= last < len(words) or {type(chain), type(first), type(last)} != {int}:
            raise ValueError(f"coref_spans of chain {chain}: words {first} to {last} of {len(words)}")
    mentions = [_mention("", chain, part, first, last) for chain, first, last in sentence["coref_spans"]]
    return [_leaf(word, tag) for word, tag in zip(words, _tags(sentence), strict=True)], names, mentions


def _tags(sentence: Mapping[str, Any]) -> list[str]:
    """Return the tags of the words, from the tree if they are numbers."""
    tags = sentence.get("pos_tags") or []
    if not all(isinstance(tag, str) for tag in tags):
        try:
            tags = [leaf.tag for leaf in next(read_trees(sentence.get("parse_tree") or ""), [])]
        except InputError:  # a word with a bracket
            tags = []
    return tags if len(tags) == len(sentence["words"]) else [""] * len(sentence["words"])
