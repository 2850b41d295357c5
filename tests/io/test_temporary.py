"""Temporary folders: gone at the end, and those of the killed gone with the next; those of the living stay."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from fairsum_utils.io import temporary
from fairsum_utils.io.temporary import temporary_folder

OWNER = """
import time
from fairsum_utils.io.temporary import temporary_folder
with temporary_folder() as folder:
    (folder / "rows").write_text("some")
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
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
    process = subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE, text=True, env=environment)
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

    monkeypatch.setattr(temporary, "_hold", refuse)
    with temporary_folder() as folder:
        assert sorted(place.iterdir()) == sorted([folder, left])
    assert list(place.iterdir()) == [left]
