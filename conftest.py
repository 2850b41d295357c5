"""One thread a process of tests, and doctests of what is installed."""

from __future__ import annotations

import importlib.util
import os

# Two processes of tests, and the processes that these start, share the cores; none gains from threads of its models.
os.environ.setdefault("OMP_NUM_THREADS", "1")

_NEED = {"inspect_ai": "fairsum_utils/adapters/inspect_ai.py", "rjieba": "fairsum_utils/text/segmenters.py"}
collect_ignore = [path for package, path in _NEED.items() if importlib.util.find_spec(package) is None]
