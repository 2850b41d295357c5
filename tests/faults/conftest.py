"""The bench that all tests of a process share, and which of them are short."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..conftest import ChatServer, takes_long
from .cases import BY_NAME, CASES, Case
from .harness import Bench

# Processes are looked for where Linux lists them.
collect_ignore_glob = [] if Path("/proc/self/stat").exists() else ["test_*.py"]


def cases(*short: str) -> Any:
    """Parametrize a test by all cases, of which only the named ones are short."""
    assert set(short) <= set(BY_NAME)
    chosen = [pytest.param(case, id=case.name, marks=() if case.name in short else takes_long) for case in CASES]
    return pytest.mark.parametrize("case", chosen)


@pytest.fixture(scope="session")
def _bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    chat = ChatServer()
    chat.say = lambda prompt: f"Fine. Score: {len(prompt) % 5 + 1}"
    yield Bench(tmp_path_factory.mktemp("faults"), chat)
    chat.server.shutdown()
    chat.server.server_close()
    chat.thread.join()


@pytest.fixture
def bench(_bench: Bench, request: pytest.FixtureRequest) -> Bench:
    """What runs the case of a test."""
    case: Case | None = getattr(request.node, "callspec", None) and request.node.callspec.params.get("case")
    if case is not None and not case.can_run:
        pytest.skip(f"needs {case.needs}")
    return _bench
