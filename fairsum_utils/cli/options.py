"""Shared options; those of measures come from settings and columns."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from fairsum_utils.cli.command import Argument, Option, Options, in_group
from fairsum_utils.cli.spelling import as_options
from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures, families, family_of
from fairsum_utils.families.asked import not_taken
from fairsum_utils.families.inputs import all_columns, column_takers
from fairsum_utils.io.layout import Layout, layout_for
from fairsum_utils.io.names import FORMATS, PACKINGS, STANDARD_INPUT, Several
from fairsum_utils.io.opening import MAX_ROW_BYTES, READING
from fairsum_utils.io.shapes import Shape
from fairsum_utils.io.tables import parse_json
from fairsum_utils.measures import DEFAULT_METRICS, Measure, get_measure
from fairsum_utils.settings import Setting
from fairsum_utils.settings.models import InferenceSettings
from fairsum_utils.validation import check_metrics

# Formats that every command reads, for help.
INPUT_FORMATS = (
    f"{', '.join(FORMATS)}, each also {' or '.join(PACKINGS)}; a folder of save_to_disk, an address such as s3://..., "
    f"or {STANDARD_INPUT} for standard input"
)


def file_argument(more: str = "", *, required: bool = True) -> Argument:
    """Make the argument of one or more files of rows."""
    several = "; several files or patterns such as 'data/*.parquet' are read one after the other"
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
        Option("--split", metavar="NAME", help="split of a saved data set that has several"),
        Option("--sheet", metavar="NAME", help="sheet of a workbook (default: the first)"),
        Option(
            "--encoding",
            metavar="NAME",
            help="of texts that are neither UTF-8 nor have a byte order mark, such as cp1252",
        ),
        Option("--input-format", metavar="NAME", help="such as csv, where the name of the file does not tell it"),
        Option(
            "--quoting",
            choices=("usual", "none"),
            help="none: quotes in a text table are ordinary characters",
        ),
        Option(
            "--max-row-bytes",
            type=int,
            metavar="N",
            help=f"refuse a row with more bytes, before it fills the memory (default: {MAX_ROW_BYTES:,})",
        ),
    )


def read_file(options: Options, needed: Mapping[str, str], **how: Any) -> Iterator[dict[str, Any]]:
    """Read the rows of ``options.file``; `needed` maps columns to their options."""
    from fairsum_utils.io.reading import read_rows

    return read_rows(options.file, needed, **how, **reading(options))


def reading(options: Options) -> dict[str, Any]:
    """Return how files are read: keyword arguments of `fairsum_utils.io.reading.read_rows`."""
    return {name: getattr(options, name, None) for name in READING}


def input_options(*more: Option, workers: int | None = 1) -> tuple[Option, ...]:
    """Make the options of columns, shape, reading and workers."""
    columns = []
    for column in all_columns(all_measures()).values():
        default = f" (default: {' or '.join((column.in_file, *column.also))})" if column.in_file else ""
        without = f"; none: {column.without}" if column.without else ""
        about = as_options(f"{column.help}{without}{default}")
        dest = f"column_{column.name}"
        columns.append(Option(f"--{column.flag}", dest, metavar="NAME", help=about, column=column.name))
    about = "processes, started after two seconds of work; results do not depend on it (default: 1)"
    workers_option = Option("--workers", type=int, default=workers, metavar="N", help=about)
    shape = setting_options(Shape.infos().values())
    return in_group("input", *columns, *shape, *reading_options(), workers_option, *more)


PREDICTIONS = (
    Option("--predictions", metavar="FILE", help="the predictions by id, if they are not beside the sources"),
    Option("--predictions-encoding", metavar="NAME", help="encoding of that file, if it is not UTF-8"),
)


def measure_options(*, comparing: bool = False) -> tuple[Option, ...]:
    """Make the options that change numbers, family by family."""
    chosen = [family for family in families().values() if family.comparable or not comparing]
    measures = [name for family in chosen for name in family.measures]
    default = ",".join(DEFAULT_METRICS)
    metrics = Option(
        "--metrics",
        default=default,
        metavar="LIST",
        help=f"comma-separated, of {', '.join(measures)} (default: {default})",
        shell_complete=_complete_metrics,
    )
    return (*in_group("measures", metrics), *settings_of(measures, "measures"))


def _complete_metrics(ctx: click.Context, param: click.Parameter, typed: str) -> list[str]:
    """Complete the last measure of a list."""
    head, comma, begun = typed.rpartition(",")
    left = [name for name in all_measures() if name not in head.split(",")]
    return [f"{head}{comma}{name}" for name in left if name.startswith(begun)]


def settings_of(measures: Sequence[str], group: str, without: Collection[str] = ()) -> tuple[Option, ...]:
    """Make options of all settings: shared, by family, then of models.

    Args:
        measures: the measures.
        group: group of the shared settings.
        without: names of settings that the command does not take.
    """
    shared: dict[str, Setting] = {}
    by_family: dict[str, list[Setting]] = {}
    helps: dict[str, list[str]] = {}  # flag -> its descriptions, where measures use it differently
    for measure in measures:
        family = family_of(measure)
        for info in get_measure(measure).infos().values():
            if info.name in without or info.flag is None:
                continue
            if info.flag in helps:
                if not info.shared and info.help not in helps[info.flag]:
                    helps[info.flag].append(info.help)
                continue
            helps[info.flag] = [info.help]
            if info.shared and info.name not in shared:
                shared[info.name] = info
            else:
                by_family.setdefault(family.name, []).append(info)
    models = InferenceSettings.infos()
    options = [*in_group(group, *setting_options(info for name, info in shared.items() if name not in models))]
    for name, infos in by_family.items():
        titles = [measure for measure in measures if measure in families()[name].measures]
        options += in_group(f"{name}: {', '.join(titles)}", *setting_options(_with_help(info, helps) for info in infos))
    of_models = setting_options(info for name, info in shared.items() if name in models)
    return (*options, *in_group("models, where a measure runs one", *of_models))


def _with_help(info: Setting, helps: Mapping[str, Sequence[str]]) -> Setting:
    return info._replace(help="; or ".join(helps[str(info.flag)]))


def setting_options(infos: Iterable[Setting]) -> list[Option]:
    """Make options of settings."""
    return [_setting_option(info) for info in infos if info.flag is not None]


def _setting_option(info: Setting) -> Option:
    kind = info.read if info.read in _METAVARS else str
    return Option(
        f"--{info.flag}",
        f"setting_{str(info.flag).replace('-', '_')}",
        type=None if info.const is not None else kind,
        metavar=None if info.const is not None else _metavar(info, kind),
        help=_setting_help(info),
        setting=info,
        shell_complete=lambda ctx, param, typed: [each for each in info.choices if each.startswith(typed)],
    )


def _metavar(info: Setting, kind: Any) -> str:
    """Choose a value's placeholder: its choices if they are few."""
    choices = f"{{{','.join(info.choices)}}}"
    return info.metavar or (choices if info.choices and len(choices) <= _LONGEST else _METAVARS.get(kind, "NAME"))


