"""Results for people: aligned text or Markdown, and JSON without NaN. Only here are numbers rounded."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

__all__ = ["number", "render", "to_json"]


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
