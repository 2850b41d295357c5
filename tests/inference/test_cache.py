"""The result cache: what is stored comes back under its key, and what cannot be done is said in one line."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.inference import cache as cache_module
from fairsum_utils.inference.cache import ResultCache, resolve_cache_folder

from ..conftest import LONG

KEYS = st.lists(st.text(max_size=4), max_size=3).map(tuple)


def opened(folder: Path | None, fingerprint: str = "model m") -> ResultCache:
    return ResultCache(folder, fingerprint, module="equal_coverage")


def get(cache: ResultCache, key: tuple[str, ...]) -> bytes | None:
    return cache.get_many([key])[0]


def run(code: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def file_of(folder: Path) -> Path:
    """The file of the only fingerprint of a folder."""
    (file,) = folder.glob("*/results-1.sqlite")
    return file


def numbered(start: int, stop: int) -> list[tuple[tuple[str, ...], bytes]]:
    return [((str(number),), b"%d" % number * 9) for number in range(start, stop)]


@pytest.mark.parametrize("on_disk", [True, False])
def test_what_is_stored_comes_back(on_disk: bool, tmp_path: Path) -> None:
    cache = opened(tmp_path if on_disk else None)
    cache.put([(("a",), b"1"), (("b", "c"), b"")])
    cache.put([(("d",), b"2")])
    cache.put([])
    assert [get(cache, key) for key in [("a",), ("b", "c"), ("d",), ("e",)]] == [b"1", b"", b"2", None]
    again = opened(tmp_path if on_disk else None)
    assert get(again, ("a",)) == (b"1" if on_disk else None)


@pytest.mark.parametrize("on_disk", [True, False])
def test_many_keys_at_once(on_disk: bool, tmp_path: Path) -> None:
    cache = opened(tmp_path if on_disk else None)
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


def test_without_a_folder_the_last_results_are_kept_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory does not grow with the number of results."""
    monkeypatch.setattr(cache_module, "_KEPT", 100)
    cache = opened(None)
    for start in range(0, 1000, 30):
        cache.put(((str(number),), b"%d" % number) for number in range(start, start + 30))
        assert len(cache._memory) <= 100
    assert get(cache, ("1019",)) == b"1019"
    assert get(cache, ("919",)) is None


def test_layout(tmp_path: Path) -> None:
    cache = opened(tmp_path, "model m, revision 1")
    assert get(cache, ("a",)) is None
    assert list(tmp_path.iterdir()) == []  # nothing to keep yet
    cache.put([(("a",), b"1")])
    (folder,) = tmp_path.iterdir()
    assert (folder / "fingerprint.txt").read_text(encoding="utf-8") == "model m, revision 1\n"
    assert sorted(path.name for path in folder.iterdir()) == ["fingerprint.txt", "results-1.sqlite"]


def test_a_warm_run_writes_nothing(tmp_path: Path) -> None:
    cache = opened(tmp_path)
    cache.put([(("a",), b"1")])
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*")}
    cache = opened(tmp_path)
    assert get(cache, ("a",)) == b"1"
    cache.put([(("a",), b"1")])
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*")} == before


def test_a_key_that_is_stored_stays_as_it_is(tmp_path: Path) -> None:
    cache = opened(tmp_path)
    cache.put([(("a",), b"first"), (("a",), b"second")])
    cache.put([(("a",), b"third")])
    assert get(cache, ("a",)) == b"first"
    assert get(opened(tmp_path), ("a",)) == b"first"


def test_fingerprints_do_not_mix(tmp_path: Path) -> None:
    cache = opened(tmp_path, "revision 1")
    cache.put([(("a",), b"1")])
    assert get(opened(tmp_path, "revision 2"), ("a",)) is None
    assert get(opened(tmp_path, "revision 1"), ("a",)) == b"1"


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


@pytest.mark.parametrize("separator", [*map(chr, range(128))])
def test_no_character_separates_the_parts_of_a_key(separator: str) -> None:
    cache = opened(None)
    cache.put([(("a", "b"), b"1")])
    assert get(cache, (f"a{separator}b",)) is None


