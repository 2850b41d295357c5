"""Annotated documents from rows with a text and its coreference clusters, as coreference tools write them.

Names come from a column, or from a spaCy pipeline. Nobody needs a licence for this; how good the annotation is depends
on the tools, and coreference resolution may itself be biased (papers/news-summarization-bias, section 4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fairsum_utils.counterfactual.documents import PERSON, Document, parse_document
from fairsum_utils.counterfactual.ontonotes import PRONOUN_TAGS
from fairsum_utils.errors import InputError
from fairsum_utils.io.columns import check_columns
from fairsum_utils.text.recognition import PERSON_LABELS, load_ner
from fairsum_utils.validation import describe


def from_rows(
    rows: Iterable[Mapping[str, Any]],
    *,
    pipeline: Any = None,
    text_column: str = "text",
    id_column: str = "id",
    clusters_column: str = "clusters",
    entities_column: str | None = None,
    where: str = "from_rows",
) -> Iterator[Document]:
    """Annotated documents, one a row.

    Args:
        rows: the rows, read one by one.
        pipeline: name of a spaCy pipeline, or a loaded one. It finds the names, if `entities_column` is None, and tags
            the pronouns, if it has a tagger.
        text_column: name of the column of texts.
        id_column: name of the column of the documents' names. It may be missing: a document is then named by the row's
            place, from 0.
        clusters_column: name of the column of clusters: a list of chains, each a list of ``[start, end]`` in characters
            of the text, ends exclusive, as fastcoref and others write them.
        entities_column: name of the column of names: a list of ``{"start": ..., "end": ..., "label": ...}``; None for
            names by the pipeline.
        where: file or function, to open messages with.

    Yields:
        A document for each row.

    Raises:
        InputError: a row is not as described, or there is neither a column nor a pipeline for the names.
        MissingDependencyError: spaCy or the pipeline is not installed.

    Example:
        >>> row = {"text": "Ann Bo said she won.", "clusters": [[[0, 6], [12, 15]]],
        ...        "entities": [{"start": 0, "end": 6, "label": "PERSON"}]}
        >>> document = next(from_rows([row], entities_column="entities"))
        >>> [document.text[start:end] for start, end, *_ in document.chains[0]]
        ['Ann Bo', 'she']
    """
    if pipeline is None and entities_column is None:
        raise InputError(f"{where}: names come from a column or from a spaCy pipeline; give one of them")
    needed = {text_column: "text_column", clusters_column: "clusters_column"}
    if entities_column is not None:
        needed[entities_column] = "entities_column"
    texts = ((row[text_column], row) for row in _checked(rows, needed, text_column, where))
    analysed: Iterable[tuple[Any, Mapping[str, Any]]] = ((None, row) for _, row in texts)
    if pipeline is not None:
        language: Any = load_ner(pipeline) if isinstance(pipeline, str) else pipeline
        analysed = language.pipe(texts, as_tuples=True)
    for number, (doc, row) in enumerate(analysed):
        opening = f"{where}: row {number + 1}"
        name = row.get(id_column)
        mentions = list(_mentions(opening, clusters_column, row[clusters_column], len(row[text_column])))
        if doc is not None:
            mentions = [{**mention, "pos": _pronoun(doc, mention["start"], mention["end"])} for mention in mentions]
        fields = {
            "id": str(number if name is None else name),
            "text": row[text_column],
            "entities": list(map(_entity, doc.ents)) if entities_column is None else row[entities_column],
            "mentions": mentions,
        }
        yield parse_document(fields, opening)


def _checked(
    rows: Iterable[Mapping[str, Any]], needed: Mapping[str, str], text_column: str, where: str
) -> Iterator[Mapping[str, Any]]:
    """The rows, which have all columns and a text."""
    for number, row in enumerate(rows, start=1):
        check_columns(f"{where}: row {number}", needed, row)
        if not isinstance(row[text_column], str):
            raise InputError(
                f"{where}: row {number}: {text_column} must be a string, found {describe(row[text_column])}; fill it "
                "in or drop the row"
            )
        yield row


def _mentions(where: str, column: str, clusters: object, length: int) -> Iterator[dict[str, Any]]:
    """The mentions of all clusters."""
    for chain, cluster in enumerate(_list(where, column, clusters)):
        for place, span in enumerate(_list(where, f"{column}[{chain}]", cluster)):
            is_pair = isinstance(span, (list, tuple)) and len(span) == 2 and all(type(end) is int for end in span)
            if not is_pair or not 0 <= span[0] < span[1] <= length:
                raise InputError(
                    f"{where}: {column}[{chain}][{place}] must be [start, end] with 0 <= start < end <= {length}, the "
                    f"length of the text in characters, found {describe(span)}"
                )
            yield {"start": span[0], "end": span[1], "chain": chain}


def _list(where: str, name: str, entry: object) -> list[Any] | tuple[Any, ...]:
    if not isinstance(entry, (list, tuple)):
        raise InputError(f"{where}: {name} must be a list, found {describe(entry)}")
    return entry


def _entity(span: Any) -> dict[str, Any]:
    """A name that a pipeline finds; persons have one label, whatever the pipeline calls them."""
    label = PERSON if span.label_ in PERSON_LABELS else span.label_
    return {"start": span.start_char, "end": span.end_char, "label": label}


def _pronoun(doc: Any, start: int, end: int) -> str | None:
    """The tag of a mention that is one pronoun."""
    span = doc.char_span(start, end)
    tag = span[0].tag_ if span is not None and len(span) == 1 else ""
    return tag if tag in PRONOUN_TAGS else None
