"""What studies read: files and objects of Python give the same rows, records and results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas
import pytest

from fairsum_reproductions.contract import Input, Study
from fairsum_reproductions.inputs import named_files, read_inputs
from fairsum_utils import CoverageParity, EqualCoverage, score
from fairsum_utils.errors import InputError

ROWS = [{"id": "a", "text": "Yes.", "values": ["pos", "neg"]}, {"id": "b", "text": "No.", "values": ["pos"]}]
SUMMARIES: dict[str, Any] = {
    "sources": [["Great soup!", "Friendly staff, great bread.", "Cold soup, slow service."]] * 3,
    "values": [["pos", "pos", "neg"]] * 3,
}
PREDICTIONS = ["Great bread.", "Great soup.", "Cold bread."]


def study(*inputs: Input) -> Study:
    return Study("m", "coverage", "", "", inputs, compute=lambda *read, settings: {}, parts=lambda result: [])


OF_ROWS = study(Input("rows", "rows", columns={"text": "a text"}, optional={"id": "its id", "values": "its values"}))
ANY_OF_ROWS = study(Input("rows", "rows", optional={"text": "a text", "texts": "several"}, lists=["texts"]))
OF_SAMPLES = study(Input("samples", "records", kind="samples", families={"": "representation"}))
OF_RESULTS = study(Input("results", "results", kind="results", systems=True))


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_rows_of_files_and_of_tables_are_the_same(tmp_path: Path) -> None:
    path = written(tmp_path / "rows.jsonl", ROWS)
    columns = {column: [row[column] for row in ROWS] for column in ("id", "text", "values")}
    for source in (path, str(path), ROWS, pandas.DataFrame(ROWS), columns):
        (rows,) = read_inputs(OF_ROWS, [source]).inputs
        assert rows == [{name: row[name] for name in ("text", "id", "values")} for row in ROWS]


def test_records_of_files_and_of_results_are_the_same(tmp_path: Path) -> None:
    metrics = ["equal_coverage", "coverage_parity"]
    wanted = study(Input("samples", "records", kind="samples", families={"": "coverage"}))
    measures = [EqualCoverage(entailer="lexical"), CoverageParity(entailer="lexical")]
    results = score(PREDICTIONS, **SUMMARIES, metrics=measures, return_samples=True)
    (of_results,) = read_inputs(wanted, [results]).inputs
    rows = [{"id": str(n), "prediction": text} for n, text in enumerate(PREDICTIONS)]
    rows = [{**row, **{name: column[n] for name, column in SUMMARIES.items()}} for n, row in enumerate(rows)]
    source = written(tmp_path / "rows.jsonl", rows)
    from fairsum_utils.cli import main

    for path in (tmp_path / "samples.parquet", tmp_path / "samples.jsonl"):
        line = ["score", source, "--metrics", ",".join(metrics), "--set", "entailer=lexical", "--samples", path]
        assert main([*map(str, line), "--quiet"]) == 0
        read = read_inputs(wanted, [path])
        assert read.files == {str(path): 3}
        (of_file,) = read.inputs
        for record, one in zip(of_file, of_results, strict=True):
            assert json.dumps({key: record[key] for key in one}) == json.dumps(
                one
            )  # where one has lists, one has tuples


def test_results_of_systems(tmp_path: Path) -> None:
    results = score(PREDICTIONS, **SUMMARIES, metrics=["uer"])
    paths = [tmp_path / f"{name}.json" for name in "ab"]
    for path in paths:
        results.save(path)
    plain = dict(results)
    assert read_inputs(OF_RESULTS, [paths]).inputs == ({"a": plain, "b": plain},)
    assert read_inputs(OF_RESULTS, [{"a": results, "b": paths[1]}]).inputs == ({"a": plain, "b": plain},)
    assert read_inputs(OF_RESULTS, [paths[0]]).inputs == ({"a": plain},)
    assert read_inputs(OF_RESULTS, [results]).inputs == ({"system": plain},)


@pytest.mark.parametrize(
    ("wanted", "source", "message"),
    [
        (OF_ROWS, [{"id": 1}], "m: rows has no column 'text'; found id; map it, as in columns={'text': 'my_text'}"),
        (OF_ROWS, 3, "m: rows must be a file, a table, or a list of dicts, found int 3"),
        (OF_ROWS, {"text": []}, "m: rows has no rows; give at least one"),
        (ANY_OF_ROWS, [{"id": 1}], "m: rows has none of the columns 'text', 'texts'; found id"),
        (OF_SAMPLES, [], "m: samples must be records"),
        (OF_SAMPLES, "none.jsonl", "none.jsonl"),
        (OF_RESULTS, {}, "m: results is empty; give at least one"),
        (OF_RESULTS, {"a": 3}, "m: results must be results"),
    ],
)
def test_what_is_none_is_refused(wanted: Study, source: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_inputs(wanted, [source])
    assert message in str(error.value)


def test_files_are_named_by_themselves() -> None:
    paths = ["runs/gpt4.jsonl.gz", Path("llama.json"), "s3://bucket/a=b/mixtral.json", ".hidden"]
    assert list(named_files("m", paths)) == ["gpt4", "llama", "mixtral", ".hidden"]


def test_two_files_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match=r"m: x.json and y.json are both named a; name them, as in a=y.json"):
        named_files("m", ["a=x.json", "a=y.json"])
    with pytest.raises(InputError, match="are both named runs/a"):
        named_files("m", ["runs/a.json", "runs/a.parquet"])
