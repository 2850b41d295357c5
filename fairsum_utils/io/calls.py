"""Arguments of library calls, a table or columns, as columns of samples."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.families import Column, family_of
from fairsum_utils.families.inputs import all_columns
from fairsum_utils.io.arguments import Samples, from_columns, from_table
from fairsum_utils.io.frames import as_frame, as_source
from fairsum_utils.io.reading import Source
from fairsum_utils.io.shapes import Shape, split_shape
from fairsum_utils.measures import Measure
from fairsum_utils.validation import count, describe


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
