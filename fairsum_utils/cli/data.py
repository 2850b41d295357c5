"""`fairsum data`: list the data sets, build one configuration as a file, export a folder for `datasets`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils._util.secrets import masked
from fairsum_utils.cli.commands import add_actions, add_command
from fairsum_utils.cli.making import EXAMPLES, MAKERS, add_making_options, refuse_making
from fairsum_utils.cli.options import check_outputs
from fairsum_utils.errors import InputError

if TYPE_CHECKING:
    from fairsum_utils.corpora.corpus import Corpus, Row


HELP = "list, build and export data sets"

_BUILD_EXAMPLES = """\
examples:
  fairsum data build perspectivesumm --config yelp_gold --data-dir raw/ --output yelp_gold.jsonl
  fairsum data build perspectivesumm --config claritin --data-dir raw/ --seed 7 --output claritin.parquet
  fairsum data build perspectivesumm --config claritin --data-dir raw/ --set sizes=[10,30] --set max_tokens=50 \\
      --output short.csv
  fairsum data build perspectivesumm --config claritin --data-dir raw/ --prompt fair_instruction --output fair.jsonl
  fairsum data build perspectivesumm --config claritin --data-dir raw/ --prompt sentence_control=3 --output three.jsonl
  fairsum data build coverage_sets --config semeval --data-dir raw/ --set n_sets=100 --output semeval.jsonl

Add a column "prediction" with a summary of each row, and the file is what `fairsum score` reads.
"""
_EXPORT_EXAMPLES = """\
examples:
  fairsum data export perspectivesumm --output out/ --data-dir raw/
  fairsum data export perspectivesumm --output out/ --config yelp --config amazon
  python -c 'import datasets; print(datasets.load_dataset("out", "yelp"))'
