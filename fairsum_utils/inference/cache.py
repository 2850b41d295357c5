"""Results of models kept on disk by content: an interrupted run goes on where it stopped, a second one is instant.

A cache folder holds one folder a fingerprint (everything but the text that changes a result), and each of them one
SQLite file, so that a model's results are deleted with its folder and runs of other models never wait for each other.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from pathlib import Path

from fairsum_utils.errors import InputError
from fairsum_utils.inference.store import Store
from fairsum_utils.io.downloads import download_folder
from fairsum_utils.validation import describe

_DIGEST_SIZE = 16


def _digest(parts: Iterable[str]) -> bytes:
    """A digest of strings in order; each goes in with its length, so that ("a", "bc") is not ("ab", "c")."""
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    return blake2b(b"".join(b"%d:%b" % (len(part), part) for part in encoded), digest_size=_DIGEST_SIZE).digest()


class ResultCache:
    """A store of bytes by key, shared by every process that uses the same folder, and by threads.

    A key that is stored stays as it is. Nothing is loaded: memory and the time to start do not grow with what is
    stored. A damaged or foreign file is named in a warning and renamed (``results-1.sqlite.damaged``); nothing in it
    is used. Results that an older version left in segments are taken over when the folder is first used.

    Args:
        folder: folder of all caches; None keeps results in memory only.
        fingerprint: everything that changes a result besides the key: model, revision or weights hash, settings.
        module: name used in messages.

    Example:
        >>> with ResultCache(None, "model: m, revision: 1", module="equal_coverage") as results:
        ...     results.put([(("premise", "hypothesis"), b"0.9")])
        ...     results.get_many([("premise", "hypothesis"), ("another", "pair")])
        [b'0.9', None]
    """

    def __init__(self, folder: Path | None, fingerprint: str, *, module: str) -> None:
        self._module = module
        self._folder = None if folder is None else folder / _digest([fingerprint]).hex()
        self._store = _Memory() if self._folder is None else Store(self._folder, fingerprint, module=module)

    def __len__(self) -> int:
        """How many results are stored; time grows with them."""
        with self._refusing("read"):
            return len(self._store)

    def __enter__(self) -> ResultCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, key: tuple[str, ...]) -> bytes | None:
        """What is stored under a key, as `get_many` looks it up; None if nothing is."""
        return self.get_many([key])[0]

    def get_many(self, keys: Iterable[tuple[str, ...]]) -> list[bytes | None]:
        """Look up keys together, which is faster than one after the other.

        Args:
            keys: in any order; they may repeat.

        Returns:
            What is stored under each key, in the order of `keys`; None where nothing is.

        Raises:
            InputError: the folder cannot be read.

        Warns:
            RuntimeWarning: a file or a result is damaged, and nothing is given back of it; or the folder is on a
                network file system.
        """
        digests = [_digest(key) for key in keys]
        with self._refusing("read"):
            results = self._store.get(digests)
        return [results.get(digest) for digest in digests]

    def put(self, items: Iterable[tuple[tuple[str, ...], bytes]]) -> None:
        """Store results; on return they outlive the process, however it ends, and a power cut.

        Args:
            items: keys and their results. They are stored all or none and written to the disk at once, so give many.

        Raises:
            InputError: the folder cannot be written or the disk is full. What was stored before stays valid.

        Warns:
            RuntimeWarning: as `get_many` does.
        """
        results: dict[bytes, bytes] = {}
        for key, payload in items:
            results.setdefault(_digest(key), payload)
        if results:
            with self._refusing("write to"):
                self._store.put(results)

    def close(self) -> None:
        """Close the file. What is stored can still be asked for."""
        self._store.close()

    @contextmanager
    def _refusing(self, action: str) -> Iterator[None]:
        """Say in one line why the folder cannot be used."""
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            reason = (isinstance(error, OSError) and error.strerror) or error
            raise InputError(
                f"{self._module}: cannot {action} the cache folder {str(self._folder)!r}: {reason}. What was computed "
                'before is kept. Choose another folder (cache=DIR, --cache DIR), or none (cache="none")'
            ) from error


class _Memory:
    """What a `Store` does, without a file."""

    def __init__(self) -> None:
        self._payloads: dict[bytes, bytes] = {}

    def __len__(self) -> int:
        return len(self._payloads)

    def get(self, digests: Iterable[bytes]) -> dict[bytes, bytes]:
        return {digest: self._payloads[digest] for digest in digests if digest in self._payloads}

    def put(self, payloads: dict[bytes, bytes]) -> None:
        for digest, payload in payloads.items():
            self._payloads.setdefault(digest, payload)

    def close(self) -> None:
        pass


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
        return folder  # it can be made, or whoever first writes to it is told
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
