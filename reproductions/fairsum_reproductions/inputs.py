"""Inputs of studies: files or Python objects, read as lists of rows, records or results."""

from __future__ import annotations

import os
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fairsum_reproductions.contract import Input, Study
from fairsum_reproductions.naming import named_files
from fairsum_utils.errors import InputError
from fairsum_utils.families import family_of
from fairsum_utils.families.columns import SOURCES, VALUES
from fairsum_utils.io.frames import Frame, as_frame, from_table
from fairsum_utils.io.layout import Layout, read_chunks
from fairsum_utils.io.shapes import Shape
from fairsum_utils.validation import describe

IN_MEMORY = "data in memory"


class Read(NamedTuple):
    """Inputs for `Study.compute`, files with their numbers of rows (or None), and a title."""

    inputs: tuple[Any, ...]
    files: Mapping[str, int | None]
    title: str


def read_inputs(
    module: str,
    study: Study,
    given: Sequence[Any],
    *,
    columns: Mapping[str, str] = {},
    shape: Mapping[str, Any] = {},
    reading: Mapping[str, Any] = {},
) -> Read:
    """Read the inputs of a study.

    `given` holds for each input a path or an object. Where several systems are possible, it holds a mapping from name,
    or a list of paths, which `named_files` names. `columns` renames columns of rows; `shape` holds settings of
    `fairsum_utils.io.shapes.Shape`; `reading` goes to `fairsum_utils.io.reading.read_rows`.
    """
    if len(given) != len(study.inputs):
        names = ", ".join(each.name for each in study.inputs)
        raise InputError(f"{module}: takes {len(study.inputs)} inputs ({names}), found {len(given)}")
    if not isinstance(columns, Mapping) or not all(isinstance(column, str) for column in columns.values()):
        raise InputError(
            f"{module}: columns must be a dict from name to its name in the table, found {describe(columns)}"
        )
    known = {name for each in study.inputs for name in each.all_columns}
    for name in columns:
        if name not in known:
            from fairsum_utils.families.settings import unknown_setting

            raise unknown_setting(module, name, known, "column")
    files: dict[str, int | None] = {}
    laid_out = Shape(**shape, module=module)
    inputs, titles = [], []
    for each, source in zip(study.inputs, given, strict=True):
        reader = _Reader(module, each, columns, laid_out, reading, files)
        if each.systems:
            named = dict(_systems(module, each, source))
            inputs.append({name: reader.read(one, name) for name, one in named.items()})
            titles.append(", ".join(named))
        else:
            inputs.append(reader.read(source))
            titles.append(str(source) if _is_path(source) else IN_MEMORY)
    return Read(tuple(inputs), files, "; ".join(dict.fromkeys(titles)))


def _is_path(source: object) -> bool:
    return isinstance(source, (str, os.PathLike))


def _systems(module: str, wanted: Input, source: Any) -> Iterator[tuple[str, Any]]:
    """Yield the systems, each with its name."""
    from fairsum_utils.results.results import Results

    if isinstance(source, Mapping) and not isinstance(source, Results):
        yield from ((str(name), each) for name, each in source.items())
        if not source:
            raise InputError(f"{module}: {wanted.name} is empty; give at least one")
        return
    several = isinstance(source, (list, tuple)) and source and all(_is_path(each) for each in source)
    if several or _is_path(source):
        yield from named_files(module, source if several else [source]).items()
    else:
        yield "system", source