"""
_LIST_EXAMPLES = """\
examples:
  fairsum data list
  fairsum data list perspectivesumm
  fairsum data list --format json
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command can do."""
    actions = add_actions(parser, "list", "build", "export")
    add_command(actions, "list", _add_list_options, help="show what there is", epilog=_LIST_EXAMPLES)
    add_command(
        actions,
        "build",
        _add_build_options,
        help="write one configuration to a file",
        epilog=f"{_BUILD_EXAMPLES}\n{EXAMPLES}",
    )
    add_command(
        actions, "export", _add_export_options, help="write a folder that `datasets` loads", epilog=_EXPORT_EXAMPLES
    )


def _add_list_options(listing: argparse.ArgumentParser) -> None:
    listing.add_argument("name", metavar="NAME", nargs="?", help="one data set, with what its options mean (all)")
    listing.add_argument("--format", choices=("text", "json"), default="text", help="how to print it (%(default)s)")


def _add_build_options(build: argparse.ArgumentParser) -> None:
    build.add_argument("name", metavar="NAME", help=f"data set, see `fairsum data list`; or {' or '.join(MAKERS)}")
    build.add_argument("--config", metavar="NAME", help="configuration of a data set")
    build.add_argument("--output", required=True, metavar="FILE", help=".jsonl, .ndjson, .csv, .parquet, each also .gz")
    add_source_options(build)
    add_making_options(build)


def _add_export_options(export: argparse.ArgumentParser) -> None:
    export.add_argument("name", metavar="NAME", help="data set, see `fairsum data list`")
    export.add_argument("--output", required=True, metavar="DIR", help="folder, made if it is not there")
    export.add_argument(
        "--config", action="append", metavar="NAME", help="configuration; may be repeated (all whose input is there)"
    )
    add_source_options(export)


def add_source_options(parser: argparse.ArgumentParser) -> None:
    """Options that say what a data set is made from."""
    parser.add_argument(
        "--data-dir", type=Path, metavar="DIR", help="folder with the input (download what is published)"
    )
    parser.add_argument("--origin", choices=("auto", "published", "raw"), help="which kind of input to use (auto)")
    parser.add_argument("--attribute", metavar="NAME", help="attribute the values are of, where there are several")
    parser.add_argument("--prompt", metavar="NAME", help="prompt of the rows, see `fairsum data list NAME` (plain)")
    parser.add_argument("--seed", type=int, metavar="N", help="seed of what is drawn from raw files (42)")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        dest="settings",
        help="any option of the configuration, with its value as JSON; may be repeated",
    )


def run(args: argparse.Namespace) -> int:
    """Run what was asked for; results go to standard output as JSON, progress to standard error.

    Raises:
        FairSumError: whatever is wrong, in one line.
    """
    if args.action == "list":
        return _list(args)
    return _build(args) if args.action == "build" else _export(args)


def _list(args: argparse.Namespace) -> int:
    from fairsum_utils.corpora.loading import corpora, corpus

    described = corpora() if args.name is None else {args.name: corpus(args.name)}
    if args.format == "json":
        entries = [
            _entry(name, config, described[name]) for name in described for config in described[name].configurations
        ]
        print(json.dumps(entries, indent=2))
        return 0
    for name, known in described.items():
        print(name)
        for config, configuration in known.configurations.items():
            rows = "number of rows not published" if configuration.rows is None else f"{configuration.rows:,} rows"
            print(f"  {config}: {configuration.about}; {' or '.join(configuration.attributes)}; {rows}")
            published = configuration.published
            downloaded = f"{published} (downloaded without --data-dir), or raw: " if published else ""
            print(f"    input: {downloaded}{', '.join(configuration.raw)}")
            if configuration.options:
                options = (f"{key}={json.dumps(value)}" for key, value in configuration.options.items())
                print(f"    options of the raw input: {' '.join(options)}")
        if args.name is not None:
            print("  options:")
            for key, option in known.options.items():
                print(f"    {key}: {option.help}")
    return 0


def _entry(name: str, config: str, corpus: Corpus) -> dict[str, Any]:
    known = corpus.configurations[config]
    return {
        "name": name,
        "config": config,
        "attributes": list(known.attributes),
        "rows": known.rows,
        "about": known.about,
        "published": known.published or None,
        "raw": list(known.raw),
        "options": dict(known.options),
    }


def _build(args: argparse.Namespace) -> int:
    from fairsum_utils.corpora.loading import corpus, iter_rows
    from fairsum_utils.io.writing import ENDINGS, write_rows

    if args.name in MAKERS:
        return MAKERS[args.name](args)
    refuse_making(args)
    if args.config is None:
        raise InputError(f"{args.name}: name a configuration with --config; `fairsum data list` shows them")
    check_outputs(args, output=ENDINGS)
    rows = iter_rows(args.name, args.config, data_dir=args.data_dir, **source_options(args))
    count = write_rows(show_progress(rows, args.config), args.output, corpus(args.name).columns)
    print(json.dumps({"name": args.name, "config": args.config, "rows": count, "output": masked(args.output)}))
    return 0


def _export(args: argparse.Namespace) -> int:
    from fairsum_utils.corpora.loading import export_dataset

    rows = export_dataset(
        args.name, args.output, args.config, args.data_dir, progress=show_progress, **source_options(args)
    )
    print(json.dumps({"name": args.name, "rows": rows, "to": masked(args.output)}))
    return 0


def show_progress(rows: Iterable[Row], config: str) -> Iterator[Row]:
    """Count rows on standard error, unless that is not a terminal."""
    from fairsum_utils._util.terminal import bar

    yield from bar(rows, title=config, unit="rows", leave=True)


def source_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options that were given, those of ``--set`` included."""
    from fairsum_utils.io.tables import parse_json

    options = {
        key: getattr(args, key) for key in ("origin", "attribute", "prompt", "seed") if getattr(args, key) is not None
    }
    for setting in args.settings:
        key, equals, text = setting.partition("=")
        if not equals or not key:
            raise InputError(f"--set needs KEY=VALUE, such as sizes=[10,30], but is {setting!r}.")
        if key in options:
            raise InputError(f"{key} is given twice.")
        try:
            options[key] = parse_json(text)
        except ValueError:
            options[key] = text  # a word needs no quotes
    return options
