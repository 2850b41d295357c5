"""`fairsum data`: list data sets, build one as a file, or export it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils._util.secrets import masked
from fairsum_utils.cli.app import Group
from fairsum_utils.cli.command import Argument, Option, Options, command
from fairsum_utils.cli.making import MAKERS, MAKING_OPTIONS, refuse_making
from fairsum_utils.cli.terminal import show
from fairsum_utils.errors import InputError

if TYPE_CHECKING:
    from fairsum_utils.corpora.corpus import Corpus, Row


_DATA_SET = "data set, see `fairsum data list`"


def source_options() -> tuple[Option, ...]:
    """Make the options of what a data set is made from."""
    return (
        Option("--data-dir", type=Path, metavar="DIR", help="Folder of the input (default: download it)"),
        Option("--origin", choices=("auto", "published", "raw"), help="Kind of input (default: auto)"),
        Option("--attribute", metavar="NAME", help="Attribute of the groups, if there are several"),
        Option("--prompt", metavar="NAME", help="Prompt of the rows, see `fairsum data list NAME` (default: plain)"),
        Option("--seed", type=int, metavar="N", help="Seed of samples from raw files (default: 42)"),
        Option(
            "--set",
            "settings_of_source",
            multiple=True,
            metavar="KEY=VALUE",
            help="Option of the configuration, or orders=K (6) and mode=random, by_value or rotate; may be repeated",
        ),
    )


def configurations_option() -> Option:
    """Make the option of several configurations."""
    about = "configuration; may be repeated (all whose input is there)"
    return Option("--config", multiple=True, metavar="NAME", help=about)


@command(
    Argument("name", "[NAME]", "Data set whose options to show (default: list all)", required=False),
    Option("--format", choices=("text", "json"), default="text", help="Format of the standard output"),
    name="list",
)
def _list(args: Options) -> int:
    """Show the data sets.

    examples:
      fairsum data list
      fairsum data list perspectivesumm
      fairsum data list --format json
    """
    from fairsum_utils.corpora.catalog import corpora, corpus

    described = corpora() if args.name is None else {args.name: corpus(args.name)}
    if args.format == "json":
        entries = [
            _entry(name, config, described[name]) for name in described for config in described[name].configurations
        ]
        show(json.dumps(entries, indent=2))
        return 0
    for name, known in described.items():
        show(name)
        for config, configuration in known.configurations.items():
            rows = "number of rows not published" if configuration.rows is None else f"{configuration.rows:,} rows"
            show(f"  {config}: {configuration.about}; {' or '.join(configuration.attributes)}; {rows}")
            published = configuration.published
            downloaded = f"{published} (downloaded without --data-dir), or raw: " if published else ""
            show(f"    input: {downloaded}{', '.join(configuration.raw)}")
            if configuration.options:
                options = (f"{key}={json.dumps(value)}" for key, value in configuration.options.items())
                show(f"    options of the raw input: {' '.join(options)}")
        if args.name is not None:
            show("  options:")
            for key, option in known.options.items():
                show(f"    {key}: {option.help}")
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


@command(
    Argument("name", "NAME", f"{_DATA_SET}; or {' or '.join(MAKERS)}"),
    Option("--config", metavar="NAME", help="Configuration of a data set, or domain of templates (default: all)"),
    Option(
        "--output",
        required=True,
        metavar="FILE",
        help="File, .jsonl, .ndjson, .csv or .parquet, each also .gz",
        writes="rows",
    ),
    *source_options(),
    *MAKING_OPTIONS,
    name="build",
)
def _build(args: Options) -> int:
    r"""Write one configuration to a file.

    examples:
      fairsum data build perspectivesumm --config yelp_gold --data-dir raw/ --output yelp_gold.jsonl
      fairsum data build perspectivesumm --config claritin --data-dir raw/ --seed 7 --output claritin.parquet
      fairsum data build perspectivesumm --config claritin --data-dir raw/ --set sizes=[10,30] --set max_tokens=50 \
          --output short.csv
      fairsum data build perspectivesumm --config claritin --data-dir raw/ --prompt fair_instruction --output fair.jsonl
      fairsum data build perspectivesumm --config claritin --data-dir raw/ --prompt sentence_control=3 \
          --output three.jsonl
      fairsum data build coverage_sets --config semeval --data-dir raw/ --set n_sets=100 --output semeval.jsonl

    Add a column "prediction" with a summary of each row; `fairsum score` reads such a file.

    inputs from texts of your own, with the columns article_id, variant, control and changed:
      fairsum data build counterfactual --from news.jsonl --swap gender,race --controls 2 --output inputs.jsonl
      fairsum data build counterfactual --from records.csv --text-column note --lexicon words.json \
          --output inputs.jsonl
      fairsum data build orders --from sets.jsonl --set orders=6 --set mode=by_value --output orders.jsonl

    inputs from templates, in which one person is a slot (news, reviews, care_notes, references):
      fairsum data build counterfactual_templates --swap age,occupation --controls 2 --output inputs.jsonl
      fairsum data build counterfactual_templates --from mine.toml --config mine --swap gender --output inputs.jsonl

    Texts that cannot be swapped completely are left out, and counted by reason. Without --from, counterfactual takes
    the short articles of the package. A lexicon is JSON: {"term": {"variant": "term", "another": "term"}}.
    """
    from fairsum_utils.corpora.catalog import corpus, iter_rows
    from fairsum_utils.io.writing import write_rows

    if args.name in MAKERS:
        return MAKERS[args.name](args)
    refuse_making(args)
    if args.config is None:
        raise InputError(f"{args.name}: name a configuration with --config; `fairsum data list` shows them")
    rows = iter_rows(args.name, args.config, data_dir=args.data_dir, **given_source(args))
    count = write_rows(show_progress(rows, args.config), args.output, corpus(args.name).columns)
    show(json.dumps({"name": args.name, "config": args.config, "rows": count, "output": masked(args.output)}))
    return 0


@command(
    Argument("name", "NAME", _DATA_SET),
    Option("--output", required=True, metavar="DIR", help="Folder to write; created if it does not exist"),
    configurations_option(),
    *source_options(),
    name="export",
)
def _export(args: Options) -> int:
    """Write a folder that `datasets` loads.

    README.md describes the rows, their known problems and their licenses.

    examples:
      fairsum data export perspectivesumm --output out/ --data-dir raw/
      fairsum data export perspectivesumm --output out/ --config yelp --config amazon
      python -c 'import datasets; print(datasets.load_dataset("out", "yelp"))'
    """
    from fairsum_utils.corpora.loading import export_dataset

    rows = export_dataset(
        args.name, args.output, args.config or None, args.data_dir, progress=show_progress, **given_source(args)
    )
    show(json.dumps({"name": args.name, "rows": rows, "to": masked(args.output)}))
    return 0


def show_progress(rows: Iterable[Row], config: str) -> Iterator[Row]:
    """Count rows on standard error, unless that is not a terminal."""
    from fairsum_utils._util.terminal import bar

    yield from bar(rows, title=config, unit="rows", leave=True)


def given_source(args: Options) -> dict[str, Any]:
    """Return the options that were given, those of ``--set`` included."""
    from fairsum_utils.io.objects import parse_json

    options = {
        key: getattr(args, key) for key in ("origin", "attribute", "prompt", "seed") if getattr(args, key) is not None
    }
    for setting in args.settings_of_source:
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


data = Group(
    "data",
    {
        "annotate": "Make annotated documents of news",
    },
    "List, build and export data sets; annotate news.",
    commands=(_list, _build, _export),
)
