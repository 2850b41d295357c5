"""Samples while a command scores them, for a page (kept on the disk, so that memory stays flat) and for files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.command import Options
from fairsum_utils.cluster.job import CHUNK
from fairsum_utils.io.layout import Chunk, Layout, read_chunks
from fairsum_utils.io.names import Names
from fairsum_utils.io.writing import temporary_folder
from fairsum_utils.results.samples import stored_kind

if TYPE_CHECKING:
    from fairsum_utils.results.results import Results
    from fairsum_utils.results.samples import Samples
    from fairsum_utils.session import Session


class PageSamples:
    """Takes samples in, and gives them back as those of a page.

    Args:
        folder: for what was taken in.
        session: that scores.
        systems: what they are called; one without a name where there is one.
    """

    def __init__(self, folder: Path, session: Session, systems: Sequence[str] = ("",)) -> None:
        self.folder, self.session, self.systems = folder, session, systems

    def add(self, system: int, ids: Iterable[str], rows: Sequence[Sequence[Any]], texts: Iterable[Any]) -> None:
        """Take samples of a system in.

        Args:
            system: its place.
            ids: of the samples.
            rows: of the samples, for each pass of the session.
            texts: column -> entry, of each sample.
        """
        names, samples = list(ids), list(texts)
        for place, (each, made) in enumerate(zip(self.session.passes, rows, strict=True)):
            with self._file(system, place).open("a", encoding="utf-8") as file:
                for name, sample, record in zip(names, samples, each.records(made), strict=True):
                    # The texts of a sample are the same for all passes.
                    row = {"id": name, **record, **({} if place else {"sample": sample})}
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def parts(self, results: Results) -> list[Samples]:
        """What was taken in, for `fairsum_utils.results.pages.contents_of`.

        Args:
            results: of the session, which say how samples were scored.
        """
        from fairsum_utils.results.pages import lenses_of
        from fairsum_utils.results.samples import from_file

        lenses = lenses_of(results)
        return [
            from_file(path, {label: lenses[label] for label in self._labels(place)}, system=name)
            for system, name in enumerate(self.systems)
            for place in range(len(self.session.passes))
            for path in [self._file(system, place)]
            if path.exists()
        ]

    def write(
        self,
        options: Options,
        results: Results,
        run: Mapping[str, Any] | None,
        scores: Mapping[str, Mapping[str, Any]] = {},
    ) -> None:
        """Write the page that a command was asked for.

        Args:
            options: of the command.
            results: of the session.
            run: how they came about.
            scores: of a comparison, see `fairsum_utils.results.pages.contents_of`.
        """
        from fairsum_utils.results import Run
        from fairsum_utils.results.pages import contents_of, write_report

        results.run = Run(results.run.asked, read=run)
        contents = contents_of(results, self.parts(results), scores=scores, redact=options.redact)
        write_report(options.report, contents)

    def _labels(self, place: int) -> list[str]:
        return [request.label for call in self.session.passes[place].calls for request in call.requests]

    def _file(self, system: int, place: int) -> Path:
        return self.folder / f"{system}-{place}.jsonl"


@contextmanager
def page_samples(session: Session, systems: Sequence[str] = ("",)) -> Iterator[PageSamples]:
    """Takes in samples for a page; what it keeps on the disk is gone at the end.

    Args:
        session: that scores.
        systems: what they are called.
    """
    with temporary_folder() as folder:
        yield PageSamples(folder, session, systems)


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
