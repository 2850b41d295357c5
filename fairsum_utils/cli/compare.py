"""`fairsum compare`: systems on the same samples, by a paired bootstrap."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.options import (
    add_input_options,
    add_measure_options,
    add_output_options,
    add_plot,
    check_drawable,
    check_outputs,
    chosen_measures,
    chosen_settings,
    is_main_process,
    layout_of,
    reading,
    told_settings,
    write_document,
)
from fairsum_utils.cli.tracking import add_tracking_options, check_tracking, track_results
from fairsum_utils.errors import InputError
from fairsum_utils.family.documents import all_columns
from fairsum_utils.files.names import ENDINGS, list_names

if TYPE_CHECKING:
    from fairsum_utils.cli.scoring import Job, Scored
    from fairsum_utils.session import Session

__all__ = ["add_options", "files_of", "names_of", "run"]

HELP = "compare systems on the same samples"
DESCRIPTION = (
    "Compare the summaries of two systems: difference A - B of each measure, interval and p-value.\n"
    "Or of many: scores, differences from a baseline with corrected p-values, ranks, and lengths beside them."
)
EPILOG = """\
The samples are paired by `id`, or by their order if the files have no ids. A sample that some system left without a
score is left out of all. The p-value is two-sided and never 0: (b + 1) / (replicates + 1).

With more than two files, or with --baseline, --pairs or --quality-column, the p-values of a measure are corrected
together by Holm's method, and systems share a rank if no two of them differ significantly (all pairs, corrected).

examples:
  fairsum compare system_a.jsonl system_b.jsonl
  fairsum compare before.parquet after.parquet --metrics bur,uer --tau 0.9 --format json
  fairsum compare lead.jsonl gpt4.jsonl llama.jsonl --quality-column rouge_l --format latex
  fairsum compare summaries/ --baseline gpt4 --output comparison.json
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="file of each system, as for score; or a folder of such files, or a pattern such as 'out/*.jsonl'",
    )
    group = parser.add_argument_group("systems, which are called as their files")
    group.add_argument("--baseline", metavar="NAME", help="compare the others with this one (default: the first)")
    group.add_argument("--pairs", action="store_true", help="list the differences of all pairs")
    group.add_argument(
        "--quality-column",
        action="append",
        default=[],
        metavar="NAME",
        help="column of numbers whose means are to stand beside the scores; may be given several times",
    )
    add_measure_options(parser, comparing=True)
    add_input_options(parser).add_argument(
        "--sources", metavar="FILE", help="sources and values by id, where each FILE holds the predictions alone"
    )
    output = add_output_options(parser)
    add_plot(output)
    add_tracking_options(output)


def run(options: argparse.Namespace) -> int:
    """Score all files side by side and print the comparison."""
    from fairsum_utils.bars import bar
    from fairsum_utils.cli.scoring import scored_systems
    from fairsum_utils.reports.comparison import parts_of
    from fairsum_utils.results import SystemComparison
    from fairsum_utils.systems import Contest

    check_tracking(options, "compare")
    paths = files_of(options.files)
    two = len(paths) == 2 and not (options.baseline or options.pairs or options.quality_column)
    names = ("A", "B") if two else tuple(names_of(paths))
    job, told = _job(options, paths, names)
    check_outputs(options, output=(".json",), plot=(".svg", ".png"))
    check_drawable(options.plot)
    with job.session() as session, bar(unit="samples") as progress:
        contest = Contest(session, names)
        known = all_columns([request.measure for request in job.requests])
        session.take_columns(column.name for column, _ in job.layout.columns if column.name in known)
        n_samples = 0
        for chunks in scored_systems(job, session, workers=options.workers):
            _check_sources(chunks, session, names)
            rows = [[chunk.rows[place] for chunk in chunks] for place in range(len(session.passes))]
            contest.add(rows, [chunk.quality for chunk in chunks if chunk.quality is not None])
            n_samples += len(chunks[0].ids)
            progress.update(sum(len(chunk.ids) for chunk in chunks))
        document: dict[str, Any]
        if two:
            document = {"a": str(paths[0]), "b": str(paths[1]), "metrics": contest.two()}
        else:
            document = contest.document(baseline=options.baseline, pairs=options.pairs)
            for name, path in zip(names, paths, strict=True):
                document["systems"][name]["file"] = str(path)
    if is_main_process():
        if two:
            document["metrics"] = session.comparison(document["metrics"], [str(path) for path in paths])
        if options.plot is not None:
            (document["metrics"] if two else SystemComparison(document)).plot().save(options.plot)
        write_document(
            options,
            document,
            parts_of(document),
            n_rows=dict.fromkeys(paths, n_samples),
            settings=told,
        )
        if two:
            track_results(options, document["metrics"], paths)
    return 0


