"""Which file system holds a file: a disk of this machine, or one that other machines share."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

__all__ = ["LOCAL", "file_system"]

LOCAL = frozenset(
    {
        "apfs", "bcachefs", "btrfs", "exfat", "ext2", "ext3", "ext4", "f2fs", "hfs", "jfs", "msdos", "nilfs2", "ntfs3",
        "overlay", "ramfs", "reiserfs", "rootfs", "tmpfs", "ufs", "vfat", "xfs", "zfs",
    }
)  # fmt: skip
"""Types whose files one machine alone sees; any other may be on a network (nfs4, cifs, lustre, fuse.sshfs)."""

_TABLE = Path("/proc/self/mountinfo")
_ESCAPED = re.compile(rb"\\([0-7]{3})")
_MACOS = re.compile(rb"^.* on (/.*) \(([^,)]+)", re.MULTILINE)


def file_system(path: Path) -> str | None:
    """The type of the file system that holds a file or folder, which need not exist yet.

    Args:
        path: any path; links are followed.

    Returns:
        The type as Linux and macOS name it, such as ``"ext4"``, ``"nfs4"`` or ``"fuse.sshfs"``; None where the system
        does not say.

    Example:
        >>> file_system(Path("/a/folder/that/is/not/there")) == file_system(Path("/"))
        True
    """
    place, deepest, kind = path.resolve(), -1, None
    for point, of_point in _mounts():
        # Of several mounts at one point the last one is seen.
        if place.is_relative_to(point) and len(point.parts) >= deepest:
            deepest, kind = len(point.parts), of_point
    return kind


def _mounts() -> Iterable[tuple[Path, str]]:
    """Mount points and the types mounted there, in the order of mounting."""
    try:
        if platform.system() != "Darwin":
            return list(_of_linux(_TABLE.read_bytes()))
        said = subprocess.run(["/sbin/mount"], capture_output=True, timeout=10, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return []
    return [(Path(os.fsdecode(point)), kind.decode()) for point, kind in _MACOS.findall(said)]


def _of_linux(table: bytes) -> Iterator[tuple[Path, str]]:
    """A line is "36 35 98:0 /root /point options [fields] - type source options", odd characters as octal numbers."""
    for line in table.splitlines():
        before, separator, after = line.partition(b" - ")
        fields = before.split()
        if separator and len(fields) > 4 and after:
            point = _ESCAPED.sub(lambda code: bytes([int(code[1], 8) & 255]), fields[4])
            yield Path(os.fsdecode(point)), os.fsdecode(after.split()[0])
