"""The result cache: stored results come back under their keys, and faults are errors in one line."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.inference import cache as cache_module
from fairsum_utils.inference.cache import ResultCache, resolve_cache_folder

from ..conftest import takes_long

KEYS = st.lists(st.text(max_size=4), max_size=3).map(tuple)


def opened(folder: Path | None, fingerprint: str = "model m") -> ResultCache:
    return ResultCache(folder, fingerprint, module="equal_coverage")


def get(cache: ResultCache, key: tuple[str, ...]) -> bytes | None:
    return cache.get_many([key])[0]


def file_of(folder: Path) -> Path:
    (file,) = folder.glob("*/results.sqlite")
    return file


@pytest.mark.parametrize("on_disk", [True, False])
def test_stored_results_come_back(on_disk: bool, tmp_path: Path) -> None:
    cache = opened(tmp_path if on_disk else None)
    assert get(cache, ("a",)) is None
    cache.put([])
    assert list(tmp_path.iterdir()) == []  # nothing to keep yet
    cache.put([(("a",), b"1"), (("b", "c"), b""), (("a",), b"second")])
    cache.put(((str(number),), b"%d" % number) for number in range(0, 5000, 2))
    cache.put([(("a",), b"third"), (("\ud800",), b"2")])
    asked = [*range(4999, -1, -1), 8, 8]
    stored = [None if number % 2 else b"%d" % number for number in asked]
    assert cache.get_many((str(number),) for number in asked) == stored
    assert cache.get_many([("a",), ("b", "c"), ("\ud800",), ("ab",)]) == [b"1", b"", b"2", None]
    assert get(opened(tmp_path if on_disk else None), ("a",)) == (b"1" if on_disk else None)
    assert get(opened(tmp_path if on_disk else None, "model n"), ("a",)) is None
    assert any(tmp_path.iterdir()) is on_disk


def test_memory_without_a_folder_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "_KEPT", 100)
    cache = opened(None)
    for start in range(0, 1000, 30):
        cache.put(((str(number),), b"%d" % number) for number in range(start, start + 30))
    assert len(cache._memory) == 100
    assert cache.get_many([("1019",), ("919",)]) == [b"1019", None]


def test_a_folder_of_any_name_and_a_warm_run(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"a?b#c%20 \xff'\"")
    opened(folder, "revision \ud800").put([(("a",), b"1")])
    assert list(tmp_path.iterdir()) == [folder]
    file = file_of(folder)
    assert file.with_name("fingerprint.txt").read_bytes() == b"revision \xed\xa0\x80\n"
    before = file.stat().st_mtime_ns
    again = opened(folder, "revision \ud800")
    again.put([(("a",), b"1")])
    assert (get(again, ("a",)), file.stat().st_mtime_ns) == (b"1", before)


@given(first=KEYS, second=KEYS)
def test_only_equal_keys_meet(first: tuple[str, ...], second: tuple[str, ...]) -> None:
    cache = opened(None)
    cache.put([(first, b"1")])
    assert (get(cache, second) == b"1") is (first == second)


@pytest.mark.parametrize(
    ("first", "second"),
    [(("a", "bc"), ("ab", "c")), (("ab",), ("a", "b")), ((), ("",)), (("1:a",), ("a",)), (("a1:b",), ("a", "b"))],
)
def test_boundaries_of_a_key_count(first: tuple[str, ...], second: tuple[str, ...]) -> None:
    cache = opened(None)
    cache.put([(first, b"1")])
    assert get(cache, second) is None


WRITER = """
import itertools, sys
from pathlib import Path
from fairsum_utils.inference.cache import ResultCache
folder, name, batches = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
cache = ResultCache(folder, "model m", module="test")
for number in range(batches) if batches else itertools.count():
    cache.put(((name, str(number), str(i)), f"{number}:{i}".encode()) for i in range(20))
    print(number, flush=True)
