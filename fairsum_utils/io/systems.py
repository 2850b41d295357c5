"""The samples of several systems, from a file of each: paired by their ids."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from fairsum_utils.families import Column
from fairsum_utils.io.layout import Chunk, Layout, read_chunks
from fairsum_utils.io.names import Names
from fairsum_utils.io.pairs import refuse_alone

__all__ = ["quality_column", "read_systems"]


def quality_column(name: str) -> Column:
    """A column of numbers that are shown beside scores, whatever a file calls it.

    Args:
        name: of the column in the file.

    Example:
        >>> quality_column("rouge").flag
        'quality-column'
    """
    return Column(name=f"quality:{name}", entry="quality", kind=str, help="numbers", in_file=name)


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
    """Read the same samples from the files of several systems: a chunk of each, in the order of the first file.

    Samples are paired by their ids. Files of one order are read side by side, a chunk at a time. From a file of another
    order, those samples are held that come before their turn, which may be all of it.

    Args:
        paths: the files, as for `read_chunks`.
        layout: where all of them have what.
        size: most samples in a chunk.
        names: what the systems are called in messages.
        module: name used in messages.
        sources: file of the samples, if those of the systems hold predictions by id only.
        say: takes a line that tells what was found in turns and transcripts of the first file.
        **how: they are read, as of `read_chunks`.

    Raises:
        InputError: as of `read_chunks`; or an id is not in all of the files.
    """
    tell = [say, *[None] * (len(paths) - 1)]
    read = [(path, layout) if sources is None else (sources, layout._replace(predictions=path)) for path in paths]
    first, *others = (
        _Waiting(read_chunks(path, of_system, size, say=says, **how), name)
        for (path, of_system), name, says in zip(read, names, tell, strict=True)
    )
    while chunk := first.next():
        for other in others:
            if not other.has(chunk.ids):
                _refuse(module, first, other, chunk.ids)
        yield [chunk, *(other.take(chunk) for other in others)]
    for other in others:
        if other.read_all():
            _refuse(module, other, first, [])


def _refuse(module: str, has: _Waiting, lacks: _Waiting, ids: Sequence[str]) -> NoReturn:
    """Say how many samples of a file another lacks; `ids` are those that were taken from the first already."""
    wanted, known = [*ids, *has.read_all()], {*lacks.seen, *lacks.read_all()}
    alone = [name for name in wanted if name not in known]
    refuse_alone(module, alone, has.name, lacks.name)


class _Waiting:
    """The samples of a file that were read and not taken yet."""

    def __init__(self, chunks: Iterator[Chunk], name: str) -> None:
        self.chunks, self.name = chunks, name
        self.seen: set[str] = set()
        self.last: Chunk | None = None
        self.samples: dict[str, tuple[int, dict[str, Any]]] = {}

    def next(self) -> Chunk | None:
        """The next chunk of the file as it is; None after the last."""
        chunk = next(self.chunks, None)
        self.seen.update([] if chunk is None else chunk.ids)
        return chunk

    def _hold(self) -> bool:
        """Read the next chunk; whether there was one."""
        chunk = self.next()
        if chunk is None:
            return False
        self.last = chunk
        for place, name in enumerate(chunk.ids):
            entries = {column: entries[place] for column, entries in chunk.columns.items()}
            self.samples[name] = chunk.start + place, entries
        return True

    def has(self, ids: Sequence[str]) -> bool:
        """Whether the file holds these samples; reads on as far as need be."""
        return all(name in self.samples or self._reads_on(name) for name in ids)

    def _reads_on(self, name: str) -> bool:
        while self._hold():
            if name in self.samples:
                return True
        return False

    def take(self, like: Chunk) -> Chunk:
        """The samples of a chunk of another file, which are here."""
        taken = [self.samples.pop(name) for name in like.ids]
        columns = {column: [entries[column] for _, entries in taken] for column in like.columns}
        assert self.last is not None  # else nothing could be taken
        return self.last._replace(start=like.start, ids=like.ids, columns=columns, places=[place for place, _ in taken])

    def read_all(self) -> list[str]:
        """Read to the end; the ids of all samples that were not taken."""
        while self._hold():
            pass
        return list(self.samples)
