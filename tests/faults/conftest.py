"""The bench that all tests of a process share, and which of them are short."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..conftest import takes_long
from .cases import CASES, Case
from .harness import Bench, Services

BY_NAME = {case.name: case for case in CASES}


# Processes are looked for where Linux lists them.
collect_ignore_glob = [] if Path("/proc/self/stat").exists() else ["test_*.py"]


def cases(*short: str) -> Any:
    """Parametrize a test by all cases, of which only some are run where little time is.

    Args:
        *short: their names.
    """
    assert set(short) <= set(BY_NAME)
    chosen = [pytest.param(case, id=case.name, marks=() if case.name in short else takes_long) for case in CASES]
    return pytest.mark.parametrize("case", chosen)


@pytest.fixture(scope="session")
def _bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    pytest.importorskip("huggingface_hub")  # of which a stand-in is served
    services = Services()
    bench = Bench(tmp_path_factory.mktemp("faults"), services)
    yield bench
    services.close()


@pytest.fixture
def bench(_bench: Bench, request: pytest.FixtureRequest) -> Bench:
    """What runs the case of a test."""
    case: Case | None = getattr(request.node, "callspec", None) and request.node.callspec.params.get("case")
    if case is not None and not case.can_run:
        pytest.skip(f"needs {', '.join(case.needs)}")
    return _bench
