"""Signatures: every setting that changes a number, in sacreBLEU's style."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import quote

from fairsum_utils._version import __version__

_SHARES_ESCAPES = str.maketrans({"%": "%25", ",": "%2C", "=": "%3D"})
_SAFE = " /=,+.@~()<>-_[]"


def render_signature(settings: Mapping[str, object]) -> str:
    """Write settings as ``key:value|key:value``, the package version last.

    Args:
        settings: settings in print order; None entries are left out.

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
