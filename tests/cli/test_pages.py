"""Samples of a page between scoring and writing: on the disk, and gone afterwards."""

import json
from pathlib import Path

from fairsum_utils.cli.pages import page_samples, sample_texts
from fairsum_utils.families import families
from fairsum_utils.io.layout import Layout
from fairsum_utils.io.shapes import Shape
from fairsum_utils.results.samples import read_sample, stored_kind
from fairsum_utils.session import Request, Session


def test_what_was_taken_in_comes_back(demo_rows):
    columns = {name: [row[name] for row in demo_rows] for name in ("sources", "values")}
    columns["predictions"] = [row["prediction"] for row in demo_rows]
    requests = [Request("uer"), Request("equal_coverage", settings={"entailer": "lexical"})]
    ids = [row["id"] for row in demo_rows]
    texts = [dict(zip(columns, entries, strict=True)) for entries in zip(*columns.values(), strict=True)]
    with Session(requests, evidence=True) as session, page_samples(session, ["a", "b"]) as page:
        rows = session.rows(columns)
        session.add_rows(rows)
        for start in (0, 5):  # chunk by chunk
            part = slice(start, start + 5)
            page.add(1, ids[part], [made[part] for made in rows], texts[part])
        parts = page.parts(session.results())
        assert [(part.system, list(part.labels)) for part in parts] == [("b", ["uer"]), ("b", ["equal_coverage"])]
        first, second = ([*part.read(part.labels)] for part in parts)
        folder = page.folder
        assert len([*folder.iterdir()]) == 2
    assert not folder.exists()
    assert [entry.id for entry in first] == [entry.id for entry in second] == ids
    expected = [dict(text, sources=tuple(text["sources"]), values=tuple(text["values"])) for text in texts]
    assert [entry.sample for entry in first] == expected
    assert {json.dumps(entry.sample) for entry in second} == {"{}"}  # the texts of a sample are kept once
    scored = Session([Request("uer", settings={"return_samples": True})]).score(columns)["uer"]["samples"]
    assert [entry.records["uer"]["uer"] for entry in first] == [record["uer"] for record in scored]


def test_nothing_is_written_unless_asked_for(fairsum, write_jsonl, demo_rows, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    assert fairsum("score", write_jsonl(demo_rows), "--metrics", "uer")[0] == 0
    assert fairsum("score", tmp_path / "rows.jsonl", "--metrics", "uer", "--report", tmp_path / "a.html")[0] == 0
    assert [*Path(tmp_path / "temporary").iterdir()] == []


def test_every_column_has_one_type(tmp_path):
    columns = {column.name: column for column in families()["entities"].columns}
    assert stored_kind(columns["sources"]) == list[str]
    assert stored_kind(columns["mentions"]) == list[str]
    path = tmp_path / "rows.jsonl"
    row = {"prediction": "s", "text": "One text.", "article_id": 3, "pair_id": None}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    names = {"predictions": "prediction", "sources": "text", "article_ids": "article_id", "pair_ids": "pair_id"}
    layout = Layout(tuple((columns[name], in_file) for name, in_file in names.items()), Shape())
    [found] = sample_texts(path, layout)
    assert found == {"predictions": "s", "sources": ["One text."], "article_ids": "3", "pair_ids": None}
    wanted = {name: columns[name] for name in ("predictions", "sources", "pair_ids")}
    assert read_sample(found, wanted) == {"predictions": "s", "sources": ("One text.",)}
