"""Annotated documents: their JSON Lines, rows with coreference clusters, and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.counterfactual.documents import (
    ContentWord,
    Document,
    Mention,
    NamedEntity,
    from_rows,
    parse_document,
    read_documents,
    write_documents,
)
from fairsum_utils.errors import InputError

# 0      7        16          28  32        42
TEXT = "Mr. Bo Adams, the chairman, said Ann Bo saw him."
FIELDS: dict[str, Any] = {
    "id": "nw/1",
    "text": TEXT,
    "entities": [
        {"start": 33, "end": 39, "label": "PERSON"},
        {"start": 4, "end": 12, "label": "PERSON"},
        {"start": 4, "end": 12, "label": "PERSON"},
    ],
    "mentions": [
        {"start": 33, "end": 39, "chain": 7},
        {"start": 44, "end": 47, "chain": "x", "pos": "PRP"},
        {"start": 0, "end": 26, "chain": "x"},
        {"start": 0, "end": 12, "chain": "x", "kind": "APPOS-HEAD", "pos": None},
        {"start": 0, "end": 26, "chain": "x"},
    ],
    "content_words": [
        {"start": 18, "end": 26, "chains": ["x", "x"], "male": "chairman", "female": "chairwoman", "neutral": "chair"}
    ],
    "date": "today",
}
DOCUMENT = Document(
    "nw/1",
    TEXT,
    (NamedEntity(4, 12, "PERSON"), NamedEntity(33, 39, "PERSON")),
    ((Mention(0, 26), Mention(44, 47, "PRP")), (Mention(33, 39),)),
    (ContentWord(18, 26, (0,), "chairman", "chairwoman", "chair"),),
)


def changed(path: tuple[Any, ...], value: object) -> dict[str, Any]:
    """Return the fields with one replaced."""
    fields = json.loads(json.dumps(FIELDS))
    inner = fields
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return fields


def without(*path: Any) -> dict[str, Any]:
    *outer, name = path
    inner: Any = FIELDS
    for key in outer:
        inner = inner[key]
    rest = {key: entry for key, entry in inner.items() if key != name}
    return changed(tuple(outer), rest) if outer else rest


def test_fields_in_text_order_equal_ones_once() -> None:
    assert parse_document(FIELDS, "a.jsonl, line 1") == DOCUMENT


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ([], "a document must be a JSON object, found list []"),
        (without("id"), "the field 'id' is missing; found text, entities, mentions, content_words, date"),
        (changed(("id",), 3), "id must be a non-empty string, found int 3"),
        (changed(("id",), " "), "id must be a non-empty string, found str ' '"),
        (changed(("text",), ""), "document 'nw/1': text must be a non-empty string, found str ''"),
        (without("mentions"), "document 'nw/1': the field 'mentions' is missing"),
        (changed(("entities",), {}), "document 'nw/1': entities must be a list, found dict {}"),
        (changed(("entities", 1), [4, 12]), "entities[1] must be an object with start and end, found list [4, 12]"),
        (without("entities", 1, "end"), "entities[1]: the field 'end' is missing; found start, label"),
        (changed(("entities", 0, "label"), 5), "entities[0]: label must be a non-empty string, found int 5"),
        (changed(("entities", 0, "start"), True), "entities[0]: start must be a whole number of at least 0, found bo"),
        (changed(("entities", 0, "start"), -1), "entities[0]: start must be a whole number of at least 0, found int"),
        (changed(("entities", 0, "end"), 39.0), "entities[0]: end must be a whole number of at least 0, found float"),
        (changed(("mentions", 1, "end"), 44), "mentions[1]: start must be below end, found 44 and 44; ends are excl"),
        (changed(("mentions", 1, "end"), 49), "mentions[1]: end must be at most 48, the length of the text, found 49"),
        (changed(("mentions", 1, "start"), 43), "mentions[1]: the span 43 to 47 is ' him', with a blank at an end"),
        (without("mentions", 0, "chain"), "mentions[0]: the field 'chain' is missing; found start, end"),
        (changed(("mentions", 0, "chain"), None), "mentions[0]: chain must be a string or a whole number, found None"),
        (changed(("mentions", 0, "chain"), True), "mentions[0]: chain must be a string or a whole number, found bool"),
        (changed(("mentions", 0, "pos"), 1), "mentions[0]: pos must be a non-empty string, found int 1"),
        (changed(("content_words", 0, "chains"), ["x", "7"]), "found list ['x', '7']; there are 'x', 7"),
        (changed(("content_words", 0, "chains"), []), "chains must list chains of mentions, found list []"),
        (changed(("content_words", 0, "female"), ""), "content_words[0]: female must be a non-empty string"),
        (without("content_words", 0, "neutral"), "content_words[0]: the field 'neutral' is missing"),
    ],
)
def test_what_is_refused(fields: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_document(fields, "a.jsonl, line 4")
    assert str(error.value).startswith("a.jsonl, line 4: ")
    assert message in str(error.value)


def test_content_words_that_overlap() -> None:
    word = {"start": 14, "end": 26, "chains": ["x"], "male": "him", "female": "her", "neutral": "them"}
    fields = changed(("content_words",), [*FIELDS["content_words"], word])
    message = "the content words 'the chairman' at 14 and 'chairman' at 18 overlap; keep one of them"
    with pytest.raises(InputError, match=message):
        parse_document(fields, "a")


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_written_and_read(tmp_path: Path, name: str) -> None:
    other = Document("b", "Café “x”\u2028y", (NamedEntity(0, 4, "ORG"),), ())
    assert write_documents(iter([DOCUMENT, other]), tmp_path / name) == 2
    assert list(read_documents(tmp_path / name)) == [DOCUMENT, other]


def test_ids_are_unique(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(2 * f"{json.dumps(FIELDS)}\n", encoding="utf-8")
    message = r"line 2: document 'nw/1': another document has this id \(.*a\.jsonl, line 1\); give every document"
    with pytest.raises(InputError, match=message):
        list(read_documents(path))


# 0   4  7    12  16   21  25
SHORT = "Ann Bo said she met her dog."
CLUSTERS = [[[12, 15], [0, 6], [20, 23]], [[20, 27]]]
NAMES = [{"start": 0, "end": 6, "label": "PERSON"}]
ROW = {"text": SHORT, "clusters": CLUSTERS, "names": NAMES, "other": 1}


@pytest.fixture(scope="module")
def pipeline() -> Any:
    """Pipeline with two names and two pronouns that labels persons PER."""
    spacy = pytest.importorskip("spacy")
    language = spacy.blank("en")
    language.add_pipe("entity_ruler").add_patterns(
        [{"label": "PER", "pattern": "Ann Bo"}, {"label": "ANIMAL", "pattern": "dog"}]
    )
    ruler = language.add_pipe("attribute_ruler")
    for word, tag in {"she": "PRP", "her": "PRP$", "dog": "NN"}.items():
        ruler.add(patterns=[[{"LOWER": word}]], attrs={"TAG": tag})
    return language


def test_names_that_are_given() -> None:
    [(document, _)] = from_rows([ROW], entities_column="names")
    assert document == Document(
        "0",
        SHORT,
        (NamedEntity(0, 6, "PERSON"),),
        ((Mention(0, 6), Mention(12, 15), Mention(20, 23)), (Mention(20, 27),)),
    )


def test_names_and_pronouns_by_a_pipeline(pipeline: Any) -> None:
    [(document, _)] = from_rows([ROW], pipeline=pipeline)
    assert document.entities == (NamedEntity(0, 6, "PERSON"), NamedEntity(24, 27, "ANIMAL"))
    assert document.chains == (
        (Mention(0, 6), Mention(12, 15, "PRP"), Mention(20, 23, "PRP$")),
        (Mention(20, 27),),  # her dog
    )


def test_names_have_no_blanks_at_their_ends(pipeline: Any) -> None:
    """Some pipelines count the end of a line to a name, and blank lines as one."""

    def parsed(text: str) -> Any:
        spacy_tokens = pytest.importorskip("spacy.tokens")
        doc = pipeline.make_doc(text)
        doc.ents = [spacy_tokens.Span(doc, 0, 3, label="PERSON"), spacy_tokens.Span(doc, 5, 6, label="PERSON")]
        return doc

    class Language:
        def pipe(self, texts: Any, *, as_tuples: bool) -> Any:
            return ((parsed(text), row) for text, row in texts)

    [(document, _)] = from_rows([{"text": "Ann Bo\nsaid no\n\nand left."}], pipeline=Language(), clusters_column=None)
    assert document.entities == (NamedEntity(0, 6, "PERSON"),)


def test_names_of_columns_and_documents() -> None:
    rows = [{"body": "Ann.", "key": 7, "coref": ()}, {"body": "Bo.", "key": "x", "coref": [((0, 2),)]}]
    rows = [{**row, "names": []} for row in rows]
    columns = {"text_column": "body", "id_column": "key", "clusters_column": "coref", "entities_column": "names"}
    assert [document for document, _ in from_rows(rows, **columns)] == [
        Document("7", "Ann.", (), ()),
        Document("x", "Bo.", (), ((Mention(0, 2),),)),
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        *(
            ({"clusters": clusters}, "clusters must be a list of chains, each a list of")
            for clusters in (None, [[0, 6]], [[[0, 6]], "ab"], [[[0.0, 6]]], [[[0, 6, 9]]])
        ),
        ({"clusters": [[[0, 6], [12, 12]]]}, r"document '0': mentions\[1\]: start must be below end, found 12 and 12"),
        ({"clusters": [[[0, 6], [20, 29]]]}, r"document '0': mentions\[1\]: end must be at most 28"),
        ({"clusters": [[[-1, 6]]]}, r"document '0': mentions\[0\]: start must be a whole number of at least 0"),
        ({"clusters": [[[0, 7]]]}, r"document '0': mentions\[0\]: the span 0 to 7 is 'Ann Bo ', with a blank"),
        ({"names": [{"start": 0, "end": 6}]}, r"document '0': entities\[0\]: the field 'label' is missing"),
    ],
)
def test_rows_that_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"^a.jsonl: row 1: {message}"):
        list(from_rows([{**ROW, **changes}], entities_column="names", where="a.jsonl"))


def test_columns_that_are_missing() -> None:
    with pytest.raises(InputError, match="row 1: no column 'coref'; found text, clusters, names, other"):
        list(from_rows([ROW], clusters_column="coref", entities_column="names"))
    with pytest.raises(InputError, match="from_rows: names come from a column or from a spaCy pipeline; give one of"):
        list(from_rows([ROW]))
