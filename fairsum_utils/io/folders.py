"""Identity of a file by its content; at an address by its version and its ends."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from fairsum_utils.errors import InputError, OutputError
from fairsum_utils.io.locks import hold, lock_path, release
from fairsum_utils.io.names import Name
from fairsum_utils.io.opening import Place, open_packed
from fairsum_utils.io.stores import check_writable, filesystem, guarded, local_path, put
from fairsum_utils.io.writing import PART, replacing

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
    """Identity of a file, compared to see whether it has changed.

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
    """Read up to `n_bytes` bytes."""
    parts = []
    while n_bytes > 0 and (part := file.read(n_bytes)):
        parts.append(part)
        n_bytes -= len(part)
    return b"".join(parts)


_LOCK = ".lock"


@dataclass(frozen=True, init=False)
class Folder:
    """A folder of this machine, or at an address such as ``s3://bucket/run``; it need not be there yet.

    Names of files are relative to it, with ``/`` on every system. Those that begin with a dot are its own: locks, and
    files that are being written. A folder can be pickled: a worker elsewhere opens it anew.

    Attributes:
        name: path or address, without a slash at its end.

    Example:
        >>> import tempfile
        >>> folder = Folder(tempfile.mkdtemp())
        >>> with folder.locked():
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
        """Path or address of a file in this folder, as every reader and writer takes it."""
        if not name or name.startswith("/") or ".." in name.split("/"):
            raise ValueError(f"{name!r} is no name of a file in {self.name}")
        path = self._path
        return f"{self.name}/{name}" if path is None else str(path / name)

    def made(self, under: str = "") -> Folder:
        """This folder, made if it is not there; on a store, which has none to make, known to take files."""
        path = self._path
        if path is None:
            if self.name.startswith("hf://"):
                raise InputError(
                    f"{self.name}: every file written here would be a commit; name a folder, or one on a store as s3://"
                )
            check_writable(f"{self.name}/{_LOCK}")
        else:
            try:
                (path / under).mkdir(parents=True, exist_ok=True)
            except FileExistsError:
                raise InputError(f"{path / under}: this is a file, not a folder; name another") from None
            except OSError as error:
                raise InputError(f"{path / under}: this folder cannot be made ({error.strerror or error})") from None
        return self

    def names(self, under: str = "") -> list[str]:
        """The files in this folder and the folders within it, sorted; none if it is not there."""
        path = self._path
        if path is not None:
            start = path / under
            found = [file.relative_to(path).as_posix() for file in start.rglob("*") if file.is_file()]
        else:
            fs, root = filesystem(self.name)
            start_at = f"{root}/{under}".rstrip("/")
            with guarded(self.name):
                try:
                    found = [name.removeprefix(root).lstrip("/") for name in fs.find(start_at)]
                except FileNotFoundError:
                    found = []
        return sorted(name for name in found if not any(part.startswith(".") for part in name.split("/")))

    def exists(self, name: str) -> bool:
        """Whether a file is there."""
        address = self.address(name)
        path = local_path(address)
        if path is not None:
            return path.is_file()
        fs, place = filesystem(address)
        with guarded(address):
            return bool(fs.isfile(place))

    def read(self, name: str) -> bytes:
        """Read a file."""
        address = self.address(name)
        path = local_path(address)
        if path is not None:
            with open_packed(Place(str(path))) as file:
                return file.read()
        fs, place = filesystem(address)
        with guarded(address):
            return bytes(fs.cat_file(place))

    def open(self, name: str) -> BinaryIO:
        """Open a file in which one can go back and forth, such as a Parquet file; on a store ranges of it are read."""
        address = self.address(name)
        return open_packed(Place(str(local_path(address) or address)))

    def write(self, name: str, content: bytes | Path) -> None:
        """Write a file, which appears under its name when it is whole; an older one stays until then."""
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
        """Remove a file, if it is there."""
        address = self.address(name)
        path = local_path(address)
        if path is not None:
            path.unlink(missing_ok=True)
            return
        fs, place = filesystem(address, "write")
        with guarded(address, "removed"), contextlib.suppress(FileNotFoundError):
            fs.rm_file(place)

    @contextlib.contextmanager
    def locked(self, name: str = "") -> Iterator[None]:
        """Keep this folder for one run: a second is refused in one line that says who is at work.

        The lock is one of the system, which ends with its owner. A store has none: files appear there whole, and are
        the same whoever writes them. What a killed run had begun to write here is cleared.
        """
        self.made()
        path = self._path
        if path is None:
            yield
            return
        with lock_path(path / (f"{_LOCK}-{name}" if name else _LOCK), self.name):
            _clear(path)
            try:
                yield
            finally:
                _clear(path)  # what was written by processes that were ended with this one


def _clear(folder: Path) -> None:
    """Remove files that were being written by processes that have ended; those of the living are held by them."""
    for file in folder.rglob(f".*{PART}"):
        with contextlib.suppress(OSError):
            handle = hold(file, makes=False)
            if handle is not None:
                release(file, handle)
