"""Rows that are kept: what is resumed, what is refused, and that nothing of another run is read."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.io.folders import Folder
from fairsum_utils.run import from_rows, rows
from fairsum_utils.run.job import Job, Task
from fairsum_utils.run.rows import Rows, Run
from fairsum_utils.run.scoring import Share

from .conftest import READING, TASK, job_on, of_rows, rows_of, run_in, scored, write_rows


def files_of(folder: Path) -> list[Path]:
    return sorted(run_in(folder).iterdir())


def test_a_run_that_was_interrupted_goes_on(tmp_path: Path, matchers: ModuleType) -> None:
    """Of four tasks two are finished, then the disk is full; after that only the other two are scored."""
    path = write_rows(tmp_path / "rows.jsonl", rows_of(4 * TASK))
    matcher = matchers.Counting(tmp_path)
    job = job_on(path, ("bur",), matcher=matcher)
    expected = scored(job)
    assert len(matcher.calls()) > 3 * TASK
    write = Folder.write

    def full(self: Folder, name: str, content: Any) -> None:
        if name == "rows-000003.parquet":
            raise InputError(f"{name}: cannot be written (No space left on device)")
        write(self, name, content)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Folder, "write", full)
        with pytest.raises(InputError, match="No space left on device"):
            scored(job, rows=tmp_path / "runs")
    assert [file.name for file in files_of(tmp_path / "runs")] == [
        "rows-000001.parquet",
        "rows-000002.parquet",
    ]
    matcher.calls()
    assert scored(job, rows=tmp_path / "runs") == expected
    assert min(matcher.calls()) >= 2 * TASK
    assert scored(job, rows=tmp_path / "runs") == expected
    assert matcher.calls() == []


def cut_short(path: Path, other: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def of_another_task(path: Path, other: Path) -> None:
    path.write_bytes(path.with_name(path.name.replace("000002", "000001", 1)).read_bytes())


def of_another_run(path: Path, other: Path) -> None:
    path.write_bytes((run_in(other) / path.name).read_bytes())


def gone(path: Path, other: Path) -> None:
    path.unlink()


@pytest.mark.parametrize(
    ("damage", "refused"),
    [
        (cut_short, r"rows-000002\.parquet: damaged, or no rows of a run; score this part again"),
        (of_another_task, r"rows-000002.* and rows-000001.* hold the same samples; remove one of them"),
        (of_another_run, r"rows-000002\.parquet: rows of another run than rows-000001"),
        (gone, r"parts are missing: 2; score them, or go on without them in Python: .*from_rows"),
    ],
)
def test_what_is_damaged_is_refused_and_scored_again(
    tmp_path: Path, rows_file: Path, damage: Callable[[Path, Path], None], refused: str
) -> None:
    expected = scored(job_on(rows_file), rows=tmp_path / "runs")
    scored(job_on(rows_file, seed=1), rows=tmp_path / "others")
    files = files_of(tmp_path / "runs")
    damage(files[1], tmp_path / "others")
    with pytest.raises(InputError, match=refused):
        of_rows(tmp_path / "runs")
    written = [file.stat().st_mtime_ns for file in files if file != files[1]]
    assert scored(job_on(rows_file), rows=tmp_path / "runs") == expected
    assert [file.stat().st_mtime_ns for file in files if file != files[1]] == written
    assert of_rows(tmp_path / "runs") == expected


def test_the_first_file_is_damaged(tmp_path: Path, rows_file: Path) -> None:
    scored(job_on(rows_file), rows=tmp_path / "runs")
    cut_short(files_of(tmp_path / "runs")[0], tmp_path)
    run = str(run_in(tmp_path / "runs"))
    assert rows.run_in(run) == rows.run_in(str(tmp_path / "runs")) == run
    with pytest.raises(InputError, match=r"rows-000001\.parquet: damaged"):
        of_rows(tmp_path / "runs")


def test_any_damaged_byte_is_seen(tmp_path: Path) -> None:
    scored(job_on(write_rows(tmp_path / "rows.jsonl", rows_of(60))), rows=tmp_path / "runs")
    [file] = files_of(tmp_path / "runs")
    content = file.read_bytes()
    for place in range(0, len(content), 97):
        file.write_bytes(content[:place] + bytes([content[place] ^ 0x41]) + content[place + 1 :])
        with pytest.raises(InputError, match=r"damaged, or no rows of a run|holds no rows|layout of another version"):
            of_rows(tmp_path / "runs")
    file.write_bytes(content)
    assert of_rows(tmp_path / "runs") == scored(job_on(tmp_path / "rows.jsonl"))


def test_partial(tmp_path: Path, rows_file: Path) -> None:
    """The results of parts are those of their samples, whose ids are kept."""
    scored(job_on(rows_file), rows=tmp_path / "runs")
    for file in files_of(tmp_path / "runs")[::2]:
        file.unlink()
    every = rows_of(3 * TASK + 60)
    others = write_rows(tmp_path / "others.jsonl", every[TASK : 2 * TASK] + every[3 * TASK :])
    found, expected = of_rows(tmp_path / "runs", partial=True), scored(job_on(others))
    assert found["uer"]["n_samples"] == expected["uer"]["n_samples"] > 0
    for key in ("uer", "uer_ci", "uer_sd", "signature"):
        assert found["uer"].get(key) == expected["uer"].get(key)
    run = Run(str(run_in(tmp_path / "runs")), partial=True)
    assert run.missing == "1, 3"
    files_of(tmp_path / "runs")[1].unlink()
    assert Run(str(run_in(tmp_path / "runs")), partial=True).missing == "1, all after 2"


@pytest.mark.parametrize(("of", "order"), [(2, [2, 1]), (9, [9, 4, 1, 7, 2, 8, 5, 3, 6])])
def test_parts_in_any_order_make_the_whole(tmp_path: Path, rows_file: Path, of: int, order: list[int]) -> None:
    job = job_on(rows_file)
    for number in order[:-1]:
        scored(job, rows=tmp_path / "runs", only=Share(number, of))
    if of == 2:
        with pytest.raises(InputError, match="parts are missing: "):
            of_rows(tmp_path / "runs")
    scored(job, rows=tmp_path / "runs", only=Share(order[-1], of))
    assert of_rows(tmp_path / "runs") == scored(job)


def test_rows_of_an_earlier_layout_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = job_on(write_rows(tmp_path / "rows.jsonl", rows_of(60)))
    with monkeypatch.context() as patch:
        patch.setattr(rows, "FORMAT", 1)
        expected = scored(job, rows=tmp_path / "runs")
    [file] = files_of(tmp_path / "runs")
    with pytest.raises(InputError, match=rf"{file.name}: rows in the layout of another version; score the samples ag"):
        of_rows(tmp_path / "runs")
    assert scored(job, rows=tmp_path / "runs") == expected
    assert len(list((tmp_path / "runs").iterdir())) == 2


@pytest.mark.parametrize("text", ["0/4", "5/4", "3", "-1/4", "a/b", "1/0", "", "1/2/3"])
def test_parts_that_are_none(text: str) -> None:
    with pytest.raises(InputError, match=rf"--only {text}: expected NUMBER/OF .*such as 3/64; if your scheduler count"):
        Share.read(text)


def test_each_task_belongs_to_one_part() -> None:
    for of in (1, 2, 3, 7):
        parts = [Share.read(f"{number}/{of}") for number in range(1, of + 1)]
        assert all(sum(part.holds(chunk) for part in parts) == 1 for chunk in range(1, 30))


def test_other_settings_data_or_versions_have_rows_of_their_own(
    tmp_path: Path, rows_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "runs"
    job = job_on(rows_file)
    expected = scored(job, rows=folder)
    read_otherwise = job._replace(reading={**READING, "encoding": "cp1252"})
    for other in (job_on(rows_file, ("bur",)), job_on(rows_file, k=2), job_on(rows_file, seed=7), read_otherwise):
        before = len(list(folder.iterdir()))
        assert scored(other, rows=folder) == scored(other)
        assert len(list(folder.iterdir())) == before + 1
    before = len(list(folder.iterdir()))
    scored(job_on(rows_file, device="cpu", batch_tokens=512), rows=folder)  # change no number
    elsewhere = write_rows(tmp_path / "elsewhere.jsonl", rows_of(3 * TASK + 60))
    scored(job_on(elsewhere), rows=folder)  # a folder that is mounted elsewhere
    assert len(list(folder.iterdir())) == before
    write_rows(elsewhere, rows_of(3 * TASK + 59))
    assert scored(job_on(elsewhere), rows=folder) != expected
    monkeypatch.setattr("fairsum_utils.run.job.__version__", "0.0.1")
    assert scored(job, rows=folder) == expected
    assert len(list(folder.iterdir())) == before + 2


def test_two_runs_of_the_same_at_once_write_the_same_files(tmp_path: Path, rows_file: Path) -> None:
    job, write, nested = job_on(rows_file), Folder.write, []

    def with_another(self: Folder, name: str, content: Any) -> None:
        if not nested:
            nested.append(name)
            scored(job, rows=tmp_path / "runs")
        write(self, name, content)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Folder, "write", with_another)
        expected = scored(job, rows=tmp_path / "runs")
    assert of_rows(tmp_path / "runs") == expected == scored(job)


@pytest.mark.parametrize("only", [Share(1, 1), Share(2, 2)])
def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path, rows_file: Path, only: Share) -> None:
    """Nothing of the changed file is kept as rows of the first one."""
    before, job, write = rows_file.read_text(), job_on(rows_file), Folder.write
    expected = scored(job)

    def changing(self: Folder, name: str, content: Any) -> None:
        write(self, name, content)
        rows_file.write_text(before.replace("Tasty", "Nasty"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Folder, "write", changing)
        with pytest.raises(InputError, match="has changed while it was read; score it again"):
            scored(job, rows=tmp_path / "runs", only=only)
    rows_file.write_text(before)
    assert scored(job, rows=tmp_path / "runs") == expected


def test_a_file_that_grows_while_it_is_read_is_refused_without_a_folder(
    rows_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = Job.tasks

    def growing(job: Job, say: Any = None) -> Iterator[Task]:
        for task in tasks(job, say):
            if task.is_last:
                with rows_file.open("a") as file:
                    file.write(json.dumps(rows_of(1)[0]) + "\n")
            yield task

    monkeypatch.setattr(Job, "tasks", growing)
    with pytest.raises(InputError, match=r"score: .*rows\.jsonl has changed while it was read; score it again"):
        scored(job_on(rows_file))


def test_settings_that_only_python_has(tmp_path: Path, rows_file: Path, matchers: ModuleType) -> None:
    """Rows of functions are resumed where these are, and told apart by the state of their objects."""
    folder = tmp_path / "runs"
    for number in range(2):
        (tmp_path / f"{number}").mkdir()
        matcher = matchers.Counting(tmp_path / f"{number}")
        job = job_on(rows_file, ("bur",), matcher=matcher)
        expected = scored(job, rows=folder)
        assert matcher.calls() != []
        assert scored(job, rows=folder) == expected
        assert matcher.calls() == []
        assert len(list(folder.iterdir())) == number + 1
    found = scored(job_on(rows_file, ("bur",), matcher=matchers.good), rows=folder)
    assert found["bur"] != expected["bur"]
    with pytest.raises(InputError, match="the run has settings that exist only in Python; score it there again"):
        Run(str(next(folder.iterdir())))
    with pytest.raises(InputError, match="matcher of bur is a lambda or an inner function"):
        scored(job_on(rows_file, ("bur",), matcher=lambda texts, summary: [1.0] * len(texts)), rows=folder)


def test_folders_of_something_else(tmp_path: Path, rows_file: Path) -> None:
    for folder in ("runs*", "plain"):
        (tmp_path / folder / "first").mkdir(parents=True)
        (tmp_path / folder / "first" / "rows-000001.parquet").touch()
    assert rows.run_in(str(tmp_path / "plain")) == str(tmp_path / "plain" / "first")
    for name in (tmp_path, rows_file, tmp_path / "runs*", "https://example.org/runs"):
        assert rows.run_in(str(name)) is None
    pq.write_table(pa.table({"a": [1]}), tmp_path / "train-00000-of-00001.parquet")
    assert rows.run_in(str(tmp_path)) is None
    with pytest.raises(InputError, match="damaged, or no rows of a run"):
        Run(str(tmp_path))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no rows; make them with fairsum score FILE --rows FOLDER"):
        Run(str(tmp_path / "empty"))


def test_a_moved_run_without_its_data(tmp_path: Path, rows_file: Path) -> None:
    expected = scored(job_on(rows_file), rows=tmp_path / "runs")
    shutil.move(run_in(tmp_path / "runs"), tmp_path / "mine")
    rows_file.unlink()
    assert dict(from_rows(tmp_path / "mine")) == expected


def test_reading_rows_starts_no_thread(tmp_path: Path, rows_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C++ aborts Python if it ends while Arrow starts threads: one in five runs that only read a file of rows."""
    scored(job_on(rows_file), rows=tmp_path / "runs")
    read, asked = pq.ParquetFile.read, []
    monkeypatch.setattr(pq.ParquetFile, "read", lambda file, **how: asked.append(how) or read(file, **how))
    Rows.read(files_of(tmp_path / "runs")[0].read_bytes())
    assert asked == [{"use_threads": False}]


def test_a_file_says_what_it_holds(tmp_path: Path, rows_file: Path) -> None:
    scored(job_on(rows_file), rows=tmp_path / "runs")
    second = files_of(tmp_path / "runs")[1]
    about = json.loads(pq.read_schema(second).metadata[b"run"])
    assert (about["number"], about["is_last"], about["run"]) == (2, False, second.parent.name)
    table = Rows.read(second.read_bytes()).table
    assert table.column("id").to_pylist() == [f"s{number}" for number in range(TASK, 2 * TASK)]
