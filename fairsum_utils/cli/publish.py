"""`fairsum publish`: modules, data sets and results to the Hub."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.commands import add_actions, add_command

if TYPE_CHECKING:
    from fairsum_utils.hub.publishing import Published


HELP = "publish modules, data sets and results on the Hub"

_COMMON = """\
What is on the Hub already makes no commit, and each repository gets one commit for all that differs; after any error
the same command again does what is left. The token is that of `hf auth login` or HF_TOKEN.
"""
_METRICS = f"""\
{_COMMON}
A Space holds the module's folder and installs fairsum from --package. Other files in it stay.

examples:
  fairsum publish metrics --package git+https://github.com/<you>/fairsum@<commit> --dry-run
  fairsum publish metrics bur uer --package https://<host>/<wheel> --namespace my-team --private
"""
_DATASETS = f"""\
{_COMMON}
Configurations that are on the Hub and are not exported now stay. Check the terms of the texts first. Never published is
counterfactual_ontonotes, whose texts are licensed by the LDC.

examples:
  fairsum publish datasets perspectivesumm --config yelp --data-dir raw/ --dry-run
  fairsum publish datasets bold --namespace my-team --revision next
"""
_RESULTS = f"""\
{_COMMON}
A score takes the place of one of the same measure, data set, configuration, split and signature in the card; all else
in it stays.

examples:
  fairsum score summaries.jsonl --output results.json
  fairsum publish results results.json --model me/my-summarizer --dataset fairsum/perspectivesumm --config yelp
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command can do."""
    actions = add_actions(parser, "metrics", "datasets", "results")
    add_command(actions, "metrics", _add_metrics_options, help="modules, as Spaces", epilog=_METRICS)
    add_command(actions, "datasets", _add_datasets_options, help="a data set, as Parquet", epilog=_DATASETS)
    add_command(actions, "results", _add_results_options, help="scores, into a model card", epilog=_RESULTS)


def _add_metrics_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="module (default: all)")
    parser.add_argument("--package", metavar="URL", help="your wheel or repository, which the Spaces install")
    _add_place(parser)
    _add_publishing_options(parser)


def _add_datasets_options(parser: argparse.ArgumentParser) -> None:
    from fairsum_utils.cli.data import add_source_options

    parser.add_argument("name", metavar="NAME", help="data set, see `fairsum data list`")
    parser.add_argument(
        "--config", action="append", metavar="NAME", help="configuration; may be repeated (all whose input is there)"
    )
    add_source_options(parser)
    _add_place(parser)
    _add_publishing_options(parser)


def _add_results_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="RESULTS.json", help="what `fairsum score --output` wrote")
    parser.add_argument("--model", required=True, metavar="USER/MODEL", help="whose card it is")
    parser.add_argument("--dataset", metavar="ID", help="on the Hub, or any name (default: that of the scored file)")
    parser.add_argument("--config", metavar="NAME", help="configuration of the data set")
    parser.add_argument("--split", metavar="NAME", help="split of the data set")
    _add_publishing_options(parser)


def _add_publishing_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("publishing")
    group.add_argument("--revision", metavar="BRANCH", help="made if it does not exist (default: main)")
    group.add_argument("--message", metavar="TEXT", help="of the commit")
    group.add_argument("--dry-run", action="store_true", help="show what would be published and send nothing")
    group.add_argument("--format", choices=("text", "json"), default="text", help="of the standard output")


def _add_place(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--namespace", default="fairsum", metavar="NAME", help="owner (default: %(default)s)")
    parser.add_argument("--private", action="store_true", help="make new repositories private; others stay as they are")


def run(options: argparse.Namespace) -> int:
    """Publish what was asked for and print what became of it.

    Raises:
        FairSumError: whatever is wrong, in one line.
    """
    from dataclasses import asdict

    from fairsum_utils._util.terminal import printable
    from fairsum_utils.reports.formats import to_json

    published = _publish(options)
    if options.format == "json":
        files = [{**asdict(one), "files": [file._asdict() for file in one.files]} for one in published]
        print(to_json({"dry_run": options.dry_run, "repositories": files}))
    else:
        print(printable(report(published, dry_run=options.dry_run)))
    return 0


def _publish(options: argparse.Namespace) -> list[Published]:
    from fairsum_utils.cli.data import show_progress, source_options
    from fairsum_utils.hub.publishing import Publisher

    def given(*names: str) -> dict[str, Any]:
        return {name: getattr(options, name) for name in names if name in options}

    publisher = Publisher(**given("namespace", "private", "revision", "message", "dry_run"))
    if options.action == "metrics":
        return publisher.metrics(options.names or None, **given("package"))
    if options.action == "results":
        return [publisher.results(options.file, options.model, **given("dataset", "config", "split"))]
    source = {"configs": options.config, **given("data_dir"), **source_options(options)}
    return [publisher.dataset(options.name, progress=show_progress, **source)]


def report(published: list[Published], *, dry_run: bool) -> str:
    """What became of each repository, or would, for a person."""
    parts = []
    for one in published:
        state = f"would be {one.state}" if dry_run and one.state in ("created", "updated") else one.state
        commit = f", commit {one.commit}" if one.commit else ""
        lines = [f"{one.url} ({one.kind}, revision {one.revision}): {state}{commit}"]
        width = max(len(f"{file.size:,}") for file in one.files)
        lines += [
            f"  {file.state:<9}  {file.size:>{width},}  {file.sha256 or '-':<64}  {file.path}" for file in one.files
        ]
        if one.note:
            lines.append(f"  note: {one.note}")
        parts.append("\n".join(lines))
    if dry_run:
        parts.append("Nothing was sent.")
    return "\n\n".join(parts)
