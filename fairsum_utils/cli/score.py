"""`fairsum score`: a file of summaries and their sources, or of generated texts and their groups, to measures."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.options import (
    INPUT_FORMATS,
    add_input_options,
    add_measure_options,
    add_output_options,
    chosen_measures,
    chosen_settings,
    is_main_process,
    layout_of,
    with_interval,
    write_document,
)
from fairsum_utils.cli.tracking import add_tracking_options, check_tracking, texts_of, track_results

if TYPE_CHECKING:
    from fairsum_utils.cli.scoring import Scored
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
attribute value of each source text) and, if you like, `id`. In CSV the two lists are JSON, as in ["good", "bad"].
The measures of polarity need `prediction` (any text) and `group` instead, and no sources. Those of entities need no
values; their `sources` may be one text, `article_id` names the original that several samples were made from, and
`pair_id`, if there is one, those of them that were made together. Rows of counterfactual_ontonotes with a prediction
fit as they are, with --sources-column text --group-column text_group.

examples:
  fairsum score summaries.jsonl
  fairsum score summaries.csv.gz --prediction-column summary --tau 0.9 --metrics bur
  fairsum score saved_data_set/ --split test --target equal --output results.json
  fairsum score summaries.jsonl --metrics equal_coverage,coverage_parity --entailer lexical
  fairsum score summaries.jsonl --matcher bertscore --device cuda
  fairsum score texts.jsonl --metrics sentiment,gender_polarity --group-column profession
  fairsum score news.jsonl --metrics word_list_inclusion,entity_inclusion,entity_hallucination --sources-column text
  fairsum score summaries.jsonl --track wandb --run-name bart-large
  fairsum score big.parquet --workers 2 --samples samples.parquet --checkpoint big.progress
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("file", type=Path, help=INPUT_FORMATS)
    add_measure_options(parser)
    add_input_options(parser)
    group = add_output_options(parser)
    group.add_argument(
        "--samples", type=Path, metavar="FILE", help="write one row a sample, with its evidence (.parquet or .jsonl)"
    )
    group.add_argument(
        "--checkpoint", type=Path, metavar="FILE", help="keep finished work here; the same command goes on after it"
    )
    add_tracking_options(group, samples=True)


def run(options: argparse.Namespace) -> int:
    """Score the file and print the report."""
    from tqdm import tqdm

    from fairsum_utils.cli.scoring import Job, scored
    from fairsum_utils.errors import InputError
    from fairsum_utils.files.writing import check_output
    from fairsum_utils.reports.report import parts_of
    from fairsum_utils.session import Request
    from fairsum_utils.tracking import Worst

    measures = chosen_measures(options, "score")
    settings = chosen_settings(options, "score", measures)
    requests = tuple(Request(name, settings=with_interval(settings[name])) for name in measures)
    layout = layout_of(options, "score", measures)
    check_tracking(options, "score", layout)
    job = Job(options.file, layout, options.split, requests, "score", evidence=options.samples is not None)
    session = job.session()
    if not is_main_process():
        if not job.uses_model(session):
            return 0  # nothing to share
        options.output = options.samples = options.track = None
    check_output(options.output, ".json")
    check_output(options.samples, ".parquet", ".jsonl")
    check_output(options.checkpoint)
    whole = any(each.family.needs_all_rows(each.measures) for each in session.passes)
    held: list[Scored] = []
    n_samples, worst = 0, Worst(measures)
    needs_records = options.samples is not None or options.track is not None
    with session, tqdm(unit=" samples", disable=None, leave=False) as progress:
        with _sample_writer(options.samples, session) as write:
            for chunk in scored(job, session, workers=options.workers, checkpoint=options.checkpoint):
                session.add_rows(chunk.rows)
                n_samples += len(chunk.ids)
                progress.update(len(chunk.ids))
                if needs_records:
                    held.append(chunk)
                if not whole:
                    _hand_over(held, session, write, worst)
            _hand_over(held, session, write, worst)
            if not n_samples:
                raise InputError(f"{options.file}: holds no sample; give at least one")
        session.take_columns(column.name for column, _ in layout.columns)
        results = session.results()
    if is_main_process():
        document = {"file": str(options.file), "metrics": results}
        write_document(options, document, parts_of(str(options.file), results))
        texts = texts_of(options.file, layout, options.split, worst.indices) if options.track_texts else None
        track_results(options, results, [options.file], worst, texts)
    return 0


def _hand_over(held: list[Scored], session: Session, write: Write, worst: Worst) -> None:
    """The records of the samples that are held go to whoever wants them; nothing is held any more."""
    if held:
        records = _records(held, session)
        write(records)
        worst.add(records)
        held.clear()


def _records(chunks: Sequence[Scored], session: Session) -> list[dict[str, Any]]:
    """One record a sample, with what each pass says of it."""
    records: list[dict[str, Any]] = [{"id": name} for chunk in chunks for name in chunk.ids]
    for place, each in enumerate(session.passes):
        rows = [row for chunk in chunks for row in chunk.rows[place]]
        for record, said in zip(records, each.records(rows), strict=True):
            record |= said
    return records


Write = Callable[[list[dict[str, Any]]], None]
"""Takes the records of a chunk of samples."""


@contextmanager
def _sample_writer(path: Path | None, session: Session) -> Iterator[Write]:
    """Writes sample records as they come; the file appears under its name when it is complete."""
    if path is None:
        yield lambda records: None
        return
    from fairsum_utils.files.writing import replacing

    with replacing(path) as temporary:
        if path.suffix == ".jsonl":
            with temporary.open("w", encoding="utf-8") as file:
                yield lambda records: file.writelines(
                    json.dumps(record, ensure_ascii=False) + "\n" for record in records
                )
            return
        import pyarrow.parquet

        from fairsum_utils.family.table import arrow_type

        types = {"id": str}
        for each in session.passes:
            types |= each.record_types()
        schema = pyarrow.schema([(name, arrow_type(kind)) for name, kind in types.items()])
        with pyarrow.parquet.ParquetWriter(temporary, schema) as writer:
            yield lambda records: writer.write_table(pyarrow.Table.from_pylist(records, schema=schema))
