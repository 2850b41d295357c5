"""Signatures: one short string with everything that changes a number, in the manner of sacreBLEU."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, unquote

from fairsum_utils._version import __version__

_DRAWN = ("version", "confidence_level", "seed", "n_resamples", "bootstrap", "within", "interval")
"""Settings that change intervals, not scores; and the version."""

_NAMES = {
    "boot": "bootstrap",
    "ci": "confidence_level",
    "exact": "max_exact",
    "labels": "label_map",
    "lang": "language",
    "layers": "num_layers",
    "norm": "normalizer",
    "perms": "n_permutations",
    "persons": "ner",
    "points": "n_points",
    "resamples": "n_resamples",
    "sentiment": "sentiment_score",
    "sig": "significance",
    "single": "single_value",
    "table": "embeddings",
    "temp": "temperature",
    "units": "splitter",
    "v": "version",
    "words": "word_lists",
}
"""Key in a signature -> name of the setting, where it is another."""

_SHARES_ESCAPES = str.maketrans({"%": "%25", ",": "%2C", "=": "%3D"})
_SAFE = " /=,+.@~()<>-_[]"


def render_signature(settings: Mapping[str, object]) -> str:
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


def signed(keyed: Mapping[str, object]) -> dict[str, Any]:
    """Return the effective settings of a result and its signature.

    Args:
        keyed: Key in the signature -> value, in the order to print; None where the result does not depend on it.

    Returns:
        ``settings``, name of a setting -> value, and ``signature``.

    Example:
        >>> signed({"ci": 0.95, "seed": None})
        {'settings': {'confidence_level': 0.95, 'version': '0.1.0'}, 'signature': 'ci:0.95|v:0.1.0'}
    """
    settings: dict[str, object] = {}
    for key, value in keyed.items():
        if value is not None:
            settings[_NAMES.get(key, key)] = _plain(value)
    return {"settings": {**settings, "version": __version__}, "signature": render_signature(keyed)}


def _plain(value: object) -> object:
    """Return a value as JSON can hold it."""
    if callable(value):
        return render_callable(value)
    return value if isinstance(value, (bool, int, float)) else str(value)


def settings_of(result: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the effective settings of a result; for one of an earlier version, those that its signature names.

    Example:
        >>> settings_of({"settings": {"tau": 0.8}}), settings_of({"signature": "tau:0.8|ci:0.95"})
        ({'tau': 0.8}, {'tau': 0.8, 'confidence_level': 0.95})
    """
    if "settings" in result:
        found: Mapping[str, Any] = result["settings"]
        return found
    signature = result.get("signature")
    pairs = [part.partition(":") for part in signature.split("|")] if isinstance(signature, str) and signature else []
    return {_NAMES.get(key, key): _read(unquote(value, errors="surrogatepass")) for key, _, value in pairs}


def _read(text: str) -> object:
    """Return the number that is written exactly like this, or else the text."""
    for kind in (int, float):
        try:
            if str(kind(text)) == text:
                return kind(text)
        except ValueError:
            continue
    return text


def differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Name the settings in which two scores, not only their intervals, were made in different ways.

    Args:
        one: Effective settings of a result.
        other: Effective settings of another.

    Example:
        >>> differing({"tau": 0.8, "seed": 0}, {"tau": 0.9, "seed": 1, "target": "ratio"})
        ['tau', 'target']
    """
    return [key for key in {**one, **other} if key not in _DRAWN and str(one.get(key)) != str(other.get(key))]
