"""Arguments of library calls, a table or columns, as columns of samples."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any

from fairsum_utils.errors import InputError, ScoreWarning
from fairsum_utils.families import Column, family_of
from fairsum_utils.families.inputs import all_columns
from fairsum_utils.io.frames import Frame, Samples, as_frame, as_list, from_columns, from_table, split_shape
from fairsum_utils.io.groups import match_ids
from fairsum_utils.io.shapes import Shape
from fairsum_utils.measures import Measure, get_measure
from fairsum_utils.validation import check_columns, count, describe


def columns_of(
    module: str, asked: Mapping[str, Measure], columns: Sequence[Any], arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments of a scoring call, with columns as lists.

    Example:
        >>> from fairsum_utils.measures.sentiment import Sentiment
        >>> columns_of("score", {"sentiment": Sentiment()}, [[{"prediction": "Fine."}]], {"other": 9})
        {'other': 9, 'predictions': ['Fine.']}
    """
    shape, arguments = split_shape(module, arguments)
    names = _names_of(asked)
    known = all_columns(names)
    functions = {name for measure in asked.values() for name, value in measure.given().items() if callable(value)}
    call = "score(table, {})" if module == "score" else f"compute({module!r}, table, {{}})"

    def needed(there: Collection[str]) -> list[str]:
        return _needed(names, {*there, *functions})

    return _given(shape, known, _order(tuple(names)), columns, arguments, needed, call)


def _given(
    shape: Shape,
    wanted: Mapping[str, Column],
    order: Sequence[str],
    columns: Sequence[Any],
    arguments: Mapping[str, Any],
    needed: Callable[[Collection[str]], list[str]],
    call: str,
) -> dict[str, Any]:
    """Return the arguments of a call with one table or separate columns."""
    tables = _tables(shape.module, columns)
    if len(tables) > 1:
        hint = ", or compare them with compare(a, b)" if shape.module != "compare_systems" else ""
        raise InputError(f"{shape.module}: found {len(tables)} tables; give one{hint}")
    if not tables:
        is_alone = len(columns) == 1 and not wanted.keys() & arguments.keys()
        if is_alone and isinstance(columns[0], Iterator):
            found = describe(columns[0])
            raise InputError(f"{shape.module}: found {found}, which can be read only once; make a list of it")
        return from_columns(shape, wanted, _named(shape.module, order, columns, arguments))
    named = {name: argument for name, argument in arguments.items() if name in wanted}
    others = {name: argument for name, argument in arguments.items() if name not in wanted}
    return others | from_table(shape, tables[0], wanted, named, needed=needed, call=call).columns


def _names_of(asked: Mapping[str, Measure]) -> list[str]:
    return list(dict.fromkeys(measure.name for measure in asked.values()))


