"""Locks of folders, and temporary files and folders that the next run clears after a kill."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from fairsum_utils.errors import InputError

logger = logging.getLogger(__name__)

_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
"""Errors of a file system without locks, as some of clusters are."""


@contextlib.contextmanager
def lock_path(path: Path, where: object) -> Iterator[None]:
    """Hold a lock file, or refuse to go on; it is free again when this process ends, however it ends.

    A file system without locks gets a warning and none.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise InputError(
            f"{where}: another run is at work here{_holder(path)}; wait for it or stop it, or name another folder"
        ) from None
    except (OSError, NotImplementedError) as error:  # the latter is that of old versions of filelock for ENOSYS
        if getattr(error, "errno", errno.ENOSYS) not in _NO_LOCKS:
            raise InputError(f"{where}: no file can be locked here ({getattr(error, 'strerror', error)})") from None
        logger.warning("fairsum: %s: this file system has no locks; let one run at a time work here", where)
    try:
        with contextlib.suppress(OSError):
            path.write_text(f"{os.getpid()}", encoding="ascii")
        yield
    finally:
        with contextlib.suppress(OSError):  # Windows removes no open file
            path.unlink()  # filelock tries again when the file it has locked is gone
        lock.release()


def _holder(path: Path) -> str:
    """Name the process that holds a lock."""
    try:
        return f" (process {int(path.read_text(encoding='ascii'))})"
    except (OSError, ValueError):
        return ""


_FOLDERS = "fairsum-run-"
_RANDOM = "[a-z0-9_]{8}"
"""The part of a name that `tempfile` draws."""


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Give a folder that is gone at the end; after a kill, the next process removes it.

    Example:
        >>> with temporary_folder() as folder:
        ...     _ = (folder / "rows.jsonl").write_text("{}")
        >>> folder.exists()
        False
    """
    clear_left(Path(tempfile.gettempdir()), re.escape(_FOLDERS) + _RANDOM)
    with held(lambda: Path(tempfile.mkdtemp(prefix=_FOLDERS))) as folder:
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def held(make: Callable[[], Path]) -> Iterator[Path]:
    """Make a temporary file or folder and keep it from being cleared, where the system has such locks."""
    with contextlib.ExitStack() as stack:
        while True:
            made = make()
            try:
                stack.enter_context(_locked(made))
            except (BlockingIOError, FileNotFoundError):  # another process took it for a leftover
                continue
            except OSError:
                break
            if made.exists():
                break
        yield made


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[int]:
    """Lock a file or folder; gives its handle."""
    if os.name == "nt":
        raise OSError("open files cannot be replaced on Windows, so they are not held")
    import fcntl

    handle = os.open(path, (os.O_RDONLY if path.is_dir() else os.O_RDWR) | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield handle
    finally:
        os.close(handle)


def clear_left(folder: Path, pattern: str, *, deep: bool = False) -> None:
    """Remove temporary files and folders of this user that no process holds."""
    with contextlib.suppress(OSError):
        for path in folder.rglob("*") if deep else folder.iterdir():
            if re.fullmatch(pattern, path.name):
                with contextlib.suppress(OSError), _locked(path) as handle:
                    if os.fstat(handle).st_uid == os.getuid():
                        shutil.rmtree(path) if path.is_dir() else path.unlink()


_PART = ".fairsum-"
PARTS = rf"{re.escape(_PART)}.+\.{_RANDOM}\.part"
"""Names of files that this package is writing, as a regular expression; other programs have such files too."""


def part_of(path: Path) -> Path:
    """Make the empty temporary file beside a file that is to be written."""
    short = path.name if len(os.fsencode(path.name)) < 200 else path.name[:50]  # file names have at most 255 bytes
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{_PART}{short}.", suffix=".part")
    os.close(handle)
    return Path(name)
