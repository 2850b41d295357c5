"""Locks of files on this machine and on stores, and temporary folders."""

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
import threading
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from fairsum_utils.errors import InputError
from fairsum_utils.io.stores import filesystem, guarded

logger = logging.getLogger(__name__)

BEAT: Final = 20.0
"""Seconds between two heartbeats of a lock on a store."""

STALE: Final = 180.0
"""Seconds without a heartbeat after which the lock of another is taken over."""

_NO_LOCKS: Final = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
"""Errors of a file system without locks, as some of clusters are: there a heartbeat does."""

_SETTLED: Final = 2.0
"""Seconds after which whoever wrote a lock last is known, on a store without conditional writes."""


class Held(InputError):
    """Another process holds the lock."""


class Lock:
    """A lock that is held.

    Attributes:
        lost: why it is held no longer; None while it is.
    """

    lost: str | None = None

    def check(self) -> None:
        """Refuse to go on if another run has taken the lock over; can only be on a store."""
        if self.lost is not None:
            raise InputError(self.lost)


def _owner() -> dict[str, Any]:
    """Who holds a lock, for messages."""
    return {"pid": os.getpid(), "host": platform.node(), "since": datetime.now(UTC).isoformat(timespec="seconds")}


def _refused(where: object, owner: dict[str, Any], remedy: str) -> Held:
    who = f"process {owner.get('pid', '?')} on {owner.get('host', '?')}, since {owner.get('since', '?')}"
    return Held(f"{where}: another run is at work here ({who}); {remedy}")


# On this machine


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
def lock_path(path: Path, where: object) -> Iterator[Lock]:
    """Hold a lock of the system; where the file system has none, one with a heartbeat."""
    try:
        handle = hold(path)
    except OSError as error:
        if error.errno in _NO_LOCKS:
            path.unlink(missing_ok=True)
            with lock_address(f"file://{path.resolve()}-alive", where) as lock:
                yield lock
            return
        raise InputError(f"{where}: no file can be written here ({error.strerror or error})") from None
    if handle is None:
        raise _refused(where, _read_owner(path), "wait for it or stop it, or name another folder")
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        os.ftruncate(handle, 0)
        os.write(handle, json.dumps(_owner()).encode())
        yield Lock()
    finally:
        release(path, handle)


def _read_owner(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_bytes()))
    except (OSError, ValueError):
        return {}


# On a store


@contextlib.contextmanager
def lock_address(name: str, where: object) -> Iterator[Lock]:
    """Hold a lock on a store: an object that says who holds it, written anew every `BEAT` seconds.

    A lock without heartbeat for `STALE` seconds, by the store's own clock, is taken over; at once if its owner ran on
    this machine and has ended. S3, which writes on condition, gives it to one alone. On other stores two that begin or
    take over at the same moment could both believe to hold it for a heartbeat; both would then write the same files,
    each whole.
    """
    if name.startswith("hf://"):
        raise InputError(
            f"{where}: every file written here would be a commit; name a folder, or one on a store as s3://"
        )
    lock = _StoreLock(name, where)
    lock.acquire()
    ended = threading.Event()
    beating = threading.Thread(target=lock.beat_until, args=(ended,), name="fairsum-lock", daemon=True)
    beating.start()
    try:
        yield lock
    finally:
        ended.set()
        beating.join()
        lock.release()


