"""Signatures: one short string with everything that changes a number, in the manner of sacreBLEU."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote, unquote

from fairsum_utils._version import __version__

__all__ = ["differing", "parse_signature", "render_callable", "render_shares", "render_signature"]

_DRAWN = ("v", "ci", "seed", "resamples", "boot", "within", "interval")
"""Keys that change intervals, not scores; and the version."""

_SHARES_ESCAPES = str.maketrans({"%": "%25", ",": "%2C", "=": "%3D"})
_SAFE = " /=,+.@~()<>-_[]"


def render_signature(settings: dict[str, object]) -> str:
    """Write settings as ``key:value|key:value``, the package version last.

    Args:
        settings: in the order to print; entries that are None are left out.

    Example:
        >>> render_signature({"matcher": "ngram", "k": 1, "tau": 0.8, "points": None})
        'matcher:ngram|k:1|tau:0.8|v:0.1.0'
    """
    parts = [f"{key}:{_escape(value)}" for key, value in settings.items() if value is not None]
    return "|".join([*parts, f"v:{__version__}"])


def render_shares(shares: dict[str, float]) -> str:
    """Write a mapping from value to share, sorted by value.

    Example:
        >>> render_shares({"male": 0.25, "female": 0.75})
        'female=0.75,male=0.25'
    """
    escaped = ((value.translate(_SHARES_ESCAPES), share) for value, share in sorted(shares.items()))
    return ",".join(f"{value}={share!r}" for value, share in escaped)


def render_callable(function: Callable[..., object]) -> str:
    """Write a function of the caller's by its name.

    Example:
        >>> render_callable(len)
        'callable(len)'
    """
    return f"callable({getattr(function, '__qualname__', type(function).__qualname__)})"


def _escape(value: object) -> str:
    value = render_callable(value) if callable(value) else value
    return quote(str(value), safe=_SAFE, errors="surrogatepass")


def parse_signature(signature: str) -> dict[str, str]:
    """Read a signature back.

    Example:
        >>> parse_signature("matcher:ngram|k:1|v:0.1.0")
        {'matcher': 'ngram', 'k': '1', 'v': '0.1.0'}
    """
    pairs = (part.partition(":") for part in signature.split("|"))
    return {key: unquote(value, errors="surrogatepass") for key, _, value in pairs}


def differing(one: dict[str, str], other: dict[str, str]) -> list[str]:
    """The keys in which two signatures say that scores, not only their intervals, were made in different ways.

    Args:
        one: as `parse_signature` gives it.
        other: the same.

    Example:
        >>> differing({"tau": "0.8", "seed": "0"}, {"tau": "0.9", "seed": "1", "target": "ratio"})
        ['tau', 'target']
    """
    return [key for key in {**one, **other} if key not in _DRAWN and one.get(key) != other.get(key)]