class _Reader:
    """Reader of one input; it adds the files that it reads to `files`."""

    def __init__(
        self,
        module: str,
        wanted: Input,
        columns: Mapping[str, str],
        shape: Shape,
        reading: Mapping[str, Any],
        files: dict[str, int | None],
    ) -> None:
        self.module, self.wanted, self.shape, self.reading, self.files = module, wanted, shape, reading, files
        self.named = {name: columns[name] for name in wanted.all_columns if name in columns}
        self.columns = {name: name for name in wanted.all_columns} | self.named

    def read(self, source: Any, system: str = "") -> Any:
        """Read the input of a system from a file or an object."""
        if self.wanted.holds_sets:
            return self._sets(source)
        if self.wanted.kind == "samples":
            return self._samples(source, self.wanted.family(system))
        return self._rows(source) if self.wanted.kind == "rows" else self._results(source)

    def _sets(self, source: Any) -> list[dict[str, Any]]:
        if _is_path(source):
            sets = sets_of_file(source, self.named, self.shape, self.reading)
            self.files[str(source)] = len(sets)
            return sets
        return sets_of_table(self.wanted.name, self._frame(source), self.named, self.shape)

    def _frame(self, source: Any) -> Frame:
        table = as_frame(self.module, source)
        if table is None:
            raise self._refusal(source, "a file, a table, or a list of dicts")
        return table

    def _rows(self, source: Any) -> list[dict[str, Any]]:
        columns, needed = self.columns, self.wanted.columns
        if _is_path(source):
            from fairsum_utils.io.reading import read_rows

            read = read_rows(
                source,
                {columns[name]: flag_of(name) for name in needed},
                others=[columns[name] for name in self.wanted.optional],
                lists=[columns[name] for name in self.wanted.lists],
                **self.reading,
            )
            rows = [{name: row[column] for name, column in columns.items() if column in row} for row in read]
            self.files[str(source)] = len(rows)
            return rows
        table = self._frame(source)
        for name in needed:
            if columns[name] not in table.names:
                raise InputError(
                    f"{self.module}: {self.wanted.name} has no column {columns[name]!r}; found "
                    f"{', '.join(map(str, table.names)) or 'none'}; name it, as in columns={{{name!r}: 'my_{name}'}}"
                )
        there = {name: table.column(column) for name, column in columns.items() if column in table.names}
        if columns and table.names and not there:
            raise InputError(
                f"{self.module}: {self.wanted.name} has none of the columns {', '.join(map(repr, columns.values()))}; "
                f"found {', '.join(map(str, table.names))}"
            )
        if not there or not len(next(iter(there.values()))):
            raise InputError(f"{self.module}: {self.wanted.name} holds no row; give at least one")
        return [dict(zip(there, entries, strict=True)) for entries in zip(*there.values(), strict=True)]

    def _samples(self, source: Any, family: str) -> list[dict[str, Any]]:
        from fairsum_utils.results.results import ScoreResults
        from fairsum_utils.results.samples import all_records, records_of

        if _is_path(source):
            records = all_records(self.module, source, family, **self.reading)
            self.files[str(source)] = len(records)
            return records
        if isinstance(source, ScoreResults):
            measures = source._measures()
            of_family = [result for label, result in source.items() if family_of(measures[label]).name == family]
            runs = [result["samples"] for result in of_family if "samples" in result]
            if not runs:
                raise InputError(
                    f"{self.module}: the results have no records of {family}; score with return_samples=True"
                )
            return [dict(ChainMap(*map(dict, records))) for records in zip(*runs, strict=True)]
        if not isinstance(source, (list, tuple)) or not source or not all(isinstance(each, Mapping) for each in source):
            raise self._refusal(source, "records as `fairsum score --samples` writes them, or results that have them")
        return records_of(f"{self.module}: {self.wanted.name}", source, family)

    def _results(self, source: Any) -> dict[str, Any]:
        from fairsum_utils.results.reading import read_results
        from fairsum_utils.results.results import ScoreResults

        if _is_path(source):
            self.files[str(source)] = None
            source = read_results(source)
            if not isinstance(source, ScoreResults):
                raise InputError(f"{self.module}: needs results of scoring, as `fairsum score --output` writes them")
        if not isinstance(source, Mapping) or not all(isinstance(each, Mapping) for each in source.values()):
            raise self._refusal(source, "results, or a file of them as `fairsum score --output` writes it")
        return dict(source)

    def _refusal(self, source: Any, wanted: str) -> InputError:
        return InputError(f"{self.module}: {self.wanted.name} must be {wanted}, found {describe(source)}")


def flag_of(column: str) -> str:
    """The option that names a column.

    Example:
        >>> flag_of("article_id")
        '--article-id-column'
    """
    return f"--{column.replace('_', '-')}-column"


_SET = {column.name: column for column in (SOURCES, VALUES)}
"""Columns of a set of source texts."""

_CHUNK = 1_000
"""Number of sets that are read together."""


def sets_of_file(
    path: str | os.PathLike[str], columns: Mapping[str, str], shape: Shape, reading: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Read the sets of a file, unchecked, in the order in which scoring numbers them."""
    layout = Layout(tuple((column, columns.get(name, name)) for name, column in _SET.items()), shape)
    return [
        dict(zip(_SET, entries, strict=True))
        for chunk in read_chunks(path, layout, _CHUNK, **reading)
        for entries in zip(*(chunk.columns[name] for name in _SET), strict=True)
    ]


def sets_of_table(name: str, table: Frame, columns: Mapping[str, str], shape: Shape) -> list[dict[str, Any]]:
    """Read the sets of a table, unchecked.

    Example:
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
        read = from_table(shape, table, _SET, columns, needed=lambda there: (), call="").columns
        wrong = {columns.get(key, key): key for key in _SET if key not in read}
    for place, key in wrong.items():
        raise InputError(
            f"{shape.module}: {name} has no column {place!r}; found {found}; name it, as in "
            f"columns={{{key!r}: 'my_{key}'}}"
        )
    sets = [dict(zip(_SET, entries, strict=True)) for entries in zip(*(read[key] for key in _SET), strict=True)]
    if not sets:
        raise InputError(f"{shape.module}: {name} holds no row; give at least one")
    return sets
