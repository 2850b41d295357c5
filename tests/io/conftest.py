"""A writer of files for tests; the formats are those of the fuzz suite."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.files import content_of


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write bytes, a text, or rows in the format of the name."""

    def write(name: str, content: Any, *show: Callable[[Any], str], encoding: str = "utf-8") -> Path:
        path = tmp_path / name
        if isinstance(content, str):
            content = content.encode(encoding)
        elif not isinstance(content, bytes):
            content = content_of(content, name.partition(".")[2], *show)
            content = content if encoding == "utf-8" else content.decode().encode(encoding)
        path.write_bytes(content)
        return path

    return write
