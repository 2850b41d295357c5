"""`fairsum publish`: modules, data sets and results to the Hub or this machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fairsum_utils.cli.app import Group
from fairsum_utils.cli.command import Argument, Option, Options, command, in_group
from fairsum_utils.cli.data import configurations_option, given_source, show_progress, source_options
from fairsum_utils.cli.terminal import show

if TYPE_CHECKING:
    from fairsum_utils.integrations.hub import Published, Publisher

_PUBLISHING = in_group(
    "publishing",
    Option("--revision", metavar="BRANCH", help="Branch, created if it does not exist (default: main)"),
    Option("--message", metavar="TEXT", help="Commit message"),
    Option("--dry-run", help="List the files and send nothing"),
    Option("--format", choices=("text", "json"), default="text", help="Format of the standard output"),
)
_PACKAGE = Option("--package", metavar="FILE|URL", help="Wheel or address of fairsum (default: build a wheel)")
_PLACE = (
    _PACKAGE,
    Option("--namespace", default="fairsum", metavar="NAME", help="Owner on the Hub"),
    Option("--private", help="Make new repositories private; existing ones do not change"),
)


@command(
    Argument("names", "[NAME]...", "Modules (default: all)", nargs=-1),
    *_PLACE,
    *_PUBLISHING,
)
def metrics(options: Options) -> int:
    """Publish modules as Spaces.

    Only files that differ are sent; after any error the same command again does what is left. The token is that of
    `hf auth login` or HF_TOKEN.

    A Space holds the module's folder. Other files in it stay. It installs fairsum from a wheel: from a checkout,
    this command builds one and uploads it to NAMESPACE/fairsum-utils; an installed wheel has an address already.
    pip cannot read private repositories, so with --private a checkout needs --package.

    examples:
      fairsum publish metrics --dry-run
      fairsum publish metrics bur uer --namespace my-team
      fairsum publish metrics --package git+https://github.com/<you>/fairsum@<commit> --namespace my-team --private
    """
    return _print(_publisher(options).metrics(options.names or None, package=options.package), options)


@command(
    Argument("name", "NAME", "Data set, see `fairsum data list`"),
    configurations_option(),
    *source_options(),
    *_PLACE,
    *_PUBLISHING,
)
def datasets(options: Options) -> int:
    """Publish a data set as Parquet.

    Only files that differ are sent; after any error the same command again does what is left. The token is that of
    `hf auth login` or HF_TOKEN.

    Other configurations on the Hub stay. Check the terms of the texts first. counterfactual_ontonotes is never
    published, since its texts are licensed by the LDC. The card names the package, see
    `fairsum publish metrics`.

    examples:
      fairsum publish datasets perspectivesumm --config yelp --data-dir raw/ --dry-run
      fairsum publish datasets bold --namespace my-team --revision next
    """
    source = {"configs": options.config or None, "data_dir": options.data_dir, **given_source(options)}
    publisher = _publisher(options)
    published = publisher.dataset(options.name, package=options.package, progress=show_progress, **source)
    return _print(published, options)


@command(
    Argument("file", "RESULTS.json", "Results of `fairsum score --output`"),
    Option("--model", required=True, metavar="USER/MODEL", help="Model with the card"),
    Option("--dataset", metavar="ID", help="Data set on the Hub, or any name (default: that of the scored file)"),
    Option("--config", metavar="NAME", help="Configuration of the data set"),
    Option("--split", metavar="NAME", help="Split of the data set"),
    *_PUBLISHING,
)
def results(options: Options) -> int:
    """Publish scores in a model card.

    Only files that differ are sent; after any error the same command again does what is left. The token is that of
    `hf auth login` or HF_TOKEN.

    A score replaces one with the same measure, data set, configuration, split and signature in the card. Other
    scores, metadata and the text stay.

    examples:
      fairsum score summaries.jsonl --output results.json
      fairsum publish results results.json --model me/my-summarizer --dataset fairsum/perspectivesumm --config yelp
    """
    given = {name: getattr(options, name) for name in ("dataset", "config", "split")}
    return _print([_publisher(options).results(Path(options.file), options.model, **given)], options)


def _publisher(options: Options) -> Publisher:
    from fairsum_utils.integrations.hub import Publisher

    names = ("namespace", "private", "revision", "message", "dry_run")
    given: dict[str, Any] = {name: getattr(options, name) for name in names if hasattr(options, name)}
    return Publisher(**given)


def _print(published: list[Published], options: Options) -> int:
    """Print the outcome for each repository."""
    from fairsum_utils._util.terminal import printable
    from fairsum_utils.reports.formats import to_json

    if options.format == "json":
        show(to_json({"dry_run": options.dry_run, "repositories": [asdict(one) for one in published]}))
    else:
        show(printable(report(published, dry_run=options.dry_run)))
    return 0


def report(published: list[Published], *, dry_run: bool) -> str:
    """Return what was, or would be, published: a line per repository and file."""
    parts = []
    for one in published:
        commit = f", commit {one.commit}" if one.commit else ""
        lines = [f"{one.url} ({one.kind}, revision {one.revision}): {one.state}{commit}"]
        lines += [f"  {path}" for path in one.files]
        if one.note:
            lines.append(f"  note: {one.note}")
        parts.append("\n".join(lines))
    if dry_run:
        parts.append("Nothing was sent.")
    return "\n\n".join(parts)


@command(
    Argument("names", "[NAME]...", "Modules (default: all)", nargs=-1),
    Option("--namespace", default="fairsum", metavar="NAME", help="Name before the slash"),
    Option("--uninstall", help="Remove installed modules"),
    Option("--list", help="Show installed modules"),
)
def install(options: Options) -> int:
    """Put the modules where evaluate.load("fairsum/bur") finds them without a network.

    evaluate asks the Hub first and would run any module of that name from there, even a stranger's. Set both
    HF_EVALUATE_OFFLINE=1 and HF_HUB_OFFLINE=1 to load installed modules. `fairsum
    env` lists modules that came from elsewhere. HF_MODULES_CACHE or HF_HOME choose the folder, as for evaluate.
    Install again after every upgrade of fairsum-utils. In Python, fairsum_utils.load("bur") needs no installing
    and never asks the Hub.

    examples:
      fairsum publish install                then, in Python: evaluate.load("fairsum/bur")
      fairsum publish install bur uer --namespace my-team   evaluate.load("my-team/bur")
      fairsum publish install --list                        shows installed modules
      fairsum publish install --uninstall                   removes installed modules, and nothing else
    """
    from fairsum_utils._util.terminal import printable
    from fairsum_utils.integrations import modules
    from fairsum_utils.measures import NAMESPACE, NAMESPACE_IS_OURS

    if options.uninstall and options.list:
        raise click.UsageError("--uninstall and --list exclude each other; give one", click.get_current_context())
    action = modules.uninstall if options.uninstall else modules.states if options.list else modules.install
    outcome = action(options.names or None, namespace=options.namespace)
    lines = [installed(outcome, str(modules.modules_folder()))]
    if action is modules.install and not (NAMESPACE_IS_OURS and options.namespace == NAMESPACE):
        lines.append(offline_hint(options.namespace))
    show(printable("\n".join(lines)))
    return 0


def offline_hint(namespace: str) -> str:
    """Return the variables to set so that `evaluate` loads what is installed.

    Example:
        >>> print(offline_hint("fairsum"))
        The Hub comes first for evaluate.load("fairsum/..."), and the name fairsum there is not ours.
        To load what is installed, set both: HF_EVALUATE_OFFLINE=1 HF_HUB_OFFLINE=1
    """
    from fairsum_utils.integrations.modules import OFFLINE
    from fairsum_utils.measures import NAMESPACE

    owner = "the name fairsum there is not ours" if namespace == NAMESPACE else "it may have others under that name"
    variables = " ".join(f"{name}=1" for name in OFFLINE)
    return (
        f'The Hub comes first for evaluate.load("{namespace}/..."), and {owner}.\n'
        f"To load what is installed, set both: {variables}"
    )


def installed(outcome: Mapping[str, str], folder: str) -> str:
    """Return a line per module.

    Args:
        outcome: name of a module -> its outcome.
        folder: cache folder.

    Example:
        >>> print(installed({"auc": "unchanged", "bur": "updated", "uer": "unchanged"}, "modules"))
        unchanged (2): auc, uer
        updated (1): bur
        folder: modules
    """
    lines = []
    for became in sorted(set(outcome.values())):
        names = [name for name, one in outcome.items() if one == became]
        lines.append(f"{became} ({len(names)}): {', '.join(names)}")
    if set(outcome.values()) <= {"unchanged"}:
        lines.append("nothing to change")
    return "\n".join([*lines, f"folder: {folder}"])


publish = Group(
    "publish",
    {},
    "Publish modules, data sets and results on the Hub, or modules on this machine.",
    commands=(metrics, datasets, results, install),
)
