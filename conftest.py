"""Tests in several processes, and doctests of what is installed."""

from __future__ import annotations

import importlib.util
import os
from typing import Any

import pytest

# Two processes of tests, and the processes that these start, share the cores; none gains from threads of its models.
os.environ.setdefault("OMP_NUM_THREADS", "1")

collect_ignore = [] if importlib.util.find_spec("inspect_ai") else ["fairsum_utils/adapters/inspect_ai.py"]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Share the tests out by file, so that what a file's tests have in common is made once, whatever `--dist` says.

    In the order of collection, which has the doctests, short ones, at its end: so all processes are done together.
    """
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False
    return LoadFileScheduling(config, log)
