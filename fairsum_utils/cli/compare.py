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
    columns,
    write_document,
)

if TYPE_CHECKING:
    from fairsum_utils.cli.families import Family

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
    add_measure_options(parser, comparing=True)
    add_input_options(parser)
    add_output_options(parser)
    parser.set_defaults(run=run, parser=parser)


def run(options: argparse.Namespace) -> int:
    """Score both files, pair their samples and print the comparison."""
    from tqdm import tqdm

    from fairsum_utils.cli.families import choose_families, is_main_process
    from fairsum_utils.cli.scoring import Job, scored
    from fairsum_utils.files.writing import check_output

    families = choose_families(options, "compare")
    check_output(options.output, ".json")
    scorers = {family.name: family.scorer() for family in families}
    systems = []
    with tqdm(unit=" samples", disable=None, leave=False) as progress:
        for path in (options.a, options.b):
            ids: list[str] = []
            rows: dict[str, list[Any]] = {family.name: [] for family in families}
            job = Job(path, columns(options, families), options.split, tuple(families))
            for chunk in scored(job, scorers, workers=options.workers):
                ids += chunk.ids
                for name, of_family in chunk.rows.items():
                    rows[name] += of_family
                progress.update(len(chunk.ids))
            systems.append((ids, rows))
    n_samples = len(systems[0][0])
    results: dict[str, dict[str, Any]] = {}
    for family in families:
        a, b = (list(zip(ids, rows[family.name], strict=True)) for ids, rows in systems)
        kept_a, kept_b = pair(a, b, family)
        tables = family.table(kept_a), family.table(kept_b)
        results |= family.compared(scorers[family.name], *tables, n_samples - len(kept_a))
    document = {"a": str(options.a), "b": str(options.b), "metrics": results}
    if is_main_process():
        write_document(options, document, partial(report, document))
    return 0


def pair(a: list[tuple[str, Any]], b: list[tuple[str, Any]], family: Family) -> tuple[list[Any], list[Any]]:
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
        if not family.same_sample(row_a, row_b):
            raise InputError(f"compare: the sources or values of id {name!r} differ between A and B; use the same ones")
        kept_a.append(row_a)
        kept_b.append(replace(row_b, index=row_a.index))
    return kept_a, kept_b


def report(document: dict[str, Any], *, markdown: bool = False) -> str:
    """The comparison for a person."""
    from fairsum_utils.cli.tables import number, render, short_name

    results = document["metrics"]
    rows = []
    for name, result in results.items():
        low, high = result["difference_ci"]
        rows.append(
            [
                short_name(name),
                number(result["a"]),
                number(result["b"]),
                number(result["difference"]),
                f"[{number(low)}, {number(high)}]",
                number(result["p_value"]),
            ]
        )
    counts: dict[tuple[int, int], list[str]] = {}
    for name, result in results.items():
        counts.setdefault((result["n_samples"], result["n_skipped"]), []).append(name)
    return "\n".join(
        [
            f"A: {document['a']}",
            f"B: {document['b']}",
            *(
                f"{n_samples} samples compared, {n_skipped} skipped"
                + (f" ({', '.join(names)})" if len(counts) > 1 else "")
                for (n_samples, n_skipped), names in counts.items()
            ),
            "",
            render(["measure", "A", "B", "A - B", "interval", "p"], rows, markdown=markdown),
            "",
            "Lower is fairer: a difference below 0 speaks for A.",
        ]
    )