# Characters of a list of choices beside its option; a longer one stands in the help alone.
_LONGEST = 40

# Type of a number -> what stands for it in help.
_METAVARS = {int: "N", float: "X"}


def _setting_help(info: Setting) -> str:
    """Describe a setting in command-line words, with its default."""
    if info.flag_help is not None:
        return info.flag_help
    default, parts = info.default, []
    for part in info.help.split("; "):
        if part.startswith(("None for ", "default: ")):
            default = part.removeprefix("None for ").removeprefix("default: ")
        elif not part.startswith("in Python "):
            parts.append(part.replace("None if ", "leave it out if ", 1))
    return as_options("; ".join(parts)) + ("" if default is None else f" (default: {default})")


@cache
def _takers(flag: str) -> tuple[str, ...]:
    return tuple(measure for measure in all_measures() if flag in _flags_of(measure))


def takers(param: click.Parameter) -> tuple[str, ...]:
    """Return the measures that an option is for."""
    setting, column = getattr(param, "setting", None), getattr(param, "column", None)
    if setting is not None:
        return _takers(setting.flag)
    return tuple(column_takers(column)) if column is not None else ()


def chosen_measures(options: Options, module: str) -> tuple[str, ...]:
    """Return the measures that the command asks for."""
    options.measures = check_metrics(module, options.metrics, all_measures())
    return options.measures


