"""Columns of cells below each other in lines of text, cut to the width of a terminal where there is one."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from wcwidth import wcswidth

_GAP = "  "

# A name, and a cell on one line for each row
_Column = Sequence[str]


def width_of(text: str) -> int:
    """Columns of a terminal that a text takes.

    Example:
        >>> width_of("soup"), width_of("スープ")
        (4, 6)
    """
    width = len(text) if text.isascii() else wcswidth(unicodedata.normalize("NFC", text))
    return width if width >= 0 else len(text)


def padded(columns: Sequence[_Column], n_texts: int) -> list[list[str]]:
    """The columns with blanks, each of one width.

    Example:
        >>> padded([["group", "a"], ["texts", "2"]], 1)
        [['group', 'a    '], ['texts', '    2']]
    """
    filled = []
    for place, column in enumerate(columns):
        width = _widest(column)
        blanks = [" " * (width - width_of(cell)) for cell in column]
        is_text = place < n_texts
        filled.append([cell + blank if is_text else blank + cell for cell, blank in zip(column, blanks, strict=True)])
    return filled


def aligned_lines(columns: Sequence[_Column], n_texts: int, width: int | None = None) -> list[str]:
    """A table in lines.

    Where these would be wider than the terminal, texts are cut between words, with an empty line between rows; and
    where that is not enough, the columns of numbers follow in several tables, each with the texts.

    Example:
        >>> table = [["what", "warm soup", "bread"], ["cold", "0.25", "0.50"], ["stale", "0.75", "1.00"]]
        >>> print("\\n".join(aligned_lines(table, 1, width=12)))
        what   cold
        <BLANKLINE>
        warm   0.25
        soup
        <BLANKLINE>
        bread  0.50
        <BLANKLINE>
        what   stale
        <BLANKLINE>
        warm    0.75
        soup
        <BLANKLINE>
        bread   1.00
    """
    if width is not None and _total(columns) > width:
        columns = _with_cut_texts(columns, n_texts, width)
    blocks = [columns] if width is None else _blocks(columns, n_texts, width)
    lines: list[str] = []
    for block in blocks:
        rows = zip(*padded(block, n_texts), strict=True)
        lines += [""] * bool(lines) + [_GAP.join(row).rstrip() for row in rows]
    return lines


def _widest(column: _Column) -> int:
    return max(map(width_of, column))


def _total(columns: Sequence[_Column]) -> int:
    """The width of the lines."""
    return sum(map(_widest, columns)) + len(_GAP) * (len(columns) - 1)


def _with_cut_texts(columns: Sequence[_Column], n_texts: int, width: int) -> list[list[str]]:
    """The columns, their texts over as many lines as they need; the widest texts are cut first."""
    widths = [_widest(column) for column in columns[:n_texts]]
    least = [max(width_of(word) for cell in column for word in cell.split() or [""]) for column in columns[:n_texts]]
    spare = _total(columns) - width
    while spare > 0 and any(map(int.__gt__, widths, least)):
        widest = max((wide, place) for place, wide in enumerate(widths) if wide > least[place])[1]
        widths[widest] -= 1
        spare -= 1
    cells = [[_cut(cell, wide) for cell in column] for column, wide in zip(columns[:n_texts], widths, strict=True)]
    cells += [[[cell] for cell in column] for column in columns[n_texts:]]
    rows = [list(zip_longest(*row, fillvalue="")) for row in zip(*cells, strict=True)]
    if any(len(row) > 1 for row in rows):
        rows = [line for row in rows for line in (row, [("",) * len(columns)])][:-1]
    return [list(column) for column in zip(*(line for row in rows for line in row), strict=True)]


def _cut(text: str, width: int) -> list[str]:
    """A text in lines of so many columns, but for longer words."""
    lines: list[str] = []
    for word in text.split():
        if lines and width_of(lines[-1]) + 1 + width_of(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [text]


def _blocks(columns: Sequence[_Column], n_texts: int, width: int) -> Iterator[list[_Column]]:
    """The columns in tables that are no wider, each with the texts and at least one more column."""
    texts = list(columns[:n_texts])
    block = texts[:]
    for column in columns[n_texts:]:
        if len(block) > n_texts and _total([*block, column]) > width:
            yield block
            block = texts[:]
        block.append(column)
    yield block
