"""What commands write beside their text: records of results, figures, samples for a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import read_results
from fairsum_utils.cli.samples import sample_texts
from fairsum_utils.families import families
from fairsum_utils.io.layout import Layout
from fairsum_utils.io.shapes import Shape
from fairsum_utils.reports.figures import written
from fairsum_utils.results.columns import TEXTS, SampleColumns, stored_kind
from fairsum_utils.results.record import FORMAT_VERSION, describe_input, describe_settings
from tests.reports._forms import names


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


def test_score_draws_what_it_saves(fairsum: Any, write_jsonl: Any, demo_rows: Any, tmp_path: Path) -> None:
    path, plot, output = write_jsonl(demo_rows), tmp_path / "a.svg", tmp_path / "a.json"
    assert fairsum("score", path, "--metrics", "uer", "--plot", plot, "--output", output)[0] == 0
    assert plot.read_bytes() == written(read_results(output).plot(), "svg", "fairsum")
    assert f"{path}: {len(demo_rows)} samples" in plot.read_text(encoding="utf-8")


def test_compare_draws_what_it_saves(fairsum: Any, write_jsonl: Any, demo_rows: Any, tmp_path: Path) -> None:
    plot, output = tmp_path / "a.svg", tmp_path / "a.json"
    rows = {
        "a": demo_rows,
        "b": demo_rows[::-1],
        "lead": [row | {"prediction": row["sources"][0]} for row in demo_rows],
    }
    files = [write_jsonl(of_system, f"{name}.jsonl") for name, of_system in rows.items()]
    assert fairsum("compare", *files, "--metrics", "uer", "--plot", plot, "--output", output)[0] == 0
    figure = read_results(output).plot()
    assert plot.read_bytes() == written(figure, "svg", "fairsum")
    assert figure.get_suptitle() == "3 systems compared"
    scores, differences = map(names, figure.axes)
    assert sorted(scores) == ["a", "b", "lead"]
    assert differences == ["b", "lead"]  # minus a, the first


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize(
    ("plot", "message"),
    [("a.eps", ".svg"), ("none/a.svg", "does not exist")],
)
def test_what_cannot_be_drawn_is_refused_before_scoring(
    command: str, plot: str, message: str, fairsum: Any, tmp_path: Path
) -> None:
    files = ["no-such-file.jsonl"] * (1 if command == "score" else 2)
    status, _, text = fairsum(command, *files, "--plot", tmp_path / plot)
    assert status == 2
    assert message in text
    assert len(text.strip().splitlines()) == 1


@pytest.mark.usefixtures("undrawn")
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