class _StoreLock(Lock):
    def __init__(self, name: str, where: object) -> None:
        self._name, self._where = name, where
        self._owner = {**_owner(), "token": uuid.uuid4().hex, "machine": _machine(), "beats": 0}

    def _fs(self) -> tuple[Any, str]:
        return filesystem(self._name, "write")

    def _content(self) -> bytes:
        return json.dumps(self._owner).encode()

    def acquire(self) -> None:
        fs, path = self._fs()
        with guarded(self._name, "written"):
            while not self._create(fs, path):
                holder = _parsed(fs, path)
                if holder is None:
                    continue  # it has just been given up
                if not self._is_left(fs, path, holder):
                    raise _refused(
                        self._where,
                        holder,
                        f"wait for it or stop it; if it was killed, its lock ends after {STALE:.0f} s",
                    )
                logger.warning("fairsum: %s: the lock of an ended run is taken over", self._where)
                if self._take_over(fs, path, holder):
                    return

    def _create(self, fs: Any, path: str) -> bool:
        if _parsed(fs, path) is not None:  # some stores know no writes on condition, and would write over it
            return False
        try:
            fs.pipe_file(path, self._content(), mode="create")
        except FileExistsError:
            return False
        except OSError as error:
            if _is_conflict(error):
                return False
            raise
        return self._is_ours(fs, path)

    def _is_ours(self, fs: Any, path: str) -> bool:
        holder = _parsed(fs, path)
        return holder is not None and holder.get("token") == self._owner["token"]

    def _is_left(self, fs: Any, path: str, holder: dict[str, Any]) -> bool:
        """Whether the holder has ended, or has been silent for long by the clock of the store."""
        is_of_here = holder.get("machine") and holder["machine"] == self._owner["machine"]
        if is_of_here and not _is_running(holder.get("pid")):
            return True
        probe = f"{path}.{self._owner['token'][:8]}"
        try:
            fs.pipe_file(probe, b"")
            silent = (fs.modified(probe) - fs.modified(path)).total_seconds()
        except FileNotFoundError:
            return False
        finally:
            with contextlib.suppress(FileNotFoundError):
                fs.rm_file(probe)
        return bool(silent > STALE)

    def _take_over(self, fs: Any, path: str, holder: dict[str, Any]) -> bool:
        tag = _etag(fs, path)
        if _parsed(fs, path) != holder:
            return False
        try:
            fs.pipe_file(path, self._content(), **({"IfMatch": tag} if tag else {}))
        except OSError as error:
            if isinstance(error, FileNotFoundError) or _is_conflict(error):
                return False
            raise
        if not tag:
            time.sleep(_SETTLED)
        return self._is_ours(fs, path)

    def beat_until(self, ended: threading.Event) -> None:
        """Write the lock anew again and again, until told to end or until another has taken it."""
        last = time.monotonic()
        while self.lost is None and not ended.wait(BEAT):
            try:
                self.beat_once()
                last = time.monotonic()
            except Exception as error:  # every store has errors of its own; the next heartbeat may reach it
                logger.debug("no heartbeat at %s: %s", self._name, error)
                if time.monotonic() - last > STALE:
                    self.lost = f"{self._where}: the store was not reached for {STALE:.0f} s, so that its lock is lost"

    def beat_once(self) -> None:
        """Write the lock anew, unless another has taken it."""
        fs, path = self._fs()
        if self._is_ours(fs, path):
            self._owner["beats"] += 1  # another content, or its version would be the same
            fs.pipe_file(path, self._content())
        else:
            self.lost = f"{self._where}: another run has taken over, since this one was silent for too long"

    def release(self) -> None:
        with contextlib.suppress(Exception):  # it ends by itself
            fs, path = self._fs()
            if self.lost is None and self._is_ours(fs, path):
                fs.rm_file(path)


def _parsed(fs: Any, path: str) -> dict[str, Any] | None:
    """What a lock says of its holder; None if it is not there."""
    try:
        return dict(json.loads(fs.cat_file(path)))
    except FileNotFoundError:
        return None
    except ValueError:
        return {}


def _etag(fs: Any, path: str) -> str | None:
    """What names the version of an object, where a write can be made to depend on it."""
    return fs.info(path).get("ETag") if "s3" in fs.protocol else None


def _is_conflict(error: OSError) -> bool:
    """Whether the store has refused a write because of another's; the original error says so."""
    code = getattr(error.__cause__, "response", {}).get("Error", {}).get("Code", "")
    return code in ("PreconditionFailed", "ConditionalRequestConflict", "412", "409")


def _machine() -> str:
    """What tells the processes of this machine from those of all others; empty where that is not known."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot}/{os.stat('/proc/self/ns/pid').st_ino}"  # noqa: PTH116
    except OSError:
        return ""


def _is_running(pid: Any) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, TypeError):
        return True
    return True


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
