"""Arguments of library calls, a table or columns, as columns of samples."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.families import Column, family_of
from fairsum_utils.families.columns import PREDICTIONS, SOURCES, VALUES
from fairsum_utils.families.inputs import all_columns
from fairsum_utils.io.cells import entries_in
from fairsum_utils.io.frames import Frame, as_frame, as_list, as_source
from fairsum_utils.io.groups import sample_id
from fairsum_utils.io.layout import Layout, choose_columns, usual_names
from fairsum_utils.io.reading import Source
from fairsum_utils.io.reshaping import reshaped
from fairsum_utils.io.samples import SampleReader, holds_lists, read_chunks
from fairsum_utils.io.shapes import Cutter, Shape, split_shape
from fairsum_utils.measures import Measure
from fairsum_utils.validation import count, describe

logger = logging.getLogger(__name__)

_CHUNK = 1 << 12
"""Samples that are read together."""


class Samples(NamedTuple):
    """The columns of samples, not checked yet.

    Attributes:
        columns: argument of the call -> list of entries.
        ids: ids of the samples; None if the table has none.
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


def columns_of(
    module: str, asked: Mapping[str, Measure], columns: Sequence[Any], arguments: Mapping[str, Any]
) -> Samples:
    """Return the arguments of a scoring call, columns as lists, and ids.

    Example:
        >>> from fairsum_utils.measures.sentiment import Sentiment
        >>> columns_of("score", {"sentiment": Sentiment()}, [[{"prediction": "Fine."}]], {"other": 9}).columns
        {'other': 9, 'predictions': ['Fine.']}
    """
    shape, arguments = split_shape(module, arguments)
    names = names_of(asked)
    return given_columns(shape, all_columns(names), order_of(names), columns, arguments, needed_by(asked))


def names_of(asked: Mapping[str, Measure]) -> tuple[str, ...]:
    """Return the names of measures, each once."""
    return tuple(dict.fromkeys(measure.name for measure in asked.values()))


def needed_by(asked: Mapping[str, Measure]) -> Callable[[Collection[str]], list[str]]:
    """Return a function from the given columns to those that measures require."""
    functions = {name for measure in asked.values() for name, value in measure.given().items() if callable(value)}

    def needed(there: Collection[str]) -> list[str]:
        given = {*there, *functions}
        return list(dict.fromkeys(column for measure in asked.values() for column in measure.needed(given)))

    return needed


def given_columns(
    shape: Shape,
    wanted: Mapping[str, Column],
    order: Sequence[str],
    columns: Sequence[Any],
    arguments: Mapping[str, Any],
    needed: Callable[[Collection[str]], list[str]],
) -> Samples:
    """Return the arguments of a call with one table or columns, and ids."""
    tables = tables_in(shape.module, columns)
    if len(tables) > 1:
        hint = ", or compare them with compare(a, b)" if shape.module != "compare" else ""
        raise InputError(f"{shape.module}: found {len(tables)} tables; give one{hint}")
    if not tables:
        is_alone = len(columns) == 1 and not wanted.keys() & arguments.keys()
        if is_alone and isinstance(columns[0], Iterator):
            found = describe(columns[0])
            raise InputError(f"{shape.module}: found {found}, which can be read only once; make a list of it")
        return Samples(from_columns(shape, wanted, _named(shape.module, order, columns, arguments)))
    named = {name: argument for name, argument in arguments.items() if name in wanted}
    others = {name: argument for name, argument in arguments.items() if name not in wanted}
    read = from_table(shape, tables[0], wanted, named, needed=needed)
    return read._replace(columns=others | read.columns)


def tables_in(module: str, columns: Sequence[Any]) -> list[Source]:
    """Return the leading tables; no other argument may then be positional."""
    are_names = all(isinstance(column, (str, os.PathLike)) for column in columns)
    read = as_source if are_names else as_frame
    tables = [table for column in columns[:2] if (table := read(module, column)) is not None]
    if tables and len(tables) < len(columns):
        raise InputError(
            f"{module}: found a table and {count(len(columns) - len(tables), 'more positional argument')}; give "
            "columns next to a table by name"
        )
    return tables


@cache
def order_of(names: tuple[str, ...]) -> list[str]:
    """Return the columns that every family accepts at the same position."""
    orders = [[column.name for column in family.columns] for family in {family_of(name): None for name in names}]
    order = []
    for places in zip(*orders, strict=False):
        if len(set(places)) > 1:
            break
        order.append(places[0])
    return order


def _named(module: str, order: Sequence[str], columns: Sequence[Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """All arguments by name."""
    if len(columns) > len(order):
        raise InputError(
            f"{module}: found {len(columns)} positional columns, but only {', '.join(order)} can be positional; name "
            "the others"
        )
    given = dict(zip(order, columns, strict=False))
    for name in given:
        if name in arguments:
            raise InputError(f"{module}: {name} is given twice, by position and by name; give it once")
    return {**given, **arguments}
