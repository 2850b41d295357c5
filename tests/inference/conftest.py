"""Models to damage, models of the Hub that were downloaded before, and no network."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def copy_of(tiny_model: Any, tmp_path: Path) -> Callable[[str], Path]:
    """Copies a tiny model of a kind."""
    return lambda kind: Path(shutil.copytree(tiny_model(kind), tmp_path / "copy"))


@pytest.fixture
def downloaded(tiny_model: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Puts somebody/some-model into the cache of the Hub; gives the folder of its files."""
    import huggingface_hub
    import transformers

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(transformers.utils.hub, "TRANSFORMERS_CACHE", str(tmp_path), raising=False)  # transformers 4
    repository = tmp_path / "models--somebody--some-model"
    for folder in ("refs", f".no_exist/{COMMIT}"):
        (repository / folder).mkdir(parents=True)
    (repository / "refs" / "main").write_text(COMMIT)
    return lambda kind: Path(shutil.copytree(tiny_model(kind), repository / "snapshots" / COMMIT))


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError("Network is unreachable")

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, refuse)
    for name in ("create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refuse)
