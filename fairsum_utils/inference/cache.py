"""Results of models kept on disk by content: an interrupted run goes on where it stopped, a second one is instant.

A cache folder holds one folder a fingerprint (everything but the text that changes a result), and in it one
append-only segment a writing process. No two processes write to the same file, so nothing is locked. A record is

    magic (4 bytes) | payload length (4) | digest of the key (16) | CRC-32 of length, digest and payload (4) | payload

and one that is cut off or damaged is passed over: reading goes on at the next magic, and its result is computed again.
"""

from __future__ import annotations

import os
import secrets
import struct
import warnings
import weakref
import zlib
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from io import FileIO
from pathlib import Path

from fairsum_utils.errors import InputError
from fairsum_utils.files.downloads import download_folder
from fairsum_utils.validation import describe

__all__ = ["ResultCache", "resolve_cache_folder"]

_MAGIC = b"\xfaFS1"
_HEADER = struct.Struct("<4sI16sI")
_DIGEST_SIZE = 16
_SEGMENTS = "*.segment"


def _digest(parts: Iterable[str]) -> bytes:
    """A digest of strings in order; each goes in with its length, so that ("a", "bc") is not ("ab", "c")."""
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    return blake2b(b"".join(b"%d:%b" % (len(part), part) for part in encoded), digest_size=_DIGEST_SIZE).digest()


def _record(digest: bytes, payload: bytes) -> bytes:
    return _HEADER.pack(_MAGIC, len(payload), digest, _checksum(digest, payload)) + payload


def _record_at(segment: bytes, start: int) -> tuple[bytes, bytes] | None:
    """Digest and payload of the record that starts there; None if there is no sound one."""
    body = start + _HEADER.size
    if body > len(segment):
        return None
    magic, length, digest, checksum = _HEADER.unpack_from(segment, start)
    stop = body + length
    if magic != _MAGIC or stop > len(segment):
        return None
    payload = segment[body:stop]
    return (digest, payload) if _checksum(digest, payload) == checksum else None


def _checksum(digest: bytes, payload: bytes) -> int:
    return zlib.crc32(payload, zlib.crc32(digest, len(payload)))


class ResultCache:
    """A store of bytes by key, shared by every process that uses the same folder.

    A key that is stored stays as it is. Not for use by several threads at once.

    Args:
        folder: folder of all caches; None keeps results in memory only.
        fingerprint: everything that changes a result besides the key: model, revision or weights hash, settings.
        module: name used in messages.

    Raises:
        InputError: a stored segment cannot be read.

    Example:
        >>> with ResultCache(None, "model: m, revision: 1", module="equal_coverage") as results:
        ...     results.put([(("premise", "hypothesis"), b"0.9")])
        ...     results.get(("premise", "hypothesis")), results.get(("another", "pair"))
        (b'0.9', None)
    """

    def __init__(self, folder: Path | None, fingerprint: str, *, module: str) -> None:
        self.n_corrupt = 0
        """How many stretches of the segments were damaged or cut off, and passed over."""
        self._module = module
        self._fingerprint = fingerprint
        self._folder = None if folder is None else folder / _digest([fingerprint]).hex()
        self._results: dict[bytes, bytes] = {}
        self._segment: FileIO | None = None
        self._writer = 0  # the process that opened the segment
        if self._folder is not None:
            self._read(self._folder)

    def __len__(self) -> int:
        return len(self._results)

    def __enter__(self) -> ResultCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, key: tuple[str, ...]) -> bytes | None:
        """What is stored under a key; None if nothing is."""
        return self._results.get(_digest(key))

    def put(self, items: Iterable[tuple[tuple[str, ...], bytes]]) -> None:
        """Store results; on return they outlive the process, however it ends.

        Args:
            items: keys and their results. They are written with one append, so give many at once.

        Raises:
            InputError: the folder cannot be written or the disk is full. What was stored before stays valid.
        """
        new: dict[bytes, bytes] = {}
        for key, payload in items:
            digest = _digest(key)
            if digest not in self._results:
                new.setdefault(digest, payload)
        if new and self._folder is not None:
            self._append(self._folder, b"".join(_record(digest, payload) for digest, payload in new.items()))
        self._results.update(new)

    def close(self) -> None:
        """Close the segment. What is stored can still be asked for."""
        if self._segment is not None:
            self._segment.close()
            self._segment = None

    def _read(self, folder: Path) -> None:
        try:
            for path in sorted(folder.glob(_SEGMENTS)):
                self._read_segment(path.read_bytes())
        except OSError as error:
            raise self._refusal("read", folder, error) from error

    def _read_segment(self, segment: bytes) -> None:
        start = 0
        while 0 <= start < len(segment):
            if record := _record_at(segment, start):
                digest, payload = record
                self._results.setdefault(digest, payload)
                start += _HEADER.size + len(payload)
            else:
                self.n_corrupt += 1
                start = segment.find(_MAGIC, start + 1)

    def _append(self, folder: Path, records: bytes) -> None:
        try:
            segment = self._open_segment(folder)
            size = segment.tell()
            try:
                rest = memoryview(records)
                while rest:
                    rest = rest[segment.write(rest) :]
            except BaseException:  # an interrupt as well must not leave half a record before the next one
                with suppress(OSError):  # else the tail is passed over when it is read
                    segment.truncate(size)
                    segment.seek(size)
                raise
        except OSError as error:
            raise self._refusal("write to", folder, error) from error

    def _open_segment(self, folder: Path) -> FileIO:
        """The segment of this process; made at the first result, so that a run that finds everything writes nothing."""
        if self._segment is None or self._writer != os.getpid():
            self.close()  # a forked process must not write to its parent's
            folder.mkdir(parents=True, exist_ok=True)
            readable = folder / "fingerprint.txt"
            if not readable.exists():
                readable.write_text(self._fingerprint + "\n", encoding="utf-8")
            self._writer = os.getpid()
            path = folder / f"{self._writer}-{secrets.token_hex(8)}.segment"
            self._segment = path.open("xb", buffering=0)
            weakref.finalize(self, self._segment.close)  # of a cache that nobody closes
        return self._segment

    def _refusal(self, action: str, folder: Path, error: OSError) -> InputError:
        return InputError(
            f"{self._module}: cannot {action} the cache folder {str(folder)!r}: {error.strerror or error}. What was "
            'computed before is kept. Choose another folder (cache=DIR, --cache DIR), or none (cache="none")'
        )


def resolve_cache_folder(cache: str | os.PathLike[str] | None) -> Path | None:
    """The folder that a ``cache`` option names.

    Args:
        cache: ``"default"`` (``inference`` in the folder of `download_folder`), ``"none"`` or None for memory only, or
            a folder, which need not exist yet.

    Returns:
        The folder; None for memory only.

    Raises:
        InputError: not a path, or the path of a file.

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
        raise InputError(f'cache must be "default", "none" or a folder, found {describe(cache)}')
    folder = Path(cache).expanduser()
    if folder.exists() and not folder.is_dir():
        raise InputError(f'cache must be a folder, but {str(folder)!r} is a file; name another or use cache="none"')
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
