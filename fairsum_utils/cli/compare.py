"""`fairsum compare`: systems on the same samples, by a paired bootstrap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils._util.secrets import masked
from fairsum_utils.cli import outputs
from fairsum_utils.cli.command import Argument, Option, Options, command, in_group
from fairsum_utils.cli.options import (
    MEASURE_OPTIONS,
    check_rows,
    chosen_measures,
    input_options,
    layout_of,
    reading,
    refuse_beside,
)
from fairsum_utils.cli.settings import chosen_settings
from fairsum_utils.errors import InputError
from fairsum_utils.io.names import ENDINGS, list_names, stems
from fairsum_utils.io.stores import local_path
from fairsum_utils.measures import Measure
from fairsum_utils.run.launch import is_main_process

if TYPE_CHECKING:
    from fairsum_utils.cli.samples import PageSamples
    from fairsum_utils.results import Comparison
    from fairsum_utils.run.job import Job
    from fairsum_utils.run.scoring import Scoring
    from fairsum_utils.session.systems import ComparedSystems


@command(
    Argument(
        "files",
        "FILE...",
        "File of each system, as for score; or a folder of such files, a pattern such as 'out/*.jsonl', or folders "
        "of runs",
        nargs=-1,
        required=True,
    ),
    *in_group(
        "systems, named after their files",
        Option(
            "--labels",
            metavar="LIST",
            help="Names of the systems, separated by commas",
        ),
        Option("--baseline", metavar="NAME", help="System to subtract from the others (default: the first)"),
        Option("--pairs", help="List the differences of all pairs"),
        Option(
            "--quality-column",
            multiple=True,
            metavar="NAME",
            help="Column of numbers whose means are shown beside the scores; may be repeated",
        ),
    ),
    *MEASURE_OPTIONS,
    *input_options(
        Option("--sources", metavar="FILE", help="File of sources and groups by id, if each FILE has only predictions")
    ),
    *outputs.output_options(outputs.PLOT, *outputs.REPORT, outputs.ROWS),
)
def compare(options: Options) -> int:
    """Compare the summaries of systems: scores, differences, p-values, ranks and lengths.

    A difference is a system minus the baseline, which is the first file unless --baseline names another. With --pairs,
    it is the second system minus the first.

    The samples are paired by `id`, or by their order if the files have no ids. A sample without a score for
    some system is left out for all. The p-value is two-sided and never 0: (b + 1) / (replicates + 1).

    The p-values of a measure are corrected together by Holm's method, and systems share a rank if no two of them
    differ significantly (all pairs, corrected).

    examples:
      fairsum compare main.jsonl new.jsonl
      fairsum compare before.parquet after.parquet --metrics bur,uer --set tau=0.9 --format json
      fairsum compare lead.jsonl gpt4.jsonl llama.jsonl --quality-column rouge_l --format latex
      fairsum compare summaries/ --baseline gpt4 --output comparison.json
      fairsum compare gpt4.jsonl llama.jsonl lead.jsonl --report report.html
      fairsum compare huge_a.parquet huge_b.parquet --rows runs --workers 2
      fairsum compare runs/4f1c... runs/9a02...      folders of fairsum score --rows; nothing is scored again
    """
    from fairsum_utils.cli.samples import PageSamples
    from fairsum_utils.session.systems import ComparedSystems, check_baseline

    if runs := _runs(options.files):
        return _compare_runs(options, runs)
    paths = files_of(options.files)
    names = _labels(options, paths)
    check_baseline("compare", names, options.baseline)
    job, settings = _job(options, paths, tuple(names))
    check_rows(options)
    with job.session() as session:
        page = PageSamples(session, names)
        compared = ComparedSystems(session, names)
        scoring = _score(options, job, compared, page)
        results = compared.comparison(baseline=options.baseline, pairs=options.pairs)
        if is_main_process():
            scored = {} if options.report is None else compared.results()
            _write(
                options,
                results,
                paths,
                read=dict.fromkeys(job.files) | dict.fromkeys(paths, scoring.n_samples),
                same=scoring.has_same_files,
                settings=outputs.described_settings(job.requests, settings),
                page=lambda run: page.write(options, results, run, scored),
            )
    return 0


def _write(options: Options, results: Comparison, paths: Sequence[str], **how: Any) -> None:
    """Write a comparison of systems that were read from these paths."""
    for system, path in zip(results.systems.values(), paths, strict=True):
        system["file"] = masked(path)
    document = {**results._titles(), "metrics": results}
    outputs.write_document(options, document, results._parts(), drawing=results.plot, **how)


def _labels(options: Options, paths: Sequence[str]) -> list[str]:
    """Return the given names of systems, or those of their files."""
    if options.labels is None:
        same, count = Counter(map(_resolved, paths)).most_common(1)[0]
        if count > 1:
            raise InputError(
                f"compare: {same.rpartition('/')[2]} is given twice; name every file once, or the systems with --labels"
            )
        return stems(paths)
    labels, n_systems = [label.strip() for label in options.labels.split(",")], len(paths)
    if len(labels) != n_systems or not all(labels) or len(set(labels)) < n_systems:
        raise InputError(
            f"compare: --labels must name each of {n_systems} systems once, as in --labels "
            f"{','.join('ABCDEFGH'[: min(n_systems, 8)])}, found {options.labels!r}"
        )
    return labels


def _runs(names: Sequence[str]) -> list[str]:
    """Return the folders of runs if names are such, else none."""
    from fairsum_utils.run.rows import run_in

    found = [run_in(name) for name in names]
    runs = [run for run in found if run is not None]
    if not runs:
        return []
    others = [name for name, run in zip(names, found, strict=True) if run is None]
    if others:
        raise InputError(
            f"compare: {runs[0]} is the folder of a run, and {others[0]} is not; name runs, or files of samples"
        )
    return runs


def _compare_runs(options: Options, names: list[str]) -> int:
    """Compare finished runs from what their folders keep."""
    from fairsum_utils.run.api import compare_runs
    from fairsum_utils.run.rows import Run

    refuse_beside(
        "folders of runs, which have theirs", ("rows", "report", "redact", "title"), ("labels", "baseline", "pairs")
    )
    runs = dict(zip(_labels(options, names), map(Run, names), strict=True))
    results = compare_runs(runs, baseline=options.baseline, pairs=options.pairs)
    read = {name: run.n_samples for name, run in zip(names, runs.values(), strict=True)}
    _write(options, results, names, read=read)
    return 0


def _score(options: Options, job: Job, compared: ComparedSystems, page: PageSamples) -> Scoring:
    """Score the files side by side and keep a page's samples."""
    from fairsum_utils.run.scoring import Scoring

    session, on_page = compared.session, options.report is not None
    texts = _texts(job) if on_page else iter(())
    scoring = Scoring(job, session, workers=options.workers, rows=options.rows)
    for systems, qualities in scoring.parts():
        tables = zip(*(scored.tables() for scored in systems), strict=True)
        compared.add(list(tables), qualities, systems[0].ids)
        samples = list(islice(texts, len(systems[0].ids)))
        for system, chunk in enumerate(systems if on_page else ()):
            page.add(system, chunk, [each[system] for each in samples])
    outputs.note_workers(options, scoring)
    return scoring


