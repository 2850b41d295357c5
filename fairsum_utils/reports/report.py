"""The report of any results: each family says what a person wants to see of its measures."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from fairsum_utils.family import families
from fairsum_utils.reports.tables import number, opening, render, scores

__all__ = ["report"]

_BY = ("by_value", "by_group")
"""Endings of the figures that a score consists of."""


def report(title: str, results: Mapping[str, dict[str, Any]], *, markdown: bool = False) -> str:
    """Results as text.

    A family whose report is a module of this package, named like it, is shown by that; another one by `plain`.

    Args:
        title: what was scored, such as a file.
        results: measure -> result, of one family or several.
        markdown: tables as Markdown, instead of aligned text.
    """
    parts = []
    for family in families().values():
        chosen = {name: result for name, result in results.items() if name in family.measures}
        if chosen:
            name = f"{__package__}.{family.name}"
            show = importlib.import_module(name).report if find_spec(name) else plain
            parts.append(show(title, chosen, markdown=markdown))
    return "\n\n\n".join(parts)


def plain(title: str, results: dict[str, dict[str, Any]], *, markdown: bool = False) -> str:
    """What there is to see of any measure: counts, scores with intervals, figures by value or group, signatures.

    Args:
        title: what was scored.
        results: measure -> result.
        markdown: tables as Markdown, instead of aligned text.

    Example:
        >>> result = {"uer": 0.25, "uer_by_value": {"neg": 0.5}, "n_samples": 2, "n_skipped": 0, "skipped": {}}
        >>> print(plain("a.jsonl", {"uer": result | {"signature": "v:1"}}))
        a.jsonl: 2 samples scored, 0 skipped
        <BLANKLINE>
        measure                  score
        UER (Unfair Error Rate)  0.2500
        <BLANKLINE>
                  neg
        uer    0.5000
        <BLANKLINE>
        uer: v:1
    """
    lines = [opening(title, next(iter(results.values()))), "", scores(results, markdown=markdown)]
    lines += [f"undefined: {result['undefined']}" for result in results.values() if "undefined" in result]
    for name, result in results.items():
        for figures in (result[f"{name}_{ending}"] for ending in _BY if f"{name}_{ending}" in result):
            lines += ["", render(["", *figures], [[name, *map(number, figures.values())]], markdown=markdown)]
    return "\n".join([*lines, "", *(f"{name}: {result['signature']}" for name, result in results.items())])
