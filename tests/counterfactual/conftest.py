"""Releases of annotated documents with one fault."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def damaged(tmp_path: Path) -> Callable[..., Path]:
    """Return a copy of a release in which text of one file is replaced."""

    def damage(release: Path, file: str, old: str, new: str) -> Path:
        shutil.copytree(release, tmp_path / "copy")
        path = tmp_path / "copy/english/annotations" / file
        content = path.read_text(encoding="utf-8")
        assert old in content
        path.write_bytes(content.replace(old, new).encode("utf-8", errors="surrogateescape"))
        return tmp_path / "copy"

    return damage
