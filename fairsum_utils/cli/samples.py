"""Scored samples: kept on disk for a page, or written as records."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils._util.temporary import temporary_folder
from fairsum_utils.cli.command import Options
from fairsum_utils.cli.outputs import run_of
from fairsum_utils.io.layout import Layout
from fairsum_utils.io.names import Names, format_of
from fairsum_utils.io.samples import Chunk, read_chunks
from fairsum_utils.io.writing import replacing
from fairsum_utils.run.job import CHUNK

if TYPE_CHECKING:
    from fairsum_utils.results.results import Results
    from fairsum_utils.run.job import Scored
    from fairsum_utils.session import Session

Record = dict[str, Any]


class PageSamples:
    """Samples of a page, kept in a folder while a session scores them."""

    def __init__(self, folder: Path, session: Session, systems: Sequence[str]) -> None:
        self.folder, self.session, self.systems = folder, session, systems

    def add(self, system: int, scored: Scored, texts: Iterable[Any]) -> None:
        """Take in samples of a system, with column -> entry of each."""
        samples = list(texts)
        for place, (each, made) in enumerate(zip(self.session.passes, scored.rows, strict=True)):
            with self._file(system, place).open("a", encoding="utf-8") as file:
                for name, sample, record in zip(scored.ids, samples, each.records(made), strict=True):
                    # The texts of a sample are the same for all passes.
                    row = {"id": name, **record, **({} if place else {"sample": sample})}
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def write(self, options: Options, results: Results, run: Mapping[str, Any], scores: Mapping[str, Any] = {}) -> None:
        """Write the page of results; `scores` are those of compared systems."""
        from fairsum_utils.results.pages import contents_of, lenses_of, write_report
        from fairsum_utils.results.samples import from_file

        results.run = run_of(results, run)
        lenses, parts = lenses_of(results), []
        for system, name in enumerate(self.systems):
            for place, each in enumerate(self.session.passes):
                labels = [request.label for call in each.calls for request in call.requests]
                if (path := self._file(system, place)).exists():
                    of_pass = {label: lenses[label] for label in labels}
                    parts.append(from_file(path, of_pass, system=name, others=lenses.values()))
        write_report(options.report, contents_of(results, parts, scores=scores, redact=options.redact))

    def _file(self, system: int, place: int) -> Path:
        return self.folder / f"{system}-{place}.jsonl"


@contextmanager
def page_samples(session: Session, systems: Sequence[str] = ("",), *, wanted: bool) -> Iterator[PageSamples]:
    """Keep samples for a page in a temporary folder, if a page is wanted."""
    with temporary_folder() if wanted else nullcontext(Path()) as folder:
        yield PageSamples(folder, session, systems)


def sample_texts(path: Names, layout: Layout, **how: Any) -> Iterator[Record]:
    """Read the columns of each sample, in the order of the file."""
    for chunk in read_chunks(path, layout, CHUNK, **how):
        yield from texts_of_chunk(chunk, layout)


def texts_of_chunk(chunk: Chunk, layout: Layout) -> Iterator[Record]:
    """Return a chunk's samples as entries by column."""
    from fairsum_utils.results.samples import stored_kind

    columns = [column for column, _ in layout.columns if column.name in chunk.columns]
    for place in range(len(chunk.ids)):
        yield {each.name: _stored(chunk.columns[each.name][place], stored_kind(each)) for each in columns}


def _stored(entry: Any, kind: Any) -> Any:
    if kind is str and entry is not None:
        return str(entry)
    return [entry] if isinstance(entry, str) and kind is not str else entry


def records_of(scored: Scored, session: Session, texts: Sequence[Record] | None) -> list[Record]:
    """Make a sample's record from all passes, with its texts."""
    records: list[Record] = [{"id": name} for name in scored.ids]
    for each, of_pass in zip(session.passes, scored.rows, strict=True):
        for record, found in zip(records, each.records(of_pass), strict=True):
            if _has_parts(session):
                record.setdefault("index", found["index"])
                record[each.family.name] = _with_pass(record.get(each.family.name, {}), found)
            else:
                record |= _with_pass(record, found)
    for record, sample in zip(records, texts or (), strict=texts is not None):
        record["sample"] = sample
    return records


def _with_pass(record: Record, found: Record) -> Record:
    """Add a pass's record of a sample, which any pass may have left out."""
    if "skipped" not in found or "skipped" not in record:
        return {**record, **found}
    reason = record["skipped"] or found["skipped"]
    return {**found, **record, "skipped": reason} if found["skipped"] else {**record, **found, "skipped": reason}


def _has_parts(session: Session) -> bool:
    """Return whether records need a part per family."""
    return len({each.family.name for each in session.passes}) > 1


def worst_first(records: list[Record], session: Session) -> list[Record]:
    """Sort records by the first measure; those without a score come last."""
    from fairsum_utils.reports.worst import worst

    each, measure = session.passes[0], session.requests[0].measure
    family = each.family
    ranked = worst(measure, [family.read_record(family.part_of(one), measure, each.settings) for one in records])
    return [records[place] for place in [*ranked, *sorted(set(range(len(records))).difference(ranked))]]


_BATCH = 256
"""Records of a row group, however they come; whole hearings have some 100 kB each."""


@contextmanager
def sample_writer(path: str | None, session: Session, texts: Layout | None) -> Iterator[Callable[[list[Record]], None]]:
    """Write records with a layout's texts; the file appears when complete."""
    if path is None:
        yield lambda records: None
        return
    with replacing(path) as temporary:
        if format_of(path) == ".jsonl":
            with temporary.open("w", encoding="utf-8") as file:
                yield lambda records: file.writelines(
                    json.dumps(record, ensure_ascii=False) + "\n" for record in records
                )
            return
        import pyarrow.parquet

        schema = _schema(session, texts)
        waiting: list[Record] = []
        with pyarrow.parquet.ParquetWriter(temporary, schema) as writer:

            def write(records: list[Record], least: int = _BATCH) -> None:
                waiting.extend(records)
                while len(waiting) >= least:
                    writer.write_table(pyarrow.Table.from_pylist(waiting[:_BATCH], schema=schema))
                    del waiting[:_BATCH]

            yield write
            write([], least=1)


def _schema(session: Session, texts: Layout | None) -> Any:
    import pyarrow

    from fairsum_utils.families.arrow import arrow_type
    from fairsum_utils.results.samples import stored_kind

    of_family: dict[str, dict[str, Any]] = {}
    for each in session.passes:
        types = {name: arrow_type(kind) for name, kind in each.record_types().items()}
        of_family.setdefault(each.family.name, {}).update(types)
    fields: dict[str, Any] = {"id": pyarrow.string()}
    if _has_parts(session):
        fields["index"] = pyarrow.int64()
        fields |= {name: pyarrow.struct(list(types.items())) for name, types in of_family.items()}
    else:
        fields |= next(iter(of_family.values()))
    if texts is not None:
        kinds = [(column.name, arrow_type(stored_kind(column))) for column, _ in texts.columns]
        fields["sample"] = pyarrow.struct(kinds)
    return pyarrow.schema(list(fields.items()))
