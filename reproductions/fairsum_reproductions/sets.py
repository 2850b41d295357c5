"""Sets of source texts with their values, in any shape that scoring reads: lists, a row a text, turns, transcripts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.families.columns import SOURCES, VALUES
from fairsum_utils.io.frames import Frame, from_table
from fairsum_utils.io.layout import Layout, read_chunks
from fairsum_utils.io.shapes import Shape

COLUMNS = {column.name: column for column in (SOURCES, VALUES)}
"""What a set consists of."""

_CHUNK = 1_000
"""Sets that are read together."""


def sets_of_file(
    path: str | os.PathLike[str], columns: Mapping[str, str], shape: Shape, reading: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """The sets of a file, in the order in which scoring numbers them.

    Args:
        path: of the file.
        columns: a key of `COLUMNS` -> its name in the file, where it has another.
        shape: of the sets.
        reading: how the file is read, see `fairsum_utils.io.reading.read_rows`.

    Returns:
        ``sources`` and ``values`` of each, not checked yet.

    Raises:
        InputError: the file cannot be read or lacks a column, or a set is not of the shape.
    """
    layout = Layout(tuple((column, columns.get(name, name)) for name, column in COLUMNS.items()), shape)
    return [
        dict(zip(COLUMNS, entries, strict=True))
        for chunk in read_chunks(path, layout, _CHUNK, **reading)
        for entries in zip(*(chunk.columns[name] for name in COLUMNS), strict=True)
    ]


def sets_of_table(name: str, table: Frame, columns: Mapping[str, str], shape: Shape) -> list[dict[str, Any]]:
    """The sets of a table.

    Args:
        name: what the table is called, for messages.
        table: of any library.
        columns: as of `sets_of_file`.
        shape: of the sets.

    Raises:
        InputError: the table has no row or lacks a column, or a set is not of the shape.

    Example:
        >>> from fairsum_utils.io.frames import as_frame
        >>> table = as_frame("oracle", [{"sources": "Ann: Yes.\\nBen: No."}])
        >>> sets_of_table("data", table, {}, Shape(transcript=True, module="oracle"))
        [{'sources': ['Yes.', 'No.'], 'values': ['Ann', 'Ben']}]
    """
    found = ", ".join(map(str, table.names)) or "none"
    by = shape.group_by
    if by is not None and by not in table.names:
        raise InputError(f"{shape.module}: {name} has no column {by!r} to group by; found {found}")
    named = {SOURCES.name: SOURCES.name, **columns}  # values may be told by the sources
    wrong = {place: key for key, place in named.items() if place not in table.names}
    if not wrong:
        read = from_table(shape, table, COLUMNS, columns, needed=lambda there: (), call="").columns
        wrong = {columns.get(key, key): key for key in COLUMNS if key not in read}
    for place, key in wrong.items():
        raise InputError(
            f"{shape.module}: {name} has no column {place!r}; found {found}; name it, as in "
            f"columns={{{key!r}: 'my_{key}'}}"
        )
    sets = [dict(zip(COLUMNS, entries, strict=True)) for entries in zip(*(read[key] for key in COLUMNS), strict=True)]
    if not sets:
        raise InputError(f"{shape.module}: {name} holds no row; give at least one")
    return sets
