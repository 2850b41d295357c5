"""Caches in temporary folders, no network, and the modules loaded as a user loads them."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import evaluate
import pytest

ROOT = Path(__file__).parents[2]
METRICS = sorted(path.name for path in (ROOT / "metrics").iterdir() if path.is_dir())

COLUMNS = {
    "predictions": ["Great soup and friendly staff.", "", "The vote was long and the bill passed.", "Ok."],
    "sources": [
        ["Great soup!", "Friendly staff, great bread.", "Cold soup, slow service."],
        ["Nice.", "Awful."],
        ["The bill passed after a long vote.", "A long debate on taxes.", "The vote failed the people, taxes rise."],
        ["It works well.", "It broke twice, bad hinge."],
    ],
    "values": [
        ["positive", "positive", "negative"],
        ["positive", "negative"],
        ["a", "b", "b"],
        ["positive", "negative"],
    ],
}


@pytest.fixture(scope="session", autouse=True)
def caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The user's home is left alone."""
    folder = tmp_path_factory.mktemp("huggingface")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluate.config, "HF_METRICS_CACHE", folder / "metrics")
        patch.setattr(evaluate.config, "HF_MODULES_CACHE", folder / "modules")
        yield folder


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a test tried to reach the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture(scope="session")
def load(caches: Path) -> Callable[..., Any]:
    """Load a module by its folder's name."""

    original = evaluate.load

    def load_module(name: str, **options: Any) -> Any:
        return original(str(ROOT / "metrics" / name), **options)

    return load_module


@pytest.fixture
def as_published(load: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """`evaluate.load("fairsum/bur")`, as the documentation writes it, without the Hub."""
    monkeypatch.setattr(evaluate, "load", lambda path: load(path.removeprefix("fairsum/")))


@pytest.fixture
def columns() -> dict[str, list[Any]]:
    """Samples that touch a skipped one, an unmatched one and values that only some samples have."""
    return {
        "predictions": [*COLUMNS["predictions"]],
        "sources": [[*texts] for texts in COLUMNS["sources"]],
        "values": [[*labels] for labels in COLUMNS["values"]],
    }


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`name` runs over all folders of metrics/."""
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", METRICS)
