"""The bench that all tests of a process share, and the folder of each test."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..conftest import LONG, ChatServer
from .cases import BY_NAME, CASES
from .harness import Bench, Trial

# Processes are looked for where Linux lists them.
collect_ignore_glob = [] if Path("/proc/self/stat").exists() else ["test_*.py"]


def cases(name: str = "") -> Any:
    """Parametrize a test by a case, or by all if time allows."""
    chosen = CASES if LONG and not name else [BY_NAME[name or "score lines"]]
    return pytest.mark.parametrize("case", chosen, ids=[case.name for case in chosen])


@pytest.fixture(scope="session")
def _bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    chat = ChatServer()
    chat.say = lambda prompt: f"Fine. Score: {len(prompt) % 5 + 1}"
    ray = Path(tempfile.mkdtemp(prefix="ray-"))  # with names of sockets, which may have 107 characters
    yield Bench(tmp_path_factory.mktemp("faults"), chat, ray)
    shutil.rmtree(ray, ignore_errors=True)
    chat.server.shutdown()
    chat.server.server_close()
    chat.thread.join()


@pytest.fixture
def trial(_bench: Bench, request: pytest.FixtureRequest) -> Iterator[Trial]:
    """A folder in which the case of a test runs; nothing may be wrong there at the end."""
    case = request.node.callspec.params["case"]
    if not case.can_run:
        pytest.skip(f"needs {case.needs}")
    with Trial(_bench, case) as made:
        yield made
        assert made.wrong == []
