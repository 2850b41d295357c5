"""Locks of files on this machine, and temporary folders."""

from __future__ import annotations

import contextlib
import errno
import json
import logging
import os
import platform
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from fairsum_utils.errors import InputError

logger = logging.getLogger(__name__)

_NO_LOCKS: Final = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
"""Errors of a file system without locks, as some of clusters are."""


class Held(InputError):
    """Another process holds the lock."""


def try_lock(handle: int) -> bool:
    """Lock an open file for this process, unless another holds it."""
    try:
        if os.name == "nt":
            import msvcrt

            os.lseek(handle, 1 << 30, os.SEEK_SET)  # far behind what others shall read
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


_MODE: Final = getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)


def hold(path: Path, *, makes: bool = True) -> int | None:
    """Open a file, made if it is not there, and hold it until it is closed or this process ends, however it ends."""
    while True:
        handle = os.open(path, os.O_RDWR | (makes and os.O_CREAT) | _MODE, 0o666)
        try:
            if not try_lock(handle):
                os.close(handle)
                return None
            if os.name == "nt" or os.path.samestat(path.stat(), os.fstat(handle)):
                return handle
        except FileNotFoundError:
            if not makes:
                os.close(handle)
                raise
            # whoever held it has removed it
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def release(path: Path, handle: int) -> None:
    """Give a held file up and remove it."""
    if os.name == "nt":  # where no open file can be removed
        os.close(handle)
        with contextlib.suppress(OSError):
            path.unlink()
        return
    path.unlink(missing_ok=True)
    os.close(handle)


@contextlib.contextmanager
def lock_path(path: Path, where: object) -> Iterator[None]:
    """Hold a lock of the system; a file system without locks gets a warning and none."""
    try:
        handle = hold(path)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise InputError(f"{where}: no file can be written here ({error.strerror or error})") from None
        path.unlink(missing_ok=True)
        logger.warning("fairsum: %s: this file system has no locks; let one run at a time work here", where)
        yield
        return
    if handle is None:
        owner = _read_owner(path)
        who = f"process {owner.get('pid', '?')} on {owner.get('host', '?')}, since {owner.get('since', '?')}"
        raise Held(f"{where}: another run is at work here ({who}); wait for it or stop it, or name another folder")
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        os.ftruncate(handle, 0)
        since = datetime.now(UTC).isoformat(timespec="seconds")
        os.write(handle, json.dumps({"pid": os.getpid(), "host": platform.node(), "since": since}).encode())
        yield
    finally:
        release(path, handle)


def _read_owner(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_bytes()))
    except (OSError, ValueError):
        return {}


_PREFIX = "fairsum-run-"


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Give a folder that is gone at the end.

    While this process lives it holds the folder by a lock of the system's. One that a killed process has left, which
    nobody holds, is removed by the next.

    Example:
        >>> with temporary_folder() as folder:
        ...     _ = (folder / "rows.jsonl").write_text("{}")
        >>> folder.exists()
        False
    """
    _clear(Path(tempfile.gettempdir()))
    folder, handle = _made()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if handle is not None:
            os.close(handle)


def _made() -> tuple[Path, int | None]:
    """A new folder, and a handle that holds it, where that can be had."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        try:
            handle = _hold(folder)
        except FileNotFoundError:  # another process has taken it for one that was left
            continue
        except OSError:  # a system that does not lock folders
            return folder, None
        if handle is not None and folder.exists():
            return folder, handle
        if handle is not None:
            os.close(handle)


def _hold(folder: Path) -> int | None:
    """Open a folder and hold it until it is closed or this process ends, however it ends; None if another holds it."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    is_ours = False
    try:
        is_ours = try_lock(handle)
    finally:
        if not is_ours:
            os.close(handle)
    return handle if is_ours else None


def _clear(place: Path) -> None:
    """Remove the folders of this user that no process holds."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        for folder in place.iterdir():
            if re.fullmatch(rf"{_PREFIX}[a-z0-9_]{{8}}", folder.name):
                with contextlib.suppress(OSError):
                    _remove(folder)


def _remove(folder: Path) -> None:
    """Remove a folder, if it is of this user and no process holds it."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        return
    handle = _hold(folder)
    if handle is not None:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(handle)
