"""Addresses such as ``s3://bucket/rows.parquet``: opened, written whole and listed through fsspec.

Whatever the packages behind fsspec raise becomes one line that names the address and what can be done.
"""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fairsum_utils.errors import FairSumError, FileError, InputError, require
from fairsum_utils.files.names import Name, is_address

__all__ = ["check_writable", "filesystem", "guarded", "local_path", "put"]

_PACKAGES = {
    "hf": ("huggingface_hub", "hub"),
    "http": ("aiohttp", "remote"),
    "https": ("aiohttp", "remote"),
    "s3": ("s3fs", "s3"),
    "s3a": ("s3fs", "s3"),
    "gs": ("gcsfs", "gs"),
    "gcs": ("gcsfs", "gs"),
}
"""Beginning of an address -> the package that fsspec needs for it, and the extra that brings it."""

_READ_ONLY = ("http", "https")

_WHOLE = frozenset({"memory", "s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "oss", "hf"})
"""Stores in which what is put appears when all of it is there."""

_LOCAL = ("file", "local")

_NO_CREDENTIALS = {
    "NoCredentialsError",
    "PartialCredentialsError",
    "CredentialRetrievalError",
    "ProfileNotFound",
    "TokenRetrievalError",
    "DefaultCredentialsError",
    "RefreshError",
}
_NOT_REACHED = {
    "ConnectionError",
    "TimeoutError",
    "HTTPClientError",
    "EndpointConnectionError",
    "ClientConnectionError",
    "gaierror",
}
"""Names of errors, since the packages that define them need not be there."""


def _protocol(name: str) -> str:
    return name.partition("://")[0]


def local_path(name: Name) -> Path | None:
    """The path of a file or folder on this machine; None for an address elsewhere.

    Args:
        name: a path, or an address.

    Example:
        >>> local_path("s3://bucket/rows.csv") is None, str(local_path("rows.csv"))
        (True, 'rows.csv')
    """
    if not is_address(name):
        return Path(name)
    if _protocol(str(name)) not in _LOCAL:
        return None
    local = require("fsspec.implementations.local", extra="remote", purpose=f"open {name}")
    return Path(local.LocalFileSystem._strip_protocol(str(name)))


def filesystem(name: str, verb: str = "read") -> tuple[Any, str]:
    """What fsspec has for an address: its file system, which remembers no listing, and the path there.

    It belongs to this process and thread, and costs nothing to ask for again.

    Args:
        name: the address.
        verb: what is done there, for messages: ``"read"`` or ``"write"``.

    Raises:
        InputError: it can only be read.
        MissingDependencyError: fsspec or the package for such addresses is not installed.
    """
    protocol, purpose = _protocol(name), f"{verb} {name}"
    if verb == "write" and protocol in _READ_ONLY:
        raise InputError(f"{name}: an address of the web can only be read; name a file, or an address such as s3://...")
    fsspec = require("fsspec", extra="remote", purpose=purpose)
    if protocol in _PACKAGES:
        package, extra = _PACKAGES[protocol]
        require(package, extra=extra, purpose=purpose)
    with guarded(name):
        fs, path = fsspec.core.url_to_fs(name, use_listings_cache=False)
    return fs, path


@contextlib.contextmanager
def guarded(name: object, verb: str = "read") -> Iterator[None]:
    """Say in one line what went wrong at an address.

    Args:
        name: the address, for the message.
        verb: what is done there: ``"read"`` or ``"written"``, as in "cannot be read".
    """
    try:
        yield
    except FairSumError:
        raise
    except Exception as error:  # every store has errors of its own
        raise _said(name, verb, error) from error


def _said(name: object, verb: str, error: Exception) -> FairSumError:
    kinds = {kind.__name__ for kind in type(error).__mro__}
    text = " ".join(str(error).split())
    failed = f"{name}: cannot be {verb}"
    if isinstance(error, FileNotFoundError):
        if "bucket does not exist" in text:
            return InputError(f"{name}: no such bucket; create it, or name another")
        return InputError(f"{name}: no such file" if verb == "read" else f"{failed} ({text})")
    if isinstance(error, PermissionError):
        return FileError(f"{failed}: the store refuses it ({text}); check the credentials and their rights")
    if kinds & _NO_CREDENTIALS:
        return FileError(f"{failed}: no credentials for this store ({text}); set them as it documents")
    if kinds & _NOT_REACHED:
        return FileError(f"{failed}: the store is not reached ({text}); check the network and the store's address")
    return FileError(f"{failed} ({type(error).__name__}: {text})")


def check_writable(name: str) -> None:
    """Refuse an address that cannot be written, before any work is done; nothing is left there.

    Where the store knows uploads of several parts, one is begun and given up: that takes the right to write, a bucket
    and a network.

    Args:
        name: address of the file, which need not be there.

    Raises:
        InputError: it can only be read, its bucket is not there, or the store refuses.
        MissingDependencyError: a package is not installed.
    """
    fs, path = filesystem(name, "write")
    if "s3" not in fs.protocol:
        return  # other stores say it when they are written
    with guarded(name, "written"):
        file = fs.open(path, "wb", autocommit=False)
        file.flush(force=True)
        file.discard()


def put(name: str, content: bytes | Path) -> None:
    """Write a file at an address; it appears when it is whole, and an older one stays until then.

    Args:
        name: the address.
        content: what it shall hold, or a file of this machine that holds it.

    Raises:
        FileError: the store refuses it, or is not reached.
    """
    fs, path = filesystem(name, "write")
    with guarded(name, "written"):
        protocols = {fs.protocol} if isinstance(fs.protocol, str) else set(fs.protocol)
        if protocols & _WHOLE:
            _put(fs, path, content)
            return
        folder, _, last = path.rpartition("/")
        temporary = f"{folder}/.{last}.{uuid.uuid4().hex[:8]}.part"
        fs.makedirs(folder, exist_ok=True)
        try:
            _put(fs, temporary, content)
            fs.mv(temporary, path)
        except BaseException:
            with contextlib.suppress(Exception):
                fs.rm_file(temporary)
            raise


def _put(fs: Any, path: str, content: bytes | Path) -> None:
    if isinstance(content, Path):
        fs.put_file(str(content), path)
    else:
        fs.pipe_file(path, content)
