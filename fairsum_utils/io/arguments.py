"""Columns of samples from the arguments of a call."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.families import Column
from fairsum_utils.families.columns import PREDICTIONS, SOURCES, VALUES
from fairsum_utils.io.cells import entries_in
from fairsum_utils.io.frames import Frame, as_list, as_source
from fairsum_utils.io.groups import sample_id
from fairsum_utils.io.layout import Layout, choose_columns, usual_names
from fairsum_utils.io.reading import Source
from fairsum_utils.io.reshaping import reshaped
from fairsum_utils.io.samples import SampleReader, holds_lists, read_chunks
from fairsum_utils.io.shapes import Cutter, Shape

logger = logging.getLogger(__name__)

_CHUNK = 1 << 12
"""Samples that are read together."""


class Samples(NamedTuple):
    """The columns of samples, not checked yet.

    Attributes:
        columns: argument of the call -> list of entries.
        ids: Ids of the samples; None if the table has none.
    """

    columns: dict[str, Any]
    ids: list[str] | None = None


def from_columns(shape: Shape, known: Mapping[str, Column], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call without a table, columns as lists.

    Example:
        >>> from fairsum_utils.families.columns import SOURCES, VALUES
        >>> known = {"sources": SOURCES, "values": VALUES}
        >>> from_columns(Shape(transcript=True), known, {"sources": ["Ann: Hi.\\nBen: Ho."], "k": 2})
        {'sources': [['Hi.', 'Ho.']], 'k': 2, 'values': [['Ann', 'Ben']]}
    """
    if shape.group_by is not None:
        raise InputError(
            f"{shape.module}: group_by names a column of a table, but there is no table; pass the table and the names "
            "of its columns"
        )
    shape.check_columns([name for name, column in arguments.items() if column is not None])
    columns = {name: as_list(column) if name in known else column for name, column in arguments.items()}

    def where(index: int) -> str:
        return f"{shape.module}: sample {index}"

    for name in known.keys() & columns.keys():
        if isinstance(columns[name], list):
            are_lists = holds_lists(known[name], shape, has_values=VALUES.name in known)
            columns[name] = entries_in(columns[name], name, where, are_lists=are_lists)
    if not isinstance(columns.get(SOURCES.name), list):
        return columns
    cutter = Cutter(shape, values=VALUES.name in known and columns.get(VALUES.name) is None, say=logger.info)
    return cutter.cut_column(columns, where)


def from_table(
    shape: Shape,
    table: Source,
    wanted: Mapping[str, Column],
    named: Mapping[str, Any],
    *,
    needed: Callable[[Collection[str]], Iterable[str]],
) -> Samples:
    """Return the columns that a table contains.

    Args:
        shape: layout of the samples.
        table: the table.
        wanted: argument of the call -> column.
        named: argument -> name of its column in the table, or its entries.
        needed: arguments that there are -> arguments that there must be.
    """
    there = [name for name in reshaped(table, shape, ()).names if name != shape.group_by]
    places = _places(shape, wanted, named, there)
    given = {name: entries for name, entries in named.items() if entries is not None and not isinstance(entries, str)}
    apart = _predictions_apart(shape, given)
    table = _with_columns(shape, table, given)
    places |= {name: name for name in given if name in wanted}

    if apart is not None:
        places[PREDICTIONS.name] = str(PREDICTIONS.in_file)

    def layout() -> Layout:
        required = {*needed(places), *(name for name, place in named.items() if isinstance(place, str))}
        columns = tuple((wanted[name]._replace(sparse=name not in required), place) for name, place in places.items())
        return Layout(columns, shape, predictions=apart)

    if VALUES.name in wanted and VALUES.name not in places:  # the sources may have them
        places[VALUES.name] = VALUES.name
        if SampleReader(table, layout()).has_values:
            del places[VALUES.name]
    for name in needed(places):
        places.setdefault(name, wanted[name].in_file or name)
    shape.check_columns(places)
    chunks = list(read_chunks(table, layout(), _CHUNK, say=logger.info))
    columns = {name: list(chain.from_iterable(chunk.columns[name] for chunk in chunks)) for name in chunks[0].columns}
    ids = list(chain.from_iterable(chunk.ids for chunk in chunks))
    has_ids = shape.group_by is not None or shape.id_column in there
    return Samples(columns, ids if has_ids else None)


def _places(
    shape: Shape, wanted: Mapping[str, Column], named: Mapping[str, Any], there: Collection[str]
) -> dict[str, str]:
    """Return the given or usual names of columns in a table."""
    texts = {name: text for name, text in named.items() if isinstance(text, str)}
    if shape.holds_values and VALUES.name in texts:
        raise InputError(f"{shape.module}: the sources already include the values of their texts; omit values")
    return {
        column.name: name
        for column, name in choose_columns([*wanted.values()], texts)
        if column.name in texts
        or (named.get(column.name) is None and any(each in there for each in usual_names(column)))
    }


def _predictions_apart(shape: Shape, given: dict[str, Any]) -> Source | None:
    """Take a table of predictions by id from the given columns."""
    predictions = given.get(PREDICTIONS.name)
    if predictions is None:
        return None
    if isinstance(predictions, Mapping) and not any(isinstance(part, (list, tuple)) for part in predictions.values()):
        ids = [sample_id(f"{shape.module}: predictions", "id", name) for name in predictions]
        columns = {shape.id_column: ids, str(PREDICTIONS.in_file): list(predictions.values())}
        predictions = columns
    source = as_source(shape.module, predictions, "predictions")
    if source is not None:
        del given[PREDICTIONS.name]
    return source


def _with_columns(shape: Shape, table: Source, given: Mapping[str, Any]) -> Source:
    """Add columns beside a table to it."""
    if not given:
        return table
    if shape.group_by is not None:
        raise InputError(
            f"{shape.module}: with group_by all columns come from the table, but {', '.join(given)} is a list; add it "
            "to the table, or give predictions as a table with ids or a dict of id -> prediction"
        )
    columns = {name: as_list(entries) for name, entries in given.items()}
    rows = list(table.rows({}))
    return Frame(
        tuple(dict.fromkeys([*table.names, *columns])),
        lambda name: columns[name] if name in columns else [row.get(name) for row in rows],
        table.label,
    )
