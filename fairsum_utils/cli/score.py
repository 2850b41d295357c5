"""`fairsum score`: a file of summaries and their sources to BUR, UER, AUC and SOF."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.options import (
    add_input_options,
    add_measure_options,
    add_output_options,
    check_output,
    columns,
    measure_options,
    scorer_options,
    write_document,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairsum_utils.cli.scoring import Scored

__all__ = ["add_parser", "report", "run"]

_EPILOG = """\
The file holds one sample a row: `prediction` (the summary), `sources` (list of source texts), `values` (the social
attribute value of each source text) and, if you like, `id`. In CSV the two lists are JSON, as in ["good", "bad"].

examples:
  fairsum score summaries.jsonl
  fairsum score summaries.csv.gz --prediction-column summary --tau 0.9 --metrics bur
  fairsum score saved_data_set/ --split test --target equal --output results.json
  fairsum score big.parquet --workers 2 --samples samples.parquet --checkpoint big.progress
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "score",
        help="score a file of summaries",
        description="Score summaries against their sources: whose voice is underrepresented, and by how much.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("file", type=Path, help=".jsonl, .csv, .parquet, each also .gz, or a folder of save_to_disk")
    add_measure_options(parser)
    add_input_options(parser)
    group = add_output_options(parser)
    group.add_argument(
        "--samples", type=Path, metavar="FILE", help="write one row a sample, with matched tokens (.parquet or .jsonl)"
    )
    group.add_argument(
        "--checkpoint", type=Path, metavar="FILE", help="keep finished work here; the same command goes on after it"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score the file and print the report."""
    from tqdm import tqdm

    from fairsum_utils.cli.scoring import Job, scored
    from fairsum_utils.errors import InputError
    from fairsum_utils.representation import DistributionScorer, DistributionTable, aggregate, sample_records

    names, measures = measure_options(options, "score")
    settings = scorer_options(options, evidence=options.samples is not None)
    scorer = DistributionScorer(module="score", **settings)
    check_output(options.output, ".json")
    check_output(options.samples, ".parquet", ".jsonl")
    check_output(options.checkpoint)
    table = DistributionTable()
    job = Job(options.file, columns(options), options.split, settings)
    with _sample_writer(options.samples) as write, tqdm(unit=" samples", disable=None, leave=False) as progress:
        for chunk in scored(job, workers=options.workers, checkpoint=options.checkpoint):
            rows = [row for _, row in chunk]
            table.extend(rows)
            if options.samples is not None:
                write(chunk, sample_records(rows, names, target=scorer.target, options=measures))
            progress.update(len(rows))
        if not len(table) and not table.skipped:
            raise InputError(f"{options.file}: holds no sample; give at least one")
    given = options.distribution_column is not None
    results = aggregate(table, names, target=scorer.target, settings=scorer.settings(given=given), options=measures)
    write_document(
        options, {"file": str(options.file), "metrics": results}, partial(report, str(options.file), results)
    )
    return 0


def report(title: str, results: dict[str, dict[str, Any]], *, markdown: bool = False) -> str:
    """What a person wants to see of results: scores with intervals, figures by value, counts, signatures."""
    from fairsum_utils.cli.tables import number, render
    from fairsum_utils.measures import get_measure

    any_result = next(iter(results.values()))
    skipped = ", ".join(f"{count} {reason}" for reason, count in any_result["skipped"].items())
    lines = [f"{title}: {any_result['n_samples']} samples scored, {any_result['n_skipped']} skipped"]
    lines[0] += f" ({skipped})" if skipped else ""
    if any_result["n_unmatched"]:
        lines.append(f"{any_result['n_unmatched']} summaries share no token with any source; they count as uniform.")

    header, rows = ["measure", "score"], []
    with_interval = any(f"{name}_ci" in result for name, result in results.items())
    for name, result in results.items():
        row = [f"{name.upper()} ({get_measure(name).title})", number(result[name])]
        if with_interval:
            low, high = result[f"{name}_ci"]
            row.append(f"[{number(low)}, {number(high)}]")
        rows.append(row)
    lines += ["", render([*header, *(["interval"] if with_interval else [])], rows, markdown=markdown)]
    lines += [f"undefined: {result['undefined']}" for result in results.values() if "undefined" in result]

    shown = [name for name in results if name != "sof" or "uer" not in results]
    titles = {"bur": "underrepresented", "uer": "mean shortfall", "auc": "AUC", "sof": "mean shortfall"}
    by_value = [
        [
            value,
            str(count),
            *(number(results[name][f"{name}_by_value"][value]) for name in shown),
            number(any_result["ratio_by_value"][value]),
        ]
        for value, count in any_result["n_by_value"].items()
    ]
    lines += ["", render(["value", "samples", *(titles[name] for name in shown), "ratio"], by_value, markdown=markdown)]
    lines += ["", "Lower is fairer; all scores are fractions. Ratio: share in the summary over desired share, mean."]
    lines += [f"{name}: {result['signature']}" for name, result in results.items()]
    return "\n".join(lines)


@contextmanager
def _sample_writer(path: Path | None) -> Iterator[Callable[[Scored, list[dict[str, Any]]], None]]:
    """Writes sample records as they come; the file appears under its name when it is complete."""
    if path is None:
        yield lambda chunk, records: None
        return
    from fairsum_utils.corpora.writing import replacing

    with replacing(path) as temporary:
        if path.suffix == ".jsonl":
            with temporary.open("w", encoding="utf-8") as file:
                yield lambda chunk, records: file.writelines(
                    json.dumps(record, ensure_ascii=False) + "\n" for record in _with_ids(chunk, records)
                )
            return
        import pyarrow
        import pyarrow.parquet

        writer: Any = None

        def write(chunk: Scored, records: list[dict[str, Any]]) -> None:
            nonlocal writer
            if writer is None:
                writer = pyarrow.parquet.ParquetWriter(temporary, _schema(pyarrow, records[0]))
            writer.write_table(pyarrow.Table.from_pylist(_with_ids(chunk, records), schema=writer.schema))

        try:
            yield write
        finally:
            if writer is not None:
                writer.close()


def _with_ids(chunk: Scored, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"id": name, **record} for (name, _), record in zip(chunk, records, strict=True)]


def _schema(pyarrow: Any, record: dict[str, Any]) -> Any:
    """Column types of the samples file, the same whatever the first record lacks."""
    texts, shares = pyarrow.list_(pyarrow.string()), pyarrow.list_(pyarrow.float64())
    known = {"index": pyarrow.int64(), "unmatched": pyarrow.bool_(), "skipped": pyarrow.string(), "values": texts}
    for key in ("source_share", "target_share", "desired_share", "ratio"):
        known[key] = shares
    fields = [
        ("id", pyarrow.string()),
        *((key, known.get(key, pyarrow.float64())) for key in record if key != "matched"),
    ]
    return pyarrow.schema([*fields, ("matched", pyarrow.list_(texts))])
