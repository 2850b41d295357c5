from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import score

SOURCES = ["Tasty soup.", "Awful bread."]
VALUES = ["C#", "neg/a b"]
"""Labels that no file can be named after."""
TEXTS = ["Tasty.", "Tasty bread.", "Tasty soup, awful."]
"""UER 1/4, 0 and 1/12, see tests/training/test_rerank.py."""


@pytest.fixture(scope="session")
def results() -> dict[str, dict[str, Any]]:
    n = len(TEXTS)
    return score(
        TEXTS, [SOURCES] * n, [VALUES] * n, metrics=["bur", "uer"], confidence_level=0.9, n_resamples=99,
        return_samples=True,
    )  # fmt: skip


@pytest.fixture
def setup_extras(repository: Path) -> dict[str, Any]:
    """The extras of trackers, as setup.py lists them."""
    for node in ast.parse((repository / "setup.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "TRACKERS":
            return dict(ast.literal_eval(node.value))
    return {}
