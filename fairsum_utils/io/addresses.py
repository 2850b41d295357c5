"""Addresses of servers that are asked: which are taken, and what is said of the others."""

from __future__ import annotations

import ipaddress
import os
from urllib.parse import SplitResult, urlsplit

from fairsum_utils.errors import InputError
from fairsum_utils.validation import describe

__all__ = ["check_address", "check_hub", "is_this_machine", "may_follow", "named_address"]

_SCHEMES = ("https", "http")

_HUB = "HF_ENDPOINT"


def check_address(
    where: str, address: object, *, keyless: bool = False, example: str = "http://localhost:8000/v1"
) -> str:
    """Check the address of a server.

    HTTPS is taken anywhere, HTTP only at this machine, since what is sent can be read on the way. An address that is
    empty is a mistake, such as a variable that is not set, and never means another. One that is refused is not quoted,
    for it may hold a password.

    Args:
        where: opening words of the message: what the address is of.
        address: to be checked.
        keyless: whether no key and no text is sent there, so that HTTP is taken anywhere.
        example: such an address, for the message.

    Returns:
        The address, without a slash at its end.

    Raises:
        InputError: empty, not of HTTP or HTTPS, without a host, with a password, a query or blanks in it.

    Example:
        >>> check_address("chat: base_url", "http://localhost:8000/v1/")
        'http://localhost:8000/v1'
        >>> check_address("chat: base_url", "")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: chat: base_url is empty; give an address such as http://localhost:8000/v1, or
        leave it out
    """
    if not isinstance(address, str):
        raise InputError(f"{where} must be an address such as {example}, found {describe(address)}")
    if not address.strip():
        raise InputError(f"{where} is empty; give an address such as {example}, or leave it out")
    parts = _split(address)
    if parts is None or parts.scheme not in _SCHEMES or not parts.hostname:
        raise InputError(f"{where} must be an address such as {example}: of https, or of http, with a host")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise InputError(
            f"{where} must be an address such as {example}, without user, password or query; keys come from the "
            "environment"
        )
    if parts.scheme == "http" and not keyless and not is_this_machine(parts.hostname):
        raise InputError(
            f"{where} is an address of http on another machine, where keys and texts can be read on the way; take one "
            "of https, or forward a port of this machine to it"
        )
    return parts.geturl().rstrip("/")


def _split(address: str) -> SplitResult | None:
    """The parts of an address; None if it is none."""
    if any(character.isspace() or not character.isprintable() for character in address.strip()):
        return None  # `urlsplit` would drop some of them
    try:
        parts = urlsplit(address.strip())
        _ = parts.port
    except ValueError:
        return None
    return parts


def is_this_machine(host: str) -> bool:
    """Whether a host is the machine that asks.

    Example:
        >>> is_this_machine("localhost"), is_this_machine("127.0.0.1"), is_this_machine("a.org")
        (True, True, False)
    """
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def may_follow(address: str, other: str) -> bool:
    """Whether to go where a server sends on to: to HTTPS, and from HTTP also to HTTP.

    Args:
        address: that was asked.
        other: that its answer names.

    Example:
        >>> may_follow("https://a.org/x", "https://b.org/x"), may_follow("https://a.org/x", "http://a.org/x")
        (True, False)
    """
    schemes = [each.partition(":")[0].lower() for each in (address, other)]
    return schemes[1] == "https" or schemes == ["http", "http"]


def named_address(where: str, address: object, variable: str, default: str) -> str:
    """The address that is meant: the one that was named, else that of an environment variable, else a default.

    Args:
        where: as of `check_address`.
        address: that was named; None if none was.
        variable: of the environment.
        default: where that is not set.

    Raises:
        InputError: an address that is not as described, or a variable that is set and empty.
    """
    if address is not None:
        return check_address(where, address)
    if variable not in os.environ:
        return default
    return check_address(f"{where}, from ${variable},", os.environ[variable])


def check_hub(module: str) -> None:
    """Refuse to ask a Hub whose address is empty or none, before a library asks it and says something else.

    Args:
        module: name used in messages.

    Raises:
        InputError: ``$HF_ENDPOINT`` is set to what is no address.
    """
    if _HUB in os.environ:
        check_address(f"{module}: the address of the Hub, from ${_HUB},", os.environ[_HUB], example="https://hf.co")
