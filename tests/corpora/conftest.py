"""Hand-made inputs in every format, small enough to be read here."""

from __future__ import annotations

import csv
import functools
import http.server
import json
import threading
from collections.abc import Callable, Iterator, Sequence
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
    """Makes document sets: (configuration, folder, options) -> rows."""

    def make(config: str, folder: Path, **options: Any) -> _Sets:
        return _Sets(iter_rows("coverage_sets", config, data_dir=folder, **options))

    return make


@pytest.fixture
def write_csv() -> Callable[..., None]:
    """Writes a table: (path, columns, records)."""

    def write(path: Path, *records: Sequence[object]) -> None:
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(records)

    return write


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A stand-in for the published files' site: (base URL, the folder it serves)."""
    folder = tmp_path / "site"
    folder.mkdir()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder))) as site:
        thread = threading.Thread(target=site.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{site.server_port}/", folder
        site.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep downloads of a test to itself, and this machine's servers out of the way of a proxy."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("FAIRSUM_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"
