"""Columns that are made of other cells of a row."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from fairsum_utils.errors import InputError
from fairsum_utils.families.columns import SOURCES, VALUES
from fairsum_utils.io.cells import as_cell
from fairsum_utils.io.reading import Rows, Source
from fairsum_utils.io.shapes import ALL, Shape
from fairsum_utils.validation import describe, is_missing

Make: TypeAlias = "Callable[[Mapping[str, Any], str], Any]"
"""(row, place for messages) -> a cell."""


class Reshaped(NamedTuple):
    """A source with further columns, made of those that it has.

    Attributes:
        source: the source.
        shape: layout of the samples.
    """

    source: Source
    shape: Shape

    @property
    def label(self) -> str:
        """Name of the table for messages."""
        return self.source.label

    @property
    def names(self) -> list[str]:
        """Names of all columns."""
        there = list(self.source.names)
        made = {name for name, pattern in self._patterns().items() if _matching(pattern, there)}
        return [*there, *made, *([ALL] if self.shape.group_by == ALL and ALL not in there else [])]

    def rows(self, needed: Mapping[str, str], *, others: Collection[str] | None = None) -> Rows:
        """Read rows, see `fairsum_utils.io.reading.Source`."""
        there = list(self.source.names)
        wanted = [*needed, *(others or ())]
        made: dict[str, tuple[list[str], Make]] = {}
        for name, pattern in self._patterns().items():
            if columns := _matching(pattern, there):
                made[name] = columns, partial(_cells, columns)
        if ALL in wanted and ALL not in there:
            made[ALL] = [], lambda row, where: ALL
        for name in wanted:
            if name not in there and "." in name and (head := _head(name, there)):
                made.setdefault(name, ([head], partial(_field, name, head)))
        base = {column for columns, _ in made.values() for column in columns}
        rows = self.source.rows(
            {name: option for name, option in needed.items() if name not in made},
            others=None if others is None else [*(name for name in others if name not in made), *base],
        )
        return rows.changed(lambda row, where: self._with_made(row, made, where))

    def _patterns(self) -> dict[str, str]:
        patterns = {SOURCES.name: self.shape.sources_columns, VALUES.name: self.shape.values_columns}
        return {name: pattern for name, pattern in patterns.items() if pattern is not None}

    def _with_made(self, row: dict[str, Any], made: Mapping[str, tuple[list[str], Make]], where: str) -> dict[str, Any]:
        row = row | {name: make(row, where) for name, (_, make) in made.items()}
        if SOURCES.name not in made:
            return row
        texts, values = row[SOURCES.name], row.get(VALUES.name)
        kept = [place for place, text in enumerate(texts) if not is_missing(text) and text != ""]
        row[SOURCES.name] = [texts[place] for place in kept]
        if VALUES.name in made and values is not None:
            if len(values) != len(texts):
                raise InputError(
                    f"{where}: {len(texts)} columns are named {self.shape.sources_columns} and {len(values)} "
                    f"{self.shape.values_columns}; there must be one of each for each text"
                )
            row[VALUES.name] = [values[place] for place in kept]
        return row


def reshaped(source: Source, shape: Shape, names: Collection[str]) -> Source:
    """Return a source in which all named columns can be read."""
    is_made = shape.sources_columns is not None or shape.group_by == ALL or any("." in name for name in names)
    return Reshaped(source, shape) if is_made else source


def _matching(pattern: str, names: Sequence[str]) -> list[str]:
    """Return the columns that match one of several patterns, in order."""
    patterns = [each.strip() for each in pattern.split(",")]
    return [name for name in names if any(fnmatchcase(str(name), each) for each in patterns)]


def _head(name: str, there: Collection[str]) -> str | None:
    """Return the column that begins a dotted path."""
    parts = name.split(".")
    heads = [".".join(parts[:n]) for n in range(len(parts) - 1, 0, -1)]
    return next((head for head in heads if head in there), None)


def _cells(columns: Sequence[str], row: Mapping[str, Any], where: str) -> list[Any]:
    return [row.get(each) for each in columns]


def _field(name: str, head: str, row: Mapping[str, Any], where: str) -> Any:
    """Return the part of a cell at a dotted path; numbers count from 0."""
    cell, walked = row.get(head), head
    for part in name[len(head) + 1 :].split("."):
        cell = as_cell(cell) if isinstance(cell, str) else cell
        if isinstance(cell, Mapping) and part in cell:
            cell = cell[part]
        elif isinstance(cell, (list, tuple)) and part.isdecimal() and int(part) < len(cell):
            cell = cell[int(part)]
        else:
            found = f"the fields {', '.join(map(str, cell))}" if isinstance(cell, Mapping) else describe(cell)
            raise InputError(f"{where}: no {name!r}: {walked!r} has no {part!r}, found {found}")
        walked = f"{walked}.{part}"
    return cell
