"""Results of models kept on disk by content: an interrupted run goes on where it stopped, a second one is instant.

A cache folder holds one folder per fingerprint (everything but the text that changes a result), and each of them one
SQLite file, so that a model's results are deleted with its folder and runs of other models never wait for each other.

The file has a rollback journal, since a write-ahead log is unsafe on network file systems. Each look-up and each write
opens it anew, so that threads and forked processes share no connection. A record begins with a CRC-32 of fingerprint,
digest and payload: a damaged record is an error, as a damaged file is, and no number is made from it.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import warnings
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from hashlib import blake2b
from pathlib import Path

from fairsum_utils.errors import InputError
from fairsum_utils.io.downloads import download_folder
from fairsum_utils.validation import describe

_DIGEST_SIZE = 16
_CHECKSUM_SIZE = 4

_APPLICATION = int.from_bytes(b"fsRC", "big")
_VERSION = 1
"""Raised whenever records are written in another way."""
_TABLE = "CREATE TABLE results (digest BLOB PRIMARY KEY, record BLOB NOT NULL) WITHOUT ROWID"

_PATIENCE = 60.0
"""Seconds to wait while another process writes."""
_TOGETHER = 900
"""Digests looked up together; SQLite before 3.32 takes 999 parameters."""
_KEPT = 1 << 14
"""Results that are kept in memory where there is no folder: the last ones, for texts that come again soon."""


def _digest(parts: Iterable[str]) -> bytes:
    """A digest of strings in order; each goes in with its length, so that ("a", "bc") is not ("ab", "c")."""
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    return blake2b(b"".join(b"%d:%b" % (len(part), part) for part in encoded), digest_size=_DIGEST_SIZE).digest()


class _DamageError(Exception):
    """The file is damaged, or of another program or version."""


class ResultCache:
    """A store of bytes by key, shared by every process that uses the same folder, and by threads.

    A key that is stored stays as it is. Nothing is loaded: memory and the time to start do not grow with what is
    stored. On return of `put` its results outlive a kill and a power cut.

    Args:
        folder: folder of all caches; None keeps the last results in memory only.
        fingerprint: everything that changes a result besides the key: model, revision or weights hash, settings.
        module: name used in messages.

    Example:
        >>> results = ResultCache(None, "model: m, revision: 1", module="equal_coverage")
        >>> results.put([(("premise", "hypothesis"), b"0.9")])
        >>> results.get_many([("premise", "hypothesis"), ("another", "pair")])
        [b'0.9', None]
    """

    def __init__(self, folder: Path | None, fingerprint: str, *, module: str) -> None:
        self._module = module
        self._fingerprint = fingerprint.encode("utf-8", "surrogatepass")
        self._folder = None if folder is None else folder / _digest([fingerprint]).hex()
        self._memory: dict[bytes, bytes] = {}

    def get_many(self, keys: Iterable[tuple[str, ...]]) -> list[bytes | None]:
        """Look up keys together, which is faster than one after the other.

        Args:
            keys: Keys in any order; they may repeat.

        Returns:
            What is stored under each key, in the order of `keys`; None where nothing is.

        Raises:
            InputError: the folder cannot be read, or a file or a record in it is damaged.
        """
        digests = [_digest(key) for key in keys]
        known = self._memory
        if self._folder is not None:
            with self._refusing("read", self._folder):
                known = self._read(self._file(self._folder), sorted(set(digests)))  # neighbours lie on the same page
        return [known.get(digest) for digest in digests]

    def put(self, items: Iterable[tuple[tuple[str, ...], bytes]]) -> None:
        """Store results; on return they outlive the process, however it ends, and a power cut.

        Args:
            items: keys and their results. They are stored all or none and written to the disk at once, so give many.

        Raises:
            InputError: the folder cannot be written, the disk is full, or the file is damaged. What was stored before
                stays valid.
        """
        results: dict[bytes, bytes] = self._memory if self._folder is None else {}
        for key, payload in items:
            results.setdefault(_digest(key), payload)
        if self._folder is None:
            for digest in list(results)[:-_KEPT]:
                results.pop(digest, None)
        elif results:
            with self._refusing("write to", self._folder):
                self._write(self._folder, results)

    @staticmethod
    def _file(folder: Path) -> Path:
        return folder / f"results-{_VERSION}.sqlite"

    def _read(self, file: Path, digests: list[bytes]) -> dict[bytes, bytes]:
        if not file.exists():
            return {}
        payloads = {}
        with _transaction(file, writes=False) as connection:
            if _is_new(connection):
                return {}
            for start in range(0, len(digests), _TOGETHER):
                asked = digests[start : start + _TOGETHER]
                query = f"SELECT digest, record FROM results WHERE digest IN ({','.join('?' * len(asked))})"
                for digest, record in connection.execute(query, asked):
                    payloads[digest] = self._payload(digest, record)
        return payloads

    def _write(self, folder: Path, payloads: dict[bytes, bytes]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        readable = folder / "fingerprint.txt"
        if not readable.exists():
            readable.write_bytes(self._fingerprint + b"\n")
        rows = [(digest, self._checksum(digest, payload) + payload) for digest, payload in sorted(payloads.items())]
        with _transaction(self._file(folder), writes=True) as connection:
            if _is_new(connection):
                connection.execute(f"PRAGMA application_id = {_APPLICATION}")
                connection.execute(f"PRAGMA user_version = {_VERSION}")
                connection.execute(_TABLE)
            connection.executemany("INSERT OR IGNORE INTO results VALUES (?, ?)", rows)

    def _checksum(self, digest: bytes, payload: bytes) -> bytes:
        checksum = zlib.crc32(payload, zlib.crc32(digest, zlib.crc32(self._fingerprint)))
        return checksum.to_bytes(_CHECKSUM_SIZE, "little")

    def _payload(self, digest: bytes, record: object) -> bytes:
        """The payload of a record; of a damaged file anything may come."""
        if isinstance(digest, bytes) and isinstance(record, bytes):
            payload = record[_CHECKSUM_SIZE:]
            if record[:_CHECKSUM_SIZE] == self._checksum(digest, payload):
                return payload
        raise _DamageError("a result is not as it was written")

    @contextmanager
    def _refusing(self, action: str, folder: Path) -> Iterator[None]:
        """Give the reason in one line why the folder cannot be used."""
        try:
            yield
        except (OSError, sqlite3.OperationalError) as error:
            reason = (isinstance(error, OSError) and error.strerror) or error
            raise InputError(
                f"{self._module}: cannot {action} the cache folder {str(folder)!r}: {reason}. What was computed "
                'before is kept. Choose another folder (cache=DIR, --cache DIR), or none (cache="none")'
            ) from error
        except (_DamageError, sqlite3.Error, UnicodeDecodeError) as error:  # SQLite may quote the damage itself
            reason = "".join(character if character.isprintable() else "?" for character in str(error))
            raise InputError(
                f"{self._module}: the cache file {str(self._file(folder))!r} is damaged, or of another program or "
                f"version ({reason}). Delete it; what it held is computed again"
            ) from error


@contextmanager
def _transaction(file: Path, *, writes: bool) -> Iterator[sqlite3.Connection]:
    """A connection for one transaction, which is undone by whatever interrupts it."""
    address = f"{file.absolute().as_uri()}?mode={'rwc' if writes else 'rw'}"
    with closing(sqlite3.connect(address, uri=True, timeout=_PATIENCE, isolation_level=None)) as connection:
        connection.text_factory = bytes
        if writes:
            connection.execute("PRAGMA journal_mode = DELETE")  # earlier versions had a log
            connection.execute("PRAGMA synchronous = EXTRA")  # journal and folder are on the disk at every commit
            connection.execute("PRAGMA fullfsync = ON")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
        yield connection
        connection.execute("COMMIT")


def _is_new(connection: sqlite3.Connection) -> bool:
    """Whether the file was just made and has no table yet."""
    names = ("application_id", "user_version", "schema_version")
    application, version, schema = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
    if (application, version) == (_APPLICATION, _VERSION):
        return False
    if application or version or schema:
        raise _DamageError(f"it is of application {application:#x}, version {version}")
    return True


def resolve_cache_folder(cache: str | os.PathLike[str] | None, *, module: str = "fairsum") -> Path | None:
    """The folder that a ``cache`` option names.

    Args:
        cache: ``"default"`` (``inference`` in the folder of `download_folder`), ``"none"`` or None for memory only, or
            a folder, which need not exist yet.
        module: name used in messages.

    Returns:
        The folder; None for memory only.

    Raises:
        InputError: not a path, a name that no folder can have, or the path of a file.

    Warns:
        RuntimeWarning: the default folder cannot be written, so results are kept in memory only.

    Example:
        >>> resolve_cache_folder("none") is None
        True
    """
    if cache is None or cache == "none":
        return None
    if cache == "default":
        folder = download_folder() / "inference"
        return folder if _can_write(folder) else None
    if not isinstance(cache, (str, os.PathLike)) or not os.fspath(cache):
        raise InputError(f'{module}: cache must be "default", "none" or a folder, found {describe(cache)}')
    try:
        folder = Path(cache).expanduser()
        is_folder = stat.S_ISDIR(folder.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return folder  # it can be made, or the first write fails
    except (OSError, RuntimeError, TypeError, ValueError) as error:
        raise InputError(
            f'{module}: cache must be a folder, but {cache!r} cannot be one ({error}); name another or use cache="none"'
        ) from None
    if not is_folder:
        raise InputError(
            f'{module}: cache must be a folder, but {str(folder)!r} is a file; name another or use cache="none"'
        )
    return folder


def _can_write(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _warn_once(folder, error.strerror or str(error))
        return False
    if not os.access(folder, os.W_OK | os.X_OK):
        _warn_once(folder, "no permission to write")
        return False
    return True


@cache
def _warn_once(folder: Path, reason: str) -> None:
    warnings.warn(
        f"the cache folder {str(folder)!r} cannot be written ({reason}), so results are kept in memory only and "
        "computed again next time. Set FAIRSUM_CACHE or cache=DIR to another folder.",
        RuntimeWarning,
        stacklevel=4,
    )
