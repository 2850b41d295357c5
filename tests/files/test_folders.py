"""Folders of runs, here and on stores: the same behaviour everywhere."""

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.files import locks, writing
from fairsum_utils.files.folders import Folder
from fairsum_utils.files.opening import open_seekable, place_of


@pytest.fixture(params=["here", "file", "memory", "s3"])
def folder(request, tmp_path):
    if request.param == "here":
        return Folder(tmp_path / "run")
    pytest.importorskip("fsspec")
    if request.param == "file":
        return Folder(f"file://{tmp_path}/run/")
    if request.param == "memory":
        return Folder(f"memory://{uuid.uuid4().hex}/run")
    return Folder(f"{request.getfixturevalue('s3')}/deep/run/")


def test_files_of_a_folder(folder, tmp_path):
    assert folder.names() == []
    assert not folder.exists("state/a=1.arrow")
    folder.remove("state/a=1.arrow")  # is not there
    folder.write("state/a=1.arrow", b"old")
    (tmp_path / "made").write_bytes(b"0123456789")
    folder.write("state/a=1.arrow", tmp_path / "made")
    folder.write("rows/b [x]#1.parquet", b"")
    folder.write("manifest.json", b"{}")
    assert folder.names() == ["manifest.json", "rows/b [x]#1.parquet", "state/a=1.arrow"]
    assert folder.names("state") == ["state/a=1.arrow"]
    assert folder.names("sta") == folder.names("none") == []
    assert folder.exists("manifest.json")
    assert not folder.exists("state")
    assert folder.read("state/a=1.arrow") == b"0123456789"
    assert folder.read("rows/b [x]#1.parquet") == b""
    with folder.open("state/a=1.arrow") as file:
        file.seek(-3, 2)
        assert (file.read(), file.seek(2), file.read(3)) == (b"789", 2, b"234")
    folder.remove("state/a=1.arrow")
    assert folder.names("state") == []
    for read in (folder.read, folder.open):
        with pytest.raises(InputError, match=r"state/a=1\.arrow: no such file$"):
            read("state/a=1.arrow")


def test_a_folder_is_sent_to_workers(folder):
    folder.write("a", b"1")
    again = pickle.loads(pickle.dumps(folder))
    assert again == folder
    assert again.read("a") == b"1"
    assert str(folder) == folder.name
    assert not folder.name.endswith("/")


def test_names_stay_in_the_folder(folder):
    for name in ("", "/etc/passwd", "../a", "a/../../b"):
        with pytest.raises(ValueError, match="is no name of a file in"):
            folder.write(name, b"")


def test_one_run_at_a_time(folder):
    with folder.locked() as lock:
        lock.check()
        folder.write("a", b"")
        said = rf"run: another run is at work here \(process {os.getpid()} on .*, since 20.*\); wait for it or stop it"
        with pytest.raises(InputError, match=said), folder.locked():
            pass
        with folder.locked("1-of-2"), folder.locked("2-of-2"):
            assert folder.names() == ["a"]  # its own files are not listed
            with pytest.raises(InputError, match="another run"), folder.locked("1-of-2"):
                pass
    with folder.locked():
        pass
    assert folder.names() == ["a"]
    if "://" not in folder.name:
        assert [path.name for path in Path(folder.name).iterdir()] == ["a"]


def test_a_lock_is_given_back_on_an_error(folder):
    with pytest.raises(KeyboardInterrupt), folder.locked():
        raise KeyboardInterrupt
    with folder.locked():
        pass


def test_a_table_is_read_by_ranges(folder):
    table = pyarrow.table({"n": list(range(1000)), "text": [f"{n}" * 5 for n in range(1000)]})
    with tempfile.TemporaryDirectory() as made:
        pyarrow.parquet.write_table(table, f"{made}/a.parquet", row_group_size=100)
        folder.write("rows/a.parquet", Path(made, "a.parquet"))
    with folder.open("rows/a.parquet") as file:
        assert pyarrow.parquet.ParquetFile(file).read_row_group(3).column("n").to_pylist() == list(range(300, 400))


def test_a_write_that_fails_leaves_the_old_file(tmp_path):
    folder = Folder(tmp_path / "run")
    folder.write("a", b"old")
    with pytest.raises(InputError, match=r"a: cannot be written \(No such file or directory\)"):
        folder.write("a", tmp_path / "none")
    assert folder.read("a") == b"old"
    (tmp_path / "file").touch()
    for make in (lambda: Folder(tmp_path / "file").made(), lambda: Folder(tmp_path / "file").locked().__enter__()):
        with pytest.raises(InputError, match="file: this is a file, not a folder; name another"):
            make()
    with pytest.raises(InputError, match="cannot be written"):
        Folder(tmp_path / "file").write("a", b"")


OWNER = """
import sys, time
from pathlib import Path
from fairsum_utils.files.folders import Folder
from fairsum_utils.files.writing import replacing
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


def test_the_lock_of_a_silent_run_is_taken_over(s3, monkeypatch):
    """As of a run on another machine that was killed, by the clock of the store, which counts seconds."""
    folder = Folder(f"{s3}/run")
    monkeypatch.setattr(locks, "_machine", lambda: uuid.uuid4().hex)
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


def test_what_cannot_be_a_folder_of_a_run(object_store):
    for do in (lambda folder: folder.locked().__enter__(), lambda folder: folder.write("a", b"")):
        with pytest.raises(InputError, match=r"^http://localhost/run/.*: an address of the web can only be read"):
            do(Folder("http://localhost/run"))
        with pytest.raises(InputError, match=r"^s3://none-such/run/.*: no such bucket; create it, or name another$"):
            do(Folder("s3://none-such/run"))


def test_the_hub_is_no_store_of_runs():
    with pytest.raises(
        InputError, match=r"^hf://datasets/a/b: every file written here would be a commit; name a folder"
    ):
        Folder("hf://datasets/a/b").locked().__enter__()


def test_row_groups_of_a_store_are_fetched_alone(object_store, s3, tmp_path):
    """Little more than a megabyte of a file of forty."""
    noise = os.urandom(40 << 20)
    table = pyarrow.table({"bytes": [noise[start : start + (1 << 14)] for start in range(0, len(noise), 1 << 14)]})
    pyarrow.parquet.write_table(table, tmp_path / "big.parquet", row_group_size=64, compression="none")
    folder = Folder(s3)
    folder.write("big.parquet", tmp_path / "big.parquet")
    assert (tmp_path / "big.parquet").stat().st_size > 40 << 20
    before = object_store.fetched
    with open_seekable(place_of(folder.address("big.parquet"))) as file:
        group = pyarrow.parquet.ParquetFile(file).read_row_group(20)
    assert group.equals(table.slice(20 * 64, 64))
    assert object_store.fetched - before < 2 << 20
