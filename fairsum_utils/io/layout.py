"""Names of the columns of samples in a table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.families import Column
from fairsum_utils.families.columns import ARTICLE_IDS, VALUES
from fairsum_utils.families.inputs import all_columns
from fairsum_utils.io.names import Names
from fairsum_utils.io.shapes import Shape
from fairsum_utils.measures import get_measure


class Layout(NamedTuple):
    """Column names in a file, and the shape of its samples.

    Attributes:
        columns: wanted columns, each with its name in the file.
        shape: shape of the samples.
        by_id: True if a sample's id serves as its original.
        predictions: file or table with the predictions by sample id; None if they are in the same table.
    """

    columns: tuple[tuple[Column, str], ...]
    shape: Shape
    by_id: bool = False
    predictions: Any = None

    @property
    def id(self) -> str:
        """Name of the column with the ids of the samples."""
        return self.shape.group_by or self.shape.id_column

    @property
    def files(self) -> dict[str, str]:
        """Name of each column -> its name in the file."""
        return {column.name: name for column, name in self.columns}


def usual_names(column: Column) -> tuple[str, ...]:
    """Return the names that are tried for a column in a file."""
    return () if column.in_file is None else (column.in_file, column.name, *column.also)


def with_names_of(there: Collection[str], layout: Layout) -> Layout:
    """Return the layout with the names that a table has for its columns."""
    columns = []
    for column, name in layout.columns:
        is_usual = name == column.in_file
        names = usual_names(column) if is_usual else (name,)
        found = next((each for each in names if each in there), None)
        if found is None and there and column.name == ARTICLE_IDS.name and column.without and is_usual:
            continue  # each sample is its own original
        columns.append((column, found or name))
    return layout._replace(columns=tuple(columns))


def choose_columns(columns: Iterable[Column], named: Mapping[str, str | None]) -> tuple[tuple[Column, str], ...]:
    """Return the columns to read, with their names in the file."""
    chosen = []
    for column in columns:
        name = named.get(column.name, column.in_file)
        if name is not None and not (name == "none" and column.without):
            # A column that the user named must exist.
            chosen.append((column._replace(sparse=column.sparse and column.name not in named), name))
    return tuple(chosen)


def layout_for(
    measures: Sequence[str],
    named: Mapping[str, str | None],
    shape: Shape,
    *,
    predictions: Names | None = None,
    called: Callable[[str], str] = str,
) -> Layout:
    """Return the columns to read: required ones, and optional ones that may exist.

    Example:
        >>> layout = layout_for(["bur"], {"predictions": "summary"}, Shape())
        >>> [(column.name, name) for column, name in layout.columns]
        [('predictions', 'summary'), ('sources', 'sources'), ('values', 'values')]
    """
    known = all_columns(measures)
    columns = choose_columns(known.values(), named)
    given = {column.name for column, _ in columns}
    needed = {name: measure for measure in measures for name in get_measure(measure).needed(given)}
    if missing := [name for name in known if name in needed and name not in given]:
        reasons = (f"{needed[name]} needs the column {name}; name it with {called(name)}" for name in missing)
        raise InputError(f"{shape.module}: {', '.join(reasons)}")
    wanted = tuple(
        (column._replace(sparse=False, without=None) if column.name in needed else column, name)
        for column, name in columns
        if column.name in needed or not any(column.needed_by(measure) for measure in measures if column.takes(measure))
    )
    shape.check_columns({column.name for column, _ in wanted})
    if shape.holds_values and VALUES.name in named:
        raise InputError(f"{shape.module}: the sources tell the values of their texts; leave {called('values')} out")
    return Layout(wanted, shape, by_id=ARTICLE_IDS.name in known, predictions=predictions)


def quality_column(name: str) -> Column:
    """Return a column of numbers that is shown next to the scores.

    Example:
        >>> quality_column("rouge").flag
        '--quality-column'
    """
    return Column(name=f"quality:{name}", entry="quality", kind=str, help="numbers", in_file=name)
