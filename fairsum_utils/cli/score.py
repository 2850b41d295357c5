"""`fairsum score`: score summaries or generated texts in a file."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING

import click

from fairsum_utils._util.secrets import masked
from fairsum_utils.cli import outputs
from fairsum_utils.cli.command import Option, Options, check_outputs, command, in_group
from fairsum_utils.cli.options import (
    MEASURE_OPTIONS,
    PREDICTIONS,
    check_rows,
    chosen_measures,
    file_argument,
    input_options,
    layout_of,
    reading,
    refuse_beside,
)
from fairsum_utils.cli.settings import chosen_settings
from fairsum_utils.cli.terminal import note
from fairsum_utils.errors import InputError
from fairsum_utils.families.asked import USUAL
from fairsum_utils.measures import Measure
from fairsum_utils.run.launch import ENGINES, is_main_process

if TYPE_CHECKING:
    from fairsum_utils.cli.samples import PageSamples, Record
    from fairsum_utils.run.job import Scored
    from fairsum_utils.run.scoring import FromRows, Scoring, Share


@command(
    file_argument(required=False),
    *MEASURE_OPTIONS,
    *input_options(PREDICTIONS, workers=None),
    *outputs.output_options(
        outputs.PLOT,
        *outputs.REPORT,
        Option(
            "--samples",
            metavar="FILE",
            help="File for one row per sample, with its evidence (.parquet, .jsonl or .csv)",
            writes=(".parquet", ".jsonl", ".csv"),
        ),
        Option("--with-texts", help="Also write the texts to that file, for fairsum inspect"),
        outputs.ROWS,
        Option("--only", metavar="I/N", help="Score the I-th of N parts into the folder of --rows"),
    ),
    *in_group(
        "cluster",
        Option("--engine", choices=ENGINES, help="Let Ray do the work, at $RAY_ADDRESS or on this machine"),
        Option("--gpus-per-worker", type=float, metavar="G", help="GPUs of each task of Ray, such as 0.5"),
    ),
)
def score(options: Options) -> int:
    r"""Score how fairly summaries represent groups, or how texts treat them.

    The file holds one sample a row: `prediction` (the summary), `sources` (a list of texts) and `values` (the group
    of each source). Other tables are on the page "Your data" of the documentation.

    examples:
      fairsum score summaries.jsonl
      fairsum score reviews.csv --metrics bur,uer --set tau=0.9 --report report.html
      fairsum score texts.jsonl --metrics sentiment,gender_polarity --group-column profession
    """
    from fairsum_utils.run.job import Job
    from fairsum_utils.run.rows import run_in
    from fairsum_utils.run.scoring import ALL, Scoring, Share
    from fairsum_utils.session import Request

    if options.samples is None and options.with_texts:
        raise InputError("score: --with-texts applies only to the file of samples; name it with --samples")
    if not options.file:
        raise click.UsageError("missing: FILE; see fairsum score --help", click.get_current_context())
    if isinstance(options.file, str) and (run := run_in(options.file)) is not None:
        return _score_rows(options, run)
    only = ALL if options.only is None else Share.read(options.only)
    _check_parts(options)
    measures = chosen_measures(options, "score")
    settings = chosen_settings(options, "score", measures)
    requests = tuple(Request(each.completed(**USUAL)) for each in settings.values())
    layout = layout_of(options, "score", measures, options.predictions)
    # A folder serves those who want samples later, too.
    evidence = any(output is not None for output in (options.samples, options.report, options.rows))
    job = Job(options.file, layout, reading(options), requests, "score", evidence=evidence)
    session = job.session()
    check_rows(options)
    if not is_main_process():
        if not job.uses_model(session):
            return 0  # nothing to share
        options.output = options.samples = options.plot = options.report = None
    how = {name: getattr(options, name) for name in ("workers", "engine", "gpus_per_worker", "rows")}
    with session:
        scoring = Scoring(job, session, **how, only=only)
        if options.only is not None:
            _score_part(scoring, only)
        else:
            _write(options, scoring, settings)
        outputs.note_workers(options, scoring)
    return 0


def _check_parts(options: Options) -> None:
    """Refuse options of parts and runs where they do nothing."""
    if options.only is None:
        return
    if options.rows is None:
        raise InputError("score: --only needs the folder that all parts share; name it with --rows")
    for name in ("output", "plot", "report", "samples"):
        if getattr(options, name) is not None:
            raise InputError(
                f"score: --{name} is for the results of all parts; leave it out, and give it to fairsum score "
                f"FOLDER/RUN once all are scored"
            )


def _score_part(scoring: Scoring, only: Share) -> None:
    """Score a part of the data into a folder."""
    for _ in scoring.parts():
        pass
    assert scoring.store is not None
    note(
        f"part {only.number} of {only.of} is scored: {scoring.n_samples} samples; once all are: fairsum score "
        f"{scoring.store.folder}"
    )


def _score_rows(options: Options, name: str) -> int:
    """Compute results from the rows of a run; only texts need the file."""
    from fairsum_utils.io.names import list_names
    from fairsum_utils.run.rows import Run
    from fairsum_utils.run.scoring import FromRows

    refuse_beside("the folder of a run, which has its own", ("rows", "only"))
    run = Run(name)
    if "-" in list_names(run.job.path) and (options.report is not None or options.with_texts):
        raise InputError(
            f"score: the texts of {run} came from standard input, which is not kept; leave out --report and "
            "--with-texts, or score a file"
        )
    options.metrics = None
    check_outputs(options, click.get_current_context().command.params)
    settings = {request.label: request.chosen for request in run.job.requests}
    with run.job.session() as session:
        scoring = FromRows(run, session)
        if (options.report is not None or options.with_texts) and not scoring.has_same_files():
            raise InputError(
                f"score: {run.job.path} is gone or has changed since the rows in {run} were made; leave out --report "
                "and --with-texts, or score it again"
            )
        _write(options, scoring, settings)
    return 0


def _write(options: Options, scoring: Scoring | FromRows, settings: Mapping[str, Measure]) -> None:
    """Score the samples, then write and print the requested outputs."""
    from fairsum_utils.cli.samples import PageSamples

    job = scoring.job
    page = PageSamples(scoring.session, [""])
    _take_in(options, scoring, page)
    results = scoring.results()
    if not is_main_process():
        return
    results.title = masked(job.path)
    outputs.write_document(
        options,
        {"file": results.title, "metrics": results},
        results._parts(),
        read=dict.fromkeys(job.files) | {job.path: scoring.n_samples},
        same=scoring.has_same_files,
        settings=outputs.described_settings(job.requests, settings),
        drawing=results.plot,
        page=lambda run: page.write(options, results, run),
    )


def _take_in(options: Options, scoring: Scoring | FromRows, page: PageSamples) -> None:
    """Keep and write what is wanted of the samples."""
    from fairsum_utils.cli.samples import sample_types
    from fairsum_utils.io.writing import write_rows

    rows = _rows_of(options, scoring, page)
    if options.samples is None:
        deque(rows, maxlen=0)
    else:
        texts = scoring.job.layout if options.with_texts else None
        write_rows(rows, options.samples, sample_types(scoring.session, texts))


def _rows_of(options: Options, scoring: Scoring | FromRows, page: PageSamples) -> Iterator[Record]:
    """Score the samples; yield their rows if a file is wanted."""
    from fairsum_utils.cli.samples import sample_rows, sample_texts

    job, session = scoring.job, scoring.session
    on_page, with_texts = options.report is not None, options.with_texts
    needs_rows = options.samples is not None
    # Some records need the rows of all samples, which memory holds then.
    whole = any(each.settings.needs_all_rows for each in session.passes)
    texts = sample_texts(job.path, job.layout, **job.reading) if with_texts or on_page else iter(())
    parts = (part.systems[0] for part in scoring.parts())
    for scored in _together(parts) if whole and (needs_rows or on_page) else parts:
        samples = list(islice(texts, len(scored.ids)))
        if on_page:
            page.add(0, scored, samples)
        if needs_rows:
            yield from sample_rows(scored, session, samples if with_texts else None)
    if not scoring.n_samples:
        raise InputError(f"{options.file}: holds no sample; give at least one")


def _together(parts: Iterator[Scored]) -> Iterator[Scored]:
    """Put all samples together, once they are asked for."""
    if found := list(parts):
        yield found[0].joined(found)
