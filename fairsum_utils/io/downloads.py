"""Published files, fetched once and checked; checksums of files."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import re
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import BinaryIO

from fairsum_utils._util.secrets import masked, without_secrets
from fairsum_utils.errors import DataSourceError
from fairsum_utils.io.names import HEAD, format_of, mistaken
from fairsum_utils.io.stores import as_path, check_address, filesystem, guarded
from fairsum_utils.io.writing import replacing

logger = logging.getLogger(__name__)

_BLOCK = 1 << 20


def digest_files(files: Iterable[Path], root: Path | None = None) -> str:
    """Return one SHA-256 over the names and contents of files."""
    total = hashlib.sha256()
    for path in files:
        name = path.name if root is None else path.relative_to(root).as_posix()
        total.update(f"{name}\0{sha256_of(path)}\n".encode())
    return total.hexdigest()


def download_folder() -> Path:
    """Return the folder downloads are kept in: ``$FAIRSUM_CACHE``, else ``fairsum`` in the user's cache folder."""
    if chosen := os.environ.get("FAIRSUM_CACHE"):
        return as_path(chosen, "$FAIRSUM_CACHE", expands=True)
    return as_path(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "$XDG_CACHE_HOME", expands=True) / "fairsum"


def check_mirror(module: str, name: str, address: object) -> str:
    """Check the address of a folder to download from: HTTPS, or, since the user named it, also HTTP and FILE.

    Example:
        >>> check_mirror("yelp", "base_url", "http://localhost:8000/data")
        'http://localhost:8000/data/'
    """
    if isinstance(address, str) and re.match("file:///[^?#]", address):
        return address.rstrip("/") + "/"
    return check_address(f"{module}: {name}", address, keyless=True, example="https://a.org/data/") + "/"


def download(name: str, *, base_url: str, checksums: Mapping[str, str | None], folder: Path | None = None) -> Path:
    """Return a published file, fetched once and checked.

    A file that is incomplete, of another format (such as a page of HTML) or larger than 1 GB is not kept. Where no
    checksum is recorded, a warning names that of the download. Redirects from HTTPS to HTTP are not followed.
    """
    url = base_url + name
    # the address is part of the place, so that a mirror's file is never taken for the original
    place = (folder or download_folder()) / hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:16] / name
    expected = checksums.get(name)
    if place.is_file() and expected in (None, sha256_of(place)):
        return place
    logger.info("downloading %s", masked(url))
    with contextlib.ExitStack() as stack:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.unlink(missing_ok=True)
            temporary = stack.enter_context(replacing(place))
        except OSError as error:
            raise DataSourceError(
                f"cannot keep {name} in {str(place.parent)!r}: {error}. Set FAIRSUM_CACHE to a folder that can be "
                "written."
            ) from error
        try:
            with temporary.open("wb") as file:
                _fetch(url, file)
        except (OSError, ValueError) as error:
            raise DataSourceError(
                f"cannot download {name} from {url}: {error}. "
                f"Without a network, fetch {name} on another machine and give its folder as data_dir."
            ) from without_secrets(error)
        found = sha256_of(temporary)
        _check_format(name, url, temporary)
        if expected not in (None, found):
            raise DataSourceError(
                f"{name} from {url} has SHA-256 {found}, but {expected} is recorded, so it was not stored as "
                f"{str(place)!r}. Try again; if it stays different, fetch the file by hand, look at it, and give its "
                "folder as data_dir."
            )
    if expected is None:
        warnings.warn(
            f"no SHA-256 is recorded for {name}, so it could not be checked; the file from {masked(url)} has {found}",
            stacklevel=2,
        )
    return place


_LARGEST = 10**9
"""Bytes of a file, at most; the published ones have some hundred million at most."""


def _check_format(name: str, url: str, path: Path) -> None:
    """Refuse a download that is not of its format, such as a page of HTML."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    kind = mistaken(head, format_of(name))
    if kind is None and head.strip():
        return
    raise DataSourceError(
        f"{name} from {url} is {'empty' if kind is None else kind.what}, so it was not stored. Look at the address in "
        "a browser: a network may ask to log in. Or fetch the file by hand and give its folder as data_dir."
    )


def _fetch(url: str, file: BinaryIO) -> None:
    """Stream an address into an open file; a broken connection is an error."""
    fs, path = filesystem(url)
    size = 0
    with guarded(url), fs.open(path, "rb", block_size=0) as answer:
        while block := answer.read(_BLOCK):
            size += file.write(block)
            if size > _LARGEST:
                raise OSError(f"it has more than {_LARGEST} bytes")


def sha256_of(path: Path) -> str:
    """The SHA-256 of what a file holds."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
