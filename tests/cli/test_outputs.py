"""What commands write beside their text: records of results, figures, samples for a page."""

from __future__ import annotations

import json
from collections.abc import Callable
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

Rows = list[dict[str, Any]]


@pytest.fixture
def saved(fairsum: Callable[..., Any], tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Run a command with an output: the document in it."""

    def run(*words: Any) -> dict[str, Any]:
        assert fairsum(*words, "--output", tmp_path / "a.json")[0] == 0
        document: dict[str, Any] = json.loads((tmp_path / "a.json").read_text())
        return document

    return run


def test_a_command_writes_the_same_record(saved: Any, write_jsonl: Any, demo_rows: Rows, tmp_path: Path) -> None:
    call = ("score", write_jsonl(demo_rows), "--metrics", "bur", "--set", "tau=0.9")
    document = saved(*call)
    run = document["run"]
    assert document["format_version"] == FORMAT_VERSION
    assert run["inputs"] == [describe_input(call[1], len(demo_rows))]
    assert run["command"]["name"] == "score"
    assert run["command"]["options"]["set"] == ["tau=0.9"]
    assert run["settings"]["bur"]["given"] == {"tau": 0.9}
    assert run["settings"]["bur"]["effective"]["confidence_level"] == 0.95
    assert 0 < run["seconds"] < 60
    assert read_results(tmp_path / "a.json").title == str(call[1])
    assert saved(*call) | {"run": None} == document | {"run": None}


def test_files_beside_the_samples_are_inputs_too(saved: Any, write_jsonl: Any, demo_rows: Rows) -> None:
    sources = [{key: row[key] for key in ("id", "sources", "values")} for row in demo_rows]
    summaries = [{key: row[key] for key in ("id", "prediction")} for row in demo_rows]
    a, b, beside = write_jsonl(summaries), write_jsonl(summaries, "b.jsonl"), write_jsonl(sources, "sources.jsonl")
    for call, inputs in (
        (("score", beside, "--predictions", a), [(beside, 8), (a, None)]),
        (("compare", a, b, "--sources", beside), [(a, 8), (b, 8), (beside, None)]),
    ):
        document = saved(*call, "--metrics", "bur")
        assert document["run"]["inputs"] == [describe_input(path, rows) for path, rows in inputs]
    assert [system["file"] for system in document["systems"].values()] == [str(a), str(b)]


def test_commands_without_measures_write_a_record_too(saved: Any, write_jsonl: Any) -> None:
    path = write_jsonl([{"text": "She left."}, {"text": "He left."}])
    run = saved("study", "diagnosis", path)["run"]
    assert (run["command"]["name"], run["inputs"][0]["path"]) == ("study diagnosis", str(path))


def test_what_is_drawn_is_what_is_saved(saved: Any, write_jsonl: Any, demo_rows: Rows, tmp_path: Path) -> None:
    plot = tmp_path / "a.svg"
    rows = {"a": demo_rows, "b": demo_rows[::-1], "lead": [row | {"prediction": "Soup"} for row in demo_rows]}
    files = [write_jsonl(of_system, f"{name}.jsonl") for name, of_system in rows.items()]
    for command, title in (
        (("score", files[0]), f"{files[0]}: 8 samples"),
        (("compare", *files), "3 systems compared"),
    ):
        saved(*command, "--metrics", "uer", "--plot", plot)
        figure = read_results(tmp_path / "a.json").plot()
        assert plot.read_bytes() == written(figure, "svg", "fairsum")
        assert title in plot.read_text(encoding="utf-8")
    scores, differences = map(names, figure.axes)
    assert (sorted(scores), differences) == (["a", "b", "lead"], ["b", "lead"])  # minus a, the first


@pytest.mark.usefixtures("undrawn")
def test_nothing_is_left_in_the_temporary_folder(
    fairsum: Any, write_jsonl: Any, demo_rows: Rows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    path, page = write_jsonl(demo_rows), tmp_path / "a.html"
    assert fairsum("score", path, "--metrics", "uer", "--report", page)[0] == 0
    assert [*Path(tmp_path / "temporary").iterdir()] == []


def test_every_column_has_one_type(write_jsonl: Any) -> None:
    columns = {column.name: column for column in families()["entities"].columns}
    assert stored_kind(columns["sources"]) == stored_kind(columns["mentions"]) == list[str]
    path = write_jsonl([{"prediction": "s", "text": "One text.", "article_id": 3, "pair_id": None}])
    names = {"predictions": "prediction", "sources": "text", "article_ids": "article_id", "pair_ids": "pair_id"}
    layout = Layout(tuple((columns[name], in_file) for name, in_file in names.items()), Shape())
    [found] = sample_texts(path, layout)
    assert found == {"predictions": "s", "sources": ["One text."], "article_ids": "3", "pair_ids": None}
    read = SampleColumns(
        {name: describe_settings(name, {}, {}) for name in ("entity_inclusion", "word_list_inclusion")}
    )
    assert read.texts({TEXTS: found}) == {"predictions": "s", "sources": ["One text."], "article_ids": "3"}
