"""Identity of a file by its content; at an address by its version and its ends."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from fairsum_utils.errors import InputError
from fairsum_utils.io.names import Name
from fairsum_utils.io.opening import Place, open_packed
from fairsum_utils.io.stores import filesystem, guarded, local_path

__all__ = ["Identity", "identity_of"]

_ENDS: Final = 1 << 20
"""Bytes at the beginning and at the end of a file at an address that are read."""

_VERSIONS: Final = (
    "ETag",
    "etag",
    "generation",
    "md5Hash",
    "sha256",
    "LastModified",
    "last_modified",
    "mtime",
    "created",
)
"""What stores call the version of a file, or the time it was written; the first that is there counts."""


@dataclass(frozen=True)
class Identity:
    """What is compared to tell whether a file is still the same.

    Attributes:
        size: bytes; None where a server does not say it.
        version: version of a file at an address, such as its ETag or time of modification; empty where there is none.
        digest: SHA-256 of the content; at an address, of the first and the last megabyte.
    """

    size: int | None
    version: str
    digest: str

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Identity:
        """The identity that `to_dict` gave."""
        return cls(**values)


def identity_of(name: Name) -> Identity:
    """Find out what a file is now; of a folder, its files count together.

    Args:
        name: path or address of a file, or a folder of this machine.

    Raises:
        InputError: it is not there, or cannot be read.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "rows.jsonl")
        >>> _ = path.write_text("{}")
        >>> identity_of(path).size, identity_of(path) == identity_of(path)
        (2, True)
    """
    path = local_path(name)
    if path is None:
        return _at_address(os.fspath(name))
    if path.is_dir():
        return _of_folder(path)
    with open_packed(Place(str(path))) as file:
        status = os.fstat(file.fileno())
        stamp = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        if _known.get(path, ((), ""))[0] != stamp:
            _known[path] = stamp, hashlib.file_digest(file, "sha256").hexdigest()
        return Identity(status.st_size, "", _known[path][1])


_known: dict[Path, tuple[tuple[int, ...], str]] = {}
"""Files that this process has read -> their status and digest, so that each is read once."""


def _of_folder(path: Path) -> Identity:
    files = sorted(file for file in path.rglob("*") if file.is_file())
    if not files:
        raise InputError(f"{path}: this folder is empty")
    each = [(file.relative_to(path).as_posix(), identity_of(file)) for file in files]
    digest = hashlib.sha256("\n".join(f"{name} {found.digest}" for name, found in each).encode()).hexdigest()
    return Identity(sum(found.size or 0 for _, found in each), "", digest)


def _at_address(name: str) -> Identity:
    fs, place = filesystem(name)
    with guarded(name):
        info = fs.info(place)
    if info.get("type") == "directory":
        raise InputError(f"{name}: this is a folder; name a file, or a pattern such as {name.rstrip('/')}/*.parquet")
    version = next((str(info[key]) for key in _VERSIONS if info.get(key) is not None), "")
    with open_packed(Place(name)) as file:
        size = info.get("size")
        return Identity(size, version, _of_ends(file, size))


def _of_ends(file: BinaryIO, size: int | None) -> str:
    digest = hashlib.sha256(_exactly(file, _ENDS))
    if size is not None and size > _ENDS and file.seekable():
        file.seek(max(_ENDS, size - _ENDS), io.SEEK_SET)
        digest.update(_exactly(file, _ENDS))
    return digest.hexdigest()


def _exactly(file: BinaryIO, n_bytes: int) -> bytes:
    """So many bytes of a file, or all that are left."""
    parts = []
    while n_bytes > 0 and (part := file.read(n_bytes)):
        parts.append(part)
        n_bytes -= len(part)
    return b"".join(parts)
