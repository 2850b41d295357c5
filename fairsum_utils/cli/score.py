"""`fairsum score`: a file of summaries and their sources, or of generated texts and their groups, to measures."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.options import (
    add_files,
    add_input_options,
    add_measure_options,
    add_output_options,
    add_plot,
    add_predictions,
    add_report,
    check_drawable,
    check_outputs,
    check_report,
    chosen_measures,
    chosen_settings,
    is_main_process,
    layout_of,
    reading,
    recorded,
    told_settings,
    with_interval,
    write_document,
)
from fairsum_utils.cli.tracking import add_tracking_options, check_tracking, texts_of, track_results
from fairsum_utils.errors import InputError

if TYPE_CHECKING:
    from fairsum_utils.cli.pages import PageSamples
    from fairsum_utils.cli.scoring import Job, Scored
    from fairsum_utils.inputs.layout import Layout
    from fairsum_utils.results import ScoreResults
    from fairsum_utils.session import Session
    from fairsum_utils.tracking import Worst

__all__ = ["add_options", "run"]

HELP = "score a file of summaries or other generated texts"
DESCRIPTION = (
    "Score summaries against their sources: whose voice is underrepresented, and by how much.\n"
    "Or score generated texts by group: of whom they speak well or badly."
)
EPILOG = """\
The file holds one sample a row: `prediction` (the summary), `sources` (list of source texts), `values` (the social
attribute value of each source text) and, if you like, `id`. In CSV the two lists are JSON, as in ["good", "bad"], or as
Python or NumPy write them. Values are texts, whole numbers (1 is the text "1"), or true and false ("True", "False").
The measures of polarity need `prediction` (any text) and `group` instead, and no sources. Those of entities need no
values; their `sources` may be one text, `article_id` names the original that several samples were made from, and
`pair_id`, if there is one, those of them that were made together. Rows of counterfactual_ontonotes with a prediction
fit as they are, with --sources-column text --group-column text_group.
Turns in a row each (--group-by), in lists ({"speaker": "Anna", "text": "Yes."}) or as --transcript are read too.

examples:
  fairsum score summaries.jsonl
  fairsum score summaries.csv.gz --prediction-column summary --tau 0.9 --metrics bur
  fairsum score excel.csv --encoding cp1252        or 'data/*.parquet', or - for standard input
  fairsum score summaries.jsonl --plot scores.svg
  fairsum score saved_data_set/ --split test --target equal --output results.json
  fairsum score turns.csv --group-by meeting --sources-column text --values-column speaker --predictions summaries.csv
  fairsum score summaries.jsonl --metrics equal_coverage,coverage_parity --entailer lexical
  fairsum score summaries.jsonl --matcher bertscore --device cuda
  fairsum score texts.jsonl --metrics sentiment,gender_polarity --group-column profession
  fairsum score news.jsonl --metrics word_list_inclusion,entity_inclusion,entity_hallucination --sources-column text
  fairsum score summaries.jsonl --track wandb --run-name bart-large
  fairsum score big.parquet --workers 2 --samples samples.parquet --checkpoint big.progress
  fairsum score summaries.jsonl --samples worst.jsonl --with-texts
  fairsum score summaries.jsonl --report report.html
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_files(parser)
    add_measure_options(parser)
    add_predictions(add_input_options(parser))
    group = add_output_options(parser)
    add_plot(group)
    add_report(group)
    group.add_argument(
        "--samples", metavar="FILE", help="write one row a sample, with its evidence (.parquet or .jsonl)"
    )
    group.add_argument(
        "--with-texts", action="store_true", help="the file of --samples carries the texts too, for fairsum inspect"
    )
    group.add_argument(
        "--order",
        choices=("file", "worst"),
        help="of the samples: as in the file, row by row; or the worst for the first measure first, for which all are "
        "held in memory (default: worst with texts, else file)",
    )
    group.add_argument(
        "--checkpoint", type=Path, metavar="FILE", help="keep finished work here; the same command goes on after it"
    )
    add_tracking_options(group, samples=True)


def run(options: argparse.Namespace) -> int:
    """Score the file and print the report."""
    from fairsum_utils.cli.pages import page_samples
    from fairsum_utils.cli.scoring import Job
    from fairsum_utils.session import Request
    from fairsum_utils.tracking import Worst

    measures = chosen_measures(options, "score")
    settings = chosen_settings(options, "score", measures)
    requests = tuple(Request(name, settings=with_interval(settings[name])) for name in measures)
    layout = layout_of(options, "score", measures, options.predictions)
    check_tracking(options, "score", layout)
    evidence = options.samples is not None or options.report is not None
    job = Job(options.file, layout, reading(options), requests, "score", evidence=evidence)
    session = job.session()
    _check_outputs(options, session)
    if not is_main_process():
        if not job.uses_model(session):
            return 0  # nothing to share
        options.output = options.samples = options.plot = options.report = options.track = None
    worst = Worst(() if options.track is None else measures)
    with session, page_samples(session) as page:
        n_samples = _score(options, job, session, page, worst)
        session.take_columns(column.name for column, _ in layout.columns)
        results = session.results()
        if is_main_process():
            results.title = str(options.file)
            _report(options, results, page, n_samples, told_settings(requests, settings))
    if is_main_process():
        told = texts_of(options.file, layout, worst.indices, **reading(options)) if options.track_texts else None
        track_results(options, results, options.file, worst, told)
    return 0


