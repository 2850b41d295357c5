"""A table of numbers in which large ones are dark: each number is written in its cell."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from fairsum_utils.reports.drawings import axis, svg
from fairsum_utils.reports.drawings.sheet import Form
from fairsum_utils.reports.drawings.svg import EDGE, GAP, PHONE, clean, dozen, shortened, width, wrapped
from fairsum_utils.reports.theme import BODY, SMALL

STRENGTH = 0.45
"""Of the colour of the largest number; any number is read on it."""
_HIGH = 24
"""Pixels of a row."""


class Heat(NamedTuple):
    """A table of numbers."""

    title: str
    rows: Sequence[str]  # names, from top to bottom
    columns: Sequence[str]  # names, from left to right
    # NaN: undefined; None: nothing to show
    numbers: Sequence[Sequence[float | None]]
    axis: str  # what the numbers are, and which direction is fairer
    written: Callable[[float], str] = "{:.2f}".format
    framed: Sequence[Sequence[bool]] = ()  # of each row whether each cell has a frame; none for none
    notes: Sequence[str] = ()
    most: float | None = None  # size of the number that is darkest; None for the largest one
    # of each row what is written in each cell instead of its number; none for the numbers
    texts: Sequence[Sequence[str]] = ()
    signed: bool = False  # whether numbers have two colours, by their sign, also where none is below zero
    # whether columns have names above them also where these are those of the rows, which else have numbers
    named: bool = False

    def draw(self, body: list[str], y: float, wide: float, beside: Sequence[Form]) -> float:
        """Draw it, see `fairsum_utils.reports.drawings.sheet.Form`; columns that do not fit follow below."""
        y = axis.heading(body, self.title, y, wide)
        if not (self.rows and self.columns):
            return svg.paragraph(body, y, "There is nothing to compare.", wide)
        label = max(width(name, BODY) for name in self._row_names())
        most = (0.34 if wide >= PHONE else 0.3) * wide - EDGE
        above = BODY + 3 if label > most and wide < PHONE else 0
        label = wide - 2 * EDGE if above else min(label, most)
        left = EDGE + (0.0 if above else round(label + GAP, 2))
        cell = max(width(words, SMALL) for words in self._all_written()) + 6
        at_once = max(int((wide - EDGE - left) // cell), 1)
        n_blocks = math.ceil(len(self.columns) / at_once)
        at_once = math.ceil(len(self.columns) / n_blocks)
        cell = min((wide - EDGE - left) / at_once, 96)
        for first in range(0, len(self.columns), at_once):
            shown = range(first, min(first + at_once, len(self.columns)))
            y = self._block(body, y + 4, shown, left, cell, label, above)
        return svg.paragraphs(body, y, (self.axis, *self._legend(cell), *self.notes), wide, apart=2)

    def told(self) -> str:
        """The largest number of each row, at most a dozen rows."""
        said = []
        for name, numbers in zip(self.rows, self.numbers, strict=True):
            known = [
                (number, column) for number, column in zip(numbers, self.columns, strict=True) if _is_known(number)
            ]
            largest = max(known, key=lambda pair: abs(pair[0] or 0.0), default=None)
            said.append(f"{name} {self.written(largest[0] or 0.0)} ({largest[1]})" if largest else f"{name} none")
        return f"{self.title} ({self.axis}), the largest of each row: {dozen(said)}."

    def _all_written(self) -> list[str]:
        return [self._written(row, column) for row in range(len(self.rows)) for column in range(len(self.columns))]

    def _written(self, row: int, column: int) -> str:
        number = self.numbers[row][column]
        if number is None:
            return ""
        if not _is_known(number):
            return "?"
        if self.texts:
            return clean(self.texts[row][column])
        words = self.written(number)
        # What is rounded to nothing has no sign.
        return f"{words.replace('-', '−') if set(words) & set('123456789') else words.lstrip('-')}"

    def _heads(self, cell: float) -> list[list[str]]:
        """The name of each column in lines that fit; its number, if the name of any column has no room."""
        numbers = [[str(place)] for place in range(1, len(self.columns) + 1)]
        if self._is_numbered:
            return numbers
        names = [clean(name).replace("_", " ") for name in self.columns]
        lines = [wrapped(name, SMALL, cell - 4, 2) for name in names]
        return lines if all(" ".join(line) == name for line, name in zip(lines, names, strict=True)) else numbers

    def _legend(self, cell: float) -> list[str]:
        """What the numbers above columns stand for, where their names have no room; and what a question mark is."""
        unknown = any(number is not None and not _is_known(number) for row in self.numbers for number in row)
        said = ["?: undefined"] * unknown
        if self._is_numbered or self._heads(cell)[-1] != [str(len(self.columns))]:
            return said
        return [", ".join(f"{place}: {name}" for place, name in enumerate(self.columns, start=1)), *said]

    def _row_names(self) -> list[str]:
        """Names of rows; those of the columns have the numbers by which columns can be found."""
        names = [clean(name) for name in self.rows]
        return [f"{place} {name}" for place, name in enumerate(names, start=1)] if self._is_numbered else names

    @property
    def _is_numbered(self) -> bool:
        """Whether columns are those of the rows, and so have numbers by which they are found there."""
        return not self.named and list(self.rows) == list(self.columns)

    def _block(
        self, body: list[str], y: float, columns: range, left: float, cell: float, label: float, above: int
    ) -> float:
        of_all = self._heads(cell)
        heads = [of_all[column] for column in columns]
        high = max(map(len, heads))
        for place, lines in enumerate(heads):
            x = round(left + (place + 0.5) * cell, 2)
            for number, words in enumerate(lines, start=high - len(lines) + 1):
                at = y + number * (SMALL + 3)
                body.append(svg.text(x, at, words, SMALL, colour="muted", anchor="middle"))
        y += high * (SMALL + 3) + 6
        shading = self._shading()
        for row, name in enumerate(self._row_names()):
            words = shortened(name, BODY, label)
            if above:
                body.append(svg.text(EDGE, y + BODY, words, BODY))
            else:
                body.append(svg.text(EDGE + label, y + _HIGH / 2 + 4.5, words, BODY, anchor="end"))
            y += above
            for place, column in enumerate(columns):
                self._cell(body, row, column, round(left + place * cell, 2), y, cell, shading)
            y += _HIGH
        return y

    def _shading(self) -> _Shading:
        known = [number for row in self.numbers for number in row if number is not None and math.isfinite(number)]
        most = self.most or max(map(abs, known), default=1.0) or 1.0
        return _Shading(most, signed=self.signed or any(number < 0 for number in known))

    def _cell(self, body: list[str], row: int, column: int, x: float, y: float, cell: float, shading: _Shading) -> None:
        number, words = self.numbers[row][column], self._written(row, column)
        if number is None:
            return
        pair = {"row": clean(self.rows[row]), "column": clean(self.columns[column])}
        body.append(f'<g class="cell"{svg.data(**pair, number=number)}>')
        body.append(svg.titled(f"{pair['row']}, {pair['column']}: {words if _is_known(number) else 'undefined'}"))
        colour, strength = shading.of(number)
        body.append(svg.rect(x + 1, y + 1, round(cell - 2, 2), _HIGH - 2, colour, round_=2, strength=strength))
        if self.framed and self.framed[row][column]:
            edge = f"M{x + 2:g} {y + 2}h{cell - 4:g}v{_HIGH - 4}h{4 - cell:g}Z"
            body.append(svg.path(edge, "ink", broad=1.5))
        at = round(x + cell / 2, 2)
        body.append(svg.text(at, y + _HIGH / 2 + 4.5, shortened(words, SMALL, cell - 4), SMALL, anchor="middle"))
        body.append("</g>")


class _Shading(NamedTuple):
    """How dark a number is: by its size, beside the largest; in two colours where some are below zero."""

    most: float
    signed: bool

    def of(self, number: float) -> tuple[str, float]:
        """Colour and strength of a number."""
        if not math.isfinite(number):
            return "grid", 0.5
        colour = "accent" if not self.signed else "plus" if number >= 0 else "minus"
        return colour, round(min(abs(number) / self.most, 1) * STRENGTH, 3)


def _is_known(number: float | None) -> bool:
    return number is not None and math.isfinite(number)
