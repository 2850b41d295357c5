"""The file of results: shared, durable, and never trusted where it is damaged."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.inference import store as store_module
from fairsum_utils.inference.store import Store
from fairsum_utils.io import mounts
from tests.inference.test_segments import record

from ..conftest import LONG

TURNS, ACCIDENTS = (15, 200) if LONG else (6, 60)
"""How often processes meet, and how often a file is damaged, each time in another way."""

WRITER = """
import itertools, sys
from pathlib import Path
from fairsum_utils.inference.store import Store
folder, name, batches = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
store = Store(folder, "model m", module="test")
for number in range(batches) if batches else itertools.count():
    store.put({f"{name}{number:06}{i:04}".rjust(16).encode(): f"{number}:{i}".encode() for i in range(20)})
    print(number, flush=True)
"""
"""Puts batches of twenty, and says so after each."""


def batch_of(name: str, number: int) -> dict[bytes, bytes]:
    return {f"{name}{number:06}{i:04}".rjust(16).encode(): f"{number}:{i}".encode() for i in range(20)}


def opened(folder: Path, fingerprint: str = "model m") -> Store:
    return Store(folder, fingerprint, module="equal_coverage")


def digest(name: object) -> bytes:
    return str(name).rjust(16).encode()


def payloads(count: int, size: int = 8) -> dict[bytes, bytes]:
    chance = random.Random(count)
    return {chance.randbytes(16): chance.randbytes(size) for _ in range(count)}


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != "fingerprint.txt")


def run(code: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@contextmanager
def all_warnings() -> Iterator[list[warnings.WarningMessage]]:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        yield said


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder where nothing waits for a disk, if there is one."""
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if os.access(shared, os.W_OK) else None) as name:
        yield Path(name)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "a folder"


