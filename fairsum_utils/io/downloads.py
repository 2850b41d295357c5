"""Published files, fetched once and checked; checksums and identities of files."""

from __future__ import annotations

import hashlib
import logging
import os
import re
import warnings
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from fairsum_utils._util.secrets import masked, without_secrets
from fairsum_utils.errors import DataSourceError, InputError
from fairsum_utils.io.names import HEAD, Name, format_of, mistaken
from fairsum_utils.io.opening import Place, open_packed, rereadable
from fairsum_utils.io.stores import as_path, check_address, filesystem, guarded, is_web, local_path
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
    """Return the download folder: ``$FAIRSUM_CACHE``, else ``fairsum`` in the user's cache folder."""
    if chosen := os.environ.get("FAIRSUM_CACHE"):
        return as_path(chosen, "$FAIRSUM_CACHE", expands=True)
    return as_path(os.environ.get("XDG_CACHE_HOME") or "~/.cache", "$XDG_CACHE_HOME", expands=True) / "fairsum"


def check_mirror(module: str, name: str, address: object) -> str:
    """Check a download address; it may use HTTPS, HTTP or FILE.

    Example:
        >>> check_mirror("yelp", "base_url", "http://localhost:8000/data")
        'http://localhost:8000/data/'
    """
    if isinstance(address, str) and re.match("file:///[^?#]", address):
        return address.rstrip("/") + "/"
    return check_address(f"{module}: {name}", address, keyless=True, example="https://a.org/data/") + "/"


def download(name: str, *, base_url: str, checksums: Mapping[str, str | None], folder: Path | None = None) -> Path:
    """Return a published file, fetched once and checked.

    A file that is incomplete, in another format (such as an HTML page) or larger than 1 GB is not kept. If no checksum
    is known, a warning states the checksum of the download. Redirects from HTTPS to HTTP are not followed.
    """
    url = base_url + name
    # the path contains the address, so a mirror's file is never used as the original
    place = (folder or download_folder()) / hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:16] / name
    expected = checksums.get(name)
    if place.is_file() and expected in (None, sha256_of(place)):
        return place
    logger.info("downloading %s", masked(url))
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with replacing(place) as temporary:
            _fetch_checked(name, url, temporary, expected)
    except OSError as error:
        raise DataSourceError(
            f"cannot store {name} in {str(place.parent)!r}: {error}. Set FAIRSUM_CACHE to a writable folder."
        ) from error
    if expected is None:
        warnings.warn(
            f"no SHA-256 is recorded for {name}, so the download is unchecked; the SHA-256 of the file from "
            f"{masked(url)} is {sha256_of(place)}",
            stacklevel=2,
        )
    return place


def _fetch_checked(name: str, url: str, path: Path, expected: str | None) -> None:
    """Download a file; reject a wrong format or checksum."""
    try:
        with path.open("wb") as file:
            _fetch(url, file)
    except (OSError, ValueError) as error:
        raise DataSourceError(
            f"cannot download {name} from {url}: {str(error).removeprefix(f'{url}: ')}. "
            f"If there is no network, download {name} on another machine and give its folder as data_dir."
        ) from without_secrets(error)
    with path.open("rb") as file:
        head = file.read(HEAD)
    kind = mistaken(head, format_of(name))
    if kind is not None or not head.strip():
        raise DataSourceError(
            f"{name} from {url} is {'empty' if kind is None else kind.what}, so it was not stored. Open the address "
            "in a browser: the network may require a login. Or download the file by hand and give its folder as "
            "data_dir."
        )
    if expected not in (None, found := sha256_of(path)):
        raise DataSourceError(
            f"{name} from {url} has SHA-256 {found} instead of {expected}, so it was not stored. Try again; if it "
            "still differs, download the file by hand, check it, and give its folder as data_dir."
        )


_LARGEST = 10**9  # maximum bytes of a file; the published ones have up to some hundred million


def _fetch(url: str, file: BinaryIO) -> None:
    """Copy an address to an open file; raise if the connection breaks."""
    fs, path = filesystem(url)
    size = 0
    with guarded(url), fs.open(path, "rb", block_size=0) as answer:
        while block := answer.read(_BLOCK):
            size += file.write(block)
            if size > _LARGEST:
                raise OSError(f"it is larger than {_LARGEST} bytes")


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# Keys under which stores report the version or modification time of a file; the first one found counts.
_VERSIONS = (
    *("ETag", "etag", "generation", "md5Hash", "sha256", "blob_id"),
    *("LastModified", "last_modified", "mtime", "created"),
)


def identity_of(name: Name) -> dict[str, Any]:
    """Return the size, version and digest of a file or folder.

    The size is None if a server does not report it. The version of a file at an address is its ETag or modification
    time. The digest is the SHA-256 of the content; empty for a file at an address with size and version, which is not
    read for it.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "rows.jsonl")
        >>> _ = path.write_text("{}")
        >>> identity_of(path)["size"], identity_of(path) == identity_of(path)
        (2, True)
    """
    path = local_path(rereadable(name))
    if path is None:
        return _identity_at(os.fspath(name))
    if not path.exists():
        raise InputError(f"{path}: no such file")
    files = _files_of(path)
    digests = [_digest(file, *_state(file)) for file in files]
    if path.is_dir():
        lines = [f"{sha}  {file.relative_to(path).as_posix()}\n" for sha, file in zip(digests, files, strict=True)]
        digests = [hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()]
    return {"size": sum(_state(file)[0] for file in files), "version": "", "digest": digests[0]}


def state_of(name: Name) -> object:
    """Return sizes and times of a file or folder; None if unknown.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "rows.jsonl")
        >>> _ = path.write_text("{}")
        >>> state = state_of(path)
        >>> _ = path.write_text("{}\\n")
        >>> state == state_of(path)
        False
    """
    path = local_path(rereadable(name))
    if path is None:
        return None if is_web(name) else _version_at(os.fspath(name))  # servers of one site may differ in versions
    with suppress(FileNotFoundError):
        return [(str(file), *_state(file)[:2]) for file in _files_of(path)]  # a new hard link changes the third
    return None


def _files_of(path: Path) -> list[Path]:
    """List a file, or the files of a folder in order."""
    return sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]


def _state(file: Path) -> tuple[int, int, int]:
    status = file.stat()
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns


@cache
def _digest(path: Path, size: int, modified: int, changed: int) -> str:
    """Return the digest of a file, cached while the file is unchanged."""
    return sha256_of(path)


def _version_at(name: str) -> tuple[int | None, str]:
    """Return the size and version of a file at an address."""
    fs, place = filesystem(name)
    with guarded(name):
        info = fs.info(place)
    if info.get("type") == "directory":
        raise InputError(f"{name}: this is a folder; name a file or a pattern such as {name.rstrip('/')}/*.parquet")
    return info.get("size"), next((str(info[key]) for key in _VERSIONS if info.get(key) is not None), "")


def _identity_at(name: str) -> dict[str, Any]:
    size, version = _version_at(name)
    if size is not None and version:
        return {"size": size, "version": version, "digest": ""}
    with open_packed(Place(name)) as file:
        return {"size": size, "version": version, "digest": hashlib.file_digest(file, "sha256").hexdigest()}
