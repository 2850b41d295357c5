"""Threads of test processes, order of tests, and doctests of installed packages."""

from __future__ import annotations

import importlib.util
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent

# Two processes of tests, and the processes that these start, share the cores; none gains from threads of its models.
os.environ.setdefault("OMP_NUM_THREADS", "1")

_HOSTS = ("inspect_ai", "deepeval", "mlflow", "weave", "phoenix", "evidently")
_NEED = {
    **{name: f"fairsum_utils/integrations/{name}.py" for name in _HOSTS},
    "rjieba": "fairsum_utils/text/splitting.py",
}
collect_ignore = [path for package, path in _NEED.items() if importlib.util.find_spec(package) is None]

SHARED = ("forked", "text")
"""Costly fixtures of many test files: processes to fork from (tests/_forked.py), NLTK's answers."""


@cache
def group(path: str) -> str:
    """Return the group of a file's tests: one of `SHARED`, or the file itself."""
    if path.startswith("tests/text/"):
        return "text"
    source = (ROOT / path).read_text(encoding="utf-8") if "tests" in Path(path).parts else ""
    return "forked" if re.search(r"def \w+\([^()]*\b(forked|light)\b", source) else path


def pytest_configure(config: pytest.Config) -> None:
    """Share compiled files between processes; rewrite the asserts of tests only."""
    getattr(config.pluginmanager.rewrite_hook, "_must_rewrite", set()).discard("fairsum_utils")  # it has a plugin
    if config.args_source is config.ArgsSource.TESTPATHS and os.environ.get("PYTEST_XDIST_WORKER") == "gw1":
        config.args.reverse()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put shared tests first and short doctests last, so that processes end together."""

    folders = ("tests", "reproductions", "fairsum_utils")  # in one order, from whichever end they were collected

    def place(item: pytest.Item) -> tuple[int, int]:
        path = item.nodeid.split("::")[0]
        known = {name: number for number, name in enumerate(SHARED)}
        top = Path(path).parts[0]
        rank = known.get(group(path), len(SHARED) + ("tests" not in Path(path).parts))
        return rank, folders.index(top) if top in folders else len(folders)

    items.sort(key=place)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Distribute tests by group in their order; `--dist=loadgroup` needs an older pytest."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group(super()._split_scope(nodeid))

    config.option.loadscopereorder = False
    return Scheduling(config, log)
