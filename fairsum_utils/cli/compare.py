"""`fairsum compare`: two systems on the same samples, by a paired bootstrap."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace
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
    from fairsum_utils.representation import DistributionRow

__all__ = ["add_parser", "pair", "report", "run"]

_EPILOG = """\
The samples are paired by `id`, or by their order if the files have no ids. A sample that either system left without a
score is left out of both. The p-value is two-sided and never 0: (b + 1) / (replicates + 1).

examples:
  fairsum compare system_a.jsonl system_b.jsonl
  fairsum compare before.parquet after.parquet --metrics bur,uer --tau 0.9 --format json
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "compare",
        help="compare two systems on the same samples",
        description="Compare the summaries of two systems: difference A - B of each measure, interval and p-value.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("a", type=Path, help="file of system A, as for score")
    parser.add_argument("b", type=Path, help="file of system B")
    add_measure_options(parser)
    add_input_options(parser)
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score both files, pair their samples and print the comparison."""
    from tqdm import tqdm

    from fairsum_utils.cli.scoring import Job, scored
    from fairsum_utils.representation import DistributionScorer, DistributionTable, compare_tables

    names, measures = measure_options(options, "compare")
    settings = scorer_options(options)
    scorer = DistributionScorer(module="compare", **settings)
    check_output(options.output, ".json")
    systems = []
    with tqdm(unit=" samples", disable=None, leave=False) as progress:
        for path in (options.a, options.b):
            rows: list[tuple[str, DistributionRow]] = []
            for chunk in scored(Job(path, columns(options), options.split, settings), workers=options.workers):
                rows += chunk
                progress.update(len(chunk))
            systems.append(rows)
    kept_a, kept_b = pair(*systems)
    results = compare_tables(
        DistributionTable(kept_a),
        DistributionTable(kept_b),
        names,
        target=scorer.target,
        settings=scorer.settings(given=options.distribution_column is not None),
        options=measures,
        n_skipped=len(systems[0]) - len(kept_a),
    )
    document = {"a": str(options.a), "b": str(options.b), "metrics": results}
    write_document(options, document, partial(report, document))
    return 0


def pair(
    a: list[tuple[str, DistributionRow]], b: list[tuple[str, DistributionRow]]
) -> tuple[list[DistributionRow], list[DistributionRow]]:
    """Rows of the same samples, in the order of A, without those that either system left without a score.

    Raises:
        InputError: an id that occurs twice or in one file only, or a sample whose sources differ.
    """
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
    kept_a, kept_b = [], []
    for name, row_a in first.items():
        row_b = second[name]
        if row_a.skipped is not None or row_b.skipped is not None:
            continue
        if (row_a.values, row_a.source_tokens) != (row_b.values, row_b.source_tokens):
            raise InputError(f"compare: the sources or values of id {name!r} differ between A and B; use the same ones")
        kept_a.append(row_a)
        kept_b.append(replace(row_b, index=row_a.index))
    return kept_a, kept_b


def report(document: dict[str, Any], *, markdown: bool = False) -> str:
    """The comparison for a person."""
    from fairsum_utils.cli.tables import number, render

    results = document["metrics"]
    rows = []
    for name, result in results.items():
        low, high = result["difference_ci"]
        rows.append(
            [
                name.upper(),
                number(result["a"]),
                number(result["b"]),
                number(result["difference"]),
                f"[{number(low)}, {number(high)}]",
                number(result["p_value"]),
            ]
        )
    any_result = next(iter(results.values()))
    return "\n".join(
        [
            f"A: {document['a']}",
            f"B: {document['b']}",
            f"{any_result['n_samples']} samples compared, {any_result['n_skipped']} skipped",
            "",
            render(["measure", "A", "B", "A - B", "interval", "p"], rows, markdown=markdown),
            "",
            "Lower is fairer: a difference below 0 means A leaves values less underrepresented than B.",
        ]
    )
