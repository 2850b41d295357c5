"""Files of rows in every format that is read, written by other libraries than ours."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyarrow
import pyarrow.feather
import pyarrow.parquet

Rows = Sequence[Mapping[str, Any]]


def content_of(rows: Rows, ending: str, show: Callable[[Any], str] = json.dumps) -> bytes:
    """Return the content of a file of rows; cells of tables show lists in one way."""
    format, _, packing = ending.lower().removeprefix(".").partition(".")
    content = _WRITERS[format](rows, show)
    if packing == "gz":
        return gzip.compress(content, mtime=0)
    return pyarrow.compress(content, codec="zstd", asbytes=True) if packing else content


def _lines(rows: Rows, show: Callable[[Any], str]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def _cells(rows: Rows, show: Callable[[Any], str]) -> list[list[Any]]:
    return [[show(cell) if isinstance(cell, (list, dict)) else cell for cell in row.values()] for row in rows]


def _table(rows: Rows, show: Callable[[Any], str], delimiter: str = ",") -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter).writerows([list(rows[0]), *_cells(rows, show)])
    return text.getvalue().encode()


def _workbook(rows: Rows, show: Callable[[Any], str]) -> bytes:
    import openpyxl

    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in [list(rows[0]), *_cells(rows, show)]:
        book.active.append(row)
    book.save(file)
    return file.getvalue()


def _arrow(write: Callable[[Any, Any], Any]) -> Callable[[Rows, Callable[[Any], str]], bytes]:
    def content(rows: Rows, show: Callable[[Any], str]) -> bytes:
        file = io.BytesIO()
        write(pyarrow.Table.from_pylist(list(rows)), file)
        return file.getvalue()

    return content


def _stream(table: Any, file: Any) -> None:
    with pyarrow.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)


_WRITERS: dict[str, Callable[[Rows, Callable[[Any], str]], bytes]] = {
    "jsonl": _lines,
    "ndjson": _lines,
    "json": lambda rows, show: json.dumps(rows, indent=1).encode(),
    "csv": _table,
    "tsv": lambda rows, show: _table(rows, show, "\t"),
    "xlsx": _workbook,
    "parquet": _arrow(lambda table, file: pyarrow.parquet.write_table(table, file, row_group_size=2)),
    "arrow": _arrow(_stream),
    "feather": _arrow(lambda table, file: pyarrow.feather.write_feather(table, file, compression="uncompressed")),
}