def _job(options: argparse.Namespace, paths: Sequence[Path], names: tuple[str, ...]) -> tuple[Job, dict[str, Any]]:
    """What to score: all files, with the columns of the measures and those of numbers; and the settings, as told."""
    from fairsum_utils.cli.scoring import Job
    from fairsum_utils.inputs.systems import quality_column
    from fairsum_utils.session import Request
    from fairsum_utils.systems import check_baseline

    measures = chosen_measures(options, "compare")
    settings = chosen_settings(options, "compare", measures)
    requests = tuple(Request(name, settings=settings[name]) for name in measures)
    check_baseline("compare", names, options.baseline)
    layout = layout_of(options, "compare", measures)
    quality = tuple(dict.fromkeys(options.quality_column))
    if quality and options.sources is not None:
        raise InputError("compare: --quality-column is read beside sources; leave out --sources, or the column")
    columns = (*layout.columns, *((quality_column(name), name) for name in quality))
    job = Job(
        paths[0],
        layout._replace(columns=columns),
        reading(options),
        requests,
        "compare",
        others=tuple(paths[1:]),
        names=names,
        quality=quality,
        sources=options.sources,
    )
    return job, told_settings(requests, settings)


def files_of(given: Sequence[str]) -> list[Path]:
    """The files of systems: those that are named, those in a folder, in the order of their names, or of a pattern.

    A folder that `save_to_disk` wrote is one system.

    Args:
        given: on the command line.

    Raises:
        InputError: a pattern that no file fits, fewer than two files, or one of more than two twice.
    """
    paths: list[Path] = []
    for name in list_names(given):
        path = Path(name)
        inside = sorted(filter(_is_system, path.iterdir())) if path.is_dir() and not _is_system(path) else []
        paths += inside or [path]
    if len(paths) < 2:
        raise InputError(f"compare: needs at least two systems, found {paths[0]}; name other files of the same samples")
    if len(paths) > 2:
        path, count = Counter(path.resolve() for path in paths).most_common(1)[0]
        if count > 1:
            raise InputError(f"compare: {path.name} is given twice; name every file once")
    return paths


def _is_system(path: Path) -> bool:
    """Whether it can be the file of a system, or a folder of `save_to_disk`, by its name."""
    if path.is_dir():
        return any((path / mark).exists() for mark in ("state.json", "dataset_dict.json"))
    return path.name.endswith(ENDINGS)


def names_of(paths: Sequence[Path]) -> list[str]:
    """What systems are called: their files without endings, or with folders where these are the same.

    Args:
        paths: of the files.

    Example:
        >>> names_of([Path("out/gpt4.jsonl.gz"), Path("out/lead.csv")])
        ['gpt4', 'lead']
        >>> names_of([Path("gpt4/out.jsonl"), Path("lead/out.jsonl")])
        ['gpt4/out.jsonl', 'lead/out.jsonl']
    """
    endings = sorted(ENDINGS, key=len, reverse=True)
    stems = [
        next((path.name.removesuffix(end) for end in endings if path.name.endswith(end)), path.name) for path in paths
    ]
    return stems if len(set(stems)) == len(stems) else list(map(str, paths))


def _check_sources(chunks: Sequence[Scored], session: Session, names: Sequence[str]) -> None:
    """Refuse samples whose sources differ from those of the first system.

    Raises:
        InputError: there is one.
    """
    for place, each in enumerate(session.passes):
        for system, chunk in zip(names[1:], chunks[1:], strict=True):
            for name, row, other in zip(chunk.ids, chunks[0].rows[place], chunk.rows[place], strict=True):
                is_scored = row.skipped is None and other.skipped is None
                if is_scored and not each.family.same_sample(row, other):
                    raise InputError(
                        f"compare: the sources or values of id {name!r} differ between {names[0]} and {system}; use "
                        "the same ones"
                    )
