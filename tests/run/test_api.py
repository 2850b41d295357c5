"""`score` and `compare` of files and tables: what they take, refuse and keep."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import fairsum_utils
from fairsum_utils.errors import InputError
from fairsum_utils.run import compare, score

from .._together import measures
from .conftest import TASK, exactly, rows_of, run_in, write_rows


def tables() -> list[Any]:
    rows = rows_of(50)
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    datasets = pytest.importorskip("datasets")
    datasets.disable_progress_bars()
    made = [rows, columns, pa.Table.from_pylist(rows), pd.DataFrame(rows), pl.DataFrame(rows)]
    return [*made, datasets.Dataset.from_list(rows)]


def test_tables_are_those_of_score(tmp_path: Path) -> None:
    expected = exactly(fairsum_utils.score(rows_of(50), metrics="bur,uer", confidence_level=0.95, at_random=True))
    for number, table in enumerate(tables()):
        folder = tmp_path / str(number)
        assert exactly(score(table, "bur,uer", rows=folder)) == expected
        [file] = run_in(folder).iterdir()
        written = file.stat().st_mtime_ns
        assert exactly(score(table, "bur,uer", rows=folder)) == expected
        assert file.stat().st_mtime_ns == written


@pytest.mark.parametrize(
    ("data", "arguments", "message"),
    [
        (3, {}, "expected file names or a table"),
        ([], {}, "expected file names or a table"),
        ([{"a": 1}, {"a": "x"}], {}, "use one type per column"),
        ("rows.jsonl", {"sources": ["a"]}, "sources must be a column name in the file"),
        ("rows.jsonl", {"tua": 0.5}, "unknown setting 'tua'"),
        ("rows.jsonl", {"tau": 0.5}, r"tau is a setting of a measure; write metrics=\[BUR\(tau=0\.5\)"),
        ("no-such.jsonl", {}, "no such file"),
        ("rows.jsonl", {"seed": None}, "seed must be a whole number"),
        ("rows.jsonl", {"workers": 0}, "workers must be a whole number of at least 1"),
        ("rows.jsonl", {"workers": 513}, "workers must be .*512"),
        ("rows.jsonl", {"engine": "spark"}, "engine must be one of ray, found str 'spark'"),
        ("rows.jsonl", {"address": "auto"}, 'address needs an engine; add engine="ray" or omit it'),
        ("rows.jsonl", {"gpus_per_worker": 1}, 'gpus_per_worker needs an engine; add engine="ray" or omit'),
        ("rows.jsonl", {"engine": "ray", "gpus_per_worker": 1.5}, "gpus_per_worker must be a whole number or a fr"),
        ("rows.jsonl", {"rows": "rows.jsonl"}, "this is a file, not a folder"),
    ],
)
def test_what_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: Any, arguments: dict[str, Any], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "rows.jsonl", rows_of(4))
    with pytest.raises(InputError, match=message):
        score(data, "bur", **arguments)


@pytest.mark.usefixtures("workers_here")
@pytest.mark.parametrize("how", [{}, {"rows": "runs"}, {"workers": 2}])
def test_repeated_ids_are_refused_across_tasks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: dict[str, Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = rows_of(TASK + 60)
    rows[-1]["id"] = rows[3]["id"]
    path = write_rows(tmp_path / "rows.jsonl", rows)
    with pytest.raises(InputError, match=rf"row {len(rows)}: id 's3' was used before\."):
        score(path, "bur", **how)
    assert exactly(score(path, "bur", id_column="none")) == exactly(
        fairsum_utils.score(rows_of(TASK + 60), metrics="bur", confidence_level=0.95, at_random=True)
    )


@pytest.mark.usefixtures("workers_here")
@pytest.mark.parametrize("how", [{}, {"rows": "runs"}, {"workers": 2}])
def test_the_first_bad_sample_is_named_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: dict[str, Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = rows_of(TASK + 300)
    for place in (TASK + 130, TASK + 190, TASK + 299):
        rows[place]["values"] = ["good", None]
    write_rows(tmp_path / "rows.jsonl", rows)
    with pytest.raises(InputError) as caught:
        score("rows.jsonl", "bur", **how)
    assert str(caught.value).startswith(f"score: sample {TASK + 130}: ")
    assert str(caught.value).endswith(f"(rows.jsonl, row {TASK + 131}, id s{TASK + 130})")


def test_a_job_without_samples(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("")
    with pytest.raises(InputError, match=r"rows.jsonl: .*no (sample|row)"):
        score(path, "bur", rows=tmp_path / "runs")


def test_runs_are_compared_as_their_files_are(tmp_path: Path) -> None:
    rows = rows_of(TASK + 60)
    systems = {"a": rows, "b": [{**row, "prediction": "Tasty soup"} for row in rows]}
    call: dict[str, Any] = {
        "metrics": measures(["bur", "uer", "equal_coverage"], entailer="lexical", n_resamples=30, n_permutations=30)
    }
    runs = {}
    for name, of_system in systems.items():
        path = write_rows(tmp_path / f"{name}.jsonl", of_system)
        score(path, rows=tmp_path / name, **call)
        runs[name] = run_in(tmp_path / name)
    found = compare(runs["a"], runs["b"], labels="ab")
    expected = fairsum_utils.compare(systems["a"], systems["b"], labels="ab", **call)
    assert expected["bur"]["n_skipped"] > 0 != found["bur"]["difference"]
    for measure, result in expected.items():
        for key in ("systems", "differences", "n_samples", "n_skipped"):
            assert found[measure][key] == result[key], (measure, key)
    score(tmp_path / "a.jsonl", rows=tmp_path / "c", **{**call, "seed": 1})
    with pytest.raises(InputError, match="differ in measures, settings or versions; score both in the same way"):
        compare(runs["a"], run_in(tmp_path / "c"))
    with pytest.raises(InputError, match="labels must name each of 2 runs once, found a, a"):
        compare(runs["a"], runs["b"], labels="aa")
    score(write_rows(tmp_path / "d.jsonl", rows[::-1]), rows=tmp_path / "d", **call)
    with pytest.raises(InputError, match="have different ids; score the same samples in the same order"):
        compare(runs["a"], run_in(tmp_path / "d"))
    score(write_rows(tmp_path / "e.jsonl", rows[:TASK]), rows=tmp_path / "e", **call)
    with pytest.raises(InputError, match="have different ids"):
        compare(runs["a"], run_in(tmp_path / "e"))
