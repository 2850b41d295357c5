"""Annotated documents: text, named entities and coreference chains, and their JSON Lines.

A line is one document. Offsets count characters of `text` from 0, ends are exclusive, `content_words` and `pos` may be
left out, and a chain id is any string or whole number that mentions of one person (or thing) share:

    {"id": "a1", "text": "Ann Bo said she won.",
     "entities": [{"start": 0, "end": 6, "label": "PERSON"}],
     "mentions": [{"start": 0, "end": 6, "chain": 1}, {"start": 12, "end": 15, "chain": 1, "pos": "PRP"}],
     "content_words": []}

Other keys are ignored, and so are an annotation that repeats another in everything, and a mention with a `kind` other
than ``IDENT``, such as the parts of an apposition.

Rows with a text and its coreference clusters, as coreference tools write them, become documents too. Their
annotation is as good as the tools, and coreference resolution may itself be biased (Steen and Markert 2024,
section 4).

The miniature corpus: short annotated articles that are shipped with the package, to try everything on.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from fairsum_utils._util.resources import read_lines
from fairsum_utils.errors import InputError
from fairsum_utils.io.columns import check_columns
from fairsum_utils.io.names import with_packing
from fairsum_utils.io.objects import iter_objects
from fairsum_utils.io.reading import check_input
from fairsum_utils.io.writing import check_output, write_rows
from fairsum_utils.text.recognition import PERSON_LABELS, load_ner
from fairsum_utils.validation import check_count, describe

#: Parts of speech of personal and possessive pronouns.
PRONOUN_TAGS = ("PRP", "PRP$")

Chain = TypeVar("Chain", bound=Hashable)

#: Kind of mentions that are no part of an apposition, as OntoNotes tells them apart.
ORDINARY = "IDENT"

#: Label of the names of persons.
PERSON = "PERSON"

#: Endings of files of documents.
ENDINGS = with_packing([".jsonl", ".ndjson"])

_COLUMNS = {"id": "string", "text": "string", "entities": "strings", "mentions": "strings", "content_words": "strings"}


class NamedEntity(NamedTuple):
    """A name in the text."""

    start: int
    end: int
    label: str


class Mention(NamedTuple):
    """One mention of whatever a chain is about.

    Attributes:
        start: first character.
        end: the character after the last one.
        pos: Penn tag of a pronoun, ``"PRP"`` or ``"PRP$"``; None where it is none or not known.
    """

    start: int
    end: int
    pos: str | None = None


class ContentWord(NamedTuple):
    """A gendered noun or the like, such as "chairman".

    Attributes:
        start: first character.
        end: the character after the last one.
        chains: positions in the document's `chains` of the persons that the word describes.
        male: the word for men.
        female: the word for women.
        neutral: the word for any gender.

    Source: Steen and Markert 2024, appendix J.
    """

    start: int
    end: int
    chains: tuple[int, ...]
    male: str
    female: str
    neutral: str


@dataclass(frozen=True)
class Document:
    """A text with its annotations.

    Attributes:
        id: unique name.
        text: text that the offsets refer to.
        entities: names, in text order.
        chains: mentions of the same person or thing, each chain and all chains in text order.
        content_words: gendered words, in text order.
        first_names: folded single names that are first names; other single names are last names.
    """

    id: str
    text: str
    entities: tuple[NamedEntity, ...]
    chains: tuple[tuple[Mention, ...], ...]
    content_words: tuple[ContentWord, ...] = ()
    first_names: frozenset[str] = frozenset()


def in_chains(mentions: Iterable[tuple[Chain, Mention]]) -> dict[Chain, tuple[Mention, ...]]:
    """Put mentions into their chains.

    Example:
        >>> in_chains([("b", Mention(9, 12)), ("a", Mention(4, 6)), ("b", Mention(0, 3)), ("a", Mention(4, 6))])
        {'b': (Mention(start=0, end=3, pos=None), Mention(start=9, end=12, pos=None)),
         'a': (Mention(start=4, end=6, pos=None),)}
    """
    chains: dict[Chain, dict[Mention, None]] = {}
    for chain, mention in sorted(mentions, key=lambda pair: pair[1][:2]):
        chains.setdefault(chain, {})[mention] = None
    return {chain: tuple(ordered) for chain, ordered in chains.items()}


def parse_document(fields: Mapping[str, Any], where: str) -> Document:
    """Make a document from a line's fields and check them; `where` prefixes messages."""
    if not isinstance(fields, Mapping):
        raise InputError(f"{where}: a document must be a JSON object, found {describe(fields)}")
    name = _filled(where, fields, "id")
    where = f"{where}: document {name!r}"
    text = _filled(where, fields, "text")
    entities = [
        NamedEntity(*_span(place, entry, text), _filled(place, entry, "label"))
        for place, entry in _entries(where, fields, "entities")
    ]
    mentions = [
        (_chain(place, entry), _mention(place, entry, text))
        for place, entry in _entries(where, fields, "mentions")
        if entry.get("kind", ORDINARY) == ORDINARY
    ]
    chains = in_chains(mentions)
    numbers = {chain: number for number, chain in enumerate(chains)}
    optional = {"content_words": (), **fields}
    words = [_content_word(place, entry, text, numbers) for place, entry in _entries(where, optional, "content_words")]
    words = sorted(set(words))
    for word, following in itertools.pairwise(words):
        if following.start < word.end:
            raise InputError(
                f"{where}: the content words {text[slice(*word[:2])]!r} at {word.start} and "
                f"{text[slice(*following[:2])]!r} at {following.start} overlap; keep one of them"
            )
    return Document(name, text, tuple(sorted(set(entities))), tuple(chains.values()), tuple(words))


