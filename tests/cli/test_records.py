"""The files that --output writes: results, and how they came about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fairsum_utils import read_results
from fairsum_utils.results.record import FORMAT_VERSION, describe_input


def test_a_command_writes_the_same_record(fairsum: Any, write_jsonl: Any, demo_rows: Any, tmp_path: Path) -> None:
    path, output = write_jsonl(demo_rows), tmp_path / "results.json"
    assert fairsum("score", path, "--metrics", "bur", "--set", "tau=0.9", "--output", output)[0] == 0
    document = json.loads(output.read_text())
    run = document["run"]
    assert document["format_version"] == FORMAT_VERSION
    assert run["inputs"] == [describe_input(path, len(demo_rows))]
    assert run["command"]["name"] == "score"
    assert run["command"]["options"]["set"] == ["tau=0.9"]
    assert run["settings"]["bur"]["given"] == {"tau": 0.9}
    assert run["settings"]["bur"]["effective"]["confidence_level"] == 0.95
    assert 0 < run["seconds"] < 60
    again = read_results(output)
    assert again.title == str(path)
    first = document | {"run": None}
    assert fairsum("score", path, "--metrics", "bur", "--set", "tau=0.9", "--output", output)[0] == 0
    assert json.loads(output.read_text()) | {"run": None} == first


def test_a_comparison_names_both_files(fairsum: Any, write_jsonl: Any, demo_rows: Any, tmp_path: Path) -> None:
    path, output = write_jsonl(demo_rows), tmp_path / "results.json"
    other = tmp_path / "other.jsonl"
    other.write_bytes(path.read_bytes())
    assert fairsum("compare", path, other, "--metrics", "bur", "--output", output)[0] == 0
    again = read_results(output)
    assert [system["file"] for system in again.systems.values()] == [str(path), str(other)]
    assert [one["rows"] for one in again.run.read["inputs"]] == [len(demo_rows)] * 2
    assert again["bur"]["difference"] == 0


def test_files_beside_the_samples_are_inputs_too(
    fairsum: Any, write_jsonl: Any, demo_rows: Any, tmp_path: Path
) -> None:
    sources = write_jsonl(
        [{key: row[key] for key in ("id", "sources", "values")} for row in demo_rows], "sources.jsonl"
    )
    summaries = [{key: row[key] for key in ("id", "prediction")} for row in demo_rows]
    a, b = write_jsonl(summaries, "a.jsonl"), write_jsonl(summaries, "b.jsonl")
    output = tmp_path / "results.json"
    for call, inputs in (
        (("score", sources, "--predictions", a), [(sources, len(demo_rows)), (a, None)]),
        (("compare", a, b, "--sources", sources), [(a, len(demo_rows)), (b, len(demo_rows)), (sources, None)]),
    ):
        assert fairsum(*call, "--metrics", "bur", "--output", output)[0] == 0
        read = json.loads(output.read_text())["run"]["inputs"]
        assert read == [describe_input(path, rows) for path, rows in inputs]


def test_commands_without_measures_write_a_record_too(fairsum: Any, write_jsonl: Any, tmp_path: Path) -> None:
    path, output = write_jsonl([{"text": "She left."}, {"text": "He left."}]), tmp_path / "a.json"
    assert fairsum("study", "diagnosis", path, "--output", output)[0] == 0
    run = json.loads(output.read_text())["run"]
    assert (run["command"]["name"], run["inputs"][0]["path"]) == ("study diagnosis", str(path))
