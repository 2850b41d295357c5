"""Locks of folders: they end with their owners, and one process alone has them."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.io import writing
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.locks import lock_path, temporary_folder

OWNER = """
import sys, time
from pathlib import Path
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.locks import lock_path
from fairsum_utils.io.writing import replacing
folder = Folder(sys.argv[1])
with folder.cleared(), lock_path(Path(folder.address("lock")), folder):
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
    lock = lock_path(tmp_path / "run" / "lock", folder)
    with pytest.raises(InputError, match=f"another run is at work here .process {process.pid}.; wait for it"), lock:
        pass
    with writing.replacing(tmp_path / "run" / "mine") as mine:
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert len(list((tmp_path / "run").glob(".fairsum-half*.part"))) == 1
        with folder.cleared(), lock_path(tmp_path / "run" / "lock", folder):
            # what is being written by the living stays
            left = {path.name for path in (tmp_path / "run").iterdir()}
            assert left == {"done", mine.name, "lock"}
    assert {"done", "mine"} <= set(folder.names())


def test_a_file_system_without_locks(tmp_path, monkeypatch, caplog):
    fcntl = pytest.importorskip("fcntl")

    def none(*_):
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr(fcntl, "flock", none)
    with lock_path(tmp_path / "lock", tmp_path):
        assert "this file system has no locks; let one run at a time work here" in caplog.text
    assert list(tmp_path.iterdir()) == []


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

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr("fcntl.flock", refuse)
    with temporary_folder() as folder:
        assert sorted(place.iterdir()) == sorted([folder, left])
    assert list(place.iterdir()) == [left]
