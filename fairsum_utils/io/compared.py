"""Arguments of `compare` as columns of systems."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from fairsum_utils.errors import InputError, ScoreWarning
from fairsum_utils.families import Column
from fairsum_utils.families.inputs import all_columns
from fairsum_utils.io.arguments import from_table
from fairsum_utils.io.calls import given_columns, names_of, needed_by, order_of, tables_in
from fairsum_utils.io.frames import Frame, as_frame, as_list
from fairsum_utils.io.groups import match_ids
from fairsum_utils.io.shapes import Shape, split_shape
from fairsum_utils.measures import Measure
from fairsum_utils.validation import check_columns, count, describe

_MODULE = "compare"
_USUAL = ("A", "B")
"""Names of two systems without names."""


class Systems(NamedTuple):
    """Arguments of a comparison.

    Attributes:
        columns: name of a system -> its columns, those that all share included.
        others: arguments that are no columns.
    """

    columns: dict[str, dict[str, Any]]
    others: dict[str, Any]


def columns_of_systems(
    systems: Any,
    columns: Sequence[Any],
    asked: Mapping[str, Measure],
    arguments: Mapping[str, Any],
    labels: Sequence[str] | None = None,
) -> Systems:
    """Return the columns of compared systems, and the other arguments.

    Args:
        systems: name of a system -> its predictions, own columns or table; or what the first of two has.
        columns: positional arguments after `systems`.
        asked: label -> measure.
        arguments: keywords.
        labels: names of two systems without names.

    Example:
        >>> from fairsum_utils.measures.uer import UER
        >>> columns_of_systems(["Tasty."], [["Awful."], [["Soup."]], [["pos"]]], {"uer": UER()}, {}).columns["B"]
        {'predictions': ['Awful.'], 'sources': [['Soup.']], 'values': [['pos']]}
    """
    shape, arguments = split_shape(_MODULE, arguments)
    known = all_columns(names_of(asked))
    if earlier := [name[:-2] for name in arguments if name[-2:] in ("_a", "_b") and name[:-2] in known]:
        raise _of_one_system(earlier[0])
    systems = {} if systems is None else systems
    if isinstance(systems, Mapping) and not _is_table(systems, known, arguments):
        if labels is not None:
            raise InputError("compare: labels name two systems without names; these have names, so omit labels")
        named = dict(systems)
        tables = {name: None if isinstance(its, Mapping) else _table_of(name, its) for name, its in named.items()}
    else:
        labels = _USUAL if labels is None else labels
        named = dict(zip(check_labels(labels), (systems, *columns[:1]), strict=False))
        tables = {name: _table_of(name, its) for name, its in named.items()}
        columns = columns[1:]
    if wrong := [name for name in named if not (isinstance(name, str) and name.strip())]:
        raise InputError(f"compare: names of systems must be texts, found {describe(wrong[0])}")
    if len(named) < 2:
        found = f"{', '.join(named) or 'none'}; give a mapping of names -> predictions, or those of two systems"
        raise InputError(f"compare: needs at least two systems, found {found}")
    frames = {name: table for name, table in tables.items() if table is not None}
    if len(frames) < len(named):
        return _beside_shared(shape, named, columns, asked, arguments)
    if columns:
        raise InputError(
            f"compare: found {len(frames)} tables and {count(len(columns), 'more positional argument')}; give columns "
            "next to tables by name"
        )
    others = {name: value for name, value in arguments.items() if name not in known}
    return Systems(_of_tables(shape, frames, known, needed_by(asked), arguments), others)


def _table_of(system: str, its: Any) -> Frame | None:
    """Return the table of a system; None if it is none."""
    return as_frame(_MODULE, its, f"the table of {system}")


def check_labels(labels: Sequence[str]) -> Sequence[str]:
    """Refuse anything but two different names of systems."""
    if len(labels) != 2 or len(set(labels)) != 2 or not all(labels):
        raise InputError(f"compare: labels must be two different names, found {', '.join(labels) or 'none'}")
    return labels


def _is_table(systems: Mapping[str, Any], known: Mapping[str, Column], arguments: Mapping[str, Any]) -> bool:
    """Return whether a mapping has columns of samples rather than systems."""
    usual = {name for column in known.values() for name in (column.name, column.in_file, *column.also)}
    named = {name for name in arguments.values() if isinstance(name, str)}
    return not systems.keys().isdisjoint(usual | named)


def _beside_shared(
    shape: Shape,
    named: Mapping[str, Any],
    columns: Sequence[Any],
    asked: Mapping[str, Measure],
    arguments: Mapping[str, Any],
) -> Systems:
    """Return the columns of systems that have their own beside shared ones."""
    known = all_columns(names_of(asked))
    shared = {name: column for name, column in known.items() if not column.of_system}
    if wrong := [name for name in arguments if name in known and name not in shared]:
        raise _of_one_system(wrong[0])
    own = {system: _own(system, its, known) for system, its in named.items()}
    entries = {f"{name} of {system}": entry for system, mine in own.items() for name, entry in mine.items()}
    wanted = shared | {f"{name} of {system}": known[name] for system, mine in own.items() for name in mine}
    for table in tables_in(_MODULE, columns)[:1]:
        for argument, name in entries.items():
            if isinstance(name, str) and name not in table.names:
                there = ", ".join(map(str, table.names))
                raise InputError(f"compare: the table has no column {name!r} for {argument}; it has {there}")
    needed = needed_by(asked)

    def needed_of_shared(there: Collection[str]) -> list[str]:
        given = {name.partition(" of ")[0] for name in there}
        return [name for name in needed(given) if name in shared]

    order = [name for name in order_of(names_of(asked)) if name in shared]
    every = {**arguments, **entries}
    given = given_columns(shape, wanted, order, columns, every, needed_of_shared).columns
    common = {name: given[name] for name in shared if given.get(name) is not None}
    found: dict[str, dict[str, Any]] = {}
    for system, mine in own.items():
        found[system] = {name: as_list(given[f"{name} of {system}"]) for name in mine} | common
        check_columns(f"compare: system {system!r}", **found[system])
    _check_alike(found)
    return Systems(found, {name: value for name, value in given.items() if name not in {*known, *wanted}})


def _of_one_system(name: str) -> InputError:
    """Return the error about a column that is not of all systems."""
    example = f"{{'A': {{{name!r}: ...}}, 'B': {{{name!r}: ...}}}}"
    return InputError(f"compare: {name} belong to one system; give each system its own, as in {example}")


def _own(system: str, its: Any, known: Mapping[str, Column]) -> dict[str, Any]:
    """Return the entries of a system's own columns."""
    own = dict(its) if isinstance(its, Mapping) else {"predictions": its}
    paired = [name for name, column in known.items() if column.of_system]
    if wrong := [name for name in own if name not in paired]:
        raise InputError(
            f"compare: system {system!r} has {describe(wrong[0])}, which is not a column of systems; use "
            f"{', '.join(paired)}"
        )
    return {name: entries for name, entries in own.items() if entries is not None}