@pytest.fixture
def network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Pretends that the folder of the test lies on a file system of some type."""

    def pretend(kind: str) -> None:
        table = tmp_path / "mountinfo"
        point = str(tmp_path.resolve()).replace(" ", "\\040")
        table.write_text(f"27 1 254:0 / / rw - ext4 /dev/vda rw\n30 27 0:40 /export {point} rw - {kind} source rw\n")
        monkeypatch.setattr(mounts, "_TABLE", table)
        store_module._warn_once.cache_clear()

    return pretend


def is_durable(store: Store) -> bool:
    assert store._connection is not None
    # EXTRA: the log, or the journal and its folder, is on the disk before a commit returns.
    return bool(store._connection.execute("PRAGMA synchronous").fetchone() == (3,))


def journal_of(folder: Path) -> bytes:
    """What the header says: 1 for a journal, 2 for a log."""
    return (folder / "results-1.sqlite").read_bytes()[18:20]


# Sharing


def test_two_processes_write_the_same_at_once(folder: Path) -> None:
    running = [run(WRITER, folder, name, 50) for name in "aab"]
    for process in running:
        _, said = process.communicate(timeout=60)
        assert (process.returncode, said) == (0, "")
    store = opened(folder)
    assert len(store) == 2 * 50 * 20
    written = {
        f"{name}{n:06}{i:04}".rjust(16).encode(): f"{n}:{i}".encode()
        for name in "ab"
        for n in range(50)
        for i in range(20)
    }
    assert store.get(written) == written


def test_what_is_kept_outlives_kills(folder: Path) -> None:
    acknowledged: dict[bytes, bytes] = {}
    for turn in range(8):
        writers = {name: run(WRITER, folder, name, 0) for name in (f"x{turn}", f"y{turn}")}
        for name, process in writers.items():
            assert process.stdout is not None
            for _ in range(turn + 1):
                number = int(process.stdout.readline())
                acknowledged |= batch_of(name, number)
        for process in writers.values():
            process.send_signal(signal.SIGKILL)
            assert process.communicate()[1] == ""
        store = opened(folder)
        assert store.get(acknowledged) == acknowledged
        assert len(store) % 20 == 0  # batches are there whole or not at all
        store.close()
    assert names(folder) == ["results-1.sqlite"]


def in_processes(count: int, work: Callable[[int], None]) -> None:
    """Work done by forked processes that begin at the same moment."""
    begin, children = time.monotonic() + 0.02, []
    for number in range(count):
        child = os.fork()
        if not child:
            status = 1
            try:
                while time.monotonic() < begin:
                    pass
                work(number)
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * count


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("kind", ["ext4", "nfs4"])
def test_many_processes_begin_at_once(kind: str, tmp_path: Path, network: Callable[[str], None]) -> None:
    network(kind)
    for turn in range(TURNS):
        folder = tmp_path / str(turn)

        def work(number: int, folder: Path = folder) -> None:
            with all_warnings() as said:
                store = opened(folder)
                if number % 2:
                    store.get([digest("not there")])
                for batch in range(3):
                    store.put({digest(f"{number}-{batch}-{i}"): b"%d" % i for i in range(5)})
                store.close()
            assert ["moved aside" in str(each.message) for each in said] == [False] * len(said)

        in_processes(5, work)
        with all_warnings():
            assert len(opened(folder)) == 5 * 3 * 5


def test_what_another_process_writes_is_seen(folder: Path) -> None:
    one, other = opened(folder), opened(folder)
    assert one.get([b"a" * 16]) == {}
    other.put({b"a" * 16: b"1"})
    assert one.get([b"a" * 16]) == {b"a" * 16: b"1"}
    one.put({b"a" * 16: b"2", b"b" * 16: b"3"})
    assert other.get([b"a" * 16, b"b" * 16]) == {b"a" * 16: b"1", b"b" * 16: b"3"}


def test_threads_share_a_store(folder: Path) -> None:
    store, failures = opened(folder), []

    def work(number: int) -> None:
        try:
            for turn in range(20):
                mine = {digest(f"{number}-{turn}"): b"%d" % turn}
                store.put(mine)
                assert store.get(mine) == mine
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (failures, len(store)) == ([], 6 * 20)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_processes_go_on(folder: Path) -> None:
    store = opened(folder)
    store.put({digest("parent"): b"1"})
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            store.put({digest(f"thread{number}"): b"2"})
            number += 1

    thread = threading.Thread(target=write)
    thread.start()
    children = []
    for number in range(8):
        child = os.fork()
        if not child:
            status = 1
            try:
                assert store.get([digest("parent")]) == {digest("parent"): b"1"}
                store.put({digest(f"child{number}"): b"3"})
                store.close()
                status = 0
            finally:
                os._exit(status)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 8
    stop.set()
    thread.join()
    assert len(store.get(digest(f"child{number}") for number in range(8))) == 8
    assert store.get([digest("parent")]) == {digest("parent"): b"1"}
    store.close()
    assert names(folder) == ["results-1.sqlite"]


def test_a_writer_that_is_held_up_is_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "_PATIENCE", 0.2)
    store = opened(folder)
    store.put({b"a" * 16: b"1"})
    other = sqlite3.connect(folder / "results-1.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        store.put({b"b" * 16: b"2"})
    assert store.get([b"a" * 16]) == {b"a" * 16: b"1"}  # who reads need not wait
    other.execute("ROLLBACK")
    store.put({b"b" * 16: b"2"})
    assert len(store) == 2
    other.close()


def test_an_interrupted_put_is_none(folder: Path) -> None:
    class Interrupting(dict[bytes, bytes]):
        def items(self) -> Any:
            yield b"a" * 16, b"1"
            raise KeyboardInterrupt

    store = opened(folder)
    with pytest.raises(KeyboardInterrupt):
        store.put(Interrupting())
    assert len(store) == 0
    store.put({b"b" * 16: b"2"})
    assert len(store) == 1


# Durability


def test_a_copy_of_what_is_on_the_disk_holds_everything(folder: Path, tmp_path: Path) -> None:
    store, written = opened(folder), payloads(500)
    store.put(written)
    assert is_durable(store)
    shutil.copytree(folder, tmp_path / "copy")  # as after a power cut: nothing was closed
    assert opened(tmp_path / "copy").get(written) == written


FULL = """
import resource, sys
from pathlib import Path
from fairsum_utils.inference.cache import ResultCache
from fairsum_utils.errors import InputError
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
cache = ResultCache(Path(sys.argv[1]), "m", module="equal_coverage")
stored = 0
try:
    while True:
        cache.put([((str(stored + i),), str(stored + i).encode() * 9) for i in range(50)])
        stored += 50
