"""What is made of scored samples: a file of them, a page, a drawing, the results, and what a tracker is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

from fairsum_utils._util.secrets import masked
from fairsum_utils.cli.command import Option, Options
from fairsum_utils.cli.options import (
    check_drawable,
    check_outputs,
    check_report,
    described_settings,
    output_options,
    plot_option,
    recorded,
    report_options,
    write_document,
)
from fairsum_utils.cli.tracking import texts_of, track_results, tracking_options
from fairsum_utils.cluster.engines import is_main_process
from fairsum_utils.errors import InputError
from fairsum_utils.io.names import PICTURES

if TYPE_CHECKING:
    from fairsum_utils.cli.pages import PageSamples
    from fairsum_utils.cluster.job import Scored
    from fairsum_utils.cluster.scoring import Scoring
    from fairsum_utils.integrations.tracking import Worst
    from fairsum_utils.io.layout import Layout
    from fairsum_utils.results.results import Results
    from fairsum_utils.session import Session


def sample_outputs(*more: Option) -> tuple[Option, ...]:
    """Make the options of everything that can be made of scored samples, and a command's own."""
    return output_options(
        plot_option(),
        *report_options(),
        Option("--samples", metavar="FILE", help="write one row a sample, with its evidence (.parquet or .jsonl)"),
        Option("--with-texts", help="the file of --samples carries the texts too, for fairsum inspect"),
        Option(
            "--order",
            choices=("file", "worst"),
            help="of the samples: as in the file, row by row; or the worst for the first measure first, for which all "
            "are held in memory (default: worst with texts, else file)",
        ),
        *tracking_options(samples=True),
        *more,
    )


def make_all(options: Options, scoring: Scoring, page: PageSamples, settings: Mapping[str, Mapping[str, Any]]) -> None:
    """Take the samples in, and print and write what is asked for.

    Args:
        options: of the command.
        scoring: gives the samples.
        page: takes in those of a page.
        settings: label -> the settings that were given.

    Raises:
        InputError: the file or a sample is not as described.
    """
    from fairsum_utils.integrations.tracking import Worst

    job = scoring.job
    worst = Worst(() if options.track is None else [request.measure for request in job.requests])
    _take_in(options, scoring, page, worst)
    results = scoring.results()
    if not is_main_process():
        return
    results.title = masked(options.file)
    write_results(options, scoring, results, {"file": results.title, "metrics": results}, page, settings)
    texts = texts_of(options.file, job.layout, worst.indices, **job.reading) if options.track_texts else None
    track_results(options, results, options.file, worst, texts)


def _take_in(options: Options, scoring: Scoring, page: PageSamples, worst: Worst) -> None:
    """Keep and write what is wanted of the samples.

    Raises:
        InputError: the file or a sample is not as described.
    """
    from fairsum_utils.cli.pages import sample_texts

    job, session = scoring.job, scoring.session
    on_page, with_texts = options.report is not None, options.with_texts
    needs_records = options.samples is not None or options.track is not None
    sorts = options.order == "worst" or (with_texts and options.order is None)
    whole = sorts or any(each.family.needs_all_rows(each.measures) for each in session.passes)
    has_texts = with_texts or on_page
    texts = sample_texts(job.path, job.layout, **job.reading) if has_texts else iter(())
    scored = (systems[0] for systems in scoring.chunks(rows=needs_records or on_page))
    with _sample_writer(options.samples, session, job.layout if with_texts else None) as write:
        for chunks in _all_at_once(scored) if whole and (needs_records or on_page) else ([chunk] for chunk in scored):
            ids, rows = _joined(chunks, session)
            samples = list(islice(texts, len(ids)))
            if on_page:
                page.add(0, ids, rows, samples)
            if needs_records:
                records = _records(ids, rows, session, samples if with_texts else None)
                worst.add(records)
                write(_worst_first(records, session) if sorts else records)
        if not scoring.n_samples:
            raise InputError(f"{options.file}: holds no sample; give at least one")


def _all_at_once(scored: Iterator[Scored]) -> Iterator[list[Scored]]:
    """All chunks together, for records that need the rows of all samples; memory holds them."""
    yield list(scored)


def write_results(
    options: Options,
    scoring: Scoring,
    results: Results,
    document: dict[str, Any],
    page: PageSamples,
    settings: Mapping[str, Mapping[str, Any]],
    scores: Mapping[str, Mapping[str, Any]] = {},
) -> None:
    """Draw, write and print results, as asked for.

    Args:
        options: of the command.
        scoring: that they come from.
        results: of scoring or of a comparison.
        document: they, and what they are of.
        page: has the samples of a page.
        settings: label -> the settings that were given.
        scores: of a comparison, see `fairsum_utils.cli.pages.PageSamples.write`.
    """
    job = scoring.job
    if options.plot is not None:
        results.plot().save(options.plot)
    run = None
    if options.output is not None or options.report is not None:
        n_rows = dict.fromkeys(job.files) | dict.fromkeys(job.files[: job.n_systems], scoring.n_samples)
        run = recorded(options, n_rows, described_settings(job.requests, settings))
    if options.report is not None:
        page.write(options, results, run, scores)
    write_document(options, document, results._parts(), run=run)


