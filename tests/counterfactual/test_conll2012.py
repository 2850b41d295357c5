"""CoNLL-2012 files and rows: the same documents as OntoNotes, and why others are skipped."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.corpora import iter_rows
from fairsum_utils.counterfactual.conll2012 import find_reader
from fairsum_utils.counterfactual.documents import Document, document_fields, mini_news, parse_document
from fairsum_utils.counterfactual.ontonotes import ontonotes
from fairsum_utils.errors import DataSourceError
from tests.counterfactual.formats import CLASSES, TAGS, conll, row

HERE = Path(__file__).parent
ONTONOTES = HERE / "ontonotes"
CONLL = HERE / "conll2012"
WSJ = "nw/wsj/90/wsj_9001"
XINHUA = "nw/xinhua/90/chtb_9002"


def read(path: Path, **options: str | None) -> tuple[dict[str, Document], dict[str, str]]:
    reader = find_reader(path, **options)
    documents = {document.id: document for document in reader.documents()}
    return documents, dict(reader.skipped)


NEWS = sorted(
    (replace(document, id=f"nw/mini/00/{document.id}", content_words=()) for document in mini_news()),
    key=lambda document: document.id,
)


def write_rows(path: Path) -> None:
    path.write_text("".join(json.dumps(row(document)) + "\n" for document in NEWS), encoding="utf-8")


def test_mini_news_in_every_format(tmp_path: Path) -> None:
    for document in NEWS:
        path = tmp_path / f"conll/v4/data/train/data/english/annotations/{document.id}.v4_gold_conll"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(conll(document), encoding="utf-8")
    (tmp_path / "joined").mkdir()
    (tmp_path / "joined/train.english.v4_auto_conll").write_text("".join(map(conll, NEWS)), encoding="utf-8")
    (tmp_path / "rows").mkdir()
    write_rows(tmp_path / "rows/train.jsonl")
    for path in ("conll", "joined", "rows/train.jsonl", "rows"):
        documents, skipped = read(tmp_path / path)
        # Sentences stand on lines of their own, which is the only difference to the originals.
        found = [replace(document, text=document.text.replace("\n", " ")) for document in documents.values()]
        assert (found, skipped) == (NEWS, {})


def test_what_conll_lacks() -> None:
    """No chains with one mention, and no parts of words."""
    whole = {document.id: document for document in ontonotes(ONTONOTES).documents()}
    found, skipped = read(CONLL)
    assert skipped == {}
    assert found[XINHUA] == whole[XINHUA]
    one, other = found[WSJ], whole[WSJ]
    assert one.text == other.text
    assert {one.text[e.start : e.end] for e in set(one.entities) - set(other.entities)} == {
        "anti-Adams",
        "Cy Li-backed",
    }
    assert {other.text[e.start : e.end] for e in set(other.entities) - set(one.entities)} == {"Adams", "Cy Li"}
    kept = [chain for chain in other.chains if len(chain) > 1]
    assert [[one.text[m.start : m.end] for m in chain] for chain in one.chains] == [
        ["Mr. Bo Adams, chairman of A&B Corp.,", "he", "His", "anti-Adams"],
        ["Ms. Dee's", "she"],
    ]
    assert [chain[:3] for chain in one.chains] == [chain[:3] for chain in kept]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("(PERSON*   *      -", "(PERSON*", "line 3: found 11 columns, at least 12 are needed"),
        ("(PERSON*", "PERSON*", "line 3: the names must be (PERSON*, * or *), found 'PERSON*'"),
        ("(PERSON*", "*       ", "line 4: '*)' closes a name that is not open"),
        ("*)   *      -", "*    *      -", "line 16: a name of type PERSON is not closed in its sentence"),
        ("*     1)", "*     -", "line 16: a mention of chain 1 is not closed in its sentence"),
        ("*     1)", "*     2)", "line 10: '2)' closes a mention that is not open"),
        ("*     1)", "*     1", "line 10: the last column must be chains such as (3|12), found '1'"),
        ("*     1)", "*     1)|", "line 10: the last column must be chains such as (3|12), found '1)|'"),
        ("chairman", "ch\udcffirman", "line 6: not UTF-8 (invalid start byte at byte"),
        ("resign", "[WORD]", "the words are missing. Fill them in with skeleton2conll.sh"),
    ],
)
def test_why_a_document_is_skipped(damaged: Callable[..., Path], old: str, new: str, reason: str) -> None:
    documents, skipped = read(damaged(CONLL, f"{WSJ}.v4_gold_conll", old, new))
    assert list(documents) == [XINHUA]
    [why] = skipped.values()
    assert why.startswith(f"wsj_9001.v4_gold_conll: {reason}")


def test_a_line_before_the_first_document(tmp_path: Path) -> None:
    (tmp_path / "a.gold_conll").write_text("nw/a 0 0 Go\n" + conll(ANN))
    (tmp_path / "b.gold_conll").write_text("\n")
    (tmp_path / "c.gold_conll").write_text(conll(ANN).split("\n")[0])
    assert read(tmp_path)[1] == {
        "a.gold_conll": "line 1: '#begin document' must open a document",
        "b.gold_conll": "the file is empty",
        "nw/x/00/ann": "c.gold_conll: there is no sentence",
    }


ANN = replace(mini_news()[0], id="nw/x/00/ann")


def test_gold_before_auto_and_new_before_old(tmp_path: Path) -> None:
    kinds = ("v9_auto_conll", "v4_gold_conll", "v9_gold_conll", "gold_conll")
    for place, kind in enumerate(kinds, start=1):
        (tmp_path / f"ann.{kind}").write_text(conll(replace(ANN, id=f"nw/x/00/{kind}")), encoding="utf-8")
        expected = kinds[max(0, place - 1)]
        assert list(read(tmp_path)[0]) == [f"nw/x/00/{expected}"]


def test_a_document_is_read_once(tmp_path: Path) -> None:
    for name in ("dev.english.v4_gold_conll", "train.english.v4_gold_conll"):
        (tmp_path / name).write_text(conll(ANN), encoding="utf-8")
    documents, skipped = read(tmp_path)
    assert list(documents) == [ANN.id]
    reason = "train.english.v4_gold_conll: dev.english.v4_gold_conll has this document already"
    assert skipped == {ANN.id: reason}


def test_parts_have_chains_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "a.v4_gold_conll").write_text(conll(ANN) + conll(ANN, part=1), encoding="utf-8")
    [document] = read(tmp_path)[0].values()
    assert len(document.chains) == 2 * len(ANN.chains)
    assert len(document.text) == 2 * len(ANN.text) + 1


def test_sections_and_languages(tmp_path: Path) -> None:
    (tmp_path / "dev.english.v4_gold_conll").write_text(
        conll(ANN) + conll(replace(ANN, id="bn/x/00/b")) + conll(replace(ANN, id="own")), encoding="utf-8"
    )
    (tmp_path / "dev.chinese.v4_gold_conll").write_text(conll(replace(ANN, id="nw/x/00/c")), encoding="utf-8")
    (tmp_path / "arabic/annotations").mkdir(parents=True)
    (tmp_path / "arabic/annotations/d.v4_gold_conll").write_text(conll(replace(ANN, id="nw/d")), encoding="utf-8")
    assert list(read(tmp_path)[0]) == [ANN.id, "own"]
    assert list(read(tmp_path, section="bn")[0]) == ["bn/x/00/b", "own"]
    assert list(read(tmp_path, section=None)[0]) == [ANN.id, "bn/x/00/b", "own"]
    (tmp_path / "dev.english.v4_gold_conll").write_text(conll(ANN), encoding="utf-8")
    with pytest.raises(DataSourceError, match="no document of section 'mz'; there are nw"):
        read(tmp_path, section="mz")


def test_a_file_without_coreference_or_names(tmp_path: Path) -> None:
    (tmp_path / "test.v4_auto_conll").write_text(conll(replace(ANN, chains=())), encoding="utf-8")
    rows = iter_rows("counterfactual_ontonotes", "gender_local", data_dir=tmp_path)
    message = (
        r"no document could be read\. The first of 1: nw/x/00/ann: test\.v4_auto_conll: there is no annotation of coref"
    )
    with pytest.raises(DataSourceError, match=message):
        list(rows)
    (tmp_path / "test.v4_auto_conll").write_text(conll(replace(ANN, entities=())), encoding="utf-8")
    assert read(tmp_path)[1] == {ANN.id: "test.v4_auto_conll: there is no annotation of names"}


def test_skeletons(tmp_path: Path) -> None:
    (tmp_path / "a.v4_gold_skel").write_text(conll(ANN))
    with pytest.raises(DataSourceError, match=r"there are \*_skel files, but no \*_conll files.*skeleton2conll\.sh -D"):
        iter_rows("counterfactual_ontonotes", "gender_local", data_dir=tmp_path)


def test_rows_as_parquet(tmp_path: Path) -> None:
    """The Hub's Parquet has the names of the classes."""
    datasets = pytest.importorskip("datasets")
    sentence = {
        "part_id": datasets.Value("int32"),
        "words": datasets.List(datasets.Value("string")),
        "pos_tags": datasets.List(datasets.ClassLabel(names=TAGS)),
        "parse_tree": datasets.Value("string"),
        "named_entities": datasets.List(datasets.ClassLabel(names=CLASSES)),
        "coref_spans": datasets.List(datasets.List(datasets.Value("int32"), length=3)),
    }
    rows = list(map(row, NEWS))
    for found in rows:
        found["sentences"] = [{name: part[name] for name in sentence} for part in found["sentences"]]
    features = datasets.Features({"document_id": datasets.Value("string"), "sentences": datasets.List(sentence)})
    (tmp_path / "parquet").mkdir()
    datasets.Dataset.from_list(rows, features=features).to_parquet(tmp_path / "parquet/train-00000-of-00001.parquet")
    write_rows(tmp_path / "train.jsonl")
    assert read(tmp_path / "parquet") == read(tmp_path / "train.jsonl")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"named_entities": [0]}, "malformed (18 words, but 1 named_entities"),
        ({"named_entities": [2, *[0] * 17]}, "named_entities[0] continues no PERSON"),
        ({"named_entities": [99, *[0] * 17]}, "named_entities[0] must be 0 to 36 or as B-PERSON, found 99"),
        ({"coref_spans": [[0, 3, 99]]}, "coref_spans of chain 0: words 3 to 99 of 18"),
        ({"coref_spans": [[0, 3]]}, "malformed"),
        ({"words": None}, "malformed"),
        ({"words": ["a", 1, *["b"] * 16]}, "words must be non-empty strings"),
        ({"part_id": None}, "part_id is None"),
    ],
)
def test_malformed_rows(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    found = row(ANN)
    found["sentences"][0].update(change)
    (tmp_path / "a.jsonl").write_text(
        json.dumps(found) + "\n" + json.dumps({**found, "document_id": None, "sentences": 1})
    )
    _, skipped = read(tmp_path / "a.jsonl")
    assert skipped[ANN.id].startswith("a.jsonl, row 1, sentence 1: malformed (")
    assert (
        skipped["a.jsonl, row 2"]
        == "a.jsonl, row 2: document_id must be a name and sentences a list, found None and int 1"
    )
    assert reason in skipped[ANN.id]


def test_rows_without_a_tree(tmp_path: Path) -> None:
    """Numbers of tags are not read, so pronouns are not marked; the text is the same."""
    found = row(ANN)
    for sentence in found["sentences"]:
        sentence["parse_tree"] = None
    (tmp_path / "a.jsonl").write_text(json.dumps(found) + "\n")
    [document] = read(tmp_path / "a.jsonl")[0].values()
    assert {mention.pos for chain in document.chains for mention in chain} == {None}
    assert document.text.replace("\n", " ") == ANN.text
    assert document.entities == ANN.entities


def test_a_sentence_without_predicates(tmp_path: Path) -> None:
    """It has no column of arguments."""
    (tmp_path / "a.gold_conll").write_text(conll(ANN), encoding="utf-8")
    (tmp_path / "b.gold_conll").write_text(re.sub(r" +\*( +\S+)$", r"\1", conll(ANN), flags=re.M), encoding="utf-8")
    assert read(tmp_path / "a.gold_conll") == read(tmp_path / "b.gold_conll")


def check_fuzzed(path: Path) -> None:
    """Every document is either skipped with a reason or sound."""
    documents, skipped = read(path, section=None)
    assert documents or all(skipped.values())
    for document in documents.values():
        assert parse_document(document_fields(document), "fuzz") == document


BYTES = conll(ANN).encode()
ODD = st.sampled_from(
    [b"", b"\n", b" ", b"(", b")", b"|", b"*", b"\xff", b"\x00", b"-", b"(3", b"#begin document (a)\n"]
)


@given(st.lists(st.tuples(st.integers(0, len(BYTES)), st.integers(0, 3), ODD), min_size=1, max_size=3))
def test_damaged_files(tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[int, int, bytes]]) -> None:
    content = BYTES
    for place, length, odd in edits:
        content = content[:place] + odd + content[place + length :]
    path = tmp_path_factory.getbasetemp() / "damaged.gold_conll"
    path.write_bytes(content)
    check_fuzzed(path)
