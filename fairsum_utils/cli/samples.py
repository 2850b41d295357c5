"""The texts of samples as they were read, for files of samples and for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairsum_utils.cluster.job import CHUNK
from fairsum_utils.io.layout import Chunk, Layout, read_chunks
from fairsum_utils.io.names import Names
from fairsum_utils.results.samples import stored_kind

__all__ = ["sample_texts", "texts_of_chunk"]


def sample_texts(path: Names, layout: Layout, **how: Any) -> Iterator[dict[str, Any]]:
    """The columns of each sample, in the order of the file.

    Args:
        path: the file.
        layout: which of its columns holds what.
        **how: it is read, see `fairsum_utils.io.layout.read_chunks`.

    Yields:
        Column -> entry; a text where a list of texts may be is a list of one, identifiers are texts.
    """
    for chunk in read_chunks(path, layout, CHUNK, **how):
        yield from texts_of_chunk(chunk, layout)


def texts_of_chunk(chunk: Chunk, layout: Layout) -> Iterator[dict[str, Any]]:
    """The columns of each sample of a chunk, as `sample_texts` gives them.

    Args:
        chunk: of the file.
        layout: which of its columns holds what.
    """
    for place in range(len(chunk.ids)):
        yield {
            column.name: _stored(chunk.columns[column.name][place], stored_kind(column))
            for column, _ in layout.columns
            if column.name in chunk.columns
        }


def _stored(entry: Any, kind: Any) -> Any:
    if kind is str and entry is not None:
        return str(entry)
    return [entry] if isinstance(entry, str) and kind is not str else entry
