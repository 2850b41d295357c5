"""The result cache: what is stored comes back under its key, and what cannot be done is said in one line."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.inference.cache import ResultCache, resolve_cache_folder

KEYS = st.lists(st.text(max_size=4), max_size=3).map(tuple)


def opened(folder: Path | None, fingerprint: str = "model m") -> ResultCache:
    return ResultCache(folder, fingerprint, module="equal_coverage")


@pytest.mark.parametrize("on_disk", [True, False])
def test_what_is_stored_comes_back(on_disk: bool, tmp_path: Path) -> None:
    with opened(tmp_path if on_disk else None) as cache:
        cache.put([(("a",), b"1"), (("b", "c"), b"")])
        cache.put([(("d",), b"2")])
        cache.put([])
        assert [cache.get(key) for key in [("a",), ("b", "c"), ("d",), ("e",)]] == [b"1", b"", b"2", None]
        assert len(cache) == 3
    again = opened(tmp_path if on_disk else None)
    assert [again.get(("a",)), len(again)] == ([b"1", 3] if on_disk else [None, 0])


@pytest.mark.parametrize("on_disk", [True, False])
def test_many_keys_at_once(on_disk: bool, tmp_path: Path) -> None:
    with opened(tmp_path if on_disk else None) as cache:
        cache.put(((str(number),), b"%d" % number) for number in range(0, 5000, 2))
        asked = [*range(4999, -1, -1), 8, 8]
        assert cache.get_many((str(number),) for number in asked) == [
            None if number % 2 else b"%d" % number for number in asked
        ]
        assert cache.get_many([]) == []


def test_in_memory_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    opened(None).put([(("a",), b"1")])
    assert list(tmp_path.iterdir()) == []


def test_layout(tmp_path: Path) -> None:
    with opened(tmp_path, "model m, revision 1") as cache:
        assert cache.get(("a",)) is None
        assert list(tmp_path.iterdir()) == []  # nothing to keep yet
        cache.put([(("a",), b"1")])
    (folder,) = tmp_path.iterdir()
    assert (folder / "fingerprint.txt").read_text(encoding="utf-8") == "model m, revision 1\n"
    assert sorted(path.name for path in folder.iterdir()) == ["fingerprint.txt", "results-1.sqlite"]


def test_a_warm_run_writes_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as cache:
        cache.put([(("a",), b"1")])
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*")}
    with opened(tmp_path) as cache:
        assert cache.get(("a",)) == b"1"
        cache.put([(("a",), b"1")])
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*")} == before


def test_a_key_that_is_stored_stays_as_it_is(tmp_path: Path) -> None:
    with opened(tmp_path) as cache:
        cache.put([(("a",), b"first"), (("a",), b"second")])
        cache.put([(("a",), b"third")])
        assert cache.get(("a",)) == b"first"
    assert opened(tmp_path).get(("a",)) == b"first"


def test_fingerprints_do_not_mix(tmp_path: Path) -> None:
    with opened(tmp_path, "revision 1") as cache:
        cache.put([(("a",), b"1")])
    assert opened(tmp_path, "revision 2").get(("a",)) is None
    assert opened(tmp_path, "revision 1").get(("a",)) == b"1"


def test_a_closed_cache_can_be_used_again(tmp_path: Path) -> None:
    cache = opened(tmp_path)
    cache.put([(("a",), b"1")])
    cache.close()
    cache.close()
    cache.put([(("b",), b"2")])
    assert cache.get_many([("a",), ("b",)]) == [b"1", b"2"]
    cache.close()
    assert opened(tmp_path).get_many([("a",), ("b",)]) == [b"1", b"2"]


@given(first=KEYS, second=KEYS)
def test_only_equal_keys_meet(first: tuple[str, ...], second: tuple[str, ...]) -> None:
    cache = opened(None)
    cache.put([(first, b"1")])
    assert (cache.get(second) == b"1") is (first == second)


@pytest.mark.parametrize(
    ("first", "second"),
    [(("a", "bc"), ("ab", "c")), (("ab",), ("a", "b")), ((), ("",)), (("1:a",), ("a",)), (("a1:b",), ("a", "b"))],
)
def test_boundaries_of_a_key_count(first: tuple[str, ...], second: tuple[str, ...]) -> None:
    cache = opened(None)
    cache.put([(first, b"1")])
    assert cache.get(second) is None


@pytest.mark.parametrize("separator", [*map(chr, range(128))])
def test_no_character_separates_the_parts_of_a_key(separator: str) -> None:
    cache = opened(None)
    cache.put([(("a", "b"), b"1")])
    assert cache.get((f"a{separator}b",)) is None


def test_a_lone_surrogate_is_a_key_like_any_other(tmp_path: Path) -> None:
    with opened(tmp_path, "model \ud800") as cache:
        cache.put([(("\ud800",), b"1")])
    assert opened(tmp_path, "model \ud800").get(("\ud800",)) == b"1"


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"a?b#c%20 \xff'\"")
    with opened(folder) as cache:
        cache.put([(("a",), b"1")])
    assert opened(folder).get(("a",)) == b"1"
    assert list(tmp_path.iterdir()) == [folder]


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    cache = opened(tmp_path / "file")
    assert cache.get(("a",)) is None
    with pytest.raises(InputError) as caught:
        cache.put([(("a",), b"1")])
    message = str(caught.value)
    assert message.startswith("equal_coverage: cannot write to the cache folder")
    for part in (str(tmp_path), "cache=DIR", "--cache DIR", 'cache="none"', "is kept"):
        assert part in message


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(28, "No space left on device"), "No space left on device"),
        (sqlite3.OperationalError("database is locked"), "database is locked"),
    ],
)
def test_what_the_system_refuses_is_one_line(error: Exception, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise error

    cache = opened(None)
    for name in ("get", "put", "__len__"):
        monkeypatch.setattr(type(cache._store), name, fail)
    for action, call in [
        ("write to", lambda: cache.put([(("a",), b"1")])),
        ("read", lambda: cache.get(("a",))),
        ("read", lambda: len(cache)),
    ]:
        with pytest.raises(InputError, match=f"equal_coverage: cannot {action} the cache folder .*: {reason}. What"):
            call()


@pytest.mark.parametrize("cache", [None, "none"])
def test_no_folder(cache: str | None) -> None:
    assert resolve_cache_folder(cache) is None


def test_a_named_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert resolve_cache_folder(tmp_path / "new") == tmp_path / "new"
    assert resolve_cache_folder("~/new") == tmp_path / "new"
    assert not (tmp_path / "new").exists()


def test_the_default_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRSUM_CACHE", str(tmp_path))
    assert resolve_cache_folder("default") == tmp_path / "inference"


@pytest.mark.parametrize("cache", [3, "", b"folder", True])
def test_not_a_folder(cache: Any) -> None:
    with pytest.raises(InputError, match=r'^coverage: cache must be "default", "none" or a folder, found'):
        resolve_cache_folder(cache, module="coverage")


@pytest.mark.parametrize("cache", ["a" * 300, "a\0b", "\ud800", "~nobody-of-this-name/cache"])
def test_a_name_that_no_folder_can_have(cache: str) -> None:
    with pytest.raises(InputError, match=r"^coverage: cache must be a folder, but .* cannot be one"):
        resolve_cache_folder(cache, module="coverage")


def test_a_file_is_not_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"cache must be a folder, but .* is a file"):
        resolve_cache_folder(tmp_path / "file")


def test_a_default_folder_that_cannot_be_made_warns_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FAIRSUM_CACHE", str(tmp_path / "file"))
    with pytest.warns(RuntimeWarning, match="results are kept in memory only"):
        assert resolve_cache_folder("default") is None
    assert resolve_cache_folder("default") is None  # a second warning would be an error here


def test_a_default_folder_without_permission_warns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRSUM_CACHE", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may do anything
    with pytest.warns(RuntimeWarning, match="no permission to write"):
        assert resolve_cache_folder("default") is None