def _score(options: argparse.Namespace, job: Job, session: Session, page: PageSamples, worst: Worst) -> int:
    """Score the file into a session, and keep and write what is wanted of its samples; how many there are.

    Raises:
        InputError: the file or a sample is not as described.
    """
    from fairsum_utils.cli.samples import sample_texts
    from fairsum_utils.cli.scoring import scored_into

    on_page, with_texts = options.report is not None, options.with_texts
    needs_records = options.samples is not None or options.track is not None
    sorts = options.order == "worst" or (with_texts and options.order is None)
    whole = sorts or any(each.family.needs_all_rows(each.measures) for each in session.passes)
    whole = whole and (needs_records or on_page)
    has_texts = with_texts or on_page
    texts = sample_texts(job.path, job.layout, **job.reading) if has_texts else iter(())
    n_samples = 0
    with _sample_writer(options.samples, session, job.layout if with_texts else None) as write:
        for chunks in scored_into(job, session, workers=options.workers, checkpoint=options.checkpoint, whole=whole):
            ids, rows = _joined(chunks, session)
            n_samples += len(ids)
            samples = list(islice(texts, len(ids)))
            if on_page:
                page.add(0, ids, rows, samples)
            if needs_records:
                records = _records(ids, rows, session, samples if with_texts else None)
                worst.add(records)
                write(_worst_first(records, session) if sorts else records)
        if not n_samples:
            raise InputError(f"{options.file}: holds no sample; give at least one")
    return n_samples


def _report(
    options: argparse.Namespace, results: ScoreResults, page: PageSamples, n_samples: int, settings: dict[str, Any]
) -> None:
    """Draw, write and print the results, as asked for."""
    from fairsum_utils.reports.report import parts_of

    run = None
    if options.output is not None or options.report is not None:
        run = recorded(options, {options.file: n_samples}, settings)
    if options.plot is not None:
        results.plot().save(options.plot)
    if options.report is not None:
        page.write(options, results, run)
    write_document(options, {"file": results.title, "metrics": results}, parts_of(results.title, results), run=run)


def _check_outputs(options: argparse.Namespace, session: Session) -> None:
    """Refuse files that cannot be written, before any work is done.

    Raises:
        InputError: there is one, or options for the samples without a file for them.
    """
    if options.samples is None and (options.with_texts or options.order):
        raise InputError("score: --with-texts and --order are for the samples; name their file with --samples")
    if options.samples is not None:
        _check_apart(session, is_read_again=options.with_texts or options.order == "worst")
    check_report(options, "score")
    check_outputs(
        options,
        output=(".json",),
        plot=(".svg", ".png"),
        report=(".html",),
        samples=(".parquet", ".jsonl"),
        checkpoint=(),
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
    """One record a sample, with what each pass says of it, and its texts."""
    records: list[dict[str, Any]] = [{"id": name} for name in ids]
    for each, of_pass in zip(session.passes, rows, strict=True):
        for record, said in zip(records, each.records(of_pass), strict=True):
            record |= said
    if texts is not None:
        for record, sample in zip(records, texts, strict=True):
            record["sample"] = sample
    return records


def _check_apart(session: Session, *, is_read_again: bool) -> None:
    """Say of which measures a record says what several of them say, key by key; refuse them if it is read for each.

    Raises:
        InputError: there are some, and it is.
    """
    from fairsum_utils.cli.terminal import note

    known: dict[str, tuple[str, ...]] = {}
    for each in session.passes:
        shared = [key for key in each.record_types() if key not in ("index", "group") and key in known]
        if shared:
            said = (
                f"a file of samples says {shared[0]!r} once, found {', '.join(known[shared[0]])} and "
                f"{', '.join(each.measures)}, which each have their own"
            )
            if is_read_again:
                raise InputError(f"score: {said}; write a file for each")
            note(
                f"{said}: written are {', '.join(map(repr, shared))} of {', '.join(each.measures)}; to have both, "
                "write a file for each"
            )
        known |= dict.fromkeys(each.record_types(), each.measures)


def _worst_first(records: list[dict[str, Any]], session: Session) -> list[dict[str, Any]]:
    """The records in the order of the first measure; those without a score come last."""
    from fairsum_utils.reports.worst import worst

    each, measure = session.passes[0], session.requests[0].measure
    read = [each.family.read_record(record, measure, each.settings) for record in records]
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
    from fairsum_utils.files.names import format_of
    from fairsum_utils.files.writing import replacing

    with replacing(path) as temporary:
        if format_of(path) == ".jsonl":
            with temporary.open("w", encoding="utf-8") as file:
                yield lambda records: file.writelines(
                    json.dumps(record, ensure_ascii=False) + "\n" for record in records
                )
            return
        import pyarrow.parquet

        from fairsum_utils.family.table import arrow_type
        from fairsum_utils.results.samples import stored_kind

        types = {"id": str}
        for each in session.passes:
            types |= each.record_types()
        fields = [(name, arrow_type(kind)) for name, kind in types.items()]
        if texts is not None:
            kinds = ((column.name, arrow_type(stored_kind(column))) for column, _ in texts.columns)
            fields.append(("sample", pyarrow.struct(list(kinds))))
        schema = pyarrow.schema(fields)
        with pyarrow.parquet.ParquetWriter(temporary, schema) as writer:
            yield lambda records: writer.write_table(pyarrow.Table.from_pylist(records, schema=schema))
