"""Writers of reports: text, Markdown, LaTeX, CSV, HTML and JSON."""

from __future__ import annotations

import csv
import io
import json
import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tabulate import tabulate
from wcwidth import wcswidth

from fairsum_utils._util.terminal import UNSEEN
from fairsum_utils.reports.escaping import (
    LATEX_OPTION,
    in_cell,
    in_latex,
    in_markdown,
    in_markdown_cell,
    in_text,
    latex_comment,
    shown_cell,
)
from fairsum_utils.reports.html import as_html
from fairsum_utils.reports.tables import Interval, Marked, Notes, Part, Shade, Signatures, Table, with_certain_digits
from fairsum_utils.validation import count

# Columns of a terminal between cells, and those that a text takes at least
_GAP, _LEAST = 2, 12


def _columns(table: Table, escape: Callable[[str], str]) -> list[list[str]]:
    """Return each column as its name and cells, with numbers aligned."""
    columns = []
    for name, *cells in zip(table.header, *table.rows, strict=True):
        marks = [len(cell.mark) if isinstance(cell, Marked) else 0 for cell in cells]
        blanks = [" " * (max(marks) - mark) for mark in marks]
        column = [shown_cell(cell, escape) + blank for cell, blank in zip(cells, blanks, strict=True)]
        columns.append([escape(name), *column])
    return columns


def width_of(text: str) -> int:
    """Count the columns of a terminal that a text takes.

    Example:
        >>> width_of("soup"), width_of("スープ")
        (4, 6)
    """
    width = len(text) if text.isascii() else wcswidth(unicodedata.normalize("NFC", text))
    return width if width >= 0 else len(text)


def _tabulated(columns: Sequence[Sequence[str]], n_texts: int, format: str, widths: Sequence[int] = ()) -> str:
    """Write columns, whose first cells are heads, in a format of tabulate."""
    rows = list(zip(*columns, strict=True))
    heads = () if format == "plain" else rows.pop(0)  # plain heads are a row, for which tabulate adds no blanks
    sides = ["left"] * n_texts + ["right"] * (len(columns) - n_texts)
    cut = [*widths, *[None] * (len(columns) - len(widths))]
    shown = tabulate(
        rows, heads, format, disable_numparse=True, colalign=sides, preserve_whitespace=True, maxcolwidths=cut
    )
    return "\n".join(line.rstrip() for line in shown.split("\n"))


def _fitted(columns: Sequence[Sequence[str]], n_texts: int, width: int | None) -> list[str]:
    """Write a table for a terminal; further tables have the remaining numbers."""
    widths = [max(map(width_of, column)) for column in columns]
    texts, numbers = widths[:n_texts], [wide + _GAP for wide in widths[n_texts:]]
    if width is None or sum(widths) + _GAP * (len(widths) - 1) <= width:
        return [_tabulated(columns, n_texts, "plain")]
    gaps = _GAP * (n_texts - 1)
    room = width - sum(numbers) - gaps
    if room < n_texts * _LEAST:
        room = width - max(numbers, default=0) - gaps
    while sum(texts) > room and max(texts) > _LEAST:
        texts[texts.index(max(texts))] -= 1
    blocks: list[list[int]] = [[]]
    for place, wide in enumerate(numbers):
        if blocks[-1] and sum(texts) + gaps + sum(numbers[each] for each in blocks[-1]) + wide > width:
            blocks.append([])
        blocks[-1].append(place)
    return [
        _tabulated([*columns[:n_texts], *(columns[n_texts + place] for place in block)], n_texts, "plain", texts)
        for block in blocks
    ]


def as_text(
    parts: Iterable[Part],
    width: int | None = None,
    *,
    signatures: bool = False,
    encode: Callable[[str], str] = str,
) -> str:
    """Write tables and paragraphs for a terminal.

    Numbers beside their interval have the digits that it leaves certain. A table that is a picture is only mentioned,
    here as in Markdown and LaTeX.

    Args:
        parts: parts in their order.
        width: width of the terminal, to which tables are cut; None for lines of any length, for other programs.
        signatures: show the signatures of measures too.
        encode: function that replaces characters that the terminal cannot show, so that columns stay aligned.

    Example:
        >>> print(as_text([["Two texts."], Table(["group", "texts"], [["a", 2]], below=["No more."])]))
        Two texts.
        <BLANKLINE>
        group  texts
        a          2
        No more.
    """

    def escape(text: str) -> str:
        return encode(in_text(text))

    def drawn(table: Table) -> str:
        shown = "\n\n".join(_fitted(_columns(with_certain_digits(table), escape), table.n_texts, width))
        return "\n".join([shown, *map(escape, table.below)])

    return _joined((part for part in parts if signatures or not isinstance(part, Signatures)), drawn, escape)


def as_markdown(parts: Iterable[Part]) -> str:
    """Write tables and paragraphs as Markdown, see `as_text`.

    Args:
        parts: parts in their order.

    Example:
        >>> print(as_markdown([Table(["group", "texts"], [["a|b", 2]])]))
        | group   |   texts |
        |:--------|--------:|
        | a\\|b    |       2 |
    """

    def drawn(table: Table) -> str:
        lines = _tabulated(_columns(table, in_markdown_cell), table.n_texts, "pipe")
        below = "\n".join(map(in_markdown, table.below))
        return f"{lines}\n\n{below}" if below else lines

    return _joined(parts, drawn, in_markdown)


