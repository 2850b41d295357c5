"""Local paths, server addresses and fsspec file systems."""

from __future__ import annotations

import contextlib
import os
import re
import uuid
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from fairsum_utils._util.secrets import without_secrets
from fairsum_utils.errors import FairSumError, FileError, InputError, require
from fairsum_utils.validation import describe


def as_path(name: object, what: str = "", *, expands: bool = False) -> Path:
    """Return a name as a path, which need not exist.

    Example:
        >>> str(as_path("rows.csv"))
        'rows.csv'
        >>> as_path("", "lexicon")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: lexicon: the name is empty; name a file or folder
    """
    opening = f"{what}: " if what else ""
    text = os.fspath(name) if isinstance(name, (str, os.PathLike)) else None
    if not isinstance(text, str):
        raise InputError(f"{opening}expected the name of a file or folder, found {describe(name)}")
    if not text:
        raise InputError(f"{opening}the name is empty; name a file or folder")
    try:
        path = Path(text).expanduser() if expands else Path(text)
        path.stat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return path
    except (OSError, RuntimeError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or error
        raise InputError(
            f"{opening}{describe(text)}: this is not a valid name for a file or folder ({reason})"
        ) from None
    return path


def is_folder(name: str | os.PathLike[str]) -> bool:
    """Return whether a text is the name of a folder.

    Example:
        >>> is_folder("."), is_folder("a" * 5000), is_folder("\\0")
        (True, False, False)
    """
    try:
        return as_path(name, expands=True).is_dir()
    except InputError:
        return False


_HUB = "HF_ENDPOINT"


def check_address(
    where: str, address: object, *, keyless: bool = False, example: str = "http://localhost:8000/v1"
) -> str:
    """Check the address of a server.

    HTTP is only allowed on this machine, because others can read it in transit. An empty address is refused; it usually
    comes from an unset variable. The error does not quote the address, which may contain a password.

    Example:
        >>> check_address("chat: base_url", "http://localhost:8000/v1/")
        'http://localhost:8000/v1'
        >>> check_address("chat: base_url", "")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: chat: base_url is empty; give an address such as http://localhost:8000/v1, or
        omit it
    """
    if not isinstance(address, str):
        raise InputError(f"{where} must be an address such as {example}, found {describe(address)}")
    if not address.strip():
        raise InputError(f"{where} is empty; give an address such as {example}, or omit it")
    parts = _split(address)
    if parts is None or parts.scheme not in ("http", "https"):
        raise InputError(f"{where} must be an http or https address with a host, such as {example}")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise InputError(
            f"{where} must be an address such as {example}, without user, password or query; put keys in environment "
            "variables"
        )
    if parts.scheme == "http" and not keyless and not _is_this_machine(parts.hostname):
        raise InputError(
            f"{where} uses http to another machine, so others could read keys and texts; use https, or forward a "
            "local port"
        )
    return parts.geturl().rstrip("/")


def _split(address: str) -> SplitResult | None:
    """Split an address; None for other text."""
    if any(character.isspace() or not character.isprintable() for character in address.strip()):
        return None  # `urlsplit` would drop some of them
    try:
        parts = urlsplit(address.strip())
        return parts if parts.hostname and parts.port != 0 else None
    except ValueError:
        return None


def _is_this_machine(host: str | None) -> bool:
    host = (host or "").lower().rstrip(".")
    return host in ("localhost", "::1") or re.fullmatch(r"127(\.\d{1,3}){3}", host) is not None


def named_address(where: str, address: object, variable: str, default: str) -> str:
    """Return the given address, the environment variable's, or a default."""
    if address is not None:
        return check_address(where, address)
    if variable not in os.environ:
        return default
    return check_address(f"{where}, from ${variable},", os.environ[variable])


def check_hub(module: str) -> None:
    """Check the address of the Hub before its library uses it."""
    if _HUB in os.environ:
        check_address(f"{module}: the address of the Hub, from ${_HUB},", os.environ[_HUB], example="https://hf.co")


_PACKAGES = {"s3": ("s3fs", "s3"), "s3a": ("s3fs", "s3"), "gs": ("gcsfs", "gs"), "gcs": ("gcsfs", "gs")}
"""Protocol of an address -> package that fsspec needs, and the extra that installs it."""

_WHOLE = frozenset({"memory", "s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "oss", "hf"})
"""Protocols of stores in which files appear only when complete."""


def is_address(name: str | os.PathLike[str]) -> bool:
    """Return whether a name is an address for fsspec.

    Example:
        >>> is_address("s3://bucket/rows.parquet"), is_address("rows.parquet")
        (True, False)
    """
    return re.match(r"[a-z][a-z0-9+.-]+://", os.fspath(name)) is not None


def is_web(name: str | os.PathLike[str]) -> bool:
    """Return whether a name is a web address, which is read-only."""
    return os.fspath(name).startswith(("http://", "https://"))


def local_path(name: str | os.PathLike[str]) -> Path | None:
    """Return a local path; None for an address elsewhere.

    Example:
        >>> local_path("s3://bucket/rows.csv") is None, str(local_path("rows.csv"))
        (True, 'rows.csv')
    """
    if not is_address(name):
        return as_path(name)
    if not str(name).startswith(("file://", "local://")):
        return None
    from fsspec.implementations import local

    return as_path(local.LocalFileSystem._strip_protocol(str(name)), str(name))


def filesystem(name: str, verb: str = "read") -> tuple[Any, str]:
    """Return the fsspec file system of a name, and the path there."""
    import fsspec

    if not is_address(name):
        return fsspec.filesystem("file"), Path(name).absolute().as_posix()
    if verb == "write" and is_web(name):
        raise InputError(f"{name}: web addresses are read-only; name a file, or an address such as s3://...")
    protocol = name.partition("://")[0]
    if protocol == "hf":
        check_hub(name)
    if protocol in _PACKAGES:
        package, extra = _PACKAGES[protocol]
        require(package, extra=extra, purpose=f"{verb} {name}")
    more = {"client_kwargs": _client()} if is_web(name) else {}
    with guarded(name):
        fs, path = fsspec.core.url_to_fs(name, use_listings_cache=False, **more)
    return fs, path


@cache
def _client() -> dict[str, Any]:
    """Return options for aiohttp: timeouts, and no redirects to HTTP."""
    import aiohttp

    watch = aiohttp.TraceConfig()
    watch.on_request_redirect.append(_check_redirect)
    return {"trace_configs": [watch], "timeout": aiohttp.ClientTimeout(total=None, sock_read=60, sock_connect=60)}


async def _check_redirect(session: Any, context: Any, redirect: Any) -> None:
    there = redirect.response.headers.get("Location", "")
    allowed = ("https://",) if redirect.url.scheme == "https" else ("https://", "http://")
    if is_address(there.lower()) and not there.lower().startswith(allowed):
        raise PermissionError(f"it redirects to {there}, which is not allowed")


def matching_addresses(pattern: str) -> list[str]:
    """Return the addresses that match a pattern, sorted."""
    if is_web(pattern):
        return [pattern]
    fs, path = filesystem(pattern)
    with guarded(pattern):
        if fs.exists(path):
            return [pattern]
        return sorted(f"{pattern.partition('://')[0]}://{found.lstrip('/')}" for found in fs.glob(path))


@contextlib.contextmanager
def guarded(name: object, verb: str = "read") -> Iterator[None]:
    """Turn errors at an address into one line."""
    try:
        yield
    except FairSumError:
        raise
    except Exception as error:  # every store has its own errors
        reason = f"{type(error).__name__}: {error}"
        if isinstance(error, FileNotFoundError) and verb == "read":
            cause = error.__cause__ if is_web(str(name)) else None
            if not isinstance(cause, OSError):  # a reply of a server, no network error
                raise InputError(f"{name}: no such file{(cause and f' ({cause})') or ''}") from without_secrets(error)
            reason = str(cause)
        reason = " ".join(reason.split())
        raise FileError(
            f"{name}: cannot {verb} the address ({reason}); check its spelling, the credentials and the network"
        ) from without_secrets(error)


@cache
def check_writable(name: str) -> None:
    """Check once that an address accepts files, without leaving one there.

    On S3, a multipart upload is started and aborted, which needs a bucket, write permission and a network. Other stores
    report errors when they are written.
    """
    fs, path = filesystem(name, "write")
    if "s3" not in fs.protocol:
        return
    with guarded(name, "write"):
        file = fs.open(path, "wb", autocommit=False)
        file.flush(force=True)
        file.discard()


def put(name: str, content: bytes | Path) -> None:
    """Write a file to an address, replacing it only when complete."""
    fs, path = filesystem(name, "write")
    is_whole = name.partition("://")[0] in _WHOLE
    folder, _, last = path.rpartition("/")
    target = path if is_whole else f"{folder}/.{last}.{uuid.uuid4().hex[:8]}.part"
    with guarded(name, "write"):
        if not is_whole:
            fs.makedirs(folder, exist_ok=True)
        try:
            if isinstance(content, Path):
                fs.put_file(str(content), target)
            else:
                fs.pipe_file(target, content)
            if not is_whole:
                fs.mv(target, path)
        except BaseException:
            if not is_whole:
                with contextlib.suppress(Exception):
                    fs.rm_file(target)
            raise