def test_a_lone_surrogate_is_a_key_like_any_other(tmp_path: Path) -> None:
    cache = opened(tmp_path, "model \ud800")
    cache.put([(("\ud800",), b"1")])
    assert get(opened(tmp_path, "model \ud800"), ("\ud800",)) == b"1"


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"a?b#c%20 \xff'\"")
    cache = opened(folder)
    cache.put([(("a",), b"1")])
    assert get(opened(folder), ("a",)) == b"1"
    assert list(tmp_path.iterdir()) == [folder]


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    cache = opened(tmp_path / "file")
    assert get(cache, ("a",)) is None
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
def test_what_the_system_refuses_is_one_line(
    error: Exception, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    cache = opened(tmp_path)
    monkeypatch.setattr(ResultCache, "_read", fail)
    monkeypatch.setattr(ResultCache, "_write", fail)
    with pytest.raises(InputError, match=f"equal_coverage: cannot write to the cache folder .*: {reason}. What"):
        cache.put([(("a",), b"1")])
    with pytest.raises(InputError, match=f"equal_coverage: cannot read the cache folder .*: {reason}. What"):
        get(cache, ("a",))


# Sharing

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
"""Puts batches of twenty, and prints the number of each after it."""


def batches_of(name: str, n: int) -> dict[tuple[str, ...], bytes]:
    return {(name, str(number), str(i)): f"{number}:{i}".encode() for number in range(n) for i in range(20)}


def test_processes_write_at_once(tmp_path: Path) -> None:
    running = [run(WRITER, tmp_path, name, 20) for name in "aab"]
    for process in running:
        _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, "")
    written = batches_of("a", 20) | batches_of("b", 20)
    assert opened(tmp_path).get_many(written) == [*written.values()]


def test_what_is_kept_outlives_kills(tmp_path: Path) -> None:
    acknowledged: dict[tuple[str, ...], bytes] = {}
    for turn in range(3):
        name, process = f"x{turn}", run(WRITER, tmp_path, f"x{turn}", 0)
        assert process.stdout is not None
        for number in range(turn + 1):
            assert int(process.stdout.readline()) == number
        process.kill()
        assert process.communicate()[1] == ""
        acknowledged |= batches_of(name, turn + 1)
        assert opened(tmp_path).get_many(acknowledged) == [*acknowledged.values()]
        batches = [key for key in batches_of(name, 500) if key[2] in ("0", "19")]
        found = [payload is not None for payload in opened(tmp_path).get_many(batches)]
        assert found[::2] == found[1::2]  # batches are there whole or not at all


def test_threads_share_a_cache(tmp_path: Path) -> None:
    cache = opened(tmp_path)

    def work(number: int) -> bool:
        mine = [((str(number), str(turn)), b"%d" % turn) for turn in range(10)]
        for item in mine:
            cache.put([item])
        return cache.get_many(key for key, _ in mine) == [payload for _, payload in mine]

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(work, range(4))) == [True] * 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_processes_go_on(tmp_path: Path) -> None:
    cache = opened(tmp_path)
    cache.put([(("parent",), b"1")])
    children = []
    for number in range(4):
        child = os.fork()
        if not child:
            status = 1
            try:
                assert get(cache, ("parent",)) == b"1"
                cache.put([((f"child{number}",), b"3")])
                status = 0
            finally:
                os._exit(status)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
    assert cache.get_many((f"child{number}",) for number in range(4)) == [b"3"] * 4


