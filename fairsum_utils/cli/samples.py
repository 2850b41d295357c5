"""The texts of samples as they were read, for files of samples and for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fairsum_utils.cli.scoring import CHUNK
from fairsum_utils.family import Column
from fairsum_utils.family.table import as_annotated
from fairsum_utils.files.names import Names
from fairsum_utils.inputs.layout import Layout, read_chunks

__all__ = ["read_sample", "sample_texts", "stored_kind"]


def sample_texts(path: Names, layout: Layout, **how: Any) -> Iterator[dict[str, Any]]:
    """The columns of each sample, in the order of the file.

    Args:
        path: the file.
        layout: which of its columns holds what.
        **how: it is read, see `fairsum_utils.inputs.layout.read_chunks`.

    Yields:
        Column -> entry; a text where a list of texts may be is a list of one, identifiers are texts.
    """
    for chunk in read_chunks(path, layout, CHUNK, **how):
        for place in range(len(chunk.ids)):
            yield {
                column.name: _stored(chunk.columns[column.name][place], stored_kind(column))
                for column, _ in layout.columns
            }


def _stored(entry: Any, kind: Any) -> Any:
    if kind is str and entry is not None:
        return str(entry)
    return [entry] if isinstance(entry, str) and kind is not str else entry


def stored_kind(column: Column) -> Any:
    """The type of a column's entries in a file of samples: one, whatever else may be given.

    Args:
        column: of a family.
    """
    return list[str] if column.kind == str | list[str] else column.kind


def read_sample(sample: Mapping[str, Any], columns: Mapping[str, Column]) -> dict[str, Any]:
    """The columns of a sample from a file of samples; others than those that are wanted are left out.

    Args:
        sample: column -> entry, as JSON or Arrow has it.
        columns: by name, those that are wanted.
    """
    return {
        name: as_annotated(entry, stored_kind(columns[name]))
        for name, entry in sample.items()
        if name in columns and entry is not None
    }
