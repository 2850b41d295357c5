"""Temporary folders: removed at the end, and after a kill by the next process."""

import os
import subprocess
import sys
import time

import pytest

from fairsum_utils._util.temporary import temporary_folder

KILLED = """
import os, signal
from fairsum_utils._util.temporary import temporary_folder
with temporary_folder() as folder:
    (folder / "a.txt").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def aged(folder):
    """Make a folder look an hour old."""
    os.utime(folder / ".lock", (time.time() - 3600,) * 2)


def test_gone_at_the_end_and_after_an_error(place):
    with temporary_folder() as folder:
        (folder / "a.txt").touch()
        assert folder.parent == place
    with pytest.raises(KeyError), temporary_folder():
        raise KeyError
    assert not [*place.iterdir()]


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_a_killed_process_s_folder_goes_and_others_stay(place):
    subprocess.run([sys.executable, "-c", KILLED], env={**os.environ, "TMPDIR": str(place)}, check=False)
    [left] = place.iterdir()
    for name in ("fairsum-kept", "other"):  # data that could not be sent; another program's folder
        (place / name).mkdir()
        (place / name / ("data" if name == "fairsum-kept" else ".lock")).touch()
    with temporary_folder():
        assert left.exists()  # too new: its process may be about to lock it
    aged(left)
    with temporary_folder() as alive:
        aged(alive)
        assert not left.exists()
        with temporary_folder():
            assert alive.exists()
    assert sorted(path.name for path in place.iterdir()) == ["fairsum-kept", "other"]
