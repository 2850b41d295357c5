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
from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures, family_of
from fairsum_utils.families.asked import not_taken
from fairsum_utils.families.inputs import all_columns, column_takers
from fairsum_utils.io.layout import Layout, layout_for
from fairsum_utils.io.names import FORMATS, PACKINGS, STANDARD_INPUT, Several
from fairsum_utils.io.opening import READING
from fairsum_utils.io.shapes import Shape
from fairsum_utils.measures import DEFAULT_METRICS
from fairsum_utils.settings import USUAL_LEVEL, Setting
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


READING_OPTIONS = (
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
"""Options for reading files of rows."""


def read_file(options: Options, needed: Mapping[str, str], **how: Any) -> Iterator[dict[str, Any]]:
    """Read the rows of ``options.file``; `needed` maps columns to their options."""
    from fairsum_utils.io.reading import read_rows

    return read_rows(options.file, needed, **how, **reading(options))


def reading(options: Options) -> dict[str, Any]:
    """Return how files are read: keyword arguments of `fairsum_utils.io.reading.read_rows`."""
    return {name: getattr(options, name, None) for name in READING} | input_settings(options, READING)


# Columns with an option of their own -> what they hold.
_COLUMNS = {
    "predictions": "Column of the summaries or generated texts",
    "sources": "Column of the source texts",
    "values": "Column of the groups of the source texts",
    "groups": "Column of the group of each text",
}


SHAPE_OPTIONS = (
    Option("--id-column", metavar="NAME", help="Column of the ids (default: id)"),
    Option("--group-by", metavar="NAME", help="Column of the sample's name, if rows are source texts; or all"),
    Option("--sources-columns", metavar="NAME", help="Columns with one source text each, such as 'review_*'"),
    Option("--values-columns", metavar="NAME", help="Columns with the groups of these texts, in the same order"),
    Option("--transcript", default=None, help="Sources are transcripts with lines such as 'SPEAKER: text'"),
)
"""Options of settings of `Shape`, which have their names."""


def input_options(*more: Option, workers: int | None = 1) -> tuple[Option, ...]:
    """Make the options of columns, shape, reading and workers."""
    columns = []
    for name, about in _COLUMNS.items():
        column = all_columns(all_measures())[name]
        default = " or ".join(filter(None, (column.in_file, *column.also)))
        columns.append(Option(column.flag, metavar="NAME", help=f"{about} (default: {default})"))
    others = Option(
        "--column",
        multiple=True,
        metavar="COLUMN=NAME",
        help="Another column, such as article_id=doc; article_id=none for none",
    )
    about = "Processes; results do not depend on their number (default: 1)"
    workers_option = Option("--workers", type=int, default=workers, metavar="N", help=about)
    return in_group("input", *columns, others, *SHAPE_OPTIONS, *READING_OPTIONS, workers_option, *more)


def named_columns(options: Options, module: str) -> dict[str, str]:
    """Map the columns that the command names to their names in the file.

    Raises:
        InputError: A column that no measure has, or that is named twice.
    """
    known = all_columns(all_measures())
    by_entry = {column.entry: column.name for column in known.values()}
    flags = {name: known[name].flag.removeprefix("--").replace("-", "_") for name in _COLUMNS}
    found = {name: given for name, flag in flags.items() if (given := getattr(options, flag)) is not None}
    for item in options.column:
        entry, name = split_item(module, item, "--column")
        check_choice(module, "the column", entry, list(by_entry))
        if by_entry[entry] in found:
            raise InputError(f"{module}: the column {entry} is named twice; leave one out")
        found[by_entry[entry]] = name
    return found


PREDICTIONS = Option("--predictions", metavar="FILE", help="File of the predictions by id, if not beside the sources")


def _complete_metrics(ctx: click.Context, param: click.Parameter, typed: str) -> list[str]:
    """Complete the last measure of a list."""
    head, comma, begun = typed.rpartition(",")
    left = [name for name in all_measures() if name not in head.split(",")]
    return [f"{head}{comma}{name}" for name in left if name.startswith(begun)]


# Metavar and help of the options of settings that many measures share.
_COMMON = {
    "confidence_level": ("LEVEL", f"Level of the intervals, or none (default: {USUAL_LEVEL:g})"),
    "seed": ("N", "Seed of random draws, or none for a fresh one (default: 0)"),
    "language": ("NAME", "Language of the texts, such as german or de (default: english)"),
    "device": ("NAME", "Device of models, such as cpu or cuda:1 (default: the best one)"),
    "cache": ("DIR", "Folder of model outputs, or none (default: $FAIRSUM_CACHE or yours)"),
}
COMMON_OPTIONS = [Option(COMMON[name], name, metavar=metavar, help=about) for name, (metavar, about) in _COMMON.items()]
MEASURE_OPTIONS = in_group(
    "measures",
    Option(
        "--metrics",
        default=",".join(DEFAULT_METRICS),
        metavar="LIST",
        help="Measures, see fairsum explain",
        shell_complete=_complete_metrics,
    ),
    set_option(),
    *COMMON_OPTIONS,
)


def chosen_measures(options: Options, module: str) -> tuple[str, ...]:
    """Return the measures that the command asks for."""
    return check_metrics(module, options.metrics, all_measures())


def given_settings(options: Options, module: str, infos: Iterable[Setting]) -> dict[str, Any]:
    """Return the settings that options of their own give: name -> value.

    Raises:
        InputError: A value that cannot be read.
    """
    given = ((info, getattr(options, info.name, None)) for info in infos)
    return {info.name: read_value(module, info, text) for info, text in given if text is not None}


def layout_of(options: Options, module: str, measures: Sequence[str], predictions: str | None = None) -> Layout:
    """Return the columns to read: needed ones, and useful ones in the file.

    Args:
        options: options of the command.
        module: name used in messages.
        measures: measures that are asked for.
        predictions: file with the predictions; None if they are in the file of sources.

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
