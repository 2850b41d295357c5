"""Which file system holds a file, by tables of mounts as systems write them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from fairsum_utils.io import mounts
from fairsum_utils.io.mounts import LOCAL, file_system

LINUX = rb"""22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 master:2 - ext4 /dev/vda rw,discard
30 27 0:40 /export /data rw,relatime - nfs4 server:/export rw,vers=4.2
31 30 8:1 / /data/scratch rw - xfs /dev/sda1 rw
32 27 0:41 / /data\040of\040ours rw - cifs //server/share rw
33 27 0:42 / /twice rw - autofs systemd-1 rw
34 33 0:43 / /twice rw - lustre 10.0.0.1@tcp:/fs rw,flock
35 27 0:44 / /far rw - fuse.sshfs user@host: rw
a line that says nothing
"""

MACOS = b"""/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
//user@server/share on /Volumes/a share (smbfs, nodev, nosuid, mounted by user)
server:/export on /Volumes/nfs (nfs, asynchronous)
"""


@pytest.fixture
def linux(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mountinfo").write_bytes(LINUX)
    monkeypatch.setattr(mounts, "_TABLE", tmp_path / "mountinfo")


@pytest.mark.usefixtures("linux")
@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/user", "ext4"),
        ("/data", "nfs4"),
        ("/data/cache", "nfs4"),
        ("/data/scratch/cache", "xfs"),
        ("/database", "ext4"),
        ("/data of ours/cache", "cifs"),
        ("/twice/cache", "lustre"),
        ("/far", "fuse.sshfs"),
        ("/data/scratch/..", "nfs4"),
    ],
)
def test_linux(path: str, kind: str) -> None:
    assert file_system(Path(path)) == kind


@pytest.mark.usefixtures("linux")
def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/data/cache")
    assert file_system(tmp_path / "link" / "deeper") == "nfs4"


@pytest.mark.parametrize(
    ("path", "kind"), [("/Users/me", "apfs"), ("/Volumes/a share/x", "smbfs"), ("/Volumes/nfs", "nfs")]
)
def test_macos(path: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mounts.platform, "system", lambda: "Darwin")
    monkeypatch.setattr(subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 0, MACOS, b""))
    assert file_system(Path(path)) == kind


@pytest.mark.parametrize("system", ["Linux", "Windows", "Darwin"])
def test_a_system_that_does_not_say(system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(command: object, **_: object) -> None:
        raise FileNotFoundError(command)

    monkeypatch.setattr(mounts, "_TABLE", tmp_path / "missing")
    monkeypatch.setattr(mounts.platform, "system", lambda: system)
    monkeypatch.setattr(subprocess, "run", refuse)
    assert file_system(tmp_path) is None


def test_what_is_local() -> None:
    assert {"ext4", "xfs", "apfs", "tmpfs", "overlay"} <= LOCAL
    assert not LOCAL & {
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "lustre",
        "gpfs",
        "ceph",
        "9p",
        "virtiofs",
        "fuse.sshfs",
    }
