"""Inputs of studies: files or Python objects as rows, records or results."""

from __future__ import annotations

import os
from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from fairsum_reproductions.contract import Input, Study
from fairsum_utils.errors import InputError
from fairsum_utils.families import family_of
from fairsum_utils.families.columns import SOURCES, VALUES
from fairsum_utils.io.arguments import from_table
from fairsum_utils.io.frames import Frame, as_frame
from fairsum_utils.io.reading import Files
from fairsum_utils.io.shapes import Shape
from fairsum_utils.measures import get_measure
from fairsum_utils.settings import unknown_setting
from fairsum_utils.validation import describe

if TYPE_CHECKING:
    from fairsum_utils.results.columns import SampleColumns
    from fairsum_utils.results.samples import Entry

IN_MEMORY = "data in memory"
# Columns of a set of source texts.
_SET = {column.name: column for column in (SOURCES, VALUES)}


class Read(NamedTuple):
    """Inputs for `Study.compute`, files with row counts (or None), and a title."""

    inputs: tuple[Any, ...]
    files: Mapping[str, int | None]
    title: str


def read_inputs(
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
    module = study.name
    if not isinstance(columns, Mapping) or not all(isinstance(column, str) for column in columns.values()):
        raise InputError(
            f"{module}: columns must be a dict from name to its name in the table, found {describe(columns)}"
        )
    known = {name for each in study.inputs for name in each.all_columns}
    for name in columns:
        if name not in known:
            raise unknown_setting(module, name, known, "column")
    files: dict[str, int | None] = {}
    inputs, titles = [], []
    for each, source in zip(study.inputs, given, strict=True):
        reader = _Reader(each, columns, Shape.make(shape, module=module), reading, files)
        if each.systems:
            named = _systems(module, each, source)
            inputs.append({name: reader.read(one, name) for name, one in named.items()})
            titles.append(", ".join(named))
        else:
            inputs.append(reader.read(source))
            titles.append(str(source) if _is_path(source) else IN_MEMORY)
    return Read(tuple(inputs), files, "; ".join(dict.fromkeys(titles)))


def _is_path(source: object) -> bool:
    return isinstance(source, (str, os.PathLike))


def _systems(module: str, wanted: Input, source: Any) -> dict[str, Any]:
    """Name the systems."""
    from fairsum_utils.results.base import Results

    if isinstance(source, Mapping) and not isinstance(source, Results):
        if not source:
            raise InputError(f"{module}: {wanted.name} is empty; give at least one")
        return {str(name): each for name, each in source.items()}
    if _is_path(source):
        return named_files(module, [source])
    if isinstance(source, (list, tuple)) and source and all(map(_is_path, source)):
        return named_files(module, source)
    return {"system": source}


def named_files(module: str, given: Iterable[Any]) -> dict[str, Any]:
    """Name files, as in ``gpt4=runs/17.json`` or by unique file names.

    Example:
        >>> named_files("overall", ["runs/gpt4.json", "b=runs/llama.json"])
        {'gpt4': 'runs/gpt4.json', 'b': 'runs/llama.json'}
        >>> named_files("overall", ["gpt4/yelp.json", "llama/yelp.json"])
        {'gpt4/yelp': 'gpt4/yelp.json', 'llama/yelp': 'llama/yelp.json'}
    """
    parts = [_split_name(each) for each in given]
    names = [name or _stem(path) for name, path in parts]
    if len(set(names)) < len(names):
        names = [name or _stem(path, folders=1) for name, path in parts]
    files: dict[str, Any] = {}
    for name, (_, path) in zip(names, parts, strict=True):
        if name in files:
            raise InputError(f"{module}: {files[name]} and {path} are both named {name}; name them, as in a={path}")
        files[name] = path
    return files


def _split_name(given: Any) -> tuple[str, Any]:
    """Split a name from a path; the name may be empty."""
    text = os.fspath(given)
    name, equals, path = text.partition("=")
    if not equals or not path or "://" in name or Path(text).exists():
        return "", given
    return name, path


def _stem(path: Any, folders: int = 0) -> str:
    """Return a file's name without endings, preceded by `folders` of its folders."""
    *above, name = PurePath(os.fspath(path)).parts or ("",)
    return "/".join([*above[len(above) - folders :], name.partition(".")[0] or name])


class _Reader(NamedTuple):
    """Reader of one input; it adds its files to `files`."""

    wanted: Input
    columns: Mapping[str, str]
    shape: Shape
    reading: Mapping[str, Any]
    files: dict[str, int | None]

    def read(self, source: Any, system: str = "") -> Any:
        """Read the input of a system from a file or an object."""
        if self.wanted.kind == "results":
            return self._results(source)
        if self.wanted.kind == "samples":
            family = self.wanted.family(system)
            read = self._records_of_file(source, family) if _is_path(source) else self._records(source, family)
        elif self.wanted.holds_sets:
            read = self._sets(source)
        else:
            read = self._rows_of_file(source) if _is_path(source) else self._rows(self._frame(source))
        if _is_path(source):
            self.files[str(source)] = len(read)
        return read

    def _refusal(self, problem: str) -> InputError:
        return InputError(f"{self.shape.module}: {self.wanted.name} {problem}")

    def _missing(self, column: str, name: str, table: Frame) -> InputError:
        return self._refusal(
            f"has no column {column!r}; found {_listed(table)}; map it, as in columns={{{name!r}: 'my_{name}'}}"
        )

    def _names(self) -> dict[str, str]:
        """Map each column to its name in the table."""
        return {name: self.columns.get(name, name) for name in self.wanted.all_columns}

    def _frame(self, source: Any) -> Frame:
        table = as_frame(self.shape.module, source)
        if table is None:
            raise self._refusal(f"must be a file, a table, or a list of dicts, found {describe(source)}")
        return table

    def _entries(self, columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
        """Make rows, at least one, of columns."""
        rows = [dict(zip(columns, entries, strict=True)) for entries in zip(*columns.values(), strict=True)]
        if not rows:
            raise self._refusal("has no rows; give at least one")
        return rows

    def _rows_of_file(self, path: Any) -> list[dict[str, Any]]:
        from fairsum_utils.io.reading import read_rows

        names = self._names()
        read = read_rows(
            path,
            {names[name]: flag_of(name) for name in self.wanted.columns},
            others=[names[name] for name in self.wanted.optional],
            lists=[names[name] for name in self.wanted.lists],
            **self.reading,
        )
        return [{name: row[column] for name, column in names.items() if column in row} for row in read]

    def _rows(self, table: Frame) -> list[dict[str, Any]]:
        names = self._names()
        for name in self.wanted.columns:
            if names[name] not in table.names:
                raise self._missing(names[name], name, table)
        there = {name: table.column(column) for name, column in names.items() if column in table.names}
        if not there:
            columns = ", ".join(map(repr, names.values()))
            raise self._refusal(f"has none of the columns {columns}; found {_listed(table)}")
        return self._entries(there)

    def _sets(self, source: Any) -> list[dict[str, Any]]:
        """Read sets, unchecked, in the order in which scoring numbers them."""
        table = Files(source, self.reading) if _is_path(source) else self._frame(source)
        named = {name: self.columns[name] for name in _SET if name in self.columns}
        read = from_table(self.shape, table, _SET, named, needed=lambda there: list(_SET)).columns
        return self._entries({name: read[name] for name in _SET})

    def _records_of_file(self, path: Any, family: str) -> list[dict[str, Any]]:
        """Read a family's records from a file of samples, in order."""
        from fairsum_utils.results.record import whole_record
        from fairsum_utils.results.samples import from_file

        with whole_record(f"{self.shape.module}: {path}"):
            samples = from_file(path, **self.reading)
            assert samples.columns is not None
            entries = samples.read(_of_family(samples.columns, family), texts=samples.has_texts)
            return sorted(map(_merged, entries), key=lambda record: int(record["index"]))

    def _records(self, source: Any, family: str) -> list[dict[str, Any]]:
        from fairsum_utils.results.results import ScoreResults

        module = self.shape.module
        if isinstance(source, ScoreResults):
            measures = source.measure_by_label()
            of_family = [result for label, result in source.items() if family_of(measures[label]).name == family]
            runs = [result["samples"] for result in of_family if "samples" in result]
            if not runs:
                raise InputError(f"{module}: the results have no records of {family}; score with return_samples=True")
            return [dict(ChainMap(*map(dict, records))) for records in zip(*runs, strict=True)]
        if not isinstance(source, (list, tuple)) or not source or not all(isinstance(each, Mapping) for each in source):
            wanted = "records from `fairsum score --samples`, or results with records"
            raise self._refusal(f"must be {wanted}, found {describe(source)}")
        return _records_of(f"{module}: {self.wanted.name}", source, family)

    def _results(self, source: Any) -> dict[str, Any]:
        from fairsum_utils.results.reading import read_results
        from fairsum_utils.results.results import ScoreResults

        if _is_path(source):
            self.files[str(source)] = None
            source = read_results(source)
            if not isinstance(source, ScoreResults):
                raise InputError(f"{self.shape.module}: needs scoring results, as written by `fairsum score --output`")
        if not isinstance(source, Mapping) or not all(isinstance(each, Mapping) for each in source.values()):
            wanted = "results, or a file from `fairsum score --output`"
            raise self._refusal(f"must be {wanted}, found {describe(source)}")
        return dict(source)


def _listed(table: Frame) -> str:
    return ", ".join(map(str, table.names)) or "none"


WITH_FLAG = ("prediction", "sources", "values", "group", "id", "text")
"""Columns that an option of their own names; ``--column`` names the others."""


def flag_of(column: str) -> str:
    """Name the option for a column.

    Example:
        >>> flag_of("text"), flag_of("article_id")
        ('--text-column', '--column article_id=NAME')
    """
    return f"--{column}-column" if column in WITH_FLAG else f"--column {column}=NAME"


def _of_family(columns: SampleColumns, family: str) -> list[str]:
    return [label for label, measure in columns.labels.items() if get_measure(measure).family == family]


def _records_of(where: str, rows: Sequence[Mapping[str, Any]], family: str) -> list[dict[str, Any]]:
    """Return a family's records from rows of a file, or from records."""
    from fairsum_utils.results.columns import MARK, SampleColumns
    from fairsum_utils.results.record import whole_record
    from fairsum_utils.results.samples import Entry

    if MARK not in rows[0]:
        return list(map(dict, rows))
    columns = SampleColumns.of_file(where, rows[0])
    labels = _of_family(columns, family)
    with whole_record(where):
        return [
            _merged(Entry(row["id"], row["index"], columns.texts(row), columns.records(row, labels))) for row in rows
        ]


def _merged(entry: Entry) -> dict[str, Any]:
    """Return the records of a sample as one, with its id and texts."""
    found = {key: part for record in entry.records.values() for key, part in record.items()}
    return {"id": entry.id, **found, **({"sample": dict(entry.sample)} if entry.sample else {})}
