"""Folders of files, local or at an address."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from fairsum_utils.errors import InputError
from fairsum_utils.io.names import Name
from fairsum_utils.io.opening import Place, open_packed
from fairsum_utils.io.stores import check_writable, filesystem, guarded, local_path, put
from fairsum_utils.io.writing import named_errors, replacing


@dataclass(frozen=True, init=False)
class Folder:
    """A local folder or an address such as ``s3://bucket/run``.

    Names of files are relative to it, with ``/`` on every system. Names with a leading dot are reserved for files that
    are being written. A folder can be pickled; a worker elsewhere reopens it.

    Attributes:
        name: path or address, without a slash at its end.

    Example:
        >>> import tempfile
        >>> folder = Folder(tempfile.mkdtemp())
        >>> folder.write("state/a.txt", b"done")
        >>> folder.names(), folder.read("state/a.txt")
        (['state/a.txt'], b'done')
    """

    name: str

    def __init__(self, name: Name) -> None:
        text = os.fspath(name)
        object.__setattr__(self, "name", text.rstrip("/") or text)

    def __str__(self) -> str:
        return self.name

    def address(self, name: str) -> str:
        """Return the path or address of a file in this folder."""
        if not name or name.startswith("/") or ".." in name.split("/"):
            raise ValueError(f"{name!r} is not a file name inside {self.name}")
        path = local_path(self.name)
        return f"{self.name}/{name}" if path is None else str(path / name)

    def made(self) -> Folder:
        """Create this folder if needed; check that a store accepts files."""
        path = local_path(self.name)
        if path is None:
            if self.name.startswith("hf://"):
                raise InputError(
                    f"{self.name}: every file written here would become a commit; name a local folder, or one such as "
                    "s3://"
                )
            check_writable(f"{self.name}/.check")
            return self
        try:
            path.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise InputError(f"{path}: this is a file, not a folder; name another") from None
        except OSError as error:
            raise InputError(f"{path}: cannot create this folder ({error.strerror or error})") from None
        return self

    def names(self) -> list[str]:
        """List the files in this folder and its subfolders, sorted."""
        fs, root = filesystem(self.name)
        found: list[str] = []
        with guarded(self.name), contextlib.suppress(FileNotFoundError):
            found = [name.removeprefix(root).lstrip("/") for name in fs.find(root)]
        return sorted(name for name in found if not any(part.startswith(".") for part in name.split("/")))

    @contextlib.contextmanager
    def _at(self, name: str) -> Iterator[tuple[Any, str]]:
        """Give the file system and the place of a file there."""
        address = self.address(name)
        fs, place = filesystem(address)
        with guarded(address):
            yield fs, place

    def exists(self, name: str) -> bool:
        """Return whether the folder has a file."""
        with self._at(name) as (fs, place):
            return bool(fs.isfile(place))

    def read(self, name: str) -> bytes:
        """Read a file."""
        with self._at(name) as (fs, place):
            return bytes(fs.cat_file(place))

    def open(self, name: str) -> BinaryIO:
        """Open a seekable file; a store reads only the requested ranges."""
        return open_packed(Place(self.address(name)))

    def write(self, name: str, content: bytes | Path) -> None:
        """Write a file, replacing an older one only when complete."""
        address = self.address(name)
        path = local_path(address)
        if path is None:
            put(address, content)
            return
        with named_errors(address):
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path) as temporary:
                if isinstance(content, Path):
                    shutil.copyfile(content, temporary)
                else:
                    temporary.write_bytes(content)