def _texts(job: Job) -> Iterator[Sequence[dict[str, Any]]]:
    """Yield each sample's texts from every system's file."""
    from fairsum_utils.cli.samples import texts_of_chunk

    for chunks in job.chunks():
        yield from zip(*(texts_of_chunk(chunk, job.layout) for chunk in chunks), strict=True)


def _job(options: Options, paths: Sequence[str], names: tuple[str, ...]) -> tuple[Job, dict[str, Measure]]:
    """Return the job of all files, and the given settings."""
    from fairsum_utils.io.layout import quality_column
    from fairsum_utils.run.job import Job
    from fairsum_utils.session import Request

    measures = chosen_measures(options, "compare")
    settings = chosen_settings(options, "compare", measures)
    requests = tuple(Request(each.completed(at_random=True)) for each in settings.values())
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
        evidence=options.report is not None,
        others=tuple(paths[1:]),
        names=names,
        quality=quality,
        sources=options.sources,
    )
    return job, settings


def files_of(given: Sequence[str]) -> list[str]:
    """Return systems' files from names, a folder or a pattern.

    A folder that `save_to_disk` wrote is one system.

    Args:
        given: names on the command line.

    Raises:
        InputError: a pattern that no file fits, or fewer than two files.
    """
    paths: list[str] = []
    for name in list_names(given):
        path = local_path(name)
        if path is None:
            paths.append(name)
            continue
        inside = sorted(filter(_is_system, path.iterdir())) if path.is_dir() and not _is_system(path) else []
        paths += map(str, inside or [path])
    if len(paths) < 2:
        raise InputError(f"compare: needs at least two systems, found {paths[0]}; name other files of the same samples")
    return paths


def _resolved(name: str) -> str:
    """Return one name of a file that may have several."""
    path = local_path(name)
    return name if path is None else path.resolve().as_posix()


def _is_system(path: Path) -> bool:
    """Return whether a name may be a system's file or saved folder."""
    if path.is_dir():
        return any((path / mark).exists() for mark in ("state.json", "dataset_dict.json"))
    return path.name.endswith(ENDINGS)
