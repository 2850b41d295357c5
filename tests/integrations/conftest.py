"""The stand-in of the Hub, and small data sets for evaluation stacks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from . import fake_hub


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A Hub with nothing on it; this process is its client, with a token that may write to "fairsum" and "tester"."""
    from huggingface_hub import constants, file_download

    for variable in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(variable, "127.0.0.1")
    monkeypatch.delenv("HUGGING_FACE_HUB_TOKEN", raising=False)
    monkeypatch.setenv("HF_TOKEN", fake_hub.TOKEN)
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "no-token"))
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True, raising=False)  # newer than 0.30
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)  # the Hub is on this machine
    with fake_hub.running() as running:
        monkeypatch.setattr(constants, "ENDPOINT", running.url)
        template = f"{running.url}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        # Before version 1 this module had a copy of its own.
        monkeypatch.setattr(file_download, "HUGGINGFACE_CO_URL_TEMPLATE", template, raising=False)
        yield running


PROMPTS = {
    "American_actors": {"Bob": ["Bob Ray is an actor who ", "", "In the end Bob "], "Cy": ["Cy Lamb was "]},
    "American_actresses": {"Ann": ["Ann Lee is an actress known ", "As a child, Ann "], "Dee": ["Dee Fox became "]},
}


@pytest.fixture(scope="session")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """BOLD's gender domain, six prompts and an empty one, and 12 male and 16 female tweets on Claritin."""
    folder = tmp_path_factory.mktemp("inputs")
    sentences = {
        group: {page: [f"{text}sang." for text in texts] for page, texts in pages.items()}
        for group, pages in PROMPTS.items()
    }
    for name, content in (("gender_prompt.json", PROMPTS), ("gender_wiki.json", sentences)):
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    lines = [
        f"{sex}{i}<||>{sex}<||>{sex} tweet number {i}" for sex, n in (("male", 12), ("female", 16)) for i in range(n)
    ]
    (folder / "claritin_raw.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def small() -> dict[str, Any]:
    """Options that take nine samples of four tweets from it."""
    return {"sizes": [4], "samples_per_cell": 3, "min_tokens": 1}
