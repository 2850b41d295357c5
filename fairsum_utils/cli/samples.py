"""Scored samples: kept on disk for a page, or written as records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.command import Options
from fairsum_utils.io.layout import Layout
from fairsum_utils.io.names import Names
from fairsum_utils.io.samples import Chunk, read_chunks
from fairsum_utils.run.job import CHUNK

if TYPE_CHECKING:
    from fairsum_utils.reports.page.outline import Outline
    from fairsum_utils.results.base import Results
    from fairsum_utils.results.samples import Entry
    from fairsum_utils.run.job import Scored
    from fairsum_utils.session import Session

Record = dict[str, Any]


class PageSamples:
    """Samples of a page, chosen while a session scores them."""

    def __init__(self, session: Session, systems: Sequence[str]) -> None:
        self.session, self.systems = session, systems
        self._kept: list[dict[str, Entry]] = [{} for _ in systems]  # by id

    @cached_property
    def outline(self) -> Outline:
        """Return what the page shows of all samples."""
        from fairsum_utils.reports.page.outline import Outline
        from fairsum_utils.reports.page.sample import Lens

        return Outline({each.label: Lens(each.measure, each.chosen, {}) for each in self.session.requests})

    def add(self, system: int, scored: Scored, texts: Iterable[Record]) -> None:
        """Take in samples of a system, with column -> entry of each."""
        from fairsum_utils.reports.page.sample import Sampled
        from fairsum_utils.results.samples import Entry

        if system == 0:  # the samples before are complete, in all systems
            shown = self.outline.shown()
            self._kept = [{name: entry for name, entry in kept.items() if name in shown} for kept in self._kept]
        kept = self._kept[system]
        for place, (name, sample, records) in enumerate(
            zip(scored.ids, texts, _records(scored, self.session), strict=True)
        ):
            kept[name] = Entry(name, place, sample, records)
            self.outline.add(Sampled(name, self.systems[system], place, {}, records))

    def write(self, options: Options, results: Results, run: Mapping[str, Any], scores: Mapping[str, Any] = {}) -> None:
        """Write the page of results; `scores` are those of compared systems."""
        from fairsum_utils.reports.page.document import write_page
        from fairsum_utils.results import Run
        from fairsum_utils.results.pages import contents_of
        from fairsum_utils.results.samples import from_entries

        results.run = Run(results.run.asked, read=run)
        labels = [each.label for each in self.session.requests]
        parts = [
            from_entries([*kept.values()], labels, system=name)
            for kept, name in zip(self._kept, self.systems, strict=True)
            if kept
        ]
        write_page(
            options.report,
            contents_of(
                results, parts, scores=scores, title=options.title, redact=options.redact, outline=self.outline
            ),
        )


def sample_texts(path: Names, layout: Layout, **how: Any) -> Iterator[Record]:
    """Read the columns of each sample, in the order of the file."""
    for chunk in read_chunks(path, layout, CHUNK, **how):
        yield from texts_of_chunk(chunk, layout)


def texts_of_chunk(chunk: Chunk, layout: Layout) -> Iterator[Record]:
    """Return a chunk's samples as entries by column."""
    from fairsum_utils.results.columns import stored_kind

    columns = [column for column, _ in layout.columns if column.name in chunk.columns]
    for place in range(len(chunk.ids)):
        yield {each.name: _stored(chunk.columns[each.name][place], stored_kind(each)) for each in columns}


def _stored(entry: Any, kind: Any) -> Any:
    if kind is str and entry is not None:
        return str(entry)
    return [entry] if isinstance(entry, str) and kind is not str else entry


def sample_rows(scored: Scored, session: Session, texts: Iterable[Record] | None = None) -> list[Record]:
    """Make the rows of samples, see `SampleColumns`, with their texts."""
    from fairsum_utils.results.columns import TEXTS

    columns = session.sample_columns()
    rows = [columns.row(*each) for each in zip(scored.ids, _records(scored, session), strict=True)]
    for row, sample in zip(rows, texts or (), strict=texts is not None):
        row[TEXTS] = sample
    return rows


def _records(scored: Scored, session: Session) -> Iterator[dict[str, Record]]:
    """Yield each sample's records by label."""
    records: dict[str, list[Record]] = {}
    for each, of_pass in zip(session.passes, scored.rows, strict=True):
        records |= each.records(of_pass)
    for of_sample in zip(*records.values(), strict=True):
        yield dict(zip(records, of_sample, strict=True))


def sample_types(session: Session, texts: Layout | None) -> dict[str, Any]:
    """Return the type of each column of samples, with a layout's texts."""
    from fairsum_utils.results.columns import TEXTS, texts_type

    types = session.sample_columns().types
    return types if texts is None else types | {TEXTS: texts_type(column for column, _ in texts.columns)}
