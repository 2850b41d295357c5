"""`fairsum merge`: the parts of a run, scored anywhere by `fairsum score --shard`, to measures."""

from __future__ import annotations

import argparse

from fairsum_utils.cli.outcome import add_sample_outputs, check_sample_outputs, make_all
from fairsum_utils.cli.tracking import check_tracking
from fairsum_utils.errors import InputError

HELP = "results of what fairsum score --shard has scored"
DESCRIPTION = (
    "Make one result of the parts that fairsum score --shard has scored into a folder, the same as if one process had\n"
    "scored the file. Nothing is scored, and the file is read only for the texts of samples."
)
EPILOG = """\
Measures and settings are those that the parts were scored with. A folder of fairsum score --checkpoint fits, too.

examples:
  fairsum score big.parquet --checkpoint run --shard 1/3     and 2/3 and 3/3, wherever you like
  fairsum merge run
  fairsum merge s3://bucket/run --output results.json --samples samples.parquet
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("folder", metavar="DIR", help="that of --checkpoint, also at an address such as s3://...")
    add_sample_outputs(parser)


def run(options: argparse.Namespace) -> int:
    """Merge the parts and print the report."""
    from fairsum_utils.cli.pages import page_samples
    from fairsum_utils.cluster.job import job_from_json
    from fairsum_utils.cluster.scoring import Scoring
    from fairsum_utils.cluster.shards import Manifest
    from fairsum_utils.io.folders import Folder

    folder = Folder(options.folder)
    manifest = Manifest.read(folder)
    if manifest.job is None:
        raise InputError(
            f"{folder}: was scored from Python, with settings that no file holds; merge it there, with "
            "fairsum_utils.cluster.score"
        )
    job = job_from_json(manifest.job)
    options.file = job.path
    check_tracking(options, "merge", job.layout)
    session = job.session()
    check_sample_outputs(options, session, "merge")
    settings = {request.label: request.settings for request in job.requests}
    with session, page_samples(session) as page, Scoring.merged(job, session, folder, manifest) as scoring:
        make_all(options, scoring, page, settings)
    return 0
