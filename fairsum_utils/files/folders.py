"""Folders of runs: files appear whole, and one run works there at a time."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from fairsum_utils.errors import InputError
from fairsum_utils.files.writing import replacing

__all__ = ["Folder"]


@dataclass(frozen=True)
class Folder:
    """A folder of this machine; it need not be there yet.

    Args:
        name: path.
    """

    name: str

    def __str__(self) -> str:
        return self.name

    def address(self, name: str) -> str:
        """Path of a file in this folder."""
        return str(Path(self.name) / name)

    def names(self, under: str = "") -> list[str]:
        """The files in this folder and the folders within it, sorted."""
        start = Path(self.name) / under
        found = [file.relative_to(self.name).as_posix() for file in start.rglob("*") if file.is_file()]
        return sorted(name for name in found if not any(part.startswith(".") for part in name.split("/")))

    def exists(self, name: str) -> bool:
        """Whether a file is there."""
        return Path(self.address(name)).is_file()

    def read(self, name: str) -> bytes:
        """What a file holds."""
        return Path(self.address(name)).read_bytes()

    def open(self, name: str) -> BinaryIO:
        """Open a file in which one can go back and forth."""
        return Path(self.address(name)).open("rb")

    def write(self, name: str, content: bytes | Path) -> None:
        """Write a file, which appears under its name when it is whole."""
        path = Path(self.address(name))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path) as temporary:
                if isinstance(content, Path):
                    shutil.copyfile(content, temporary)
                else:
                    temporary.write_bytes(content)
        except OSError as error:
            raise InputError(f"{path}: cannot be written ({error.strerror or error})") from error

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        Path(self.address(name)).unlink(missing_ok=True)

    @contextlib.contextmanager
    def locked(self, name: str = "") -> Iterator[Any]:
        """Keep this folder for one run: a second is refused."""
        import fcntl

        Path(self.name).mkdir(parents=True, exist_ok=True)
        handle = os.open(self.address(f".lock-{name}" if name else ".lock"), os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"{self.name}: another run is at work here; wait for it or stop it") from None
        else:
            yield None
        finally:
            os.close(handle)
