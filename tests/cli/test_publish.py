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


def fairsum(words: str) -> int:
    return run_command(["publish", *words.split()])


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
                assert callable(given.pop("progress", print))
                asked.append((name, arguments, given))
                return PUBLISHED if name == "results" else [PUBLISHED]

            return call

    monkeypatch.setattr(publishing, "Publisher", Recorder)
    return asked


@pytest.mark.parametrize(
    ("words", "name", "arguments", "settings"),
    [
        ("metrics", "metrics", (None,), {"namespace": "fairsum"}),
        (
            "metrics bur uer --package https://x/y.whl --namespace me --private --revision dev --message Hi --dry-run",
            "metrics",
            (["bur", "uer"],),
            {
                "namespace": "me",
                "private": True,
                "revision": "dev",
                "message": "Hi",
                "dry_run": True,
                "package": "https://x/y.whl",
            },
        ),
        (
            "datasets perspectivesumm --config yelp --config amazon --data-dir raw --seed 7 --set sizes=[1]",
            "dataset",
            ("perspectivesumm",),
            {"configs": ["yelp", "amazon"], "data_dir": Path("raw"), "namespace": "fairsum", "seed": 7, "sizes": [1]},
        ),
        (
            "results results.json --model me/model --dataset a/b --config c --split test",
            "results",
            (Path("results.json"), "me/model"),
            {"dataset": "a/b", "config": "c", "split": "test"},
        ),
    ],
)
def test_what_is_handed_on(calls: list[Any], words: str, name: str, arguments: Any, settings: dict[str, Any]) -> None:
    fairsum(words)
    assert calls == [(name, arguments, settings)]


@pytest.mark.usefixtures("calls")
def test_report(capsys: pytest.CaptureFixture[str]) -> None:
    fairsum("metrics bur")
    assert capsys.readouterr().out == (
        "http://hub/spaces/me/bur (space, revision main): updated, commit abc\n  README.md\n  app.py\n"
    )
    fairsum("metrics bur --format json")
    document = json.loads(capsys.readouterr().out)
    assert document["dry_run"] is False
    [one] = document["repositories"]
    assert (one["repository"], one["state"], one["commit"]) == ("me/bur", "updated", "abc")
    assert one["files"] == ["README.md", "app.py"]


def test_report_of_a_dry_run() -> None:
    first = publishing.Published("me/bur", "space", "main", "URL", "planned", None, FILES, "left out: bur")
    second = publishing.Published("me/uer", "space", "dev", "URL", "planned", None, FILES[:1])
    assert publish.report([first, second], dry_run=True) == (
        "URL (space, revision main): planned\n  README.md\n  app.py\n  note: left out: bur\n\n"
        "URL (space, revision dev): planned\n  README.md\n\nNothing was sent."
    )


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        ("datasets counterfactual_ontonotes --dry-run", InputError, "never published"),
        ("datasets perspectivesumm --set seed", InputError, "--set needs KEY=VALUE"),
        ("results results.json", click.MissingParameter, "model"),
    ],
)
def test_mistakes(words: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        fairsum(words)
