"""Locks of folders: they end with their owners, and one process alone has them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.io import locks, writing
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.locks import temporary_folder

OWNER = """
import sys, time
from pathlib import Path
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.writing import replacing
folder = Folder(sys.argv[1])
with folder.locked():
    folder.write("done", b"1")
    with replacing(folder.address("half")) as temporary:
        temporary.write_bytes(b"half of")
        print("begun", flush=True)
        time.sleep(60)
"""


@pytest.fixture
def owner():
    """Starts a process that holds a folder and is writing a file there."""
    begun = []

    def start(folder, **environment):
        arguments = [sys.executable, "-c", OWNER, folder.name]
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, env={**os.environ, **environment})
        begun.append(process)
        assert process.stdout.readline() == b"begun\n"
        return process

    yield start
    for process in begun:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_killed_run_leaves_no_lock_and_no_half(tmp_path, owner):
    folder = Folder(tmp_path / "run")
    process = owner(folder)
    with pytest.raises(InputError, match=rf"another run is at work here \(process {process.pid} on "), folder.locked():
        pass
    with writing.replacing(tmp_path / "run" / "mine") as mine:
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert len(list((tmp_path / "run").glob(f".half*{writing.PART}"))) == 1
        with folder.locked():
            assert folder.names() == ["done"]
            # what is being written by the living stays
            left = {path.name for path in (tmp_path / "run").iterdir()}
            assert left == {"done", mine.name, ".lock"}
    assert folder.names() == ["done", "mine"]


@pytest.mark.skipif(not Path("/proc/self/ns/pid").exists(), reason="processes of this machine are not told apart")
def test_the_lock_of_a_killed_run_on_a_store(s3, owner, monkeypatch):
    folder = Folder(f"{s3}/run")
    process = owner(folder)
    with pytest.raises(InputError, match=rf"another run is at work here \(process {process.pid} on "), folder.locked():
        pass
    process.kill()
    process.wait()
    with folder.locked():  # its owner ran on this machine and has ended
        assert folder.names() == ["done"]


@pytest.mark.parametrize("is_here", [False, True], ids=["elsewhere", "here, and its number is another's"])
def test_the_lock_of_a_silent_run_is_taken_over(s3, monkeypatch, is_here):
    """As of a run that was killed, by the clock of the store, which counts seconds."""
    folder = Folder(f"{s3}/run")
    monkeypatch.setattr(locks, "_machine", lambda: "here" if is_here else uuid.uuid4().hex)
    monkeypatch.setattr(locks, "BEAT", 60.0)
    with folder.locked() as first:
        with pytest.raises(InputError, match=r"another run .*; if it was killed, its lock ends after 180 s$"):
            folder.locked().__enter__()
        monkeypatch.setattr(locks, "STALE", 0.5)
        time.sleep(2)
        monkeypatch.setattr(locks, "BEAT", 0.05)
        with folder.locked() as second:
            monkeypatch.setattr(locks, "STALE", 180.0)
            time.sleep(0.3)
            second.check()
            with pytest.raises(InputError, match="another run is at work"), folder.locked():
                pass
            first.beat_once()
            with pytest.raises(InputError, match=r"run: another run has taken over, since this one was silent"):
                first.check()
        assert first.lost
    with folder.locked():  # the first has not removed the second's
        pass


def test_a_heartbeat_keeps_a_lock(s3, monkeypatch):
    folder = Folder(f"{s3}/run")
    monkeypatch.setattr(locks, "_machine", lambda: uuid.uuid4().hex)
    monkeypatch.setattr(locks, "BEAT", 0.2)
    monkeypatch.setattr(locks, "STALE", 1.5)
    with folder.locked() as lock:
        time.sleep(3)
        with pytest.raises(InputError, match="another run is at work"), folder.locked():
            pass
        lock.check()


def test_a_file_system_without_locks(tmp_path, monkeypatch):
    """There a heartbeat does, as on a store."""
    fcntl = pytest.importorskip("fcntl")
    pytest.importorskip("fsspec")

    def none(*_):
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(fcntl, "flock", none)
    folder = Folder(tmp_path / "run")
    with folder.locked():
        folder.write("a", b"1")
        with pytest.raises(InputError, match="another run is at work here"), folder.locked():
            pass
    with folder.locked():
        assert folder.read("a") == b"1"


@pytest.mark.parametrize("left", [False, True], ids=["new", "of a silent run"])
def test_many_that_begin_at_once(s3, monkeypatch, left):
    """One of them has the lock, whether there was none or one that is to be taken over."""
    folder = Folder(f"{s3}/run")
    monkeypatch.setattr(locks, "_machine", lambda: uuid.uuid4().hex)
    if left:
        with monkeypatch.context() as patch, folder.locked() as lock:
            patch.setattr(locks._StoreLock, "release", lambda _: None)
        token = lock._owner["token"]
        monkeypatch.setattr(locks._StoreLock, "_is_left", lambda *given: given[-1]["token"] == token)
    barrier, had, refused = threading.Barrier(6), [], []

    def begin():
        barrier.wait()
        try:
            with folder.locked() as lock:
                had.append(lock)
                barrier.wait()
        except locks.Held as error:
            refused.append(error)
            barrier.wait()

    threads = [threading.Thread(target=begin) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert (len(had), len(refused)) == (1, 5)


def test_a_lock_that_appears_between_looking_and_writing(s3, monkeypatch):
    """The store itself refuses the second writer, who saw no lock."""
    folder = Folder(f"{s3}/run")
    parsed, seen = locks._parsed, []

    def blind(fs, path):
        seen.append(path)
        return None if len(seen) == 1 else parsed(fs, path)

    with folder.locked() as first:
        with monkeypatch.context() as patch:
            patch.setattr(locks, "_parsed", blind)
            with pytest.raises(locks.Held), folder.locked():
                pass
        first.beat_once()
        first.check()


def test_a_lock_that_is_written_while_it_is_taken_over(s3, monkeypatch):
    """Its owner was slow, not gone: the store refuses whoever saw an older heartbeat."""
    folder = Folder(f"{s3}/run")
    with folder.locked() as first:
        second = locks._StoreLock(first._name, folder)
        fs, path = second._fs()
        etag = locks._etag

        def slowly(fs, path):
            tag = etag(fs, path)
            first.beat_once()
            return tag

        with monkeypatch.context() as patch:
            patch.setattr(locks, "_parsed", lambda fs, path: first._owner)
            patch.setattr(locks, "_etag", slowly)
            assert not second._take_over(fs, path, first._owner)
        first.beat_once()
        first.check()
        assert second._take_over(fs, path, locks._parsed(fs, path))
        with pytest.raises(InputError, match="another run has taken over"):
            first.beat_once() or first.check()


OWNER_TEMPORARY = """
import time
from fairsum_utils.io.locks import temporary_folder
with temporary_folder() as folder:
    (folder / "rows").write_text("some")
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_is_gone_at_the_end_however_that_comes(place: Path) -> None:
    with temporary_folder() as folder:
        assert folder.parent == place
        (folder / "inner").mkdir()
    with pytest.raises(KeyboardInterrupt), temporary_folder():
        raise KeyboardInterrupt
    assert list(place.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="folders cannot be locked")
