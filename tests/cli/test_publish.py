"""`fairsum publish`: what the command hands on and what it prints; tests/integrations has what becomes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest

from fairsum_utils.cli import publish, run_command
from fairsum_utils.errors import InputError
from fairsum_utils.integrations import hub as publishing

FILES = ("README.md", "app.py")
PUBLISHED = publishing.Published("me/bur", "space", "main", "http://hub/spaces/me/bur", "updated", "abc", FILES)


def fairsum(*words: object) -> int:
    return run_command(["publish", *map(str, words)])


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the command asked the library for."""
    asked: list[Any] = []

    class Recorder:
        def __init__(self, **how: Any) -> None:
            self.how = how

        def __getattr__(self, name: str) -> Any:
            def call(*arguments: Any, **settings: Any) -> Any:
                given = {key: entry for key, entry in {**self.how, **settings}.items() if entry}
                asked.append((name, arguments, given))
                return PUBLISHED if name == "results" else [PUBLISHED]

            return call

    monkeypatch.setattr(publishing, "Publisher", Recorder)
    return asked


def test_metrics(calls: list[Any]) -> None:
    fairsum("metrics")
    assert calls.pop() == ("metrics", (None,), {"namespace": "fairsum"})
    place = [
        "--package",
        "https://x/y.whl",
        "--namespace",
        "me",
        "--private",
        "--revision",
        "dev",
        "--message",
        "Hi",
        "--dry-run",
    ]
    fairsum("metrics", "bur", "uer", *place)
    settings = {"namespace": "me", "private": True, "revision": "dev", "message": "Hi", "dry_run": True}
    settings |= {"package": "https://x/y.whl"}
    assert calls.pop() == ("metrics", (["bur", "uer"],), settings)


def test_datasets(calls: list[Any]) -> None:
    words = ["--config", "yelp", "--config", "amazon", "--data-dir", "raw", "--seed", 7, "--set", "sizes=[1]"]
    fairsum("datasets", "perspectivesumm", *words)
    name, arguments, settings = calls.pop()
    assert callable(settings.pop("progress"))
    assert (name, arguments) == ("dataset", ("perspectivesumm",))
    chosen = {"configs": ["yelp", "amazon"], "data_dir": Path("raw"), "namespace": "fairsum"}
    assert settings == {**chosen, "seed": 7, "sizes": [1]}


def test_results(calls: list[Any]) -> None:
    fairsum("results", "results.json", "--model", "me/model", "--dataset", "a/b", "--config", "c", "--split", "test")
    settings = {"dataset": "a/b", "config": "c", "split": "test"}
    assert calls.pop() == ("results", (Path("results.json"), "me/model"), settings)


@pytest.mark.usefixtures("calls")
def test_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert fairsum("metrics", "bur") == 0
    assert capsys.readouterr().out.splitlines() == [
        "http://hub/spaces/me/bur (space, revision main): updated, commit abc",
        "  README.md",
        "  app.py",
    ]
    assert fairsum("metrics", "bur", "--format", "json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["dry_run"] is False
    [one] = document["repositories"]
    assert (one["repository"], one["state"], one["commit"]) == ("me/bur", "updated", "abc")
    assert one["files"] == ["README.md", "app.py"]


def test_report_of_a_dry_run() -> None:
    first = publishing.Published("me/bur", "space", "main", "URL", "planned", None, FILES, "left out: bur")
    second = publishing.Published("me/uer", "space", "dev", "URL", "planned", None, FILES[:1])
    assert publish.report([first, second], dry_run=True).splitlines() == [
        "URL (space, revision main): planned",
        "  README.md",
        "  app.py",
        "  note: left out: bur",
        "",
        "URL (space, revision dev): planned",
        "  README.md",
        "",
        "Nothing was sent.",
    ]


def test_mistakes() -> None:
    with pytest.raises(InputError, match="never published"):
        fairsum("datasets", "counterfactual_ontonotes", "--dry-run")
    with pytest.raises(InputError, match="--set needs KEY=VALUE"):
        fairsum("datasets", "perspectivesumm", "--set", "seed")
    with pytest.raises(click.MissingParameter, match="model"):
        fairsum("results", "results.json")