def check_sample_outputs(options: Options, session: Session, module: str) -> None:
    """Refuse files that cannot be written, before any work is done.

    Args:
        options: of the command.
        session: that makes the records.
        module: name of the command.

    Raises:
        InputError: there is one, or options for the samples without a file for them.
    """
    if options.samples is None and (options.with_texts or options.order):
        raise InputError(f"{module}: --with-texts and --order are for the samples; name their file with --samples")
    check_report(options, module)
    check_outputs(
        options,
        output=(".json",),
        plot=PICTURES,
        report=(".html",),
        samples=(".parquet", ".jsonl"),
    )
    check_drawable(options.plot)


def _joined(chunks: Sequence[Scored], session: Session) -> tuple[list[str], list[list[Any]]]:
    """The ids of samples, and for each pass their rows."""
    places = range(len(session.passes))
    rows = [[row for chunk in chunks for row in chunk.rows[place]] for place in places]
    return [name for chunk in chunks for name in chunk.ids], rows


def _records(
    ids: Sequence[str], rows: Sequence[Sequence[Any]], session: Session, texts: Sequence[dict[str, Any]] | None
) -> list[dict[str, Any]]:
    """One record a sample, with what each pass says of it, and its texts; several families have a part each."""
    records: list[dict[str, Any]] = [{"id": name} for name in ids]
    has_parts = _has_parts(session)
    for each, of_pass in zip(session.passes, rows, strict=True):
        for record, said in zip(records, each.records(of_pass), strict=True):
            if has_parts:
                record.setdefault("index", said["index"])
                record.setdefault(each.family.name, {}).update(said)
            else:
                record |= said
    if texts is not None:
        for record, sample in zip(records, texts, strict=True):
            record["sample"] = sample
    return records


def _has_parts(session: Session) -> bool:
    """Whether records have a part for each family, for these have keys of one name."""
    return len({each.family.name for each in session.passes}) > 1


def _worst_first(records: list[dict[str, Any]], session: Session) -> list[dict[str, Any]]:
    """The records in the order of the first measure; those without a score come last."""
    from fairsum_utils.reports.worst import worst

    each, measure = session.passes[0], session.requests[0].measure
    family = each.family
    read = [family.read_record(family.part_of(record), measure, each.settings) for record in records]
    ranked = worst(measure, read)
    return [records[place] for place in [*ranked, *sorted(set(range(len(records))).difference(ranked))]]


Write = Callable[[list[dict[str, Any]]], None]
"""Takes the records of a chunk of samples."""


@contextmanager
def _sample_writer(path: str | None, session: Session, texts: Layout | None) -> Iterator[Write]:
    """Writes sample records as they come, with the texts of a layout; the file appears when it is complete."""
    if path is None:
        yield lambda records: None
        return
    from fairsum_utils.io.names import format_of
    from fairsum_utils.io.writing import replacing

    with replacing(path) as temporary:
        if format_of(path) == ".jsonl":
            with temporary.open("w", encoding="utf-8") as file:
                yield lambda records: file.writelines(
                    json.dumps(record, ensure_ascii=False) + "\n" for record in records
                )
            return
        import pyarrow.parquet

        from fairsum_utils.families.table import arrow_type
        from fairsum_utils.results.samples import stored_kind

        fields: dict[str, Any] = {"id": pyarrow.string()}
        of_family: dict[str, dict[str, Any]] = {}
        for each in session.passes:
            types = {name: arrow_type(kind) for name, kind in each.record_types().items()}
            of_family.setdefault(each.family.name, {}).update(types)
        if _has_parts(session):
            fields["index"] = pyarrow.int64()
            fields |= {name: pyarrow.struct(list(types.items())) for name, types in of_family.items()}
        else:
            fields |= next(iter(of_family.values()))
        if texts is not None:
            kinds = ((column.name, arrow_type(stored_kind(column))) for column, _ in texts.columns)
            fields["sample"] = pyarrow.struct(list(kinds))
        schema = pyarrow.schema(list(fields.items()))
        with pyarrow.parquet.ParquetWriter(temporary, schema) as writer:
            yield lambda records: writer.write_table(pyarrow.Table.from_pylist(records, schema=schema))
