"""Records by digest in an SQLite file that processes and threads share: looked up, never loaded.

A folder holds one file in use, ``results-1.sqlite``. A damaged or foreign one is renamed to
``results-1.sqlite.damaged`` and ``results-2.sqlite`` begun: since no name is used twice, a process that still has the
old file open cannot touch the log of the new one, and two that find the damage at once rename it once.

Each record begins with a CRC-32 of fingerprint, digest and payload. One that does not fit is not given back, and the
next result for its digest takes its place.
"""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import time
import warnings
import weakref
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache, partial
from itertools import islice
from operator import itemgetter
from pathlib import Path
from threading import RLock
from typing import TypeVar

from fairsum_utils.inference.segments import SUFFIX, read_segment
from fairsum_utils.io.mounts import LOCAL, file_system

Result = TypeVar("Result")

_APPLICATION = int.from_bytes(b"fsRC", "big")
_VERSION = 1
"""Raised whenever records are written in another way."""

_NAME = re.compile(r"results-(\d+)\.sqlite(\.damaged)?")
_ASIDE = ".damaged"
_CHECKSUM_SIZE = 4

_PATIENCE = 60.0
"""Seconds to wait while another process writes."""

_QUESTION = 900
"""Digests looked up together; SQLite before 3.32 takes 999 parameters."""

_TAKEN_OVER = 20_000
"""Old records written together; bounds memory, and how long others wait."""

_TABLE = "CREATE TABLE results (digest BLOB PRIMARY KEY, record BLOB NOT NULL) WITHOUT ROWID"
_PUT = (
    "INSERT INTO results VALUES (?, ?) ON CONFLICT (digest) "
    "DO UPDATE SET record = excluded.record WHERE NOT is_sound(digest, CAST(record AS BLOB))"
)

_OF_THE_SYSTEM = frozenset(
    {
        sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_MISUSE,
    }
)  # fmt: skip
"""Errors that say nothing about what is in the file."""

_CANNOT_BE_MADE = _OF_THE_SYSTEM - {sqlite3.SQLITE_BUSY}
"""Errors of a place where no log or journal can be made beside a file."""


class _DamageError(Exception):
    """The file is damaged, or of another program."""


