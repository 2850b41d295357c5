"""`fairsum compare`: two systems on the same samples, by a paired bootstrap."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.options import (
    add_input_options,
    add_measure_options,
    add_output_options,
    chosen_measures,
    chosen_settings,
    is_main_process,
    layout_of,
    write_document,
)

if TYPE_CHECKING:
    from fairsum_utils.family import Family

__all__ = ["add_options", "pair", "run"]

HELP = "compare two systems on the same samples"
DESCRIPTION = "Compare the summaries of two systems: difference A - B of each measure, interval and p-value."
EPILOG = """\
The samples are paired by `id`, or by their order if the files have no ids. A sample that either system left without a
score is left out of both. The p-value is two-sided and never 0: (b + 1) / (replicates + 1).

examples:
  fairsum compare system_a.jsonl system_b.jsonl
  fairsum compare before.parquet after.parquet --metrics bur,uer --tau 0.9 --format json
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("a", type=Path, help="file of system A, as for score")
    parser.add_argument("b", type=Path, help="file of system B")
    add_measure_options(parser, comparing=True)
    add_input_options(parser)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Score both files, pair their samples and print the comparison."""
    from fairsum_utils.bars import bar
    from fairsum_utils.cli.scoring import Job, scored
    from fairsum_utils.files.writing import check_output
    from fairsum_utils.reports.comparison import parts_of
    from fairsum_utils.session import Request

    measures = chosen_measures(options, "compare")
    settings = chosen_settings(options, "compare", measures)
    requests = tuple(Request(name, settings=settings[name]) for name in measures)
    layout = layout_of(options, "compare", measures)
    job = Job(options.a, layout, options.split, requests, "compare")
    check_output(options.output, ".json")
    systems: list[tuple[list[str], list[list[Any]]]] = []
    with job.session() as session, bar(unit="samples") as progress:
        session.check_comparable()
        session.take_columns(column.name for column, _ in layout.columns)
        for path in (options.a, options.b):
            ids: list[str] = []
            rows: list[list[Any]] = [[] for _ in session.passes]
            for chunk in scored(job._replace(path=path), session, workers=options.workers):
                ids += chunk.ids
                for mine, made in zip(rows, chunk.rows, strict=True):
                    mine += made
                progress.update(len(chunk.ids))
            systems.append((ids, rows))
        results: dict[str, dict[str, Any]] = {}
        for place, each in enumerate(session.passes):
            a, b = (list(zip(ids, rows[place], strict=True)) for ids, rows in systems)
            results |= each.compare(*pair(a, b, each.family))
    if is_main_process():
        ordered = {name: results[name] for name in measures}
        document = {"a": str(options.a), "b": str(options.b), "metrics": ordered}
        write_document(options, document, parts_of(document))
    return 0


def pair(a: list[tuple[str, Any]], b: list[tuple[str, Any]], family: Family) -> tuple[list[Any], list[Any]]:
    """Rows of the same samples, in the order of A.

    Raises:
        InputError: an id that occurs twice or in one file only, or a sample whose sources differ.
    """
    from dataclasses import replace

    from fairsum_utils.errors import InputError

    first, second = dict(a), dict(b)
    for label, rows, found in (("A", a, first), ("B", b, second)):
        if len(found) < len(rows):
            twice = Counter(name for name, _ in rows).most_common(1)[0][0]
            raise InputError(f"compare: id {twice!r} occurs twice in {label}; give every sample an id of its own")
    for label, other, mine, theirs in (("A", "B", first, second), ("B", "A", second, first)):
        alone = [name for name in mine if name not in theirs]
        if alone:
            raise InputError(
                f"compare: {len(alone)} samples of {label} are not in {other}, such as id {alone[0]!r}; "
                "compare systems on the same samples"
            )
    for name, row_a in first.items():
        is_scored = row_a.skipped is None and second[name].skipped is None
        if is_scored and not family.same_sample(row_a, second[name]):
            raise InputError(f"compare: the sources or values of id {name!r} differ between A and B; use the same ones")
    return list(first.values()), [replace(second[name], index=row.index) for name, row in first.items()]
