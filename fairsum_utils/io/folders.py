"""Folders of runs, and the identity of a file by its content; at an address by its version and its ends."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from fairsum_utils.errors import InputError, OutputError
from fairsum_utils.io.locks import PARTS, clear_left
from fairsum_utils.io.names import Name
from fairsum_utils.io.opening import Place, open_packed
from fairsum_utils.io.stores import check_writable, filesystem, guarded, local_path, put
from fairsum_utils.io.writing import replacing

_ENDS: Final = 1 << 20
"""Bytes read at the beginning and at the end of a file at an address."""

_LOCK: Final = ".lock"

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
"""Names that stores give to the version of a file, or to the time it was written; the first found counts."""


def identity_of(name: Name) -> dict[str, Any]:
    """Identify a file by its size, version and digest, as values for JSON; of a folder, its files count together.

    The size is None where a server does not tell it. The version of a file at an address is its ETag or time of
    modification; the digest is the SHA-256 of the content, and at an address that of the first and the last megabyte.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "rows.jsonl")
        >>> _ = path.write_text("{}")
        >>> identity_of(path)["size"], identity_of(path) == identity_of(path)
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
        return {"size": status.st_size, "version": "", "digest": _known[path][1]}


_known: dict[Path, tuple[tuple[int, ...], str]] = {}
"""Files that this process has read -> their status and digest, so that each is read once."""


def _of_folder(path: Path) -> dict[str, Any]:
    files = sorted(file for file in path.rglob("*") if file.is_file())
    if not files:
        raise InputError(f"{path}: this folder is empty")
    each = [(file.relative_to(path).as_posix(), identity_of(file)) for file in files]
    digest = hashlib.sha256("\n".join(f"{name} {found['digest']}" for name, found in each).encode()).hexdigest()
    return {"size": sum(found["size"] for _, found in each), "version": "", "digest": digest}


def _at_address(name: str) -> dict[str, Any]:
    fs, place = filesystem(name)
    with guarded(name):
        info = fs.info(place)
    if info.get("type") == "directory":
        raise InputError(f"{name}: this is a folder; name a file, or a pattern such as {name.rstrip('/')}/*.parquet")
    version = next((str(info[key]) for key in _VERSIONS if info.get(key) is not None), "")
    size = info.get("size")
    with open_packed(Place(name)) as file:
        digest = hashlib.sha256(file.read(_ENDS))
        if size is not None and size > _ENDS and file.seekable():
            file.seek(max(_ENDS, size - _ENDS))
            digest.update(file.read(_ENDS))
    return {"size": size, "version": version, "digest": digest.hexdigest()}


@dataclass(frozen=True, init=False)
class Folder:
    """A folder of this machine, or at an address such as ``s3://bucket/run``; it need not exist yet.

    Names of files are relative to it, with ``/`` on every system. Those that begin with a dot are its own: files that
    are being written. A folder can be pickled: a worker elsewhere opens it anew.

    Attributes:
        name: Path or address, without a slash at its end.

    Example:
        >>> import tempfile
        >>> folder = Folder(tempfile.mkdtemp())
        >>> with folder.cleared():
        ...     folder.write("state/a.txt", b"done")
        >>> folder.names("state"), folder.read("state/a.txt")
        (['state/a.txt'], b'done')
    """

    name: str

    def __init__(self, name: Name) -> None:
        text = os.fspath(name)
        object.__setattr__(self, "name", text.rstrip("/") or text)

    def __str__(self) -> str:
        return self.name

    @property
    def _path(self) -> Path | None:
        return local_path(self.name)

    def address(self, name: str) -> str:
        """Path or address of a file in this folder, for every reader and writer."""
        if not name or name.startswith("/") or ".." in name.split("/"):
            raise ValueError(f"{name!r} is no name of a file in {self.name}")
        path = self._path
        return f"{self.name}/{name}" if path is None else str(path / name)

    def made(self, under: str = "") -> Folder:
        """This folder, made if needed; on a store, which has no folders, checked to take files."""
        path = self._path
        if path is None:
            if self.name.startswith("hf://"):
                raise InputError(
                    f"{self.name}: every file written here would be a commit; name a folder, or one on a store as s3://"
                )
            check_writable(f"{self.name}/{_LOCK}")
            return self
        try:
            (path / under).mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise InputError(f"{path / under}: this is a file, not a folder; name another") from None
        except OSError as error:
            raise InputError(f"{path / under}: this folder cannot be made ({error.strerror or error})") from None
        return self

    def names(self, under: str = "") -> list[str]:
        """The files in this folder and the folders within it, sorted; none if it does not exist."""
        fs, root = filesystem(self.name)
        found: list[str] = []
        with guarded(self.name), contextlib.suppress(FileNotFoundError):
            found = [name.removeprefix(root).lstrip("/") for name in fs.find(f"{root}/{under}".rstrip("/"))]
        return sorted(name for name in found if not any(part.startswith(".") for part in name.split("/")))

    @contextlib.contextmanager
    def _at(self, name: str, verb: str = "read") -> Iterator[tuple[Any, str]]:
        """Give the file system and the place of a file there."""
        address = self.address(name)
        fs, place = filesystem(address, "read" if verb == "read" else "write")
        with guarded(address, verb):
            yield fs, place

    def exists(self, name: str) -> bool:
        """Whether the folder has a file."""
        with self._at(name) as (fs, place):
            return bool(fs.isfile(place))

    def read(self, name: str) -> bytes:
        """Read a file."""
        with self._at(name) as (fs, place):
            return bytes(fs.cat_file(place))

    def open(self, name: str) -> BinaryIO:
        """Open a seekable file, such as a Parquet file; on a store only ranges of it are read."""
        return open_packed(Place(self.address(name)))

    def write(self, name: str, content: bytes | Path) -> None:
        """Write a file, which appears when it is complete; an older one stays until then."""
        address = self.address(name)
        path = local_path(address)
        if path is None:
            put(address, content)
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path) as temporary:
                if isinstance(content, Path):
                    shutil.copyfile(content, temporary)
                else:
                    temporary.write_bytes(content)
        except OutputError:
            raise
        except OSError as error:
            raise OutputError(f"{address}: cannot be written ({error.strerror or error})") from error

    def remove(self, name: str) -> None:
        """Remove a file, if it exists."""
        with self._at(name, "removed") as (fs, place), contextlib.suppress(FileNotFoundError):
            fs.rm_file(place)

    @contextlib.contextmanager
    def cleared(self) -> Iterator[None]:
        """Make this folder, and remove before and afterwards what killed processes had begun to write here."""
        self.made()
        path = self._path
        if path is not None:
            clear_left(path, PARTS, deep=True)
        try:
            yield
        finally:
            if path is not None:
                clear_left(path, PARTS, deep=True)
