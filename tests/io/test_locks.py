"""Locks of folders, and temporary folders that are cleared after a kill; tests/faults kills processes."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.io import writing
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.locks import lock_path, temporary_folder

pytestmark = pytest.mark.skipif(os.name == "nt", reason="folders cannot be locked")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr("fcntl.flock", refuse)


def test_one_run_at_a_time(tmp_path: Path) -> None:
    again = lock_path(tmp_path / "lock", "state.json")
    message = rf"state\.json: another run is at work here \(process {os.getpid()}\); wait for it"
    with lock_path(tmp_path / "lock", "state.json"), pytest.raises(InputError, match=message), again:
        pass
    assert list(tmp_path.iterdir()) == []
    with lock_path(tmp_path / "lock", "state.json"):
        pass


def test_a_file_system_without_locks(tmp_path: Path, without_locks: None, caplog: pytest.LogCaptureFixture) -> None:
    with lock_path(tmp_path / "lock", tmp_path):
        assert "this file system has no locks; let one run at a time work here" in caplog.text
    assert list(tmp_path.iterdir()) == []


def test_the_folder_of_a_run_is_cleared_of_what_the_killed_had_begun(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    with writing.replacing(tmp_path / "mine") as mine:
        (tmp_path / "rows").mkdir()
        (tmp_path / "rows/.fairsum-half.abcdefgh.part").touch()
        with folder.cleared():
            assert {path.name for path in tmp_path.rglob("*")} == {"rows", mine.name}  # the living's stays
    assert folder.names() == ["mine"]


def test_a_folder_is_gone_at_the_end_however_that_comes(place: Path) -> None:
    with temporary_folder() as folder:
        assert folder.parent == place
        (folder / "inner").mkdir()
    with pytest.raises(KeyboardInterrupt), temporary_folder():
        raise KeyboardInterrupt
    assert list(place.iterdir()) == []


def test_only_our_own_folders_that_no_process_holds_are_cleared(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    with temporary_folder() as ours, temporary_folder():
        assert ours.exists()
    assert sorted(path.name for path in place.iterdir()) == sorted(set(names) - {names[1]})


def test_a_system_that_locks_no_folders(place: Path, without_locks: None) -> None:
    left = place / "fairsum-run-abcdefgh"
    left.mkdir()
    with temporary_folder() as folder:
        assert sorted(place.iterdir()) == sorted([folder, left])
    assert list(place.iterdir()) == [left]