def test_a_folder_of_a_killed_process_is_gone_with_the_next(place: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(place)}
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER_TEMPORARY], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    other = Path(process.stdout.readline().strip())
    with temporary_folder() as ours:
        assert sorted(place.iterdir()) == sorted([other, ours])  # it is at work
        process.kill()
        process.wait()
        process.stdout.close()
        assert (other / "rows").exists()
        with temporary_folder() as again:
            assert sorted(place.iterdir()) == sorted([ours, again])


@pytest.mark.skipif(os.name == "nt", reason="folders cannot be locked")
def test_what_is_of_others_stays(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("fairsum-run-notes", "fairsum-run-abcdefgh", "fairsum-run-12345678", "fairsum-abcdefgh")
    for name in names[:2]:
        (place / name).mkdir()
    (place / names[2]).symlink_to(place / names[0])
    (place / names[3]).touch()
    monkeypatch.setattr(os, "getuid", lambda: 12345)  # of another user
    with temporary_folder():
        pass
    assert sorted(path.name for path in place.iterdir()) == sorted(names)
    monkeypatch.undo()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    with temporary_folder():
        pass
    assert sorted(path.name for path in place.iterdir()) == sorted(set(names) - {names[1]})


@pytest.mark.skipif(os.name == "nt", reason="folders cannot be locked")
def test_a_system_that_locks_no_folders(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = place / "fairsum-run-abcdefgh"
    left.mkdir()

    def refuse(folder: Path) -> int:
        raise OSError("no locks")

    monkeypatch.setattr(locks, "_hold", refuse)
    with temporary_folder() as folder:
        assert sorted(place.iterdir()) == sorted([folder, left])
    assert list(place.iterdir()) == [left]
