"""Tables and sentences for people, with rounded numbers, as aligned text, Markdown or HTML; and JSON without NaN."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from fairsum_utils.measures import get_measure

__all__ = [
    "Cell",
    "Part",
    "Table",
    "as_html",
    "as_text",
    "closing",
    "interval",
    "number",
    "opening",
    "render",
    "short_name",
    "to_json",
]

Cell: TypeAlias = "str | float | None"
"""A text; a whole number, shown as it is; another number, rounded where it is shown; or nothing."""


class Table(NamedTuple):
    """A table of a report.

    Attributes:
        header: a name for each column.
        rows: a cell for each column.
        title: above it; empty where the report needs none.
        below: lines that stand directly below it.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    below: Sequence[str] = ()


Part: TypeAlias = Table | Sequence[str]
"""A table, or the lines of a paragraph."""


def number(value: float, digits: int = 4) -> str:
    """A rounded number, or "undefined".

    Example:
        >>> number(0.20266), number(float("nan"))
        ('0.2027', 'undefined')
    """
    return "undefined" if math.isnan(value) else f"{value:.{digits}f}"


def interval(ends: Sequence[float] | None) -> str:
    """The two ends of an interval; nothing where there is none.

    Example:
        >>> interval([0.25, 1.0]), interval(None)
        ('[0.2500, 1.0000]', '')
    """
    return "" if ends is None else "[{}, {}]".format(*map(number, ends))


def _shown(cell: Cell) -> str:
    return "" if cell is None else number(cell) if isinstance(cell, float) else str(cell)


def render(header: Sequence[str], rows: Iterable[Sequence[Cell]], *, markdown: bool = False) -> str:
    """A table; the first column is aligned left, the others right.

    Example:
        >>> print(render(["measure", "score"], [["BUR", 0.20266]]))
        measure   score
        BUR      0.2027
    """
    cells = [header, *([_shown(cell) for cell in row] for row in rows)]
    if markdown:
        cells = [[" ".join(cell.replace("|", r"\|").split()) for cell in row] for row in cells]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [[row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])] for row in cells]
    if not markdown:
        return "\n".join("  ".join(line).rstrip() for line in lines)
    rule = ["-" * (width - bool(place)) + ":" * bool(place) for place, width in enumerate(widths)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (lines[0], rule, *lines[1:]))


def as_text(parts: Iterable[Part], *, markdown: bool = False) -> str:
    """Tables and paragraphs, with an empty line between any two.

    Args:
        parts: in their order.
        markdown: tables as Markdown, instead of aligned text.

    Example:
        >>> print(as_text([["Two texts."], Table(["group", "texts"], [["a", 2]], below=["No more."])]))
        Two texts.
        <BLANKLINE>
        group  texts
        a          2
        No more.
    """
    shown = []
    for part in parts:
        if isinstance(part, Table):
            shown += [part.title] if part.title else []
            shown.append(render(part.header, part.rows, markdown=markdown))
            if part.below:  # Markdown would take the lines for rows
                shown.append(("\n\n" if markdown else "\n").join([shown.pop(), "\n".join(part.below)]))
        elif part:
            shown.append("\n".join(part))
    return "\n\n".join(shown)


def as_html(parts: Iterable[Part]) -> str:
    """Tables and paragraphs as HTML; columns of numbers are aligned right.

    Args:
        parts: in their order.

    Example:
        >>> print(as_html([["a < b"], Table(["group", "texts"], [["a", 2]])]))
        <p>a &lt; b</p>
        <table>
        <tr><th>group</th><th style="text-align: right">texts</th></tr>
        <tr><td>a</td><td style="text-align: right">2</td></tr>
        </table>
    """
    shown = []
    for part in parts:
        if isinstance(part, Table):
            shown += [f"<h3>{html.escape(part.title)}</h3>"] if part.title else []
            shown += ["<table>", *_html_rows(part), "</table>"]
        lines = part.below if isinstance(part, Table) else part
        shown += [f"<p>{'<br>'.join(map(html.escape, lines))}</p>"] if lines else []
    return "\n".join(shown)


def _html_rows(table: Table) -> Iterator[str]:
    columns = zip(table.header, *table.rows, strict=True)
    align = [
        "" if any(isinstance(cell, str) for cell in column[1:]) else ' style="text-align: right"' for column in columns
    ]
    for row in (table.header, *table.rows):
        tag = "th" if row is table.header else "td"
        cells = (f"<{tag}{side}>{html.escape(_shown(cell))}</{tag}>" for cell, side in zip(row, align, strict=True))
        yield f"<tr>{''.join(cells)}</tr>"


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
