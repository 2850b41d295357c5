"""The command `annotate`: rows and OntoNotes folders to a file of documents."""

import json
import shutil
from pathlib import Path

import pytest

from fairsum_utils.counterfactual.documents import Document, Mention, NamedEntity, read_documents
from fairsum_utils.counterfactual.ontonotes import OntoNotesReader
from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.io.writing import write_rows

RELEASE = Path(__file__).parent.parent / "counterfactual" / "ontonotes"
ROWS = [
    {
        "id": "a",
        "text": "Ann Bo said she won.",
        "clusters": [[[0, 6], [12, 15]]],
        "names": [{"start": 0, "end": 6, "label": "PERSON"}],
    },
    {"id": "b", "text": "It rains.", "clusters": [], "names": []},
]
DOCUMENTS = [
    Document("a", "Ann Bo said she won.", (NamedEntity(0, 6, "PERSON"),), ((Mention(0, 6), Mention(12, 15)),)),
    Document("b", "It rains.", (), ()),
]


@pytest.fixture
def annotate(alone):
    """Run the command: what it printed, as JSON."""
    return lambda *arguments: json.loads(alone("data", "annotate", *arguments))


def test_rows_with_names(annotate, write_jsonl, tmp_path):
    printed = annotate(write_jsonl(ROWS), "--output", tmp_path / "corpus.jsonl", "--entities-column", "names")
    output = str(tmp_path / "corpus.jsonl")
    assert printed == {"documents": 2, "person_names": 1, "chains": 1, "skipped": [], "output": output}
    assert list(read_documents(output)) == DOCUMENTS


def test_lists_of_a_csv_file_are_json(annotate, tmp_path):
    path = tmp_path / "rows.csv"
    write_rows(ROWS, path)
    output = tmp_path / "corpus.jsonl.gz"
    annotate(path, "--output", output, "--entities-column", "names")
    assert list(read_documents(output)) == DOCUMENTS
    path.write_text("text,clusters,names\nAnn,[[0;3]],[]\n", encoding="utf-8")
    message = r"rows\.csv, row 1: column 'clusters' must contain a list such as .*, found '\[\[0;3\]\]'"
    with pytest.raises(InputError, match=message):
        annotate(path, "--output", output, "--entities-column", "names")


def test_names_of_columns(annotate, write_jsonl, tmp_path):
    rows = [{"body": row["text"], "key": row["id"], "coref": row["clusters"], "ner": row["names"]} for row in ROWS]
    columns = {"text": "body", "id": "key", "clusters": "coref", "entities": "ner"}
    options = [part for name, column in columns.items() for part in (f"--{name}-column", column)]
    annotate(write_jsonl(rows), "--output", tmp_path / "corpus.jsonl", *options)
    assert list(read_documents(tmp_path / "corpus.jsonl")) == DOCUMENTS


def test_which_pipeline_is_loaded(annotate, write_jsonl, tmp_path, monkeypatch):
    spacy = pytest.importorskip("spacy")
    loaded = []
    monkeypatch.setattr(
        "fairsum_utils.counterfactual.documents.load_ner", lambda name: loaded.append(name) or spacy.blank("en")
    )
    path, output = write_jsonl(ROWS), tmp_path / "corpus.jsonl"
    for options in ((), ("--ner", "x"), ("--entities-column", "names"), ("--entities-column", "names", "--ner", "y")):
        annotate(path, "--output", output, *options)
    assert loaded == ["en_core_web_sm", "x", "y"]


def test_ontonotes(annotate, tmp_path):
    shutil.copytree(RELEASE, tmp_path / "release")
    output = tmp_path / "corpus.jsonl"
    command = (tmp_path / "release", "--output", output, "--ontonotes")
    # Persons: Bo Adams, Adams, Cy Li and Dee; Lady Gray. Chains: nine; one.
    whole = {"documents": 2, "person_names": 5, "chains": 10, "skipped": [], "output": str(output)}
    assert annotate(*command) == whole
    assert annotate(*command, "--section", "all") == whole
    assert list(read_documents(output)) == list(OntoNotesReader(RELEASE).documents())
    (tmp_path / "release/english/annotations/nw/wsj/90/wsj_9001.name").unlink()
    assert annotate(*command) == {
        "documents": 1,
        "person_names": 1,
        "chains": 1,
        "skipped": [{"document": "nw/wsj/90/wsj_9001", "reason": "there is no wsj_9001.name"}],
        "output": str(output),
    }
    before = output.read_bytes()
    (tmp_path / "release/english/annotations/nw/xinhua/90/chtb_9002.name").unlink()
    with pytest.raises(InputError, match="release: no document could be read, so nothing is written"):
        annotate(*command)
    assert output.read_bytes() == before
    with pytest.raises(DataSourceError, match="no document of section 'bn'; there are nw"):
        annotate(*command, "--section", "bn")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--clusters-column", "coref", "--entities-column", "names"),
            "row 1: no column 'coref'; found id, text, .* right one with --clusters-column",
        ),
        (("--entities-column", "ner"), "no column 'ner'; .* Name the right one with --entities-column"),
        (("--text-column", "id", "--entities-column", "names"), r"rows\.jsonl: row 1: "),
        (("--ner", "no-such-pipeline"), "spaCy has no pipeline 'no-such-pipeline'"),
        (
            ("--output", "corpus.csv"),
            r"corpus\.csv: unknown format; the name must end in one of \.jsonl, \.ndjson \(\.gz or",
        ),
    ],
)
def test_bad_input(annotate, write_jsonl, tmp_path, options, message):
    if "--ner" in options:
        pytest.importorskip("spacy")
    path = write_jsonl(ROWS)
    with pytest.raises(InputError, match=message):
        annotate(path, "--output", tmp_path / "corpus.jsonl", *options)
    assert [file.name for file in tmp_path.iterdir()] == ["rows.jsonl"]


def test_files_that_cannot_be_used(annotate, write_jsonl, tmp_path):
    path = write_jsonl(ROWS)
    with pytest.raises(InputError, match=r"rows\.jsonl: this is the input; name another output"):
        annotate(path, "--output", path, "--entities-column", "names")
    with pytest.raises(DataSourceError, match="none: no such folder"):
        annotate(tmp_path / "none", "--output", tmp_path / "a.jsonl", "--ontonotes")