def _check_alike(systems: Mapping[str, Mapping[str, Any]]) -> None:
    """Check that all systems have the same columns and number of samples."""
    if len({frozenset(each) for each in systems.values()}) > 1:
        found = "; ".join(f"{', '.join(each)} of {name}" for name, each in systems.items())
        raise InputError(f"compare: every system must have the same columns, found {found}")
    if len({len(next(iter(each.values()))) for each in systems.values()}) > 1:
        sizes = (f"{len(next(iter(each.values())))} of {name}" for name, each in systems.items())
        raise InputError(f"compare: compare the same samples; found {', '.join(sizes)}")


def _of_tables(
    shape: Shape,
    tables: Mapping[str, Frame],
    known: Mapping[str, Column],
    needed: Callable[[Collection[str]], list[str]],
    arguments: Mapping[str, Any],
) -> dict[str, dict[str, Any]]:
    """Return the columns of each system's table, in the first's order."""
    named = {name: arguments.get(name) for name in known}
    (first, table), *others = tables.items()
    samples = {first: from_table(shape, table, known, named, needed=needed)}
    for system, table in others:
        wanted = {
            name: column
            for name, column in known.items()
            if column.of_system
            or shape.group_by
            or {named[name] if isinstance(named[name], str) else name} & {*table.names}
        }  # the first table may be the only one with the columns that all share

        def needed_here(there: Collection[str], wanted: Mapping[str, Column] = wanted) -> list[str]:
            return [name for name in needed(there) if name in wanted]

        samples[system] = from_table(shape, table, wanted, named, needed=needed_here)
    shared = {name: entries for name, entries in samples[first].columns.items() if not known[name].of_system}
    found = {system: {**shared, **its.columns} for system, its in samples.items()}
    ids = {system: its.ids for system, its in samples.items() if its.ids is not None}
    if len(ids) == len(tables):
        for system, its in found.items():
            places = match_ids(_MODULE, (first, ids[first]), (system, ids[system]))
            own = samples[system].columns
            found[system] = {**its, **{name: [own[name][place] for place in places] for name in own}}
    elif ids:
        without = ", ".join(tables.keys() - ids.keys())
        message = (
            f"compare: only {', '.join(ids)} has a column {shape.id_column!r}, so samples are paired by order; add the "
            f"column to {without}"
        )
        warnings.warn(message, ScoreWarning, stacklevel=5)
    _check_alike(found)
    return found