"""


def writer(folder: Path, name: str, n: int) -> subprocess.Popen[str]:
    """Start a process that puts batches of twenty, and prints the number of each after it."""
    command = [sys.executable, "-c", WRITER, str(folder), name, str(n)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def batches_of(name: str, n: int) -> dict[tuple[str, ...], bytes]:
    return {(name, str(number), str(i)): f"{number}:{i}".encode() for number in range(n) for i in range(20)}


@takes_long
def test_processes_write_at_once_and_are_killed(tmp_path: Path) -> None:
    running = [writer(tmp_path, name, 20) for name in "aab"]
    killed = writer(tmp_path, "x", 0)
    assert killed.stdout is not None
    assert [int(killed.stdout.readline()) for _ in range(3)] == [0, 1, 2]
    killed.kill()
    assert killed.communicate()[1] == ""
    for process in running:
        _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, "")
    written = batches_of("a", 20) | batches_of("b", 20) | batches_of("x", 3)
    assert opened(tmp_path).get_many(written) == [*written.values()]
    ends = [key for key in batches_of("x", 500) if key[2] in ("0", "19")]
    found = [result is not None for result in opened(tmp_path).get_many(ends)]
    assert found[::2] == found[1::2], "a batch is stored whole or not at all"


def test_a_lock_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "_PATIENCE", 0.2)
    cache = opened(tmp_path)
    cache.put([(("a",), b"1")])
    with closing(sqlite3.connect(file_of(tmp_path), isolation_level=None)) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InputError, match=r"^equal_coverage: cannot use the cache folder .*: database is locked\. "):
            cache.put([(("b",), b"2")])
        assert get(cache, ("a",)) == b"1"
        other.execute("ROLLBACK")
    cache.put([(("b",), b"2")])
    assert get(cache, ("b",)) == b"2"


def test_a_folder_that_a_killed_run_left_empty_is_used(tmp_path: Path) -> None:
    cache = opened(tmp_path)
    cache.put([(("a",), b"1")])
    file_of(tmp_path).unlink()
    cache.put([(("a",), b"2")])
    assert get(cache, ("a",)) == b"2"


def test_folders_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    cache = opened(tmp_path / "file")
    assert get(cache, ("a",)) is None
    with pytest.raises(InputError, match="cannot use the cache folder") as caught:
        cache.put([(("a",), b"1")])
    assert all(part in str(caught.value) for part in (str(tmp_path), "cache=DIR", "--cache DIR", 'cache="none"'))


FULL = """
import resource, sys
from pathlib import Path
from fairsum_utils.inference.cache import ResultCache
from fairsum_utils.errors import InputError
resource.setrlimit(resource.RLIMIT_FSIZE, (70_000, resource.RLIM_INFINITY))
cache, keys = ResultCache(Path(sys.argv[1]), "m", module="equal_coverage"), []
try:
    while True:
        more = [(str(len(keys) + i),) for i in range(50)]
        cache.put((key, key[0].encode() * 9) for key in more)
        keys += more
except InputError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
cache.put([(("room",), b"again")])
assert cache.get_many([*keys, ("room",)]) == [*(key[0].encode() * 9 for key in keys), b"again"]
"""


@takes_long
@pytest.mark.skipif(sys.platform == "win32", reason="limits are of POSIX")
def test_a_full_disk(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"equal_coverage: cannot use the cache folder '{tmp_path}")


@pytest.mark.parametrize("damage", [lambda content: b"junk" * 5000, lambda content: content[:5000] + b"\0" * 9000])
def test_a_damaged_file(damage: Any, tmp_path: Path) -> None:
    cache = opened(tmp_path)
    cache.put(((str(number),), b"%d" % number * 9) for number in range(400))
    file = file_of(tmp_path)
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(InputError, match=r"results\.sqlite' is damaged or .* Delete it"):
        cache.get_many([(str(number),) for number in range(400)])


def test_which_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("FAIRSUM_CACHE", str(tmp_path))
    assert resolve_cache_folder(None) is resolve_cache_folder("none") is None
    assert resolve_cache_folder(tmp_path / "new") == resolve_cache_folder("~/new") == tmp_path / "new"
    assert not (tmp_path / "new").exists()
    assert resolve_cache_folder("default") == tmp_path / "inference"
    (tmp_path / "file").touch()
    for cache in (3, "", True, "a" * 300, "a\0b", "~nobody-of-this-name/cache", tmp_path / "file"):
        with pytest.raises(InputError, match=r"^coverage: cache: "):
            resolve_cache_folder(cache, module="coverage")  # type: ignore[arg-type]


def test_a_default_folder_that_cannot_be_written_warns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("FAIRSUM_CACHE", str(tmp_path / "file"))
    with pytest.warns(RuntimeWarning, match="results are lost when the process ends"):
        assert resolve_cache_folder("default") is None
    monkeypatch.setenv("FAIRSUM_CACHE", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may do anything
    with pytest.warns(RuntimeWarning, match="no permission to write"):
        assert resolve_cache_folder("default") is None