def columns_of_both(
    asked: Mapping[str, Measure], columns: Sequence[Any], arguments: Mapping[str, Any]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the columns of both compared systems, and the other arguments."""
    names = _names_of(asked)
    shape, arguments = split_shape("compare", arguments)
    tables, known = _tables("compare", columns), all_columns(names)
    if len(tables) == 2:
        settings = {name: value for name, value in arguments.items() if name not in _of_systems(known)}
        return _two_tables(shape, tables, known, names, arguments), settings
    return _one_call(shape, columns, known, names, arguments)


def columns_of_systems(
    systems: Mapping[str, Any], asked: Mapping[str, Measure], columns: Sequence[Any], arguments: Mapping[str, Any]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the columns of each of several systems, and the other arguments."""
    module, names = "compare_systems", _names_of(asked)
    if not isinstance(systems, Mapping):
        raise InputError(f"{module}: systems must be a mapping of name -> predictions, found {describe(systems)}")
    known = all_columns(names)
    common = {name: column for name, column in known.items() if not column.of_system}
    paired = [name for name in known if name not in common]
    if own := [name for name in paired if arguments.get(name) is not None]:
        raise InputError(f"{module}: {own[0]} belong to one system; give each system its own in `systems`")
    shape, arguments = split_shape(module, arguments)

    def needed(there: Collection[str]) -> list[str]:
        return [name for name in _needed(names, there) if name in common]

    order = [name for name in _order(tuple(names)) if name in common]
    found = _given(shape, common, order, columns, arguments, needed, "compare_systems(systems, table, {})")
    shared = {name: column for name, column in found.items() if name in common and column is not None}
    given = []
    for system, its in systems.items():
        mine = dict(its) if isinstance(its, Mapping) else {"predictions": its}
        if wrong := [name for name in mine if name not in paired]:
            raise InputError(
                f"{module}: system {system!r} has {describe(wrong[0])}, which is not a column of systems; use "
                f"{', '.join(paired)}"
            )
        each = {name: as_list(column) for name, column in mine.items()} | shared
        check_columns(f"{module}: system {system!r}", **each)
        given.append(each)
    _check_alike(module, systems, given)
    return given, {name: argument for name, argument in found.items() if name not in known}


def _check_alike(module: str, systems: Iterable[str], given: Sequence[Mapping[str, Any]]) -> None:
    """Check that all systems have the same columns and number of samples."""
    if len({frozenset(each) for each in given}) > 1:
        found = "; ".join(f"{', '.join(each)} of {name}" for name, each in zip(systems, given, strict=True))
        raise InputError(f"{module}: every system must have the same columns, found {found}")
    if len({len(next(iter(each.values()))) for each in given}) > 1:
        sizes = (f"{len(next(iter(each.values())))} of {name}" for name, each in zip(systems, given, strict=True))
        raise InputError(f"{module}: compare the same samples; found {', '.join(sizes)}")


def _of_systems(known: Mapping[str, Column]) -> dict[str, Column]:
    """Return the columns of a comparison by all their argument names."""
    paired = {f"{name}_{system}": column for name, column in known.items() if column.of_system for system in "ab"}
    return {**paired, **known}


def _one_call(
    shape: Shape,
    columns: Sequence[Any],
    known: Mapping[str, Column],
    names: Sequence[str],
    arguments: Mapping[str, Any],
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the columns of both systems from one call, and the other arguments."""
    paired = [name for name, column in known.items() if column.of_system]
    arguments_of = {name: column for name, column in _of_systems(known).items() if name not in paired}
    order = ["predictions_a", "predictions_b", *(name for name in _order(tuple(names)) if name not in paired)]
    for name in paired:
        if arguments.get(name) is not None:
            raise InputError(f"compare: {name} belong to one system; give {name}_a and {name}_b")
    needed = partial(_needed_of_both, names, known)
    given = _given(shape, arguments_of, order, columns, arguments, needed, "compare(table, {})")
    check_columns("compare", **{name: given[name] for name in arguments_of if given.get(name) is not None})
    systems = []
    for system, other in (("a", "b"), ("b", "a")):
        mine = {name: given.get(f"{name}_{system}") for name in paired}
        for name, entries in mine.items():
            if entries is not None and given.get(f"{name}_{other}") is None:
                raise InputError(f"compare: {name} is missing for one system; give it for both or for neither")
        systems.append(mine)
    theirs = {f"{name}_{system}" for name in paired for system in "ab"}
    return systems, {name: argument for name, argument in given.items() if name not in theirs}


def _needed_of_both(names: Sequence[str], known: Mapping[str, Column], there: Collection[str]) -> list[str]:
    """Return the required arguments of a comparison of two systems."""
    given = {name for name, column in known.items() if name in there or (column.of_system and f"{name}_a" in there)}
    needed = _needed(names, given)
    return [
        argument for name in needed for argument in ((f"{name}_a", f"{name}_b") if known[name].of_system else (name,))
    ]


def _two_tables(
    shape: Shape,
    tables: Sequence[Frame],
    known: Mapping[str, Column],
    names: Sequence[str],
    arguments: Mapping[str, Any],
) -> list[dict[str, Any]]:
    """Return the columns of two tables, in the order of A."""
    found: list[Samples] = []
    for system, table in zip("ab", tables, strict=True):
        named = {
            name: arguments.get(f"{name}_{system}", arguments.get(name)) if column.of_system else arguments.get(name)
            for name, column in known.items()
        }
        wanted = dict(known)
        if found and shape.group_by is None:  # shared columns may be in A only
            wanted = {
                name: column
                for name, column in known.items()
                if column.of_system or {named[name] if isinstance(named[name], str) else name} & {*table.names}
            }

        def needed(there: Collection[str], wanted: Mapping[str, Column] = wanted) -> list[str]:
            return [name for name in _needed(names, there) if name in wanted]

        found.append(from_table(shape, table, wanted, named, needed=needed, call="compare(a, b, {})"))
    (a, ids_a), (b, ids_b) = found
    if (ids_a is None) != (ids_b is None):
        has, lacks = "AB" if ids_b is None else "BA"
        message = (
            f"compare: {has} has a column {shape.id_column!r} and {lacks} has none, so samples are paired by order; "
            "add the column to both"
        )
        warnings.warn(message, ScoreWarning, stacklevel=4)
    if ids_a is not None and ids_b is not None:
        places = match_ids("compare", ids_a, ids_b)
        b = {name: [entries[place] for place in places] for name, entries in b.items()}
    return [a, {**{name: entries for name, entries in a.items() if not known[name].of_system}, **b}]


def _needed(names: Sequence[str], there: Collection[str]) -> list[str]:
    """Return the columns that the measures require."""
    return list(dict.fromkeys(column for name in names for column in get_measure(name).needed(there)))


def _tables(module: str, columns: Sequence[Any]) -> list[Frame]:
    """Return the leading tables; no other argument may then be positional."""
    tables = [table for column in columns[:2] if (table := as_frame(module, column)) is not None]
    if tables and len(tables) < len(columns):
        raise InputError(
            f"{module}: found a table and {count(len(columns) - len(tables), 'more positional argument')}; give "
            "columns next to a table by name"
        )
    return tables


@cache
def _order(names: tuple[str, ...]) -> list[str]:
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
