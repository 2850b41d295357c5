"""Tables and paragraphs as HTML, for pages and notebooks."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from fairsum_utils.reports.escaping import escaped, shown_cell
from fairsum_utils.reports.tables import Cell, Interval, Marked, Notes, Part, Shade, Table
from fairsum_utils.reports.theme import STYLE, sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# Letters of the head of a column in HTML, which has no line breaks
_LONGEST_HEAD = 40


def as_html(parts: Iterable[Part], *, sortable: bool = False) -> str:
    """Write tables and paragraphs as HTML without styles; ``templates/tables.css`` has these.

    Args:
        parts: parts in their order.
        sortable: mark the tables for a script that sorts their rows, and give it the numbers unrounded.

    Example:
        >>> print(as_html([["a < b"], Table(["group", "texts"], [["a", 2]], "Texts")]))
        <p>a &lt; b</p>
        <div class="fs-table" tabindex="0"><table>
        <caption>Texts</caption>
        <thead><tr><th scope="col">group</th><th scope="col" class="fs-number">texts</th></tr></thead>
        <tbody>
        <tr><th scope="row">a</th><td class="fs-number">2</td></tr>
        </tbody>
        </table></div>
    """
    shown: list[str] = []
    for part in parts:
        if isinstance(part, Table):
            shown += _html_table(part, sortable)
        lines = part.below if isinstance(part, Table) else part
        lines = ["Notes:", *lines] if isinstance(part, Notes) and lines else lines
        shown += [f"<p>{'<br>'.join(map(escaped, lines))}</p>"] if lines else []
    return "\n".join(shown)


def _html_table(table: Table, sortable: bool) -> Iterator[str]:
    columns = list(zip(table.header, *table.rows, strict=True))
    # The cells decide about numbers: a column after the first that contains a text is a column of texts.
    numbers = [not any(isinstance(cell, str) for cell in column[1:]) for column in columns]
    has_names = table.n_texts == 1 and bool(columns) and not numbers[0]  # else the first column names no row
    yield f'<div class="fs-table" tabindex="0"><table{" data-sortable" if sortable else ""}>'
    if table.title:
        yield f"<caption>{escaped(table.title)}</caption>"
    yield f"<thead><tr>{''.join(map(_head, table.header, numbers))}</tr></thead>"
    yield "<tbody>"
    for row in table.rows:
        cells = [_html_cell(cell, is_number, sortable) for cell, is_number in zip(row, numbers, strict=True)]
        if has_names:
            cells[0] = f'<th scope="row">{shown_cell(row[0], escaped)}</th>'
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody>"
    yield "</table></div>"


def _head(name: str, is_number: bool) -> str:
    """Write the heading of a column; unnamed columns get a plain cell."""
    side = ' class="fs-number"' if is_number else ""
    if not name:
        return f"<td{side}></td>"
    is_long = len(name) > _LONGEST_HEAD
    title = f' title="{escaped(name)}"' if is_long else ""
    shown = f"{name[: _LONGEST_HEAD - 1].rstrip()}…" if is_long else name
    return f'<th scope="col"{side}{title}>{escaped(shown)}</th>'


def _html_cell(cell: Cell, is_number: bool, sortable: bool) -> str:
    classes = ["fs-number"] * is_number
    if isinstance(cell, Shade):
        classes.append(f"fs-shade-{cell.level}")
    named = f' class="{" ".join(classes)}"' if classes else ""
    ranked = cell.number if isinstance(cell, (Marked, Shade)) else cell
    ranked = ranked.low if isinstance(ranked, Interval) else ranked
    has_number = sortable and ranked is not None and not isinstance(ranked, str) and not math.isnan(ranked)
    sort_key = f' data-value="{ranked!r}"' if has_number else ""
    return f"<td{named}{sort_key}>{shown_cell(cell, escaped)}</td>"


def notebook_page(figure: Figure | None, parts: Iterable[Part]) -> str:
    """Return a figure above folded tables, with styles but without scripts."""
    tables, style = as_html(parts), sheet("tables.css")
    if figure is not None:
        from fairsum_utils.reports.figures import drawn

        # The ids of one cell are not those of another.
        prefix = f"f{zlib.crc32(tables.encode()):08x}"
        drawing = drawn(figure, prefix, "Figure of the results; the tables have its numbers")
        tables = f"{drawing}\n<details><summary>Tables</summary>\n{tables}\n</details>"
        style = f"{STYLE}{style}"
    return f'<div class="fairsum-results">\n<style>\n{style}</style>\n{tables}\n</div>'