def _present(where: str, fields: Mapping[str, Any], name: str) -> Any:
    if name not in fields:
        found = ", ".join(map(str, fields)) or "none"
        raise InputError(f"{where}: the field {name!r} is missing; found {found}")
    return fields[name]


def _filled(where: str, fields: Mapping[str, Any], name: str) -> str:
    """Check that a string is not blank."""
    entry = _present(where, fields, name)
    if not isinstance(entry, str) or not entry.strip():
        raise InputError(f"{where}: {name} must be a non-empty string, found {describe(entry)}")
    return entry


def _entries(where: str, fields: Mapping[str, Any], name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the annotations of a list, each with its place for messages."""
    entries = _present(where, fields, name)
    if not isinstance(entries, (list, tuple)):
        raise InputError(f"{where}: {name} must be a list, found {describe(entries)}")
    for number, entry in enumerate(entries):
        place = f"{where}: {name}[{number}]"
        if not isinstance(entry, Mapping):
            raise InputError(f"{place} must be an object with start and end, found {describe(entry)}")
        yield place, entry


def _span(where: str, entry: Mapping[str, Any], text: str) -> tuple[int, int]:
    """Check a span: not empty, and no blank at its ends."""
    start, end = (check_count(where, name, _present(where, entry, name), least=0) for name in ("start", "end"))
    if not start < end:
        raise InputError(f"{where}: start must be below end, found {start} and {end}; ends are exclusive")
    if end > len(text):
        raise InputError(f"{where}: end must be at most {len(text)}, the length of the text, found {end}")
    span = text[start:end]
    if span != span.strip():
        raise InputError(
            f"{where}: the span {start} to {end} is {span!r}, with a blank at an end; count characters of the text "
            "(not bytes, not tokens) from 0"
        )
    return start, end


def _chain(where: str, entry: Mapping[str, Any]) -> str | int:
    chain: str | int = _present(where, entry, "chain")
    if isinstance(chain, bool) or not isinstance(chain, (str, int)):
        raise InputError(f"{where}: chain must be a string or a whole number, found {describe(chain)}")
    return chain


def _mention(where: str, entry: Mapping[str, Any], text: str) -> Mention:
    return Mention(*_span(where, entry, text), None if entry.get("pos") is None else _filled(where, entry, "pos"))


def _content_word(where: str, entry: Mapping[str, Any], text: str, numbers: Mapping[str | int, int]) -> ContentWord:
    chains = _present(where, entry, "chains")
    known = isinstance(chains, list) and all(type(chain) in (str, int) and chain in numbers for chain in chains)
    if not known or not chains:
        raise InputError(
            f"{where}: chains must list chains of mentions, found {describe(chains)}; there are "
            f"{', '.join(map(repr, numbers)) or 'none'}"
        )
    owners = tuple(dict.fromkeys(numbers[chain] for chain in chains))
    forms = (_filled(where, entry, form) for form in ("male", "female", "neutral"))
    return ContentWord(*_span(where, entry, text), owners, *forms)


def document_fields(document: Document) -> dict[str, Any]:
    """Convert a document to a line's fields; chain ids are positions in `chains`."""
    mentions = []
    for chain, listed in enumerate(document.chains):
        for mention in listed:
            pos = {} if mention.pos is None else {"pos": mention.pos}
            mentions.append({"start": mention.start, "end": mention.end, "chain": chain, **pos})
    return {
        "id": document.id,
        "text": document.text,
        "entities": [entity._asdict() for entity in document.entities],
        "mentions": mentions,
        "content_words": [{**word._asdict(), "chains": list(word.chains)} for word in document.content_words],
    }


def read_documents(path: str | os.PathLike[str]) -> Iterator[Document]:
    """Read documents one by one.

    Args:
        path: a file of JSON Lines; its name ends in one of `ENDINGS`.

    Raises:
        InputError: the file is not there, or is not as described; the message names line, document and field.
        FileError: a line is not JSON, or the file cannot be unpacked.

    Example:
        >>> next(read_documents("no-such-corpus.jsonl"))
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: no-such-corpus.jsonl: no such file
    """
    path = Path(path)
    check_input(path, ENDINGS)
    yield from _distinct((f"{path}, line {number}", fields) for number, fields in iter_objects(path))


def write_documents(documents: Iterable[Document], path: str | os.PathLike[str]) -> int:
    """Write documents for `read_documents`; the file appears when complete.

    Args:
        documents: documents to write; those that could not be read again are refused.
        path: name of the file, with one of `ENDINGS`.

    Returns:
        The number of written documents.

    Raises:
        InputError: another ending, no such folder, an annotation that does not fit the text, or an id that is taken.

    Example:
        >>> write_documents([], "corpus.csv")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: corpus.csv: unknown format; the name must end in one of .jsonl, .ndjson
        (.gz or .zst may follow)
    """
    check_output(path, *ENDINGS)
    numbered = ((f"writing {path}", document_fields(document)) for document in documents)
    return write_rows(map(document_fields, _distinct(numbered)), path, _COLUMNS)


def _distinct(numbered: Iterable[tuple[str, Any]]) -> Iterator[Document]:
    """Yield documents from fields, and refuse repeated ids."""
    known: dict[str, str] = {}
    for where, fields in numbered:
        document = parse_document(fields, where)
        if document.id in known:
            raise InputError(
                f"{where}: document {document.id!r}: another document has this id ({known[document.id]}); give "
                "every document its own"
            )
        known[document.id] = where
        yield document


def from_rows(
    rows: Iterable[Mapping[str, Any]],
    *,
    pipeline: Any = None,
    text_column: str = "text",
    id_column: str = "id",
    clusters_column: str | None = "clusters",
    entities_column: str | None = None,
    where: str = "from_rows",
) -> Iterator[tuple[Document, Any]]:
    """Annotated documents, one a row, with the text as the pipeline parsed it.

    Args:
        rows: the rows, read one by one.
        pipeline: name of a spaCy pipeline, or a loaded one. It finds the names, if `entities_column` is None, and tags
            the pronouns, if it has a tagger.
        text_column: name of the column of texts.
        id_column: name of the column of the documents' names. It may be missing: a document is then named by the row's
            place, from 0.
        clusters_column: name of the column of clusters: a list of chains, each a list of ``[start, end]`` in characters
            of the text, ends exclusive, as fastcoref and others write them; None for documents without chains, see
            `persons.join_by_name`.
        entities_column: name of the column of names: a list of ``{"start": ..., "end": ..., "label": ...}``; None for
            names by the pipeline.
        where: file or function, to open messages with.

    Yields:
        A document for each row, and the parsed text; None without a pipeline.

    Raises:
        InputError: a row is not as described, or there is neither a column nor a pipeline for the names.
        MissingDependencyError: spaCy or the pipeline is not installed.

    Example:
        >>> row = {"text": "Ann Bo said she won.", "clusters": [[[0, 6], [12, 15]]],
        ...        "entities": [{"start": 0, "end": 6, "label": "PERSON"}]}
        >>> document, _ = next(from_rows([row], entities_column="entities"))
        >>> [document.text[start:end] for start, end, *_ in document.chains[0]]
        ['Ann Bo', 'she']
    """
    if pipeline is None and entities_column is None:
        raise InputError(f"{where}: names come from a column or from a spaCy pipeline; give one of the two")
    needed = {text_column: "text_column"}
    if clusters_column is not None:
        needed[clusters_column] = "clusters_column"
    if entities_column is not None:
        needed[entities_column] = "entities_column"
    texts = ((row[text_column], row) for row in _rows_with_text(rows, needed, text_column, where))
    analysed: Iterable[tuple[Any, Mapping[str, Any]]] = ((None, row) for _, row in texts)
    if pipeline is not None:
        language: Any = load_ner(pipeline) if isinstance(pipeline, str) else pipeline
        analysed = language.pipe(texts, as_tuples=True)
    for number, (doc, row) in enumerate(analysed):
        opening = f"{where}: row {number + 1}"
        name = row.get(id_column)
        mentions = [] if clusters_column is None else _mentions(opening, clusters_column, row[clusters_column])
        if doc is not None:
            mentions = [{**mention, "pos": _pronoun(doc, mention["start"], mention["end"])} for mention in mentions]
        fields = {
            "id": str(number if name is None else name),
            "text": row[text_column],
            "entities": row[entities_column] if entities_column is not None else list(_entities(doc)),
            "mentions": mentions,
        }
        yield parse_document(fields, opening), doc


def _rows_with_text(
    rows: Iterable[Mapping[str, Any]], needed: Mapping[str, str], text_column: str, where: str
) -> Iterator[Mapping[str, Any]]:
    """Yield the rows, which must have all columns and a text."""
    for number, row in enumerate(rows, start=1):
        check_columns(f"{where}: row {number}", needed, row)
        _filled(f"{where}: row {number}", row, text_column)
        yield row


def _mentions(where: str, column: str, clusters: Any) -> list[dict[str, Any]]:
    """List the mentions of all clusters; spans are checked with the document."""
    try:
        spans = [(chain, *span) for chain, cluster in enumerate(clusters) for span in cluster]
        found = [{"start": start, "end": end, "chain": chain} for chain, start, end in spans]
        if all(type(span["start"]) is type(span["end"]) is int for span in found):
            return found
    except (TypeError, ValueError):
        pass
    raise InputError(
        f"{where}: {column} must be a list of chains, each a list of [start, end] in characters, found "
        f"{describe(clusters)}"
    )


def _entities(doc: Any) -> Iterator[dict[str, Any]]:
    """Yield a pipeline's named entities without blanks; persons are PERSON."""
    for span in doc.ents:
        label = PERSON if span.label_ in PERSON_LABELS else span.label_
        start = span.start_char + len(span.text) - len(span.text.lstrip())
        if name := span.text.strip():
            yield {"start": start, "end": start + len(name), "label": label}


def _pronoun(doc: Any, start: int, end: int) -> str | None:
    """Return the tag of a mention of one pronoun."""
    span = doc.char_span(start, end)
    tag = span[0].tag_ if span is not None and len(span) == 1 else ""
    return tag if tag in PRONOUN_TAGS else None


_FILE = "mini_news.jsonl.gz"


def mini_news() -> list[Document]:
    """Twenty-four news-like articles about invented people: sport, family, business, politics and science.

    Written for this project (Apache-2.0), with the names, mentions and gendered words that templates are made from.
    They are for trying things out; what a summarizer does with them says little about what it does with news.

    Returns:
        Annotated documents; ids open with the topic, such as ``"sport-final"``.

    Example:
        >>> documents = mini_news()
        >>> len(documents), documents[0].id, documents[0].text[:44]
        (24, 'sport-final', 'Nora Whitfield scored in the last minute on ')
    """
    return [
        parse_document(json.loads(line), f"{_FILE}, line {number}")
        for number, line in enumerate(read_lines(_FILE), start=1)
    ]
