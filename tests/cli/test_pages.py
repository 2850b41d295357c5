"""Samples of a page between scoring and writing: on the disk, and gone afterwards."""

import json
from pathlib import Path

from fairsum_utils.cli.samples import sample_texts
from fairsum_utils.families import families
from fairsum_utils.io.layout import Layout
from fairsum_utils.io.shapes import Shape
from fairsum_utils.results.columns import TEXTS, SampleColumns, stored_kind
from fairsum_utils.results.record import describe_settings


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
    read = SampleColumns(
        {name: describe_settings(name, {}, {}) for name in ("entity_inclusion", "word_list_inclusion")}
    )
    assert read.texts({TEXTS: found}) == {"predictions": "s", "sources": ["One text."], "article_ids": "3"}
