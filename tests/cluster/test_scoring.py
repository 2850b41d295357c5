"""Runs in a folder: progress, going on after interruptions, shares, and refusals of what is not this run's."""

import json
import os
from pathlib import Path

import pytest
from fairsum_utils.cluster import merge, scoring
from fairsum_utils.cluster.scoring import ALL, Progress, ShardsFailed, Share, in_this_process, run
from fairsum_utils.cluster.shards import Shard
from fairsum_utils.cluster.worker import Failed, Finished, NotWritten

from fairsum_utils.errors import InputError
from fairsum_utils.io.writing import Folder

from .conftest import Recording, job_on, merged, result_of, rows_of, write_rows

SHARDS = [Shard(number, 100 * number, 100) for number in range(12)]


def test_the_line_of_a_log(monkeypatch, capsys):
    monkeypatch.setattr(scoring, "_MINUTE", 0)
    progress = Progress(SHARDS, SHARDS[:2])
    list(progress.shown([Finished(2, 100), Failed(3, ("died",))]))
    assert capsys.readouterr().err.splitlines() == [
        "fairsum: 3 of 12 shards; 300 of 1,200 samples",
        "fairsum: 3 of 12 shards, 1 failed; 300 of 1,200 samples",
    ]
    assert progress.failed == [Failed(3, ("died",))]


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path / "run")


def test_an_interrupted_run_goes_on(rows_file, folder):
    job, first, second = job_on(rows_file), Recording(most=4), Recording()
    with pytest.raises(KeyboardInterrupt):
        run(job, folder, first, rows_per_shard=10)
    run(job, folder, second)
    assert (first.finished, second.finished) == ([0, 1, 2, 3], [4, 5, 6, 7, 8, 9])
    assert merged(job, folder) == result_of(job)


def test_rows_are_read_some_at_a_time(rows_file, folder, monkeypatch):
    job = job_on(rows_file)
    manifest = run(job, folder, in_this_process, rows_per_shard=30)
    monkeypatch.setattr(merge, "_AT_ONCE", 7)
    with job.session() as session:
        sizes = [len(systems[0].ids) for systems in merge.merged_rows(folder, manifest, job, session)]
    assert sizes == [*[7, 7, 7, 7, 2] * 3, 7, 3]
    assert merged(job, folder) == result_of(job)


def cut_short(path):
    path.write_bytes(path.read_bytes()[:-20])


def of_another_shard(path):
    path.write_bytes(path.with_name(path.name.replace("00002", "00001")).read_bytes())


def gone(path):
    path.unlink()


@pytest.mark.parametrize("kind", ["rows", "state"])
@pytest.mark.parametrize("damage", [cut_short, of_another_shard, gone])
def test_what_is_damaged_is_scored_again(rows_file, folder, kind, damage):
    job = job_on(rows_file)
    manifest = run(job, folder, in_this_process, rows_per_shard=10)
    expected = merged(job, folder)
    shard = manifest.shards[2]
    damage(Path(folder.address(shard.rows_name if kind == "rows" else shard.state_name)))
    with pytest.raises(InputError, match="1 of 10 shards are missing or damaged: 3;"):
        merged(job, folder)
    again = Recording()
    run(job, folder, again)
    assert again.finished == [2]
    assert merged(job, folder) == expected


def test_shards_of_two_runs_are_not_mixed(rows_file, tmp_path):
    """The files of a shard say of which run they are: those of other settings in the same places are not taken."""
    for name, tau in (("one", 0.8), ("two", 0.9)):
        job = job_on(rows_file, ("bur",), settings={"tau": tau})
        run(job, Folder(tmp_path / name), in_this_process, rows_per_shard=10)
    for kind in ("rows/shard=00003.parquet", "state/shard=00003.state"):
        (tmp_path / "two" / kind).write_bytes((tmp_path / "one" / kind).read_bytes())
    again = Recording()
    run(job, Folder(tmp_path / "two"), again)
    assert again.finished == [3]


