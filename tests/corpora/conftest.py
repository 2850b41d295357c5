"""Hand-made inputs in every format, small enough to be read here."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.corpora import iter_rows


class _Sets(list[Any]):
    """Rows of the coverage paper's document sets."""

    @property
    def texts(self) -> dict[str, str]:
        """Every text and its value."""
        return {text: value for row in self for text, value in zip(row["sources"], row["values"], strict=True)}

    @property
    def dominant(self) -> dict[str, str]:
        """Topic -> the value that dominates the set."""
        return {(known := json.loads(row["metadata"]))["topic"]: known["dominant"] for row in self}

    @property
    def left_out(self) -> dict[str, int]:
        return dict(json.loads(self[0]["metadata"])["dropped"]["texts"])


@pytest.fixture
def build() -> Callable[..., _Sets]:
    """Function that makes document sets: (configuration, folder, options) -> rows."""

    def make(config: str, folder: Path, **options: Any) -> _Sets:
        return _Sets(iter_rows("coverage_sets", config, data_dir=folder, **options))

    return make


@pytest.fixture
def write_csv() -> Callable[..., None]:
    """Function that writes a table: (path, columns, records)."""

    def write(path: Path, *records: Sequence[object]) -> None:
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(records)

    return write


@pytest.fixture(autouse=True)
def _own_cache(own_cache: Path) -> None:
    """No test of a data set touches the user's downloads."""
