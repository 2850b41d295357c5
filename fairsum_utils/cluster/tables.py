"""Tables that are in memory, as a file that shards can be read from."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import file_digest
from pathlib import Path
from typing import Any, cast

from fairsum_utils.errors import InputError
from fairsum_utils.io.downloads import sha256_of
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.locks import temporary_folder
from fairsum_utils.validation import describe

__all__ = ["table_in"]

_NAME = "input/table.parquet"
_GROUP = 1 << 11
"""Rows in a row group, which are read together."""


def table_in(folder: Folder, table: Any) -> str:
    """Put a table into the folder of a run, unless this very table is there.

    Args:
        folder: of the run.
        table: of `datasets`, pandas, polars or pyarrow, a list of dicts, or a dict of columns.

    Returns:
        Path or address of the file.

    Raises:
        InputError: it is no such table, a column holds entries of several types, or another table is there.
    """
    with temporary_folder() as made:
        path = made / "table.parquet"
        _write(table, path)
        if not folder.exists(_NAME):
            folder.write(_NAME, path)
        elif sha256_of(path) != _digest(folder):
            raise InputError(
                f"{folder}: the run in this folder is of another table; delete the folder, or name another"
            )
    return folder.address(_NAME)


def _digest(folder: Folder) -> str:
    with folder.open(_NAME) as file:
        return file_digest(cast(Any, file), "sha256").hexdigest()


def _write(table: Any, path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    if hasattr(table, "to_parquet") and hasattr(table, "features"):
        table.to_parquet(path, batch_size=_GROUP)
        return
    try:
        pyarrow.parquet.write_table(_as_arrow(table), path, row_group_size=_GROUP, compression="zstd")
    except pyarrow.ArrowException as error:
        raise InputError(f"score: processes cannot share the table: {error}; give every column one type") from None


def _as_arrow(table: Any) -> Any:
    import pyarrow

    if isinstance(table, pyarrow.Table):
        return table
    if hasattr(table, "to_arrow"):
        return table.to_arrow()
    if hasattr(table, "iloc"):
        return pyarrow.Table.from_pandas(table, preserve_index=False)
    if isinstance(table, Mapping):
        return pyarrow.table({name: list(column) for name, column in table.items()})
    if isinstance(table, (list, tuple)) and table and all(isinstance(row, Mapping) for row in table):
        names = dict.fromkeys(name for row in table for name in row)
        return pyarrow.table({name: [row.get(name) for row in table] for name in names})
    raise InputError(f"score: expected the names of files, or a table with at least one row, found {describe(table)}")