except InputError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert all(cache.get((str(number),)) == str(number).encode() * 9 for number in range(stored))
cache.put([(("room",), b"again")])
cache.close()
with ResultCache(Path(sys.argv[1]), "m", module="equal_coverage") as again:
    assert all(again.get((str(number),)) == str(number).encode() * 9 for number in range(stored))
    assert again.get(("room",)) == b"again"
    assert len(again) == stored + 1
print(stored)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits are of POSIX")
@pytest.mark.parametrize("limit", [0, 3000, 5000, 70_000, 400_000])
def test_a_disk_that_is_full(folder: Path, limit: int) -> None:
    said, errors = run(FULL, folder, limit).communicate(timeout=60)
    assert errors == ""
    message, stored = said.splitlines()
    assert message.startswith(f"equal_coverage: cannot write to the cache folder '{folder}")
    assert (int(stored) > 0) == (limit >= 70_000)


# Damage


def damaged_in(kind: str, content: bytes, chance: random.Random) -> bytes:
    """The content of a file after an accident."""
    changed, place = bytearray(content), chance.randrange(len(content))
    match kind:
        case "flip":
            changed[place] ^= chance.randrange(1, 256)
        case "page head":
            changed[place // 4096 * 4096 + chance.randrange(110)] ^= chance.randrange(1, 256)
        case "many":
            for _ in range(chance.randrange(2, 50)):
                changed[chance.randrange(len(changed))] = chance.randrange(256)
        case "swapped pages":
            first, second = (chance.randrange(len(changed) // 4096) * 4096 for _ in range(2))
            changed[first : first + 4096] = content[second : second + 4096]
        case "zeros":
            stretch = changed[place : place + chance.choice([16, 512, 4096, 40_000])]
            changed[place : place + len(stretch)] = bytes(len(stretch))
        case "truncated":
            del changed[place:]
    return bytes(changed)


@pytest.mark.parametrize("part", ["", "-wal"])
@pytest.mark.parametrize("kind", ["flip", "page head", "many", "swapped pages", "zeros", "truncated"])
def test_damage_never_changes_a_result(kind: str, part: str, tmp_path: Path) -> None:
    chance, written = random.Random(f"{kind}{part}"), payloads(400)
    written |= payloads(30, 500) | payloads(1, 9000)
    whole = tmp_path / "whole"
    store = opened(whole)
    for start in range(0, len(written), 50):
        store.put(dict([*written.items()][start : start + 50]))
    if part:
        shutil.copytree(whole, whole := tmp_path / "log")
        store.close()
    else:
        store.close()
    content = (whole / f"results-1.sqlite{part}").read_bytes()
    n_lost = n_named = 0
    for _ in range(ACCIDENTS):
        folder = tmp_path / "damaged"
        shutil.copytree(whole, folder)
        (folder / f"results-1.sqlite{part}").write_bytes(damaged_in(kind, content, chance))
        with all_warnings() as said:
            store = opened(folder)
            found = store.get(written)
            assert found.items() <= written.items()
            n_lost += len(found) < len(written)
            n_named += bool(said)
            lost = {key: payload for key, payload in written.items() if key not in found}
            store.put(lost)
            assert store.get(lost) == lost  # in the same file, or in the next one
            store.close()
            assert opened(folder).get(written).items() <= written.items()
        assert all("\n" not in str(each.message) for each in said)
        assert len(said) <= 3
        assert ("results-1.sqlite.damaged" in names(folder)) == any("moved aside" in str(each.message) for each in said)
        shutil.rmtree(folder)
    assert n_lost > 0
    assert part or n_named > 0.5 * n_lost  # a result whose digest is damaged is just not found


def make_junk(path: Path) -> None:
    path.write_bytes(b"junk" * 5000)


def make_short(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0")


def make_folder(path: Path) -> None:
    path.mkdir()
    (path / "something").write_text("of somebody")


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_foreign(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE results (digest BLOB PRIMARY KEY, record BLOB NOT NULL)")
    other.close()


def make_newer(path: Path) -> None:
    opened(path.parent).put({b"a" * 16: b"1"})
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("PRAGMA user_version = 99")
    other.close()


def make_other_table(path: Path) -> None:
    opened(path.parent).put({b"a" * 16: b"1"})
    with sqlite3.connect(path) as other:
        other.execute("ALTER TABLE results RENAME TO others")
    other.close()


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (make_junk, "file is not a database"),
        (make_short, "file is not a database"),
        (make_folder, "it is no file"),
        (make_pipe, "it is no file"),
        (make_foreign, "it is of application 0x0, version 0"),
        (make_newer, "it is of application 0x66735243, version 99"),
        (make_other_table, "no such table: results"),
    ],
)
@pytest.mark.parametrize("reads_first", [True, False])
def test_what_is_not_ours_is_moved_aside(
    make: Callable[[Path], None], reason: str, reads_first: bool, folder: Path
) -> None:
    folder.mkdir()
    path = folder / "results-1.sqlite"
    make(path)
    kind = stat.S_IFMT(path.stat().st_mode)
    store = opened(folder)
    with all_warnings() as said:
        if reads_first:
            assert store.get([b"a" * 16]) == {}
        store.put({b"a" * 16: b"2"})
    assert [str(each.message) for each in said] == [
        f"equal_coverage: the cache file '{path}' is damaged or not one of ours ({reason}) and was moved aside as "
        "'results-1.sqlite.damaged'; what it held is computed again"
    ]
    assert opened(folder).get([b"a" * 16]) == {b"a" * 16: b"2"}
    store.close()
    assert names(folder) == ["results-1.sqlite.damaged", "results-2.sqlite"]
    assert stat.S_IFMT((folder / "results-1.sqlite.damaged").stat().st_mode) == kind


def test_a_file_that_sqlite_takes_for_one_of_a_later_format(folder: Path) -> None:
    store = opened(folder)
    store.put({b"a" * 16: b"1"})
    store.close()
    content = bytearray((folder / "results-1.sqlite").read_bytes())
    content[18] = 9  # the version of the format that who writes must know; who reads, the next one
    (folder / "results-1.sqlite").write_bytes(content)
    assert store.get([b"a" * 16]) == {b"a" * 16: b"1"}
    with pytest.warns(RuntimeWarning, match=r"\(attempt to write a readonly database\) and was moved aside"):
        store.put({b"a" * 16: b"2"})
    assert store.get([b"a" * 16]) == {b"a" * 16: b"2"}


def test_a_file_that_another_process_has_just_made(folder: Path) -> None:
    folder.mkdir()
    (folder / "results-1.sqlite").touch()
    store = opened(folder)
    assert store.get([b"a" * 16]) == {}
    store.put({b"a" * 16: b"1"})
    assert store.get([b"a" * 16]) == {b"a" * 16: b"1"}


def test_damage_after_damage(folder: Path) -> None:
    with all_warnings() as said:
        for number in (1, 2, 3):
            store = opened(folder)
            store.put({b"a" * 16: b"%d" % number})
            store.close()
            (folder / f"results-{number}.sqlite").write_bytes(b"junk")
    assert len(said) == 2
    assert names(folder) == ["results-1.sqlite.damaged", "results-2.sqlite.damaged", "results-3.sqlite"]


def test_a_damaged_result_is_replaced(folder: Path) -> None:
    store, written = opened(folder), {digest(number): b"result %d" % number for number in range(50)}
    store.put(written)
    store.close()
    path = folder / "results-1.sqlite"
    path.write_bytes(path.read_bytes().replace(b"result 7", b"result 8", 1))
    rest = {key: payload for key, payload in written.items() if key != digest(7)}
    with pytest.warns(RuntimeWarning, match=r"^equal_coverage: 1 of 50 results looked up in .* are damaged, and"):
        assert store.get(written) == rest
    assert store.get(written) == rest  # a second warning would be an error here
    store.put({digest(7): b"result 7", digest(8): b"another"})
    assert store.get(written) == written
    assert names(folder)[0] == "results-1.sqlite"


def test_a_file_of_another_fingerprint_is_of_no_use(folder: Path, tmp_path: Path) -> None:
    opened(folder).put({b"a" * 16: b"1"})
    shutil.copytree(folder, tmp_path / "other")
    with pytest.warns(RuntimeWarning, match="1 of 1 results looked up in"):
        assert opened(tmp_path / "other", "model n").get([b"a" * 16]) == {}


def test_what_was_moved_aside_by_another_is_written_again(folder: Path) -> None:
    one, other = opened(folder), opened(folder)
    one.put({b"a" * 16: b"1"})
    (folder / "results-1.sqlite").rename(folder / "results-1.sqlite.damaged")
    one.put({b"b" * 16: b"2"})
    assert other.get([b"a" * 16, b"b" * 16]) == {b"b" * 16: b"2"}
    assert (folder / "results-2.sqlite").exists()


def test_a_folder_that_is_deleted_is_made_again(folder: Path) -> None:
    store = opened(folder)
    store.put({b"a" * 16: b"1"})
    shutil.rmtree(folder)
    store.put({b"b" * 16: b"2"})
    assert opened(folder).get([b"a" * 16, b"b" * 16]) == {b"b" * 16: b"2"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_processes_find_the_same_damage(folder: Path, tmp_path: Path) -> None:
    written = payloads(600)
    store = opened(folder)
    store.put(written)
    store.close()
    content = (folder / "results-1.sqlite").read_bytes()
    for turn in range(TURNS):
        place = tmp_path / str(turn)
        place.mkdir()
        chance = random.Random(turn)
        start = [0, 4096, chance.randrange(1, len(content) // 4096) * 4096][turn % 3]
        damage = chance.randbytes([100, len(content) - 4096, 4096][turn % 3])
        (place / "results-1.sqlite").write_bytes(content[:start] + damage + content[start + len(damage) :])

        def work(number: int, place: Path = place) -> None:
            with all_warnings():
                store = opened(place)
                for batch in range(3):
                    found = store.get(written)
                    assert found.items() <= written.items()
                    store.put({key: payload for key, payload in written.items() if key not in found})
                    store.put({digest(f"{number}-{batch}"): b"new"})
                assert store.get(written) == written
                store.close()

        in_processes(4, work)
        assert len(opened(place)) == len(written) + 4 * 3
        assert {"results-1.sqlite.damaged", "results-2.sqlite"} <= set(names(place))


def test_damage_that_cannot_be_moved_aside(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, _: object) -> None:
        raise PermissionError(13, "Permission denied")

    folder.mkdir()
    make_junk(folder / "results-1.sqlite")
    monkeypatch.setattr(Path, "rename", refuse)
    store = opened(folder)
    with pytest.warns(RuntimeWarning, match=r"cannot be moved aside \(Permission denied\); nothing in it is used$"):
        assert store.get([b"a" * 16]) == {}
    assert store.get([b"a" * 16]) == {}
    with pytest.raises(OSError, match=r"results-1.sqlite is damaged and cannot be moved aside"):
        store.put({b"a" * 16: b"1"})


READ_ONLY = """
import os, sys
from pathlib import Path
from fairsum_utils.inference.cache import ResultCache
from fairsum_utils.errors import InputError
import fairsum_utils.inference.store
if os.geteuid() == 0:
    os.setuid(65534)
with ResultCache(Path(sys.argv[1]), "m", module="equal_coverage") as cache:
    print(cache.get(("a",)), cache.get(("b",)))
    try:
        cache.put([(("b",), b"2")])
    except InputError as error:
        print(error)
    print(cache.get(("a",)))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are of POSIX")
def test_a_folder_that_can_only_be_read() -> None:
    from fairsum_utils.inference.cache import ResultCache

    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        with ResultCache(Path(name), "m", module="test") as cache:
            cache.put([(("a",), b"1")])
        (folder,) = Path(name).iterdir()
        folder.chmod(0o555)
        before = names(folder)
        said, errors = run(READ_ONLY, name).communicate(timeout=60)
        assert errors == ""
        first, message, second = said.splitlines()
        assert (first, second) == ("b'1' None", "b'1'")
        assert message.startswith("equal_coverage: cannot write to the cache folder")
        assert names(folder) == before
        folder.chmod(0o755)


# Journals


def test_on_a_disk_of_this_machine_there_is_a_log(folder: Path, network: Callable[[str], None]) -> None:
    network("xfs")
    store = opened(folder)
    store.put({b"a" * 16: b"1"})
    assert names(folder) == ["results-1.sqlite", "results-1.sqlite-shm", "results-1.sqlite-wal"]
    assert journal_of(folder) == b"\2\2"


@pytest.mark.parametrize("kind", ["nfs", "nfs4", "cifs", "smb3", "lustre", "fuse.sshfs", "9p", "a-type-of-tomorrow"])
def test_on_a_network_there_is_a_journal(kind: str, folder: Path, network: Callable[[str], None]) -> None:
    network(kind)
    store = opened(folder)
    with all_warnings() as said:
        store.put({b"a" * 16: b"1"})
        opened(folder).put({b"b" * 16: b"2"})
    assert [str(each.message) for each in said] == [
        f"equal_coverage: the cache folder '{folder}' is on a file system ({kind}) that other machines may share, so "
        "results are kept with a rollback journal instead of a write-ahead log, and processes wait for each other. A "
        "folder on a disk of this machine (cache=DIR, --cache DIR) is faster"
    ]
    assert is_durable(store)
    assert journal_of(folder) == b"\1\1"
    assert not [name for name in names(folder) if name.endswith(("-wal", "-shm"))]
    assert store.get([b"a" * 16, b"b" * 16]) == {b"a" * 16: b"1", b"b" * 16: b"2"}


def test_a_folder_that_moves_to_a_network_and_back(
    folder: Path, network: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    network("ext4")
    store = opened(folder)
    store.put({b"a" * 16: b"1"})
    network("nfs4")
    with monkeypatch.context() as patched, all_warnings() as said:
        patched.setattr(store_module, "_PATIENCE", 0.2)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            opened(folder).get([b"a" * 16])  # it is open with a log, which cannot be shared
    assert ["nfs4" in str(each.message) for each in said] == [True]
    store.close()
    other = opened(folder)
    assert other.get([b"a" * 16]) == {b"a" * 16: b"1"}
    other.put({b"b" * 16: b"2"})
    assert journal_of(folder) == b"\1\1"
    network("ext4")
    store.put({b"c" * 16: b"3"})  # while the other has it open with a journal
    other.close()
    store.close()
    assert len(opened(folder)) == 3
    assert journal_of(folder) == b"\2\2"


def test_where_a_log_cannot_be_turned_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect
    # One of SQLite's own ways to reach files, which has no memory to share and so no log.
    monkeypatch.setattr(sqlite3, "connect", lambda name, **rest: connect(f"{name}&vfs=unix-dotfile", **rest))
    store_module._warn_once.cache_clear()
    store = opened(folder)
    with pytest.warns(RuntimeWarning, match=r"is a place where SQLite has no write-ahead log \(delete\), so results"):
        store.put({b"a" * 16: b"1"})
    assert is_durable(store)
    assert store.get([b"a" * 16]) == {b"a" * 16: b"1"}
    store.close()
    assert names(folder) == ["results-1.sqlite", "results-1.sqlite-journal"]


def test_writers_on_a_network(folder: Path, network: Callable[[str], None], tmp_path: Path) -> None:
    network("nfs4")
    pretend = (
        f"import pathlib, warnings; warnings.simplefilter('ignore'); import fairsum_utils.io.mounts as mounts; "
        f"mounts._TABLE = pathlib.Path({str(tmp_path / 'mountinfo')!r})\n"
    )
    running = [run(pretend + WRITER, folder, name, 15) for name in "aab"]
    for process in running:
        _, said = process.communicate(timeout=60)
        assert (process.returncode, said) == (0, "")
    with pytest.warns(RuntimeWarning, match="nfs4"):
        assert len(opened(folder)) == 2 * 15 * 20


# Results of older versions


def old(folder: Path, written: dict[bytes, bytes], *, segments: int = 3) -> None:
    folder.mkdir(exist_ok=True)
    items = [*written.items()]
    for number in range(segments):
        content = b"".join(record(*item) for item in items[number::segments])
        (folder / f"{number}-abc.segment").write_bytes(content)


@pytest.mark.parametrize("reads_first", [True, False])
def test_segments_are_taken_over(reads_first: bool, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "_TAKEN_OVER", 30)
    written = payloads(500)
    old(folder, written)
    key = next(iter(written))
    with (folder / "9-later.segment").open("wb") as later:
        later.write(record(key, b"later") + record(b"x" * 16, b"later") + b"torn")
    store = opened(folder)
    if not reads_first:
        store.put({key: b"newest"})
    assert store.get([*written, b"x" * 16]) == written | {b"x" * 16: b"later"}
    store.close()
    assert names(folder) == ["results-1.sqlite"]


def test_an_empty_segment(folder: Path) -> None:
    old(folder, {})
    assert opened(folder).get([b"a" * 16]) == {}
    assert [name for name in names(folder) if name.endswith("segment")] == []


TAKING_OVER = """
import os, signal, sys
from pathlib import Path
from fairsum_utils.inference import store
store._TAKEN_OVER = 10
batches, write = int(sys.argv[2]), store.Store._write
def write_or_die(self, connection, payloads):
    global batches
    batches -= 1
    if batches == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    write(self, connection, payloads)
store.Store._write = write_or_die
len(store.Store(Path(sys.argv[1]), "model m", module="test"))
"""
"""Takes over segments, and kills itself before a batch is written; not before the batch of number 0."""


def test_taking_over_outlives_kills(folder: Path) -> None:
    written = payloads(300)
    old(folder, written)
    for batches in (1, 2, 11, 12, 25, 30):
        process = run(TAKING_OVER, folder, batches)
        process.communicate(timeout=60)
        assert process.returncode == -signal.SIGKILL
        assert len([name for name in names(folder) if name.endswith("segment")]) == 3
    assert opened(folder).get(written) == written


def test_two_processes_take_over_at_once(folder: Path) -> None:
    written = payloads(1500)
    old(folder, written)
    for process in [run(TAKING_OVER, folder, 0) for _ in range(3)]:
        _, said = process.communicate(timeout=60)
        assert (process.returncode, said) == (0, "")
    assert opened(folder).get(written) == written
    assert names(folder)[0] == "results-1.sqlite"


def test_a_full_disk_leaves_the_segments(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    written = payloads(50)
    old(folder, written)
    store = opened(folder)
    with monkeypatch.context() as patched:
        patched.setattr(Store, "_write", fail)
        with pytest.raises(OSError, match="No space left"):
            store.get(written)
    assert len([name for name in names(folder) if name.endswith("segment")]) == 3
    assert store.get(written) == written
