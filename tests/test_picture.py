"""The README's picture of a report shows what the report says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import load_script


@pytest.fixture(scope="module")
def tool(repository: Path):
    return load_script(repository / "tools" / "build_picture.py")


@pytest.mark.usefixtures("undrawn")
def test_it_is_current(tool) -> None:
    """If this fails, run: python tools/build_picture.py"""
    assert tool.is_current()


def test_there_is_one_for_each_theme(tool) -> None:
    for theme in ("light", "dark"):
        content = (tool.IMAGES / f"report-{theme}.webp").read_bytes()
        assert (content[:4], content[8:12]) == (b"RIFF", b"WEBP")
        assert len(content) < 300_000
