"""Published files, fetched once and checked; what files hold, as one checksum."""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import logging
import os
import urllib.request
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import BinaryIO

from fairsum_utils.errors import DataSourceError
from fairsum_utils.files.writing import replacing

__all__ = ["digest_files", "download", "download_folder", "sha256_of"]

logger = logging.getLogger(__name__)

_TIMEOUT = 60  # seconds without a byte
_BLOCK = 1 << 20


def digest_files(files: Iterable[Path], root: Path | None = None) -> str:
    """Return one SHA-256 over the names and contents of files.

    Args:
        files: what to read.
        root: names are taken relative to this folder; bare file names without it.
    """
    total = hashlib.sha256()
    for path in files:
        name = path.name if root is None else path.relative_to(root).as_posix()
        total.update(f"{name}\0{sha256_of(path)}\n".encode())
    return total.hexdigest()


def download_folder() -> Path:
    """Return the folder downloads are kept in: ``$FAIRSUM_CACHE``, else ``fairsum`` in the user's cache folder."""
    if chosen := os.environ.get("FAIRSUM_CACHE"):
        return Path(chosen).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "fairsum"


def download(name: str, *, base_url: str, checksums: Mapping[str, str | None], folder: Path | None = None) -> Path:
    """Return a published file, fetched once and checked.

    Args:
        name: file name, a key of ``checksums``; may hold folders.
        base_url: where the file is, with a slash at the end.
        checksums: file name -> SHA-256, or None where it is not recorded.
        folder: where to keep it; `download_folder` if not given.

    Returns:
        The path of the file.

    Raises:
        DataSourceError: it cannot be fetched, came incomplete, or has another checksum than the recorded one.

    Warns:
        UserWarning: no checksum is recorded for the file; names the computed one.
    """
    url = base_url + name
    # the address is part of the place, so that a mirror's file is never taken for the original
    place = (folder or download_folder()) / hashlib.sha256(url.encode()).hexdigest()[:16] / name
    expected = checksums.get(name)
    if place.is_file() and expected in (None, sha256_of(place)):
        return place
    logger.info("downloading %s", url)
    with contextlib.ExitStack() as stack:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            temporary = stack.enter_context(replacing(place))
        except OSError as error:
            raise DataSourceError(
                f"cannot keep {name} in {str(place.parent)!r}: {error}. Set FAIRSUM_CACHE to a folder that can be "
                "written."
            ) from error
        try:
            with temporary.open("wb") as file:
                _fetch(url, file)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise DataSourceError(
                f"cannot download {name} from {url}: {error}. "
                f"Without a network, fetch {name} on another machine and give its folder as data_dir."
            ) from error
        found = sha256_of(temporary)
        if expected is None:
            warnings.warn(
                f"no SHA-256 is recorded for {name}, so it could not be checked; the file from {url} has {found}.",
                stacklevel=2,
            )
        elif found != expected:
            raise DataSourceError(
                f"{name} from {url} has SHA-256 {found}, but {expected} is recorded, so it was not stored as "
                f"{str(place)!r}. Try again; if it stays different, fetch the file by hand, look at it, and give its "
                "folder as data_dir."
            )
    return place


def _fetch(url: str, file: BinaryIO) -> None:
    """Stream an address into an open file and check that all of it came."""
    with urllib.request.urlopen(url, timeout=_TIMEOUT) as answer:
        announced = answer.headers.get("Content-Length")
        size = 0
        while block := answer.read(_BLOCK):
            file.write(block)
            size += len(block)
    if announced is not None and size != int(announced):
        raise OSError(f"the connection ended after {size} of {announced} bytes")


def sha256_of(path: Path) -> str:
    """The SHA-256 of what a file holds."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