class Store:
    """Records by digest, in a folder.

    Processes may share the folder, threads the object, and forked processes go on with it. On return of `put` its
    records outlive a kill and a power cut. Where the write-ahead log is unsafe, on a network file system, or cannot be
    turned on, a rollback journal takes its place, and one warning says so.

    Args:
        folder: made at the first `put`.
        fingerprint: what all results of the folder have in common; records of another one are not given back.
        module: name used in warnings.
    """

    def __init__(self, folder: Path, fingerprint: str, *, module: str) -> None:
        self._folder = folder
        self._fingerprint = fingerprint
        self._module = module
        self._seed = zlib.crc32(fingerprint.encode("utf-8", "surrogatepass"))
        self._lock = RLock()
        self._connection: sqlite3.Connection | None = None
        self._close = weakref.finalize(self, lambda: None)  # of a store that nobody closes
        self._path = folder  # of the file that is open
        self._number: int | None = None  # its inode
        self._is_frozen = False  # open without a lock, because nothing can be written beside the file
        self._unusable: Path | None = None  # a damaged file that cannot be moved aside
        self._has_warned = False
        _STORES.add(self)

    def __len__(self) -> int:
        return self._with_file(_count) or 0

    def get(self, digests: Iterable[bytes]) -> dict[bytes, bytes]:
        """The payloads that are kept under some digests.

        Raises:
            OSError, sqlite3.Error: the file cannot be read, for a reason that does not lie in its content.

        Warns:
            RuntimeWarning: the file or a record is damaged; how results are kept on this file system.
        """
        ordered = sorted(set(digests))  # neighbours lie on the same page
        return self._with_file(lambda connection: self._read(connection, ordered)) or {}

    def put(self, payloads: dict[bytes, bytes]) -> None:
        """Keep payloads, all or none of them; what is kept already stays as it is.

        Raises:
            OSError, sqlite3.Error: the file cannot be written, for a reason that does not lie in its content.

        Warns:
            RuntimeWarning: as `get` does.
        """
        self._with_file(lambda connection: self._write(connection, payloads.items()), writes=True)

    def close(self) -> None:
        """Close the file; it is opened again when needed."""
        with self._lock:
            self._close()
            self._connection, self._is_frozen = None, False

    def hold(self) -> None:
        """Close the file and keep other threads from opening it, until `release`."""
        self._lock.acquire()
        self.close()

    def release(self) -> None:
        """Let threads open the file again."""
        self._lock.release()

    def _with_file(self, action: Callable[[sqlite3.Connection], Result], *, writes: bool = False) -> Result | None:
        """Do something with the file in use, or with the next one if that is damaged; None if there is no file."""
        with self._lock:
            for _ in range(9):
                try:
                    connection = self._opened(writes=writes)
                    if connection is None:
                        return None
                    result = action(connection)
                    if not writes or self._is_in_place():
                        return result
                    self.close()  # it was moved aside or deleted before this was written
                except (_DamageError, UnicodeDecodeError) as error:  # SQLite may quote the damage itself
                    self._set_aside(str(error))
                except sqlite3.Error as error:
                    if not self._is_in_place():
                        self.close()  # that is why
                    elif self._is_of_the_system(error):
                        self.close()  # the next time the file may be locked, written, larger
                        raise
                    else:
                        self._set_aside(str(error))
            raise OSError(errno.EIO, "every new file is damaged again")

    def _is_of_the_system(self, error: sqlite3.Error) -> bool:
        """Whether an error says nothing about what is in the file."""
        code = _code(error)
        # A file that can be written, but that SQLite takes for one of a later format, is damaged.
        return code in _OF_THE_SYSTEM and not (code == sqlite3.SQLITE_READONLY and os.access(self._path, os.W_OK))

    def _in_use(self) -> tuple[Path, list[Path]]:
        """The file in use, there or not, and the segments of an older version."""
        try:
            names = [path.name for path in self._folder.iterdir()]
        except (FileNotFoundError, NotADirectoryError):
            names = []
        matches = filter(None, map(_NAME.fullmatch, names))
        number = max((int(match[1]) + bool(match[2]) for match in matches), default=1)
        segments = sorted(self._folder / name for name in names if name.endswith(SUFFIX))
        return self._folder / f"results-{number}.sqlite", segments

    def _is_in_place(self) -> bool:
        """Whether the file that is open, or was to be, is the one in use: neither moved aside nor deleted since."""
        if self._connection is not None and (self._number is None or _inode(self._path) != self._number):
            return False
        return self._path == self._in_use()[0]

    def _opened(self, *, writes: bool) -> sqlite3.Connection | None:
        """The connection; None if there is no file and nothing to write."""
        if self._connection is not None and not (writes and self._is_frozen):
            return self._connection
        self.close()
        self._path, segments = self._in_use()
        if self._path == self._unusable:
            if writes:
                raise OSError(errno.EIO, f"{self._path.name} is damaged and cannot be moved aside")
            return None
        writes = writes or (bool(segments) and os.access(self._folder, os.W_OK))
        if writes:
            self._make_folder()
        elif not self._path.exists():
            return None
        if self._path.exists() and not self._path.is_file():
            raise _DamageError("it is no file")
        try:
            connection = self._connected("mode=rwc" if writes else "mode=rw")
        except sqlite3.OperationalError as error:
            if writes or _code(error) not in _CANNOT_BE_MADE or not self._is_in_place():
                raise
            # No file can be made beside it, as SQLite needs for its log: what the file itself holds can be read.
            self._is_frozen = True
            connection = self._connected("mode=ro&immutable=1")
        if connection is None:
            return None
        self._connection, self._close = connection, weakref.finalize(self, connection.close)
        self._number = _inode(self._path)
        if segments and writes:
            self._take_over(connection, segments)
        return connection

    def _connected(self, mode: str) -> sqlite3.Connection | None:
        """A new connection, with which something has been read; None if the file is empty.

        Nothing but SQLite opens the file: to close it would take away all locks that this process has on it.
        """
        connection = sqlite3.connect(
            f"{self._path.absolute().as_uri()}?{mode}",
            uri=True, timeout=_PATIENCE, isolation_level=None, check_same_thread=False,
        )  # fmt: skip
        try:
            connection.text_factory = bytes
            connection.create_function("is_sound", 2, partial(_is_sound, self._seed), deterministic=True)
            connection.execute("PRAGMA synchronous = EXTRA")  # log, journal and folder are on the disk at every commit
            connection.execute("PRAGMA fullfsync = ON")
            connection.execute("PRAGMA cell_size_check = ON")
            journal = self._journal()
            if journal != "WAL" and not self._is_frozen:
                _leave_log(connection)
            with _transaction(connection, "DEFERRED"):  # all of it is read at one moment
                is_empty = _is_empty(connection)
            if is_empty:
                if mode != "mode=rwc":
                    connection.close()
                    return None
                _create(connection)
            if not self._is_frozen:
                self._choose_journal(connection, journal)
            connection.execute("SELECT digest, record FROM results LIMIT 1").fetchall()
        except BaseException:
            connection.close()
            raise
        return connection

    def _journal(self) -> str:
        """The kind of journal that suits the file system."""
        kind = file_system(self._folder)
        if kind in LOCAL:
            return "WAL"
        if kind is not None:
            _warn_once(self._module, self._folder, f"on a file system ({kind}) that other machines may share")
        return "TRUNCATE"

    def _choose_journal(self, connection: sqlite3.Connection, journal: str) -> None:
        try:
            (mode,) = connection.execute(f"PRAGMA journal_mode = {journal}").fetchone()
        except sqlite3.OperationalError as error:
            if _code(error) not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_READONLY):
                raise
            return  # others have it open with a journal, which is as safe; or nothing can be written anyway
        if mode.decode().upper() != journal:
            _warn_once(self._module, self._folder, f"a place where SQLite has no write-ahead log ({mode.decode()})")
            connection.execute("PRAGMA journal_mode = TRUNCATE")

    def _read(self, connection: sqlite3.Connection, digests: list[bytes]) -> dict[bytes, bytes]:
        payloads, n_damaged = {}, 0
        for start in range(0, len(digests), _QUESTION):
            asked = dict.fromkeys(digests[start : start + _QUESTION])
            query = f"SELECT digest, record FROM results WHERE digest IN ({','.join('?' * len(asked))})"
            for digest, record in connection.execute(query, tuple(asked)):
                if digest in asked and _is_sound(self._seed, digest, record):
                    payloads[digest] = record[_CHECKSUM_SIZE:]
                else:
                    n_damaged += 1
        if n_damaged and not self._has_warned:
            if connection.execute("PRAGMA quick_check(1)").fetchone() != (b"ok",):
                raise _DamageError("its pages do not fit together")
            self._has_warned = True
            of_all = f"{n_damaged} of {len(digests)} results looked up"
            self._warn(f"{of_all} in {str(self._path)!r} are damaged, and computed again")
        return payloads

    def _write(self, connection: sqlite3.Connection, payloads: Iterable[tuple[bytes, bytes]]) -> None:
        rows = [(digest, _checksum(self._seed, digest, payload) + payload) for digest, payload in payloads]
        rows.sort(key=itemgetter(0))  # neighbours lie on the same page; of two of the same digest the first stays
        with _transaction(connection):
            connection.executemany(_PUT, rows)
            digests = list(dict(rows))
            if len(self._read(connection, digests)) < len(digests):
                raise _DamageError("what is written into it cannot be read again")

    def _take_over(self, connection: sqlite3.Connection, segments: list[Path]) -> None:
        """Write what segments hold. Interrupted it begins anew, and several processes may do it at once."""
        try:
            for segment in segments:
                with suppress(FileNotFoundError), closing(read_segment(segment)) as records:  # else another has done it
                    while batch := list(islice(records, _TAKEN_OVER)):
                        self._write(connection, batch)
        except BaseException:
            self.close()
            raise
        for segment in segments:  # all of them are committed
            with suppress(OSError):
                segment.unlink(missing_ok=True)

    def _set_aside(self, reason: str) -> None:
        """Give up the file in use."""
        path, aside = self._path, self._path.with_name(self._path.name + _ASIDE)
        reason = "".join(character if character.isprintable() else "?" for character in reason)
        is_frozen = self._is_frozen  # what others write meanwhile may look like damage, and nothing can be moved
        self.close()
        try:
            if is_frozen:
                raise PermissionError(errno.EACCES, "nothing can be written in its folder")
            path.rename(aside)
        except FileNotFoundError:
            return  # another process has done it
        except OSError as error:
            self._unusable = path
            self._warn(
                f"the cache file {str(path)!r} is damaged ({reason}) and cannot be moved aside "
                f"({error.strerror or error}); nothing in it is used"
            )
            return
        for suffix in ("-wal", "-shm", "-journal"):
            with suppress(OSError):
                Path(f"{path}{suffix}").rename(f"{aside}{suffix}")
        self._warn(
            f"the cache file {str(path)!r} is damaged or not one of ours ({reason}) and was moved aside as "
            f"{aside.name!r}; what it held is computed again"
        )

    def _make_folder(self) -> None:
        missing = [folder for folder in (self._folder, *self._folder.parents) if not folder.exists()]
        self._folder.mkdir(parents=True, exist_ok=True)
        for folder in missing:  # that the folder is there must outlive a power cut as well
            with suppress(OSError):
                handle = os.open(folder.parent, os.O_RDONLY)
                try:
                    os.fsync(handle)
                finally:
                    os.close(handle)
        readable = self._folder / "fingerprint.txt"
        if not readable.exists():
            readable.write_text(self._fingerprint + "\n", encoding="utf-8", errors="surrogatepass")

    def _warn(self, what: str) -> None:
        warnings.warn(f"{self._module}: {what}", RuntimeWarning, stacklevel=2)


