"""Temporary folders that do not outlive their process for long: the next one clears those of the killed."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from fairsum_utils.io.locks import try_lock

__all__ = ["temporary_folder"]

_PREFIX = "fairsum-run-"


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Give a folder that is gone at the end.

    While this process lives it holds the folder by a lock of the system's. One that a killed process has left, which
    nobody holds, is removed by the next.

    Yields:
        The folder, which is empty.

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
