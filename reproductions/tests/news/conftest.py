"""What the tests of the studies of news share: the shipped articles, summarized."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def example() -> Any:
    """The module of `examples/counterfactual_news.py`."""
    path = Path(__file__).resolve().parents[3] / "examples" / "counterfactual_news.py"
    spec = importlib.util.spec_from_file_location("counterfactual_news", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