def _inode(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return None


def _checksum(seed: int, digest: bytes, payload: bytes) -> bytes:
    return zlib.crc32(payload, zlib.crc32(digest, seed)).to_bytes(_CHECKSUM_SIZE, "little")


def _is_sound(seed: int, digest: object, record: object) -> bool:
    """Whether a row is as it was written; of a damaged one anything may come."""
    if not isinstance(digest, bytes) or not isinstance(record, bytes):
        return False
    return record[:_CHECKSUM_SIZE] == _checksum(seed, digest, record[_CHECKSUM_SIZE:])


def _count(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM results").fetchone()[0])


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary code; errors of the module itself have none."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISUSE) & 0xFF


def _number(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _is_empty(connection: sqlite3.Connection) -> bool:
    """Whether the file was just made; to be asked within a transaction."""
    application, version = _number(connection, "application_id"), _number(connection, "user_version")
    if (application, version) == (_APPLICATION, _VERSION):
        return False
    if application or version or _number(connection, "schema_version"):
        raise _DamageError(f"it is of application {application:#x}, version {version}")
    return True


def _create(connection: sqlite3.Connection) -> None:
    """Make the table, unless another process does so at the same time."""
    with _transaction(connection):
        if _is_empty(connection):
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {_VERSION}")
            connection.execute(_TABLE)


def _leave_log(connection: sqlite3.Connection) -> None:
    """Turn off the write-ahead log of a file that was made on a local disk, without memory that processes share."""
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    patience = time.monotonic() + _PATIENCE
    while True:
        try:
            _number(connection, "application_id")
            if connection.execute("PRAGMA journal_mode").fetchone() == (b"wal",):
                connection.execute("PRAGMA journal_mode = TRUNCATE")
            break
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > patience:
                raise
            time.sleep(0.05)
    connection.execute("PRAGMA locking_mode = NORMAL")  # takes effect when something is read, as it is next


@contextmanager
def _transaction(connection: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    """All or nothing, whatever ends it."""
    connection.execute(f"BEGIN {kind}")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
        raise


@cache
def _warn_once(module: str, folder: Path, where: str) -> None:
    warnings.warn(
        f"{module}: the cache folder {str(folder)!r} is {where}, so results are kept with a rollback journal instead "
        "of a write-ahead log, and processes wait for each other. A folder on a disk of this machine (cache=DIR, "
        "--cache DIR) is faster",
        RuntimeWarning,
        stacklevel=2,
    )


_STORES: weakref.WeakSet[Store] = weakref.WeakSet()
_HELD: list[Store] = []
_FORKING = RLock()


def _before_fork() -> None:
    """Close all files: SQLite's connections must not come into a forked process, not even to be closed there."""
    _FORKING.acquire()
    for store in tuple(_STORES):
        store.hold()
        _HELD.append(store)


def _after_fork() -> None:
    while _HELD:
        _HELD.pop().release()
    _FORKING.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
