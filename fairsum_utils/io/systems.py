"""Samples of several systems: files read side by side, and the arguments of `compare`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fairsum_utils.errors import InputError, ScoreWarning
from fairsum_utils.families import Column
from fairsum_utils.families.inputs import all_columns
from fairsum_utils.io.arguments import Samples, from_table, given_columns, names_of, needed_by, order_of, tables_in
from fairsum_utils.io.frames import Frame, as_frame
from fairsum_utils.io.groups import match_ids, refuse_alone
from fairsum_utils.io.layout import Layout, usual_names
from fairsum_utils.io.names import Names
from fairsum_utils.io.samples import Chunk, read_chunks
from fairsum_utils.io.shapes import Shape, split_shape
from fairsum_utils.measures import Measure
from fairsum_utils.validation import check_columns, count, describe


def read_systems(
    paths: Sequence[Names],
    layout: Layout,
    size: int,
    *,
    names: Sequence[str],
    module: str,
    sources: Names | None = None,
    say: Callable[[str], None] | None = None,
    **how: Any,
) -> Iterator[list[Chunk]]:
    """Read the same samples from several files, in chunks.

    Samples are paired by their ids. Files in the same order are read side by side, one chunk at a time. If the order
    differs, samples that come too early stay in memory, at worst the whole file.
    """
    read = [(path, layout) if sources is None else (sources, layout._replace(predictions=path)) for path in paths]
    tell = [say, *[None] * (len(paths) - 1)]
    first, *others = (
        _System(read_chunks(path, of_system, size, say=label, **how), name)
        for (path, of_system), name, label in zip(read, names, tell, strict=True)
    )
    for chunk in first.chunks:
        for other in others:
            while missing := [name for name in chunk.ids if name not in other.waiting]:
                if not other.read():
                    refuse_alone(module, missing[0], first.name, other.name)
        yield [chunk, *(other.take(chunk) for other in others)]
    for other in others:
        if other.waiting or other.read():
            refuse_alone(module, next(iter(other.waiting)), other.name, first.name)


class _System:
    """Samples of one system's file, including those read ahead."""

    def __init__(self, chunks: Iterator[Chunk], name: str) -> None:
        self.chunks, self.name = chunks, name
        self.waiting: dict[str, Chunk] = {}

    def read(self) -> bool:
        """Read the next chunk; False at the end."""
        chunk = next(self.chunks, None)
        if chunk is not None:
            self.waiting |= {name: chunk.only(place) for place, name in enumerate(chunk.ids)}
        return chunk is not None

    def take(self, like: Chunk) -> Chunk:
        """Take the samples of a chunk of another file."""
        taken = [self.waiting.pop(name) for name in like.ids]
        columns = {column: [one.columns[column][0] for one in taken] for column in like.columns}
        return Chunk(like.start, like.ids, columns, taken[0].place_of, [one.start for one in taken])


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
        samples = _beside_shared(shape, named, columns, asked, arguments)
    elif columns:
        raise InputError(
            f"compare: found {len(frames)} tables and {count(len(columns), 'more positional argument')}; give columns "
            "next to tables by name, or the summaries of all systems as columns of one table"
        )
    else:
        samples = _of_tables(shape, frames, known, needed_by(asked), arguments)
    others = {name: value for name, value in arguments.items() if name not in known}
    return Systems(_side_by_side(shape, samples, known), others)


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
    usual = {name for column in known.values() for name in (column.name, *usual_names(column))}
    named = {name for name in arguments.values() if isinstance(name, str)}
    return not systems.keys().isdisjoint(usual | named)


def _beside_shared(
    shape: Shape,
    named: Mapping[str, Any],
    columns: Sequence[Any],
    asked: Mapping[str, Measure],
    arguments: Mapping[str, Any],
) -> dict[str, Samples]:
    """Return the columns of systems that have their own beside shared ones."""
    known = all_columns(names_of(asked))
    if wrong := [name for name, column in known.items() if name in arguments and column.of_system]:
        example = f"{{'A': {{{wrong[0]!r}: ...}}, 'B': {{{wrong[0]!r}: ...}}}}"
        raise InputError(f"compare: {wrong[0]} belong to one system; give each system its own, as in {example}")
    own = {system: _own(system, its, known) for system, its in named.items()}
    for table in tables_in(_MODULE, columns)[:1]:
        for system, argument, name in ((system, *item) for system, mine in own.items() for item in mine.items()):
            if isinstance(name, str) and name not in table.names:
                there = ", ".join(map(str, table.names))
                raise InputError(
                    f"compare: the table has no column {name!r} for {argument} of {system}; it has {there}"
                )
    order = [name for name in order_of(names_of(asked)) if name in known and not known[name].of_system]
    needed = needed_by(asked)
    return {
        system: given_columns(shape, known, order, columns, {**arguments, **mine}, needed)
        for system, mine in own.items()
    }


def _side_by_side(shape: Shape, samples: Mapping[str, Samples], known: Mapping[str, Column]) -> dict[str, Any]:
    """Return the columns of all systems; the first has the shared ones."""
    first = next(iter(samples))
    shared = {name: entries for name, entries in _columns(samples[first], known).items() if not known[name].of_system}
    ids = {system: its.ids for system, its in samples.items() if its.ids is not None}
    found: dict[str, dict[str, Any]] = {}
    for system, its in samples.items():
        mine = _columns(its, known)
        if len(ids) == len(samples):
            places = match_ids(_MODULE, (first, ids[first]), (system, ids[system]))
            mine = {name: [entries[place] for place in places] for name, entries in mine.items()}
        found[system] = {name: entries for name, entries in mine.items() if known[name].of_system} | shared
    if ids and len(ids) < len(samples):
        without = ", ".join(samples.keys() - ids.keys())
        message = (
            f"compare: only {', '.join(ids)} has a column {shape.id_column!r}, so samples are paired by order; add the "
            f"column to {without}"
        )
        warnings.warn(message, ScoreWarning, stacklevel=5)
    _check_alike(found)
    for system, columns in found.items():
        check_columns(f"compare: system {system!r}", **columns)
    return found


def _columns(samples: Samples, known: Mapping[str, Column]) -> dict[str, Any]:
    return {name: samples.columns[name] for name in known if samples.columns.get(name) is not None}


def _own(system: str, its: Any, known: Mapping[str, Column]) -> dict[str, Any]:
    """Return the entries of a system's own columns."""
    paired = [name for name, column in known.items() if column.of_system]
    by_id = isinstance(its, Mapping) and not {*its} & {*paired} and all(isinstance(text, str) for text in its.values())
    own = dict(its) if isinstance(its, Mapping) and not by_id else {"predictions": its}
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
) -> dict[str, Samples]:
    """Return the columns of each system's table.

    The first may be the only one with shared columns.
    """
    named = {name: arguments.get(name) for name in known}
    samples: dict[str, Samples] = {}
    for system, table in tables.items():
        wanted = {
            name: column
            for name, column in known.items()
            if not samples
            or column.of_system
            or shape.group_by
            or {named[name] if isinstance(named[name], str) else name} & {*table.names}
        }

        def needed_here(there: Collection[str], wanted: Mapping[str, Column] = wanted) -> list[str]:
            return [name for name in needed(there) if name in wanted]

        samples[system] = from_table(shape, table, wanted, named, needed=needed_here)
    return samples
