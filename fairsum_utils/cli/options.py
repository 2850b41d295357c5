"""Shared options; those of measures come from settings and columns."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import click
from click.core import ParameterSource

from fairsum_utils.cli.command import Argument, Option, Options, in_group
from fairsum_utils.cli.names import COMMON
from fairsum_utils.cli.settings import input_settings, read_value, set_option, split_item
from fairsum_utils.cli.spelling import as_options
from fairsum_utils.errors import InputError
from fairsum_utils.families import Column, all_measures, family_of
from fairsum_utils.families.asked import not_taken
from fairsum_utils.families.inputs import all_columns, column_takers
from fairsum_utils.io.layout import Layout, layout_for
from fairsum_utils.io.names import FORMATS, PACKINGS, STANDARD_INPUT, Several
from fairsum_utils.io.opening import READING
from fairsum_utils.io.shapes import Shape
from fairsum_utils.measures import DEFAULT_METRICS
from fairsum_utils.settings import USUAL_LEVEL, Resampling, Setting, TextSettings
from fairsum_utils.settings.models import InferenceSettings
from fairsum_utils.validation import check_choice, check_metrics

INPUT_FORMATS = (
    f"{', '.join(FORMATS)}, each also {' or '.join(PACKINGS)}; a saved data set; an address; or {STANDARD_INPUT}"
)
"""Formats that every command reads, for help."""


def file_argument(more: str = "", *, required: bool = True) -> Argument:
    """Make the argument of one or more files of rows."""
    several = "; several are read one after the other"
    return Argument(
        "file",
        "FILE...",
        f"{INPUT_FORMATS}{more}{several}",
        nargs=-1,
        required=required,
        callback=lambda ctx, param, names: names[0] if len(names) == 1 else Several(names),
    )


def reading_options() -> tuple[Option, ...]:
    """Make the options for reading files of rows."""
    return (
        Option("--split", metavar="NAME", help="Split of a saved data set"),
        Option("--sheet", metavar="NAME", help="Sheet of a workbook (default: the first)"),
        Option("--encoding", metavar="NAME", help="Encoding of the texts, such as cp1252 (default: UTF-8)"),
        Option("--input-format", metavar="NAME", help="Format of the file, such as csv, if its name lacks it"),
        Option(
            "--quoting",
            choices=("usual", "none"),
            help="Quoting in text tables; none: quotes are ordinary characters",
        ),
    )


def read_file(options: Options, needed: Mapping[str, str], **how: Any) -> Iterator[dict[str, Any]]:
    """Read the rows of ``options.file``; `needed` maps columns to their options."""
    from fairsum_utils.io.reading import read_rows

    return read_rows(options.file, needed, **how, **reading(options))


def reading(options: Options) -> dict[str, Any]:
    """Return how files are read: keyword arguments of `fairsum_utils.io.reading.read_rows`."""
    return {name: getattr(options, name, None) for name in READING} | input_settings(options, READING)


def input_options(*more: Option, workers: int | None = 1) -> tuple[Option, ...]:
    """Make the options of columns, shape, reading and workers."""
    known = all_columns(all_measures())
    columns = [
        Option(known[name].flag, f"column_{name}", metavar="NAME", help=_column_help(known[name], about), column=name)
        for name, about in _COLUMNS.items()
    ]
    others = Option(
        "--column",
        multiple=True,
        metavar="COLUMN=NAME",
        help="Another column, such as article_id=doc; article_id=none for none",
    )
    shape = [setting_option(Shape.infos()[name], help=about) for name, about in _SHAPE.items()]
    about = "Processes; results do not depend on their number (default: 1)"
    workers_option = Option("--workers", type=int, default=workers, metavar="N", help=about)
    return in_group("input", *columns, others, *shape, *reading_options(), workers_option, *more)


# Columns with an option of their own -> what they hold.
_COLUMNS = {
    "predictions": "Column of the summaries or generated texts",
    "sources": "Column of the source texts",
    "values": "Column of the groups of the source texts",
    "groups": "Column of the group of each text",
}

_SHAPE = {
    "id_column": "Column of the ids (default: id)",
    "group_by": "Column of the sample's name, if rows are source texts; or all",
    "sources_columns": "Columns with one source text each, such as 'review_*'",
    "values_columns": "Columns with the groups of these texts, in the same order",
    "transcript": "Sources are transcripts with lines such as 'SPEAKER: text'",
}


def _column_help(column: Column, about: str) -> str:
    return f"{about} (default: {' or '.join(filter(None, (column.in_file, *column.also)))})"


def named_columns(options: Options, module: str) -> dict[str, str]:
    """Map the columns that the command names to their names in the file.

    Raises:
        InputError: A column that no measure has, or that is named twice.
    """
    by_entry = {column.entry: column.name for column in all_columns(all_measures()).values()}
    found = dict(options.columns)
    for item in options.column:
        entry, name = split_item(module, item, "--column")
        check_choice(module, "the column", entry, list(by_entry))
        if by_entry[entry] in found:
            raise InputError(f"{module}: the column {entry} is named twice; leave one out")
        found[by_entry[entry]] = name
    return found


PREDICTIONS = Option("--predictions", metavar="FILE", help="File of the predictions by id, if not beside the sources")


def measure_options() -> tuple[Option, ...]:
    """Make the options of measures and of what most of them share."""
    default = ",".join(DEFAULT_METRICS)
    metrics = Option(
        "--metrics",
        default=default,
        metavar="LIST",
        help=f"Measures, see fairsum explain (default: {default})",
        shell_complete=_complete_metrics,
    )
    return in_group("measures", metrics, set_option(), *common_options())


def _complete_metrics(ctx: click.Context, param: click.Parameter, typed: str) -> list[str]:
    """Complete the last measure of a list."""
    head, comma, begun = typed.rpartition(",")
    left = [name for name in all_measures() if name not in head.split(",")]
    return [f"{head}{comma}{name}" for name in left if name.startswith(begun)]


# Setting with an option of its own -> metavar and help.
_COMMON = {
    "confidence_level": ("LEVEL", f"Level of the intervals, or none (default: {USUAL_LEVEL:g})"),
    "seed": ("N", "Seed of random draws, or none for a fresh one (default: 0)"),
    "language": ("NAME", "Language of the texts, such as german or de (default: english)"),
    "device": ("NAME", "Device of models, such as cpu or cuda:1 (default: the best one)"),
    "cache": ("DIR", "Folder of model outputs, or none (default: $FAIRSUM_CACHE or yours)"),
}


def common_options() -> list[Option]:
    """Make the options of settings that many measures share."""
    infos = {**Resampling.infos(), **TextSettings.infos(), **InferenceSettings.infos()}
    return [
        Option(COMMON[name], f"setting_{name}", metavar=metavar, help=about, setting=infos[name])
        for name, (metavar, about) in _COMMON.items()
    ]


def setting_option(info: Setting, help: str = "") -> Option:
    """Make the option of a setting, with its description or another."""
    choices = f"{{{','.join(info.choices)}}}"
    kind = next((kind for kind in (int, float) if kind.__name__ in info.type.split(" | ")), str)
    return Option(
        f"--{info.name.replace('_', '-')}",
        f"setting_{info.name}",
        metavar=(choices if info.choices and len(choices) <= _LONGEST else _METAVARS[kind])
        if not isinstance(info.default, bool)
        else None,
        help=help or _setting_help(info),
        setting=info,
        shell_complete=lambda ctx, param, typed: [each for each in info.choices if each.startswith(typed)],
    )


# Characters of a list of choices beside its option; a longer one stands in the help alone.
_LONGEST = 40

# Type of a value -> what stands for it in help.
_METAVARS: Mapping[type, str] = {int: "N", float: "X", str: "NAME"}


def _setting_help(info: Setting) -> str:
    """Describe a setting in command-line words, with its default."""
    default, parts = info.default or None, []
    for part in info.help.split("; "):
        if part.startswith(("None for ", "default: ")):
            default = part.removeprefix("None for ").removeprefix("default: ")
        else:
            parts.append(part)
    about = as_options("; ".join(parts))
    return about[:1].upper() + about[1:] + ("" if default is None else f" (default: {default})")


def chosen_measures(options: Options, module: str) -> tuple[str, ...]:
    """Return the measures that the command asks for."""
    return check_metrics(module, options.metrics, all_measures())


def given_settings(options: Options, module: str, infos: Iterable[Setting]) -> dict[str, Any]:
    """Return the settings that options of their own give: name -> value.

    Raises:
        InputError: A value that cannot be read.
    """
    given = options.settings
    return {info.name: read_value(module, info, given[info.name]) for info in infos if info.name in given}


def layout_of(options: Options, module: str, measures: Sequence[str], predictions: str | None = None) -> Layout:
    """Return the columns to read: needed ones, and useful ones in the file.

    Args:
        options: Options of the command.
        module: Name used in messages.
        measures: Measures that are asked for.
        predictions: File with the predictions; None if they are in the file of sources.

    Raises:
        InputError: A column is named that none of the measures takes, or the samples cannot be laid out so.
    """
    # Columns of the measures' relatives may be named, so that one command line serves all measures of a family.
    related = all_columns([name for measure in measures for name in family_of(measure).measures])
    columns = named_columns(options, module)
    for name in columns:
        if name not in related:
            takers = column_takers(name)
            raise not_taken(module, all_columns(takers)[name].flag, takers, measures)
    given = given_settings(options, module, Shape.infos().values()) | input_settings(options, Shape.infos())
    shape = Shape.make(given, module=module)
    return layout_for(measures, columns, shape, predictions=predictions, called=lambda column: related[column].flag)


def check_rows(options: Options) -> None:
    """Reject a folder of rows that is also an output."""
    for output in filter(None, (getattr(options, name, None) for name in ("output", "plot", "report", "samples"))):
        if options.rows is not None and os.path.normpath(output) == os.path.normpath(options.rows):
            raise InputError(f"{options.rows}: this is another output too; name another folder")


def refuse_beside(what: str, refused: Collection[str], allowed: Collection[str] = ()) -> None:
    """Reject parameters that conflict with a given one."""
    context = click.get_current_context()
    for param in context.command.params:
        name = "FILE" if isinstance(param, click.Argument) else param.opts[-1]
        is_output = getattr(param, "group", "") == "output" and param.name not in refused
        is_given = context.get_parameter_source(str(param.name)) is ParameterSource.COMMANDLINE
        may_stand = (
            is_output or param.name in ("quiet", "config_file", *allowed) or (name == "FILE" and name not in refused)
        )
        if is_given and not may_stand:
            raise click.UsageError(f"{name} does not go with {what}; leave it out", context)