def chosen_settings(options: Options, module: str, measures: Sequence[str]) -> dict[str, Measure]:
    """Return the measures with the settings that the command gives.

    Args:
        options: Options of the command.
        module: Name used in messages.
        measures: Measures that are asked for.

    Raises:
        InputError: An option that none of the measures takes, or that cannot be read.
    """
    options.measures = tuple(measures)
    given = {name: given_settings(options, module, get_measure(name).infos().values()) for name in measures}
    of_shape = {info.flag for info in Shape.infos().values()}
    for flag in options.settings:
        if flag not in of_shape and not set(_takers(flag)) & set(measures):
            raise not_taken(module, f"--{flag}", list(_takers(flag)), measures)
    return {name: get_measure(name).make(settings, module=module) for name, settings in given.items()}


def _flags_of(measure: str) -> set[str | None]:
    return {info.flag for info in get_measure(measure).infos().values()}


def given_settings(options: Options, module: str, infos: Iterable[Setting]) -> dict[str, Any]:
    """Return the settings that the command line gives: name -> value.

    Args:
        options: Options of the command.
        module: Name used in messages.
        infos: Settings that are wanted.

    Raises:
        InputError: A value that cannot be read.
    """
    given = options.settings
    return {info.name: _read(module, info, given[info.flag]) for info in infos if info.flag in given}


def _read(module: str, info: Setting, given: Any) -> Any:
    """Read the value of a setting."""
    try:
        if not isinstance(given, str):
            return given
        has_pairs = "=" in (info.metavar or "") or ("GROUP=" in info.help and "=" in given)
        if "Mapping[" in info.type and has_pairs:
            return _read_pairs(info, given)
        if "Mapping[" in info.type and (given.endswith(".json") or info.metavar == "FILE.json"):
            return _read_json(given)
        return info.read(given) if info.read is not None else given
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"{module}: --{info.flag}: {error}") from None


def _read_pairs(info: Setting, text: str) -> dict[str, Any]:
    """Read names with their values, such as male=0.5,female=0.5."""
    found: dict[str, Any] = {}
    form, example = ("LABEL=MEANING", "LABEL_0=neutral,LABEL_1=positive")
    if "float" in info.type:
        form, example = ("GROUP=SHARE", "male=0.5,female=0.5")
    for part in text.split(","):
        name, equals, value = part.rpartition("=")
        try:
            found[name.strip()] = float(value) if "float" in info.type else value.strip()
        except ValueError:
            equals = ""
        if not equals:
            raise InputError(f"--{info.flag}: {part!r} does not have the form {form}; write --{info.flag} {example}")
    return found


def _read_json(path: str) -> dict[str, Any]:
    """Read a JSON object from a file named on the command line."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_ROW_BYTES + 1)
        if len(content) > MAX_ROW_BYTES:
            raise ValueError(f"more than {MAX_ROW_BYTES:,} bytes")
        mapping = parse_json(content.decode())
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} cannot be read as JSON ({error})") from None
    if not isinstance(mapping, dict):
        raise ValueError(f"{path} must contain one JSON object, found a {type(mapping).__name__}")
    return mapping


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
    for name in options.columns:
        if name not in related:
            takers = [taker for taker in all_measures() if name in all_columns([taker])]
            raise not_taken(module, f"--{all_columns(takers)[name].flag}", takers, measures)
    shape = Shape.make(given_settings(options, module, Shape.infos().values()), module=module)
    return layout_for(
        measures, options.columns, shape, predictions=predictions, called=lambda column: f"--{related[column].flag}"
    )


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
