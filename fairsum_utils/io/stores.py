"""Addresses such as ``s3://bucket/rows.parquet``: opened, written whole and listed through fsspec.

Whatever the packages behind fsspec raise becomes one line that names the address and what can be done.
"""

from __future__ import annotations

import contextlib
import os
import re
import uuid
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from fairsum_utils._util.secrets import without_secrets
from fairsum_utils.errors import FairSumError, FileError, InputError, require
from fairsum_utils.io.addresses import check_hub, may_follow
from fairsum_utils.io.paths import as_path

__all__ = [
    "check_writable",
    "filesystem",
    "guarded",
    "is_address",
    "is_web",
    "local_path",
    "matching_addresses",
    "put",
    "size_at",
]

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


def is_address(name: str | os.PathLike[str]) -> bool:
    """Whether a name is an address, which fsspec opens.

    Example:
        >>> is_address("s3://bucket/rows.parquet"), is_address("rows.parquet")
        (True, False)
    """
    return re.match(r"[a-z][a-z0-9+.-]+://", os.fspath(name)) is not None


def is_web(name: str | os.PathLike[str]) -> bool:
    """Whether a name is an address of the web, which can only be read, and often only as a whole.

    Example:
        >>> is_web("https://a.org/rows.csv"), is_web("s3://bucket/rows.csv")
        (True, False)
    """
    return os.fspath(name).startswith(("http://", "https://"))


def _protocol(name: str) -> str:
    return name.partition("://")[0]


def local_path(name: str | os.PathLike[str]) -> Path | None:
    """The path of a file or folder on this machine; None for an address elsewhere.

    Args:
        name: a path, or an address.

    Raises:
        InputError: a name that no file can have.

    Example:
        >>> local_path("s3://bucket/rows.csv") is None, str(local_path("rows.csv"))
        (True, 'rows.csv')
    """
    if not is_address(name):
        return as_path(name)
    if _protocol(str(name)) not in _LOCAL:
        return None
    local = require("fsspec.implementations.local", extra="remote", purpose=f"open {name}")
    return as_path(local.LocalFileSystem._strip_protocol(str(name)), str(name))


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
    if verb == "write" and is_web(name):
        raise InputError(f"{name}: an address of the web can only be read; name a file, or an address such as s3://...")
    if protocol == "hf":
        check_hub(name)
    fsspec = require("fsspec", extra="remote", purpose=purpose)
    if protocol in _PACKAGES:
        package, extra = _PACKAGES[protocol]
        require(package, extra=extra, purpose=purpose)
    more = {"client_kwargs": {"trace_configs": [_watch()]}} if is_web(name) else {}
    with guarded(name):
        fs, path = fsspec.core.url_to_fs(name, use_listings_cache=False, **more)
    return fs, path


@cache
def _watch() -> Any:
    """What aiohttp tells of every answer that sends on, so that none leads from HTTPS to HTTP."""
    aiohttp = require("aiohttp", extra="remote", purpose="read an address of the web")
    watch = aiohttp.TraceConfig()
    watch.on_request_redirect.append(_check_redirect)
    return watch


async def _check_redirect(session: Any, context: Any, redirect: Any) -> None:
    """Refuse to follow.

    Raises:
        PermissionError: from HTTPS to HTTP.
    """
    there = redirect.response.headers.get("Location", "")
    if is_address(there.lower()) and not may_follow(str(redirect.url), there):
        raise PermissionError(f"it sends on from https to {there}, which is not followed")


def matching_addresses(pattern: str) -> list[str]:
    """The addresses that a pattern means, sorted: it alone if it is of the web, or if a file is called so.

    Args:
        pattern: address with ``*``, ``?`` or ``[...]`` in it.

    Raises:
        FileError: the store refuses, or is not reached.
    """
    protocol = _protocol(pattern)
    if is_web(pattern):
        return [pattern]
    fs, path = filesystem(pattern)
    with guarded(pattern):
        if fs.exists(path):
            return [pattern]
        return sorted(f"{protocol}://{found.lstrip('/')}" for found in fs.glob(path))


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
        raise _said(name, verb, error) from without_secrets(error)


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
    if "FileExpired" in kinds:
        return FileError(f"{name}: was changed while it was read; start again once it stays as it is")
    return FileError(f"{failed} ({type(error).__name__}: {text})")


@cache
def check_writable(name: str) -> None:
    """Refuse an address that cannot be written, before any work is done; nothing is left there.

    On S3 an upload of several parts is begun and given up: that takes a bucket, the right to write, and a network. An
    address that was found good is not asked for again.

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


def size_at(name: str) -> int | None:
    """The bytes of a file at an address; None where the server does not say.

    Raises:
        InputError: it is not there, or cannot be read.
    """
    fs, path = filesystem(name)
    with guarded(name):
        size = fs.info(path).get("size")
    return None if size is None else int(size)


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
