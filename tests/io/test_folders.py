"""Folders of runs, here and on stores: the same behaviour everywhere."""

import hashlib
import os
import pickle
import tempfile
import uuid
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.io.folders import Folder, identity_of
from fairsum_utils.io.opening import open_seekable, place_of


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
    for make in (lambda: Folder(tmp_path / "file").made(), lambda: Folder(tmp_path / "file").cleared().__enter__()):
        with pytest.raises(InputError, match="file: this is a file, not a folder; name another"):
            make()
    with pytest.raises(InputError, match="cannot be written"):
        Folder(tmp_path / "file").write("a", b"")


def test_what_cannot_be_a_folder_of_a_run(object_store):
    for do in (lambda folder: folder.cleared().__enter__(), lambda folder: folder.write("a", b"")):
        with pytest.raises(InputError, match=r"^http://localhost/run/.*: an address of the web can only be read"):
            do(Folder("http://localhost/run"))
        with pytest.raises(InputError, match=r"^s3://none-such/run/.*: cannot be written .*bucket does not"):
            do(Folder("s3://none-such/run"))


def test_the_hub_is_no_store_of_runs():
    with pytest.raises(
        InputError, match=r"^hf://datasets/a/b: every file written here would be a commit; name a folder"
    ):
        Folder("hf://datasets/a/b").cleared().__enter__()


def test_row_groups_of_a_store_are_fetched_alone(object_store, s3, tmp_path):
    """A few megabytes of a file of forty."""
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
    assert object_store.fetched - before < 5 << 20


MB = 1 << 20


@pytest.mark.parametrize("size", [0, 10, 3 * MB + 7])
def test_content_of_a_file(tmp_path, size):
    path = tmp_path / "a.jsonl"
    content = os.urandom(size)
    path.write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    assert identity_of(path) == {"size": size, "version": "", "digest": digest}


def test_what_changes_it(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"a" * 3 * MB)
    os.utime(path, ns=(0, 0))
    first = identity_of(path)
    for place in (0, MB + 7, 3 * MB - 1):
        content = bytearray(b"a" * 3 * MB)
        content[place] = 0
        path.write_bytes(content)
        os.utime(path, ns=(0, 0))
        assert identity_of(path) != first
    path.write_bytes(b"a" * 3 * MB)
    assert identity_of(path) == first  # whenever it was written


def test_a_folder(tmp_path):
    folder = tmp_path / "saved"
    (folder / "deep").mkdir(parents=True)
    with pytest.raises(InputError, match="saved: this folder is empty"):
        identity_of(folder)
    (folder / "a.arrow").write_bytes(b"12")
    (folder / "deep/b.arrow").write_bytes(b"345")
    first = identity_of(folder)
    assert first["size"] == 5
    (folder / "deep/b.arrow").rename(folder / "deep/c.arrow")
    assert identity_of(folder) != first
    with pytest.raises(InputError, match=r"none: no such file"):
        identity_of(tmp_path / "none")
