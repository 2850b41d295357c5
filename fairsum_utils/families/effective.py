"""Effective settings of results, by name and compared between results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any

from fairsum_utils._version import __version__
from fairsum_utils.families.contract import families
from fairsum_utils.measures import Measure, get_measure
from fairsum_utils.signature import render_callable, render_signature

PACKAGES = "language_packages"
"""Packages that cut or stem the words of a language, with their versions; a signature has them behind the language."""

_DRAWN = ("version", "confidence_level", "seed", "n_resamples", "bootstrap", "within", "interval")
"""Settings that change intervals, not scores; and the version."""

_DEFAULT = Measure.infos()["reasoning"].default
"""What becomes of reasoning where a result does not say it, because there was none."""


@cache
def _names() -> Mapping[str, str]:
    """Map the keys of a signature to settings, without shared keys."""
    owners: defaultdict[str, set[str]] = defaultdict(set)
    for family in families().values():
        for measure in family.measures:
            for name, info in get_measure(measure).infos().items():
                owners[info.key or info.changed_key or ""].add(name)
    return {"v": "version"} | {key: name for key, [name, *others] in owners.items() if key and not others}


def _entries(name: str, value: object) -> dict[str, object]:
    """Return the entries of a setting, with the language separate from its packages."""
    if name != "language":
        return {name: value}
    language, _, packages = str(value).partition("(")
    return {name: language, PACKAGES: packages.removesuffix(")")} if packages else {name: language}


def signed(keyed: Mapping[str, object]) -> dict[str, Any]:
    """Return the effective settings of a result and its signature.

    Returns:
        ``settings``, name of a setting -> value, and ``signature``.

    Example:
        >>> signed({"ci": 0.95, "seed": None})
        {'settings': {'confidence_level': 0.95, 'version': '0.1.0'}, 'signature': 'ci:0.95|v:0.1.0'}
    """
    settings: dict[str, object] = {}
    for key, value in keyed.items():
        if value is not None:
            settings |= _entries(_names().get(key, key), _plain(value))
    return {"settings": {**settings, "version": __version__}, "signature": render_signature(keyed)}


def with_setting(result: Mapping[str, Any], name: str, value: Any, key: str | None = None) -> dict[str, Any]:
    """Add a setting to the settings and signature of a result.

    Example:
        >>> with_setting(signed({"ci": 0.95}), "reasoning", "keep")["signature"]
        'ci:0.95|reasoning:keep|v:0.1.0'
    """
    *settings, version = result["signature"].split("|")
    [added, _] = render_signature({key or name: value}).split("|")
    signature = "|".join([*settings, added, version])
    return {**result, "settings": {**result["settings"], name: value}, "signature": signature}


def _plain(value: object) -> object:
    """Convert a value for JSON."""
    if callable(value):
        return render_callable(value)
    return value if isinstance(value, (bool, int, float)) else str(value)


def differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """List the settings that differ between two scores, apart from intervals.

    Example:
        >>> differing({"tau": 0.8, "seed": 0}, {"tau": 0.9, "seed": 1, "target": "ratio"})
        ['tau', 'target']
    """

    def value(settings: Mapping[str, Any], key: str) -> str:
        return str(settings.get(key, _DEFAULT if key == "reasoning" else None))

    return [key for key in {**one, **other} if key not in _DRAWN and value(one, key) != value(other, key)]