def as_latex(parts: Iterable[Part]) -> str:
    """Write tables as LaTeX with booktabs; paragraphs become comments.

    Args:
        parts: parts in their order.

    Example:
        >>> print(as_latex([["Two texts."], Table(["group", "share"], [["a & b", 0.25]])]))
        % Two texts.
        <BLANKLINE>
        \\begin{tabular}{lr}
        \\toprule
         group   &   share \\\\
        \\midrule
         a \\& b  &  0.2500 \\\\
        \\bottomrule
        \\end{tabular}
    """

    def drawn(table: Table) -> str:
        shown = _tabulated(_columns(table, in_latex), table.n_texts, "latex_raw")
        for rule in ("top", "mid", "bottom"):
            shown = shown.replace(r"\hline", rf"\{rule}rule", 1)
        lines = (LATEX_OPTION.sub(r"\g<0>{}", line) for line in shown.split("\n"))
        return "\n".join([*lines, *map(latex_comment, table.below)])

    return _joined(parts, drawn, latex_comment, lambda text: latex_comment(f"- {text}"))


def _joined(
    parts: Iterable[Part],
    drawn: Callable[[Table], str],
    line: Callable[[str], str],
    item: Callable[[str], str] | None = None,
) -> str:
    """Join parts with empty lines between them."""
    shown = []
    for part in parts:
        if isinstance(part, Table) and part.is_picture:
            size = f"{count(len(part.rows), 'row')}, {len(part.header)} columns: shown in HTML, kept in CSV"
            shown.append(line(f"{part.title} ({size})".lstrip()))
        elif isinstance(part, Table):
            shown += [line(part.title)] if part.title else []
            shown.append(drawn(part))
        elif isinstance(part, Notes) and part:
            shown.append("\n".join([line("Notes:"), *map(item or (lambda text: f"- {line(text)}"), part)]))
        elif part:
            shown.append("\n".join(map(line, part)))
    return "\n\n".join(shown)


def as_csv(parts: Iterable[Part]) -> str:
    """Write all tables as one CSV table, without paragraphs.

    Of several tables the first column, ``table``, has the title, or the name of the first column; the others are the
    columns of all tables, and a cell is empty where a table lacks the column. An interval takes two columns, one for
    each end, and numbers with marks another one for these. Undefined numbers are empty. No cell is a formula for a
    spreadsheet, and control characters are written out.

    Args:
        parts: parts in their order.

    Example:
        >>> bur = Table(["measure", "interval"], [["bur", Interval(0.25, 1.0)]])
        >>> print(as_csv([["Left out."], bur]))
        measure,interval low,interval high
        bur,0.25,1.0
        >>> print(as_csv([bur, Table(["value", "samples"], [["neg", 2]], "By value")]))
        table,measure,interval low,interval high,value,samples
        measure,bur,0.25,1.0,,
        By value,,,,neg,2
    """
    tables = [part for part in parts if isinstance(part, Table)]
    flat = [_named_columns(table) for table in tables]
    header = list(dict.fromkeys(key for columns in flat for key in columns))
    rows: list[list[Any]] = [[name for name, _ in header]]
    for table, columns in zip(tables, flat, strict=True):
        rows += [[columns[key][place] if key in columns else "" for key in header] for place in range(len(table.rows))]
    if len(tables) > 1:
        names = [table.title or table.header[0] for table in tables for _ in table.rows]
        rows = [[name, *row] for name, row in zip(["table", *names], rows, strict=True)]
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(
        [in_cell(cell) if isinstance(cell, str) else "" if cell is None or math.isnan(cell) else cell for cell in row]
        for row in rows
    )
    return file.getvalue().rstrip("\n")


def _named_columns(table: Table) -> dict[tuple[str, int], list[Any]]:
    """Return the cells of each column by name and occurrence."""
    seen: Counter[str] = Counter()
    columns = {}
    for name, *cells in flat_columns(table):
        columns[name, seen[name]] = cells
        seen[name] += 1
    return columns


def flat_columns(table: Table) -> list[list[Any]]:
    """Return columns of plain numbers: two per interval, one per mark.

    Example:
        >>> flat_columns(Table(["measure", "interval"], [["bur", Interval(0.25, 1.0)]]))
        [['measure', 'bur'], ['interval low', 0.25], ['interval high', 1.0]]
    """
    columns: list[list[Any]] = []
    for name, *cells in zip(table.header, *table.rows, strict=True):
        if any(isinstance(cell, Interval) for cell in cells):
            ends = [cell if isinstance(cell, Interval) else Interval(math.nan, math.nan) for cell in cells]
            columns += ([f"{name} {end}", *(getattr(each, end) for each in ends)] for end in Interval._fields)
        else:
            columns.append([name, *(cell.number if isinstance(cell, (Marked, Shade)) else cell for cell in cells)])
            marks = [cell.mark if isinstance(cell, Marked) else "" for cell in cells]
            columns += [[f"{name} mark", *marks]] if any(marks) else []
    return columns


# Name of a format -> function that writes parts in it
FORMATS: Mapping[str, Callable[[Iterable[Part]], str]] = {
    "text": as_text,
    "markdown": as_markdown,
    "latex": as_latex,
    "csv": as_csv,
    "html": as_html,
}


def to_json(result: Any, indent: int | None = 2) -> str:
    """Write JSON, with NaN and infinite numbers as null and control characters escaped.

    Args:
        result: dicts, lists, texts and numbers.
        indent: blanks for each level; None for one line.

    Example:
        >>> print(to_json({"bur": float("nan")}))
        {
          "bur": null
        }
    """
    document = json.dumps(_finite(result), indent=indent, ensure_ascii=False, allow_nan=False)
    return UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", document)


def _finite(item: Any) -> Any:
    if isinstance(item, dict):
        return {key: _finite(value) for key, value in item.items()}
    if isinstance(item, list):
        return [_finite(value) for value in item]
    return None if isinstance(item, float) and not math.isfinite(item) else item
