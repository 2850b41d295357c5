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
    columns,
    write_document,
)

if TYPE_CHECKING:
    from fairsum_utils.cli.families import Family
    from fairsum_utils.cli.scoring import Scored, Scorers

__all__ = ["add_parser", "run"]

_EPILOG = """\
The file holds one sample a row: `prediction` (the summary), `sources` (list of source texts), `values` (the social
attribute value of each source text) and, if you like, `id`. In CSV the two lists are JSON, as in ["good", "bad"].
The measures of polarity need `prediction` (any text) and `group` instead, and no sources. Those of entities need no
values; their `sources` may be one text, and `article_id` names the original that several samples were made from. Rows
of counterfactual_ontonotes with a prediction fit as they are, with --sources-column text --group-column text_group.

examples:
  fairsum score summaries.jsonl
  fairsum score summaries.csv.gz --prediction-column summary --tau 0.9 --metrics bur
  fairsum score saved_data_set/ --split test --target equal --output results.json
  fairsum score summaries.jsonl --metrics equal_coverage,coverage_parity --entailer lexical
  fairsum score summaries.jsonl --matcher bertscore --device cuda
  fairsum score texts.jsonl --metrics sentiment,gender_polarity --group-column profession
  fairsum score news.jsonl --metrics word_list_inclusion,entity_inclusion,entity_hallucination --sources-column text
  fairsum score big.parquet --workers 2 --samples samples.parquet --checkpoint big.progress
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "score",
        help="score a file of summaries or other generated texts",
        description="Score summaries against their sources: whose voice is underrepresented, and by how much. Or score "
        "generated texts by group: of whom they speak well or badly.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
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
    parser.set_defaults(run=run, parser=parser)


def run(options: argparse.Namespace) -> int:
    """Score the file and print the report."""
    from tqdm import tqdm

    from fairsum_utils.cli.families import choose_families, is_main_process
    from fairsum_utils.cli.scoring import Job, scored
    from fairsum_utils.files.writing import check_output

    families = choose_families(options, "score", evidence=options.samples is not None)
    if not is_main_process():
        if not any(family.uses_model for family in families):
            return 0  # nothing to share
        options.output = options.samples = None
    check_output(options.output, ".json")
    check_output(options.samples, ".parquet", ".jsonl")
    check_output(options.checkpoint)
    scorers = {family.name: family.scorer() for family in families}
    tables = {family.name: family.table() for family in families}
    job = Job(options.file, columns(options, families), options.split, tuple(families))
    progress = tqdm(unit=" samples", disable=None, leave=False)
    held, whole = [], any(family.whole for family in families)
    with progress, _sample_writer(options.samples, families) as write:
        for chunk in scored(job, scorers, workers=options.workers, checkpoint=options.checkpoint):
            for family in families:
                tables[family.name].extend(chunk.rows[family.name])
            progress.update(len(chunk.ids))
            if options.samples is not None:
                held.append(chunk)
            if held and not whole:
                write(*_records(held, families, scorers))
                held.clear()
        if held:
            write(*_records(held, families, scorers))
    results = {family.name: family.results(scorers[family.name], tables[family.name]) for family in families}
    metrics = {name: result for of_family in results.values() for name, result in of_family.items()}

    def report(*, markdown: bool) -> str:
        title = str(options.file)
        return "\n\n\n".join(family.report(title, results[family.name], markdown=markdown) for family in families)

    if is_main_process():
        write_document(options, {"file": str(options.file), "metrics": metrics}, report)
    return 0


def _records(
    chunks: Sequence[Scored], families: Sequence[Family], scorers: Scorers
) -> tuple[list[str], list[list[dict[str, Any]]]]:
    """Ids and records of each family."""
    ids = [name for chunk in chunks for name in chunk.ids]
    records = [
        family.records(scorers[family.name], [row for chunk in chunks for row in chunk.rows[family.name]])
        for family in families
    ]
    return ids, records


Write = Callable[[list[str], list[list[dict[str, Any]]]], None]
"""(ids, records of each family) of a chunk of samples."""


@contextmanager
def _sample_writer(path: Path | None, families: list[Family]) -> Iterator[Write]:
    """Writes sample records as they come; the file appears under its name when it is complete."""
    if path is None:
        yield lambda ids, records: None
        return
    from fairsum_utils.files.writing import replacing

    with replacing(path) as temporary:
        if path.suffix == ".jsonl":
            with temporary.open("w", encoding="utf-8") as file:
                yield lambda ids, records: file.writelines(
                    json.dumps(record, ensure_ascii=False) + "\n" for record in _merged(ids, records)
                )
            return
        import pyarrow
        import pyarrow.parquet

        writer: Any = None

        def write(ids: list[str], records: list[list[dict[str, Any]]]) -> None:
            nonlocal writer
            if writer is None:
                types = {"id": pyarrow.string()}
                for family, (record, *_) in zip(families, records, strict=True):
                    types |= family.column_types(record)
                writer = pyarrow.parquet.ParquetWriter(temporary, pyarrow.schema([*types.items()]))
            writer.write_table(pyarrow.Table.from_pylist(_merged(ids, records), schema=writer.schema))

        try:
            yield write
        finally:
            if writer is not None:
                writer.close()


def _merged(ids: list[str], records: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """One record a sample, of all families."""
    return [
        {"id": name, **{key: entry for record in of_sample for key, entry in record.items()}}
        for name, *of_sample in zip(ids, *records, strict=True)
    ]
