"""Model results on disk by content, so interrupted runs can resume.

A cache folder holds one folder per fingerprint (everything that changes a result, except the text), each with one
SQLite file. So a model's results can be deleted with its folder, and runs of other models never wait for each other.
The file has a rollback journal, because a write-ahead log is unsafe on network file systems. Each look-up and each
write opens it again, so that threads and forked processes share no connection.
"""

from __future__ import annotations

import os
import sqlite3
import warnings
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path

from fairsum_utils.errors import InputError
from fairsum_utils.io.downloads import download_folder
from fairsum_utils.io.stores import as_path

_PATIENCE = 60.0  # seconds to wait while another process writes
_TOGETHER = 900  # digests per query; SQLite before 3.32 allows 999 parameters
_KEPT = 1 << 14  # latest results in memory if there is no folder


def _digest(parts: Iterable[str]) -> bytes:
    """Digest strings with their lengths, so boundaries matter."""
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    return blake2b(b"".join(b"%d:%b" % (len(part), part) for part in encoded), digest_size=16).digest()


class ResultCache:
    """Key-value store of bytes, shared by processes and threads.

    A stored key never changes. Without a folder, the latest results stay in memory.

    Example:
        >>> results = ResultCache(None, "model: m, revision: 1", module="equal_coverage")
        >>> results.put([(("premise", "hypothesis"), b"0.9")])
        >>> results.get_many([("premise", "hypothesis"), ("another", "pair")])
        [b'0.9', None]
    """

    def __init__(self, folder: Path | None, fingerprint: str, *, module: str) -> None:
        self._module, self._fingerprint = module, fingerprint
        self._file = None if folder is None else folder / _digest([fingerprint]).hex() / "results.sqlite"
        self._memory: dict[bytes, bytes] = {}

    def get_many(self, keys: Iterable[tuple[str, ...]]) -> list[bytes | None]:
        """Look up keys, which may repeat; None where nothing is stored."""
        digests = [_digest(key) for key in keys]
        known = self._memory
        if self._file is not None:
            known = {}
            distinct = sorted(set(digests)) if self._file.exists() else []  # neighbours lie on the same page
            for start in range(0, len(distinct), _TOGETHER):
                asked = distinct[start : start + _TOGETHER]
                query = f"SELECT digest, result FROM results WHERE digest IN ({','.join('?' * len(asked))})"
                with self._opened(self._file) as connection:
                    known.update(connection.execute(query, asked))
        return [known.get(digest) for digest in digests]

    def put(self, items: Iterable[tuple[tuple[str, ...], bytes]]) -> None:
        """Store results durably, all or none."""
        if self._file is None:
            for key, result in items:
                self._memory.setdefault(_digest(key), result)
            for digest in list(self._memory)[:-_KEPT]:
                del self._memory[digest]
            return
        rows = sorted({_digest(key): result for key, result in reversed(list(items))}.items())
        if rows:
            with self._opened(self._file) as connection, connection:
                connection.executemany("INSERT OR IGNORE INTO results VALUES (?, ?)", rows)

    @contextmanager
    def _opened(self, file: Path) -> Iterator[sqlite3.Connection]:
        try:
            if not file.exists():
                file.parent.mkdir(parents=True, exist_ok=True)
                readable = f"{self._fingerprint}\n".encode("utf-8", "surrogatepass")
                file.with_name("fingerprint.txt").write_bytes(readable)
            with closing(sqlite3.connect(file, timeout=_PATIENCE)) as connection:
                table = "results (digest BLOB PRIMARY KEY, result BLOB NOT NULL) WITHOUT ROWID"
                connection.execute(f"CREATE TABLE IF NOT EXISTS {table}")
                yield connection
        except (OSError, sqlite3.OperationalError) as error:
            reason = (isinstance(error, OSError) and error.strerror) or error
            raise InputError(
                f"{self._module}: cannot use the cache folder {str(file.parent)!r}: {reason}. Earlier results are "
                'kept. Choose another folder (cache=DIR, --cache DIR), or none (cache="none")'
            ) from error
        except sqlite3.Error as error:
            raise InputError(
                f"{self._module}: the cache file {str(file)!r} is damaged or belongs to another program ({error}). "
                "Delete it; its results will be computed again"
            ) from error


def resolve_cache_folder(cache: str | os.PathLike[str] | None, *, module: str = "fairsum") -> Path | None:
    """Return the folder that a ``cache`` option names; None for memory only.

    Example:
        >>> resolve_cache_folder("none") is None
        True
    """
    if cache is None or cache == "none":
        return None
    if cache != "default":
        folder = as_path(cache, f"{module}: cache", expands=True)
        if folder.is_file():
            raise InputError(f'{module}: cache: {str(folder)!r} is a file; name a folder or use cache="none"')
        return folder
    folder, reason = download_folder() / "inference", "no permission to write"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK | os.X_OK):
            return folder
    except OSError as error:
        reason = error.strerror or str(error)
    warnings.warn(
        f"the cache folder {str(folder)!r} is not writable ({reason}), so results are lost when the process ends. Set "
        "FAIRSUM_CACHE or cache=DIR to another folder.",
        RuntimeWarning,
        stacklevel=3,
    )
    return None
