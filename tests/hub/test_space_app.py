"""The page of each Space needs gradio; tests/hub/test_spaces.py runs them."""

from __future__ import annotations

import sys

import pytest

from fairsum_utils.errors import MissingDependencyError
from fairsum_utils.hub.space_app import build_demo
from fairsum_utils.measures import measure_names


@pytest.mark.parametrize("name", measure_names())
def test_without_gradio(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gradio", None)
    with pytest.raises(MissingDependencyError, match=r"pip install .*\[demo\]"):
        build_demo(name)
