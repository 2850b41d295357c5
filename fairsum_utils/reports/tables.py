"""Results for people: aligned text or Markdown, and JSON without NaN. Only here are numbers rounded."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from fairsum_utils.measures import get_measure

__all__ = ["closing", "number", "opening", "render", "scores", "short_name", "to_json"]


def number(value: float, digits: int = 4) -> str:
    """A rounded number, or "undefined".

    Example:
        >>> number(0.20266), number(float("nan"))
        ('0.2027', 'undefined')
    """
    return "undefined" if math.isnan(value) else f"{value:.{digits}f}"


def render(header: Sequence[str], rows: Sequence[Sequence[str]], *, markdown: bool = False) -> str:
    """A table; the first column is aligned left, the others right.

    Example:
        >>> print(render(["measure", "score"], [["BUR", "0.2027"]]))
        measure   score
        BUR      0.2027
    """
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]

    def line(cells: Sequence[str]) -> list[str]:
        return [
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]

    if not markdown:
        return "\n".join("  ".join(line(cells)).rstrip() for cells in (header, *rows))
    rule = ["-" * (width - bool(place)) + ":" * bool(place) for place, width in enumerate(widths)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (line(header), rule, *map(line, rows)))


def opening(title: str, result: dict[str, Any]) -> str:
    """The first line of a report: what was scored, what was left out and why.

    Example:
        >>> opening("a.jsonl", {"n_samples": 3, "n_skipped": 1, "skipped": {"empty_prediction": 1}})
        'a.jsonl: 3 samples scored, 1 skipped (1 empty_prediction)'
    """
    skipped = ", ".join(f"{count} {reason}" for reason, count in result["skipped"].items())
    line = f"{title}: {result['n_samples']} samples scored, {result['n_skipped']} skipped"
    return f"{line} ({skipped})" if skipped else line


def closing(result: dict[str, Any]) -> str:
    """The last lines of a report: what is undefined and why, and the signature.

    Example:
        >>> print(closing({"undefined": {"alpha": "no label differs"}, "signature": "kind:nominal"}))
        undefined: alpha (no label differs)
        <BLANKLINE>
        signature: kind:nominal
    """
    undefined = "\n".join(f"undefined: {name} ({reason})" for name, reason in result["undefined"].items())
    return "\n\n".join([*([undefined] if undefined else []), f"signature: {result['signature']}"])


def short_name(name: str) -> str:
    """What a measure is called where there is little room: its title, or the abbreviation that its name is.

    Example:
        >>> short_name("bur"), short_name("equal_coverage")
        ('BUR', 'Equal Coverage')
    """
    title = get_measure(name).title
    return title if title.replace(" ", "_").lower() == name else name.upper()


def scores(results: dict[str, dict[str, Any]], *, markdown: bool = False) -> str:
    """A table of the scores of measures, with their intervals where they have any."""
    with_interval = any(f"{name}_ci" in result for name, result in results.items())
    rows = []
    for name, result in results.items():
        title, short = get_measure(name).title, short_name(name)
        row = [title if short == title else f"{short} ({title})", number(result[name])]
        if with_interval:
            low, high = result[f"{name}_ci"]
            row.append(f"[{number(low)}, {number(high)}]")
        rows.append(row)
    return render(["measure", "score", *(["interval"] if with_interval else [])], rows, markdown=markdown)


def to_json(result: Any) -> str:
    """Indented JSON in which NaN is null, full precision.

    Example:
        >>> print(to_json({"bur": float("nan")}))
        {
          "bur": null
        }
    """
    return json.dumps(_without_nan(result), indent=2, ensure_ascii=False, allow_nan=False)


def _without_nan(item: Any) -> Any:
    if isinstance(item, dict):
        return {key: _without_nan(value) for key, value in item.items()}
    if isinstance(item, list):
        return [_without_nan(value) for value in item]
    return None if isinstance(item, float) and math.isnan(item) else item
