"""Shards hold every sample once, in its order, whatever the file; and manifests are read as they were written."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fairsum_utils.cluster import shards
from fairsum_utils.cluster.merge import restored_job
from fairsum_utils.cluster.shards import Manifest, cut, shard_chunks
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.io.layout import read_chunks
from fairsum_utils.io.shapes import Shape
from fairsum_utils.io.writing import Folder

from .conftest import job_on, rows_of, write_rows


def read(job, folder, n_rows=None):
    """The samples of all shards, as the shards have them: index, id, columns and place."""
    made = cut(job, folder, n_rows)
    assert [shard.number for shard in made] == [*range(len(made))]
    samples = []
    for shard in made:
        before = len(samples)
        assert shard.start == before
        for [chunk] in shard_chunks(job, shard, folder):
            samples += [one(chunk, place) for place in range(len(chunk.ids))]
        assert len(samples) - before == shard.n_rows
    return samples


def one(chunk, place):
    alone = chunk.only(place)
    return alone.start, alone.ids, json.loads(json.dumps(alone.columns)), alone.where()


def whole(job):
    return [
        one(chunk, place)
        for chunk in read_chunks(job.path, job.layout, 50, **job.reading)
        for place in range(len(chunk.ids))
    ]


@given(
    lines=st.lists(st.sampled_from([b"{}", b"", b"  ", "é".encode()]), max_size=40),
    n_rows=st.integers(1, 12),
    end=st.sampled_from([b"\n", b"\r\n"]),
    ends=st.booleans(),
    mark=st.booleans(),
)
def test_lines_of_json(tmp_path_factory, lines, n_rows, end, ends, mark):
    rows = rows_of(max(1, len(lines)))
    rows = [json.dumps(row, ensure_ascii=False).encode() for row in rows]
    content = [row if line in (b"{}", "é".encode()) or not place else line for place, (row, line) in
               enumerate(zip(rows, lines or [b"{}"], strict=True))]  # fmt: skip
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" * mark + end.join(content) + end * ends)
    job = job_on(path)
    folder = Folder(path.parent / "run")
    assert read(job, folder, n_rows) == whole(job)
    assert not folder.exists("input")
    assert folder.names("input") == []  # it was read where it is


@pytest.mark.parametrize("group", [1, 7, 30, 1000])
@pytest.mark.parametrize("n_rows", [1, 5, 64, None])
def test_parquet(tmp_path, group, n_rows):
    pq.write_table(pa.Table.from_pylist(rows_of(200)), tmp_path / "rows.parquet", row_group_size=group)
    job, folder = job_on(tmp_path / "rows.parquet"), Folder(tmp_path / "run")
    assert read(job, folder, n_rows) == whole(job)
    assert folder.names("input") == []


def test_parquet_with_large_row_groups_is_staged(tmp_path, monkeypatch):
    monkeypatch.setattr(shards, "_LARGEST", 40)
    table = pa.Table.from_pylist(rows_of(200))
    pq.write_table(table, tmp_path / "rows.parquet", row_group_size=100)
    job, folder = job_on(tmp_path / "rows.parquet"), Folder(tmp_path / "run")
    assert read(job, folder, 30) == whole(job)
    assert len(folder.names("input")) == 7


def csv_file(folder):
    import csv

    with (folder / "rows.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, ["id", "prediction", "sources", "values"])
        writer.writeheader()
        writer.writerows(
            {name: json.dumps(entry) if isinstance(entry, list) else entry for name, entry in row.items()}
            for row in rows_of(40)
        )
    return folder / "rows.csv"


def arrow_file(folder):
    table = pa.Table.from_pylist(rows_of(40))
    with pa.ipc.new_file(str(folder / "rows.arrow"), table.schema) as writer:
        writer.write_table(table)
    return folder / "rows.arrow"


def saved_classes(folder):
    datasets = pytest.importorskip("datasets")
    datasets.disable_progress_bars()
    data = datasets.Dataset.from_list([{**row, "values": [0, 1]} for row in rows_of(40)])
    label = datasets.List(datasets.ClassLabel(names=["good", "bad"]))
    data.cast_column("values", label).save_to_disk(folder / "classes")
    return folder / "classes"


@pytest.mark.parametrize("make", [saved_classes, csv_file, arrow_file])
def test_what_cannot_be_read_from_the_middle_is_staged(tmp_path, make):
    job, folder = job_on(make(tmp_path)), Folder(tmp_path / "run")
    assert read(job, folder, 7) == whole(job)
    assert len(folder.names("input")) == 6


@pytest.mark.parametrize("make", [csv_file, arrow_file])
def test_staged_samples_that_are_damaged_are_named(tmp_path, make):
    job, folder = job_on(make(tmp_path)), Folder(tmp_path / "run")
    made = cut(job, folder, 7)
    [name] = [name for name in folder.names("input") if "00002" in name]
    path = tmp_path / "run" / name
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(InputError, match=f"{path}: the file is damaged; delete the folder"):
        list(shard_chunks(job, made[2], folder))


def test_turns_and_several_rows_a_sample(tmp_path):
    turns = [{"speaker": "Ann", "text": "Yes."}, {"speaker": "Ben", "text": "No."}]
    path = write_rows(tmp_path / "turns.jsonl", [{"id": i, "prediction": "Yes.", "sources": turns} for i in range(9)])
    job = job_on(path)
    assert read(job, Folder(tmp_path / "turns"), 2) == whole(job)
    rows = [
        {"meeting": i // 2, "prediction": "Yes.", "sources": f"Text {i}.", "values": ("a", "b")[i % 2]}
        for i in range(12)
    ]
    job = job_on(write_rows(tmp_path / "rows.jsonl", rows), shape=Shape(group_by="meeting"))
    samples = read(job, Folder(tmp_path / "rows"), 2)
    assert samples == whole(job)
    assert len(samples) == 6


def test_several_files_are_cut_as_one(tmp_path):
    rows = rows_of(50)
    paths = [write_rows(tmp_path / f"{i}.jsonl", rows[i * 10 : i * 10 + 10]) for i in range(4)]
    pq.write_table(pa.Table.from_pylist(rows[40:]), tmp_path / "last.parquet")
    job = job_on([*paths, tmp_path / "last.parquet"])
    samples = read(job, Folder(tmp_path / "run"), 25)
    assert samples == whole(job)
    assert samples[30][3] == f"{paths[3]}, row 1, id s30"
    assert len(cut(job, Folder(tmp_path / "run"), 25)) == 2  # shards may span files


@pytest.mark.parametrize("ending", ["jsonl", "json", "parquet"])
def test_samples_of_an_original_stay_together(tmp_path, ending):
    sizes = [1, 5, 3, 12, 2, 1, 7, 9, 4]
    articles = [f"a{number}" for number, size in enumerate(sizes) for _ in range(size)]
    rows = [
        {"id": f"s{i}", "prediction": "Ann won.", "sources": "Ann won.", "article_id": article}
        for i, article in enumerate(articles)
    ]
    path = tmp_path / f"rows.{ending}"
    if ending == "jsonl":
        write_rows(path, rows)
    elif ending == "json":
        path.write_text(json.dumps(rows))
    else:
        pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=10)
    job, folder = job_on(path, ["word_list_inclusion"]), Folder(tmp_path / "run")
    assert read(job, folder, 4) == whole(job)
    ends = [shard.start for shard in cut(job, folder, 4)][1:]
    assert len(ends) > 3
    assert all(articles[end] != articles[end - 1] for end in ends)


def test_an_original_over_two_files_stays_in_one_shard(tmp_path):
    row = {"prediction": "Ann won.", "sources": "Ann won."}
    one = write_rows(tmp_path / "1.jsonl", [{**row, "id": f"{i}", "article_id": f"a{i // 3}"} for i in range(6)])
    two = write_rows(tmp_path / "2.jsonl", [{**row, "id": f"b{i}", "article_id": f"a{1 + i // 3}"} for i in range(6)])
    made = cut(job_on([one, two], ["word_list_inclusion"]), Folder(tmp_path / "run"), 3)
    assert [shard.n_rows for shard in made] == [3, 6, 3]


def test_what_is_wrong_with_the_columns_is_said_before_any_work(tmp_path):
    path = write_rows(tmp_path / "rows.jsonl", [{"id": 1, "text": "x"}])
    with pytest.raises(InputError, match="no column 'prediction'"):
        cut(job_on(path), Folder(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_a_manifest_is_read_as_it_was_written(tmp_path, rows_file):
    folder = Folder(tmp_path / "run")
    manifest = Manifest({"a": [1]}, None, cut(job_on(rows_file), folder, 10), has_states=False)
    manifest.write(folder)
    assert Manifest.read(folder) == manifest
    text = (tmp_path / "run/manifest.json").read_text()
    for changed in (text.replace('"a"', '"b"', 1), text[:50], "[]", text.replace('"job": null', '"job": {}')):
        (tmp_path / "run/manifest.json").write_text(changed)
        with pytest.raises(InputError, match=r"manifest.json is damaged"):
            Manifest.read(folder)
    (tmp_path / "run/manifest.json").write_text(text.replace('"layout": 7', '"layout": 3'))
    with pytest.raises(InputError, match=r"delete the folder and score again: fairsum score FILE --checkpoint .*run$"):
        Manifest.read(folder)
    with pytest.raises(InputError, match="this folder has no run"):
        Manifest.read(Folder(tmp_path))


def test_a_run_of_settings_that_no_file_holds_is_merged_where_it_was_scored(tmp_path):
    with pytest.raises(InputError, match="settings that only exist in Python"):
        restored_job(Folder(tmp_path), Manifest({}, None, (), has_states=True))
