"""`fairsum score`: a file of summaries and their sources, or of generated texts and their groups, to measures."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.options import (
    add_files,
    add_input_options,
    add_measure_options,
    add_predictions,
    chosen_measures,
    chosen_settings,
    layout_of,
    reading,
    with_interval,
)
from fairsum_utils.cli.outcome import add_sample_outputs, check_sample_outputs, make_all
from fairsum_utils.cli.tracking import check_tracking
from fairsum_utils.cluster.engines import ENGINES, engine_named, is_main_process
from fairsum_utils.cluster.shards import is_of_run
from fairsum_utils.errors import InputError
from fairsum_utils.families.routing import chance_settings

if TYPE_CHECKING:
    from fairsum_utils.cluster.job import Job
    from fairsum_utils.session import Session


HELP = "score a file of summaries or other generated texts"
DESCRIPTION = "Score summaries by whose voice they lack, generated texts by how groups fare."
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
  fairsum score big.parquet --workers 2 --samples samples.parquet --checkpoint big.run
  fairsum score summaries.jsonl --samples worst.jsonl --with-texts
  fairsum score summaries.jsonl --report report.html
  fairsum score s3://bucket/huge.parquet --checkpoint s3://bucket/run --shard $SLURM_ARRAY_TASK_ID/64
  fairsum score s3://bucket/huge.parquet --checkpoint s3://bucket/run --engine ray --address auto --gpus-per-worker 1
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add_files(parser)
    add_measure_options(parser)
    add_predictions(add_input_options(parser))
    group = add_sample_outputs(parser)
    group.add_argument(
        "--checkpoint",
        metavar="DIR",
        help="folder that keeps finished work, also at an address such as s3://...; the same command goes on after it",
    )
    group.add_argument(
        "--shard",
        metavar="I/N",
        help="score only the I-th of N parts of the file into the folder of --checkpoint, such as 3/64 in the third "
        "task of an array; fairsum merge makes results of all",
    )
    _add_engine(parser)


def _add_engine(parser: argparse.ArgumentParser) -> None:
    """Add the options of who does the work."""
    group = parser.add_argument_group("cluster")
    group.add_argument(
        "--engine",
        choices=ENGINES,
        help="let Ray do the work (extra ray): on this machine, or on a cluster, whose nodes share DIR of --checkpoint",
    )
    group.add_argument(
        "--address",
        metavar="ADDR",
        help="of a Ray cluster: ray://HOST:10001, HOST:6379, or auto; none: RAY_ADDRESS, else a Ray of this machine",
    )
    group.add_argument(
        "--gpus-per-worker",
        type=float,
        metavar="G",
        help="GPUs of each of Ray's actors, also 0.5; --workers is how many actors at most, and none is as many as fit",
    )
    parser.set_defaults(workers=None)


def run(options: argparse.Namespace) -> int:
    """Score the file and print the report."""
    from fairsum_utils.cli.pages import page_samples
    from fairsum_utils.cluster.job import Job
    from fairsum_utils.cluster.scoring import Scoring
    from fairsum_utils.session import Request

    measures = chosen_measures(options, "score")
    settings = chosen_settings(options, "score", measures)
    requests = tuple(Request(name, settings=chance_settings(name, with_interval(settings[name]))) for name in measures)
    layout = layout_of(options, "score", measures, options.predictions)
    check_tracking(options, "score", layout)
    # A folder serves those who want samples later, too.
    evidence = any(output is not None for output in (options.samples, options.report, options.checkpoint))
    job = Job(options.file, layout, reading(options), requests, "score", evidence=evidence)
    session = job.session()
    _check_folder(options)
    check_sample_outputs(options, session, "score")
    if options.shard is not None:
        return _score_share(options, job, session)
    if not is_main_process():
        if not job.uses_model(session):
            return 0  # nothing to share
        options.output = options.samples = options.plot = options.report = options.track = None
    with (
        session,
        page_samples(session) as page,
        Scoring(job, session, **_hands(options), folder=options.checkpoint) as scoring,
    ):
        make_all(options, scoring, page, settings)
    return 0


def _hands(options: argparse.Namespace) -> dict[str, Any]:
    """Who does the work, as `Scoring` takes it.

    Raises:
        InputError: options of an engine are given, and no engine is.
    """
    asked = {name: getattr(options, name) for name in ("address", "gpus_per_worker", "workers")}
    engine = engine_named(options.engine, **asked)
    return {"workers": 1 if options.workers is None else options.workers} if engine is None else {"engine": engine}


def _check_folder(options: argparse.Namespace) -> None:
    """Refuse a folder that is one of the outputs, and outputs that would take the place of its files.

    Raises:
        InputError: it is so.
    """
    folder = options.checkpoint
    if folder is None:
        return
    for output in filter(None, (options.output, options.plot, options.report, options.samples)):
        if os.path.normpath(output) == os.path.normpath(folder):
            raise InputError(f"{folder}: this is another output too; name another folder")
        if is_of_run(folder, output):
            raise InputError(f"{output}: the run of --checkpoint keeps files of such names; name another output")


def _score_share(options: argparse.Namespace, job: Job, session: Session) -> int:
    """Score a part of the file into a folder.

    Raises:
        InputError: no folder is named, or results are asked for, which are those of all parts.
    """
    from fairsum_utils.cli.terminal import note
    from fairsum_utils.cluster.scoring import Share, engine_of, run
    from fairsum_utils.io.folders import Folder

    share = Share.read(options.shard)
    if options.checkpoint is None:
        raise InputError("score: --shard needs the folder that all parts share; name it with --checkpoint")
    for name in ("output", "plot", "report", "samples", "track"):
        if getattr(options, name) is not None:
            raise InputError(
                f"score: --{name} is for the results of all parts; leave it out, and give it to fairsum merge "
                f"{options.checkpoint}"
            )
    with session:
        session.make_scorers()
        hands = _hands(options)
        engine = hands.get("engine") or engine_of(job, session, hands["workers"])
        manifest = run(job, Folder(options.checkpoint), engine, share=share)
    shards = share.shards(manifest)
    n_rows = sum(shard.n_rows for shard in shards)
    note(
        f"part {share.number} of {share.of} is scored: {n_rows} of {manifest.n_rows} samples; once all are: "
        f"fairsum merge {options.checkpoint}"
    )
    return 0