def test_a_file_that_has_changed_is_refused(rows_file, folder):
    job = job_on(rows_file)
    with pytest.raises(KeyboardInterrupt):
        run(job, folder, Recording(most=2), rows_per_shard=10)
    os.utime(rows_file)  # its content is the same
    with pytest.raises(KeyboardInterrupt):
        run(job, folder, Recording(most=1))
    status = rows_file.stat()
    rows_file.write_text(rows_file.read_text().replace("Tasty", "Nasty"))
    os.utime(rows_file, ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(InputError, match="used another file, or the file has changed; delete the folder"):
        run(job, folder, in_this_process)


def test_a_file_that_changes_while_it_is_scored_is_refused(rows_file, folder):
    def changing(job, shards, folder):
        yield from in_this_process(job, shards, folder)
        rows_file.write_text(rows_file.read_text().replace("Tasty", "Nasty"))

    with pytest.raises(InputError, match="the file has changed"):
        run(job_on(rows_file), folder, changing, rows_per_shard=10)


def test_other_settings_are_refused(rows_file, folder):
    run(job_on(rows_file), folder, in_this_process)
    for other in (
        job_on(rows_file, ("bur",)),
        job_on(rows_file, settings={"k": 2}),
        job_on(rows_file, settings={"seed": 7}),
    ):
        with pytest.raises(InputError, match="used other measures, settings or columns; delete the folder"):
            run(other, folder, in_this_process)
    run(job_on(rows_file, settings={"device": "cpu", "batch_tokens": 512}), folder, Recording())  # change no number


def test_a_word_list_that_has_changed_is_refused(tmp_path, folder):
    path = write_rows(tmp_path / "rows.jsonl", [{"id": 1, "prediction": "She won.", "sources": "She won."}])
    lists = {"f": ["she", *map(str, range(500))], "m": ["he"]}
    jobs = [
        job_on(path, ("word_list_inclusion",), settings={"word_lists": {**lists, "f": [word, *lists["f"][1:]]}})
        for word in ("she", "her")
    ]
    jobs = [job._replace(layout=job.layout._replace(columns=job.layout.columns[:2], by_id=False)) for job in jobs]
    run(jobs[0], folder, in_this_process)
    with pytest.raises(InputError, match="used other measures, settings or columns"):
        run(jobs[1], folder, in_this_process)


def test_two_runs_at_once_write_the_same_files(rows_file, folder):
    job = job_on(rows_file)

    def with_another(job, shards, folder):
        outcomes = in_this_process(job, shards, folder)
        yield next(outcomes)
        run(job, folder, in_this_process)
        yield from outcomes

    run(job, folder, with_another, rows_per_shard=10)
    assert merged(job, folder) == result_of(job)


def test_shares_make_the_whole_in_any_order(rows_file, folder):
    job = job_on(rows_file)
    for number in (3, 1, 4, 2):
        run(job, folder, in_this_process, share=Share(number, 4), rows_per_shard=7)
    assert merged(job, folder) == result_of(job)


def test_a_share_that_has_nothing_to_do(rows_file, folder):
    recording = Recording()
    run(job_on(rows_file), folder, recording, share=Share(64, 64))
    assert recording.finished == recording.failed == []


@pytest.mark.parametrize("text", ["0/4", "5/4", "3", "-1/4", "a/b", "1/0"])
def test_shares_that_are_none(text):
    with pytest.raises(InputError, match=f"--shard {text}: .*such as 3/64"):
        Share.read(text)
    assert Share.read("1/1") == ALL


def test_bad_rows_of_all_shards_are_named(tmp_path, folder):
    rows = rows_of(60)
    for place in (3, 4, 27, 59):
        rows[place]["values"] = ["good", None]
    path = write_rows(tmp_path / "rows.jsonl", rows)
    with pytest.raises(ShardsFailed) as caught:
        run(job_on(path), folder, in_this_process, rows_per_shard=10)
    assert [line.rpartition("(")[2] for line in caught.value.lines] == [
        f"{path}, row {place + 1}, id s{place})" for place in (3, 4, 27, 59)
    ]
    assert caught.value.exit_status == 2
    assert len(folder.names("state")) == 3
    with pytest.raises(
        InputError, match=r"3 of 6 shards .*: 1 \(score: sample 3: .*row 4, id s3\)\), 3 \(score: sample 27: .*, 6 \("
    ):
        merged(job_on(path), folder)
    failed = json.loads(folder.read("failed/shard=00002.json"))
    assert failed == Failed(2, tuple(caught.value.lines[2:3]), is_input=True)._asdict() | {"errors": failed["errors"]}


def test_a_damaged_row_group_is_named(tmp_path, folder):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "rows.parquet"
    pq.write_table(pa.Table.from_pylist(rows_of(100)), path, row_group_size=20, compression="zstd")
    content = bytearray(path.read_bytes())
    begin = pq.read_metadata(path).row_group(3).column(1).data_page_offset
    content[begin : begin + 30] = b"\x00" * 30
    path.write_bytes(content)
    with pytest.raises(ShardsFailed, match=f"{path}: this Parquet file cannot be read") as caught:
        run(job_on(path), folder, in_this_process, rows_per_shard=20)
    assert [each.number for each in caught.value.failed] == [3]
    assert len(folder.names("state")) == 4


def test_a_full_disk_stops_the_run_and_loses_nothing(rows_file, folder, monkeypatch):
    job, write, written = job_on(rows_file), Folder.write, []

    def full(self, name, content):
        if name.startswith("rows/"):
            written.append(name)
            if len(written) > 3:
                raise InputError(f"{name}: cannot be written (No space left on device)")
        write(self, name, content)

    with monkeypatch.context() as patched:
        patched.setattr(Folder, "write", full)
        with pytest.raises(NotWritten, match=r"No space left on device.*run the same command again") as caught:
            run(job, folder, in_this_process, rows_per_shard=10)
    assert (caught.value.exit_status, len(written)) == (1, 4)  # no shard is scored in vain
    again = Recording()
    run(job, folder, again)
    assert again.finished == [3, 4, 5, 6, 7, 8, 9]
    assert merged(job, folder) == result_of(job)


def test_a_folder_of_something_else_is_left_alone(rows_file, tmp_path):
    with pytest.raises(InputError, match=r"contains other files, such as rows.jsonl; name an empty or new folder"):
        run(job_on(rows_file), Folder(tmp_path), in_this_process)
    with pytest.raises(InputError, match="this is a file, not a folder"):
        run(job_on(rows_file), Folder(rows_file), in_this_process)


@pytest.mark.parametrize("content", [b"", b"[" * 100_000, b'{"shards": [3]}'])
def test_a_manifest_that_is_none(rows_file, folder, content):
    job = job_on(rows_file)
    run(job, folder, in_this_process, rows_per_shard=30)
    folder.write("manifest.json", content)
    with pytest.raises(InputError, match=r"manifest\.json is damaged"):
        run(job, folder, in_this_process)
