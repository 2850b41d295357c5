"""Temporary folders that do not pile up after processes that were killed."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

_PREFIX = "fairsum-"
# A process holds the lock in its folder as long as it lives.
_LOCK = ".lock"
# Seconds in which a folder of this age may not be locked yet.
_NEW = 60


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a temporary folder; remove those of processes that were killed."""
    from filelock import FileLock

    _remove_abandoned(Path(tempfile.gettempdir()))
    made = tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True)
    with made as folder, FileLock(Path(folder, _LOCK)):
        yield Path(folder)


def _remove_abandoned(place: Path) -> None:
    """Remove folders of ours that no process has locked."""
    from filelock import FileLock, Timeout

    for lock in place.glob(f"{_PREFIX}*/{_LOCK}"):
        with contextlib.suppress(OSError, Timeout):
            if lock.stat().st_mtime < time.time() - _NEW:
                with FileLock(lock, timeout=0):
                    shutil.rmtree(lock.parent, ignore_errors=True)