def test_a_writer_that_is_held_up_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "_PATIENCE", 0.2)
    cache = opened(tmp_path)
    cache.put([(("a",), b"1")])
    with closing(sqlite3.connect(file_of(tmp_path), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InputError, match=r"cannot write to the cache folder .*: database is locked"):
            cache.put([(("b",), b"2")])
        assert get(cache, ("a",)) == b"1"  # who reads need not wait
        other.execute("ROLLBACK")
    cache.put([(("b",), b"2")])
    assert get(cache, ("b",)) == b"2"


def test_a_file_with_a_log_of_an_earlier_version(tmp_path: Path) -> None:
    cache = opened(tmp_path)
    cache.put([(("a",), b"1")])
    with closing(sqlite3.connect(file_of(tmp_path))) as other:
        assert other.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
    cache.put([(("b",), b"2")])
    assert cache.get_many([("a",), ("b",)]) == [b"1", b"2"]
    assert file_of(tmp_path).read_bytes()[18:20] == b"\1\1"  # a journal again


FULL = """
import resource, sys
from pathlib import Path
from fairsum_utils.inference.cache import ResultCache
from fairsum_utils.errors import InputError
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
cache = ResultCache(Path(sys.argv[1]), "m", module="equal_coverage")
keys = []
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
print(len(keys))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits are of POSIX")
@pytest.mark.parametrize("limit", [5000, 70_000])
def test_a_disk_that_is_full(tmp_path: Path, limit: int) -> None:
    printed, errors = run(FULL, tmp_path, limit).communicate(timeout=60)
    assert errors == ""
    message, stored = printed.splitlines()
    assert message.startswith(f"equal_coverage: cannot write to the cache folder '{tmp_path}")
    assert (int(stored) > 0) == (limit >= 70_000)


READ_ONLY = """
import os, sys
from pathlib import Path
from fairsum_utils.inference.cache import ResultCache
from fairsum_utils.errors import InputError
if os.geteuid() == 0:
    os.setuid(65534)
cache = ResultCache(Path(sys.argv[1]), "m", module="equal_coverage")
try:
    cache.put([(("b",), b"2")])
except InputError as error:
    print(error)
print(cache.get_many([("a",), ("b",)]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are of POSIX")
def test_a_folder_that_can_only_be_read() -> None:
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        opened(Path(name), "m").put([(("a",), b"1")])
        (folder,) = Path(name).iterdir()
        folder.chmod(0o555)
        printed, errors = run(READ_ONLY, name).communicate(timeout=60)
        folder.chmod(0o755)
    assert errors == ""
    message, found = printed.splitlines()
    assert message.startswith("equal_coverage: cannot write to the cache folder")
    assert found == "[b'1', None]"


# Damage


def damaged_in(kind: str, content: bytes, chance: random.Random) -> bytes:
    """The content of a file after an accident."""
    changed, place = bytearray(content), chance.randrange(len(content))
    match kind:
        case "flip":
            changed[place] ^= chance.randrange(1, 256)
        case "page head":
            changed[place // 4096 * 4096 + chance.randrange(110)] ^= chance.randrange(1, 256)
        case "swapped pages":
            first, second = (chance.randrange(len(changed) // 4096) * 4096 for _ in range(2))
            changed[first : first + 4096] = content[second : second + 4096]
        case "zeros":
            stretch = changed[place : place + chance.choice([16, 512, 4096, 40_000])]
            changed[place : place + len(stretch)] = bytes(len(stretch))
        case "truncated":
            del changed[place:]
    return bytes(changed)


@pytest.mark.parametrize("kind", ["flip", "page head", "swapped pages", "zeros", "truncated"])
def test_damage_never_changes_a_result(kind: str, tmp_path: Path) -> None:
    """It is an error that names the file, or a result is not found."""
    chance, written = random.Random(kind), dict(numbered(0, 400)) | {("long",): b"x" * 9000}
    opened(tmp_path).put(written.items())
    file, refusals = file_of(tmp_path), list[str]()
    content = file.read_bytes()
    for _ in range(200 if LONG else 40):
        file.write_bytes(damaged_in(kind, content, chance))
        for key, payload in ((None, None), *chance.sample([*written.items()], 5)):
            try:
                found = opened(tmp_path).get_many(written if key is None else [key])
            except InputError as error:
                refusals.append(str(error))
            else:
                expected = [*written.values()] if key is None else [payload]
                assert all(given in (None, true) for given, true in zip(found, expected, strict=True))
    assert refusals
    assert all(str(file.parent) in refusal and "\n" not in refusal for refusal in refusals)


def make_junk(path: Path) -> None:
    path.write_bytes(b"junk" * 5000)


def make_foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE results (digest BLOB PRIMARY KEY, record BLOB NOT NULL)")


def make_newer(path: Path) -> None:
    opened(path.parent.parent).put([(("a",), b"1")])
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version = 99")


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (make_junk, "file is not a database"),
        (make_foreign, "it is of application 0x0, version 0"),
        (make_newer, "it is of application 0x66735243, version 99"),
    ],
)
def test_what_is_not_ours_is_refused(make: Callable[[Path], None], reason: str, tmp_path: Path) -> None:
    opened(tmp_path).put([(("a",), b"1")])
    path = file_of(tmp_path)
    path.unlink()
    make(path)
    content = path.read_bytes()
    cache = opened(tmp_path)
    for use in (lambda: get(cache, ("a",)), lambda: cache.put([(("a",), b"2")])):
        with pytest.raises(InputError, match=rf"the cache file .*results-1.sqlite' is damaged, or .*\({reason}\)"):
            use()
    assert path.read_bytes() == content


def test_a_damaged_result_is_refused(tmp_path: Path) -> None:
    cache = opened(tmp_path)
    cache.put(numbered(0, 50))
    file = file_of(tmp_path)
    file.write_bytes(file.read_bytes().replace(b"7" * 9, b"8" * 9))
    assert get(cache, ("8",)) == b"8" * 9
    with pytest.raises(InputError, match=r"\(a result is not as it was written\). Delete it; what it held is computed"):
        get(cache, ("7",))


def test_a_file_of_another_fingerprint_is_of_no_use(tmp_path: Path) -> None:
    one, other = opened(tmp_path / "one", "m"), opened(tmp_path / "other", "n")
    one.put([(("a",), b"1")])
    other.put([(("b",), b"1")])
    file_of(tmp_path / "other").write_bytes(file_of(tmp_path / "one").read_bytes())
    with pytest.raises(InputError, match="a result is not as it was written"):
        get(other, ("a",))


# Which folder


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
