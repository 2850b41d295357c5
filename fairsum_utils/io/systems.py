"""Samples of several systems, read side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from fairsum_utils.io.groups import refuse_alone
from fairsum_utils.io.layout import Layout
from fairsum_utils.io.names import Names
from fairsum_utils.io.samples import Chunk, read_chunks


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
        first.seen.update(chunk.ids)
        for other in others:
            while not all(name in other.waiting for name in chunk.ids):
                if not other.read():
                    _refuse_alone(module, first, other, chunk.ids)
        yield [chunk, *(other.take(chunk) for other in others)]
    for other in others:
        if other.waiting or other.read():
            _refuse_alone(module, other, first, [])


class _System:
    """Samples of one system's file, including those read ahead."""

    def __init__(self, chunks: Iterator[Chunk], name: str) -> None:
        self.chunks, self.name = chunks, name
        self.seen: set[str] = set()
        self.waiting: dict[str, Chunk] = {}

    def read(self) -> bool:
        """Read the next chunk; False at the end."""
        chunk = next(self.chunks, None)
        if chunk is not None:
            self.seen.update(chunk.ids)
            self.waiting |= {name: chunk.only(place) for place, name in enumerate(chunk.ids)}
        return chunk is not None

    def take(self, like: Chunk) -> Chunk:
        """Take the samples of a chunk of another file."""
        taken = [self.waiting.pop(name) for name in like.ids]
        columns = {column: [one.columns[column][0] for one in taken] for column in like.columns}
        return Chunk(like.start, like.ids, columns, taken[0].place_of, [one.start for one in taken])


def _refuse_alone(module: str, has: _System, lacks: _System, ids: Sequence[str]) -> NoReturn:
    """Count the samples that only this file has."""
    while has.read() or lacks.read():
        pass
    alone = [name for name in (*ids, *has.waiting) if name not in lacks.seen]
    refuse_alone(module, alone, has.name, lacks.name)
