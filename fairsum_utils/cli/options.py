"""Options that `score` and `compare` share. Those of measures are derived from the families' settings and columns."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from fairsum_utils.cli.reading import Layout, choose_columns
from fairsum_utils.errors import InputError
from fairsum_utils.family import Setting, all_measures, families, family_of
from fairsum_utils.family.columns import ARTICLE_IDS
from fairsum_utils.family.documents import all_columns
from fairsum_utils.family.routing import not_taken
from fairsum_utils.inference.settings import InferenceSettings
from fairsum_utils.measures import measures_of
from fairsum_utils.validation import check_metrics

__all__ = [
    "INPUT_FORMATS",
    "add_file",
    "add_input_options",
    "add_measure_options",
    "add_output_options",
    "add_setting_groups",
    "add_settings",
    "chosen_measures",
    "chosen_settings",
    "is_main_process",
    "layout_of",
    "read_setting",
    "world_size",
    "write_document",
]

INPUT_FORMATS = ".jsonl, .ndjson, .csv, .parquet, each also .gz, or a folder of save_to_disk"
"""What every command reads, for help; `fairsum_utils.files.reading` reads it."""

_DEFAULT = measures_of("representation")

_SETTING, _COLUMN = "setting:", "column:"
"""Begin the names that the parser gives to options of settings and of columns."""

_LEVEL = 0.95
"""Of intervals, unless the command says otherwise; the library computes none by default."""


def world_size() -> int:
    """Processes that `accelerate launch` has started to do this work together."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def is_main_process() -> bool:
    """Whether this is the one of them that writes and prints."""
    return os.environ.get("RANK", "0") == "0"


def add_file(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add the file of rows that a command reads; `more` is what else it reads."""
    parser.add_argument("file", type=Path, help=INPUT_FORMATS + more)
    _add_split(parser)


def _add_split(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--split", metavar="NAME", help="of a saved data set that has several")


def add_input_options(parser: argparse.ArgumentParser) -> None:
    """Columns, split, workers."""
    group = parser.add_argument_group("input")
    group.add_argument("--id-column", default="id", metavar="NAME", help="optional column (default: %(default)s)")
    for column in all_columns(all_measures()).values():
        default = f" (default: {column.in_file})" if column.in_file else ""
        without = f"; none: {column.without}" if column.without else ""
        group.add_argument(
            f"--{column.flag}",
            dest=f"{_COLUMN}{column.name}",
            default=argparse.SUPPRESS,
            metavar="NAME",
            help=f"{column.help}{without}{default}",
        )
    _add_split(group)
    group.add_argument(
        "--workers", type=int, default=1, metavar="N", help="processes; results do not depend on it (default: 1)"
    )


def add_measure_options(parser: argparse.ArgumentParser, *, comparing: bool = False) -> None:
    """Everything that changes a number, family by family; `comparing` leaves out what compares no systems."""
    chosen = [family for family in families().values() if family.comparable or not comparing]
    group = parser.add_argument_group("measures")
    group.add_argument(
        "--metrics",
        default=",".join(_DEFAULT),
        metavar="LIST",
        help=f"comma-separated, of {', '.join(name for family in chosen for name in family.measures)} "
        "(default: %(default)s)",
    )
    add_setting_groups(parser, group, [name for family in chosen for name in family.measures])


def add_setting_groups(
    parser: argparse.ArgumentParser,
    group: argparse._ActionsContainer,
    measures: Sequence[str],
    without: Collection[str] = (),
) -> None:
    """Options of all settings of measures: those that families share, then a group a family, then those of models.

    Args:
        parser: of the command.
        group: for what is shared.
        measures: whose settings.
        without: names of settings that the command does not take.
    """
    shared: dict[str, Setting] = {}
    by_family: dict[str, list[Setting]] = {}
    flags: set[str | None] = {None}
    for measure in measures:
        family = family_of(measure)
        for info in family.taken(measure).values():
            if info.flag in flags or info.name in without:
                continue
            flags.add(info.flag)
            if info.shared and info.name not in shared:
                shared[info.name] = info
            else:
                by_family.setdefault(family.name, []).append(info)
    models = InferenceSettings.infos()
    add_settings(group, [info for name, info in shared.items() if name not in models])
    for name, infos in by_family.items():
        titles = [measure for measure in measures if measure in families()[name].measures]
        add_settings(parser.add_argument_group(f"{name}: {', '.join(titles)}"), infos)
    add_settings(parser.add_argument_group("models"), [info for name, info in shared.items() if name in models])


def add_settings(group: argparse._ActionsContainer, infos: Iterable[Setting]) -> None:
    """Options of settings; what is not given leaves no trace in the parsed arguments.

    Args:
        group: of options.
        infos: the settings.
    """
    for info in infos:
        if info.flag is None:
            continue
        options: dict[str, Any] = {"dest": f"{_SETTING}{info.flag}", "default": argparse.SUPPRESS}
        if info.const is not None:
            group.add_argument(f"--{info.flag}", action="store_const", const=info.const, help=info.help, **options)
            continue
        default = _LEVEL if info.name == "confidence_level" else info.default
        shown = "" if default is None else f" (default: {default})"
        kind = info.read if info.read in (int, float) else str
        group.add_argument(
            f"--{info.flag}",
            type=kind,
            metavar=info.metavar or info.name.upper(),
            help=f"{info.help}{shown}".replace("%", "%%"),
            **options,
        )


def chosen_measures(options: argparse.Namespace, module: str) -> tuple[str, ...]:
    """The measures that the command asks for."""
    return check_metrics(module, [name.strip() for name in options.metrics.split(",")], all_measures())


def chosen_settings(options: argparse.Namespace, module: str, measures: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The settings that the command gives to each measure.

    Args:
        options: of the command.
        module: name used in messages.
        measures: that are asked for.

    Raises:
        InputError: an option that none of the measures takes, or that cannot be read.
    """
    settings: dict[str, dict[str, Any]] = {name: {} for name in measures}
    for flag, given in _given(options, _SETTING).items():
        takers = {
            name: info for name in all_measures() for info in family_of(name).taken(name).values() if info.flag == flag
        }
        if not takers.keys() & settings.keys():
            raise not_taken(module, f"--{flag}", list(takers), measures)
        for name in takers.keys() & settings.keys():
            settings[name][takers[name].name] = read_setting(module, takers[name], given)
    return settings


def with_intervals(settings: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The same settings with a confidence level where none is given: the command shows intervals by default."""
    return {name: {"confidence_level": _LEVEL, **given} for name, given in settings.items()}


def read_setting(module: str, info: Setting, given: Any) -> Any:
    """The value of a setting that the command line gives as text.

    Args:
        module: name used in messages.
        info: of the setting.
        given: the text; what the parser has read already stays as it is.

    Raises:
        InputError: it cannot be read.
    """
    if not isinstance(given, str):
        return given
    try:
        return info.read(given)
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"{module}: --{info.flag}: {error}") from None


def _given(options: argparse.Namespace, prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): value for name, value in vars(options).items() if name.startswith(prefix)}


def layout_of(options: argparse.Namespace, module: str, measures: Sequence[str]) -> Layout:
    """The columns to read: those that any of the measures needs, and those that it can use and the file has.

    Args:
        options: of the command.
        module: name used in messages.
        measures: that are asked for.

    Raises:
        InputError: a column is named that none of the measures takes.
    """
    known = all_columns(measures)
    # Columns of the measures' relatives may be named, so that one command line serves all measures of a family.
    related = all_columns([name for measure in measures for name in family_of(measure).measures])
    named = _given(options, _COLUMN)
    for name in named:
        if name not in related:
            takers = [taker for taker in all_measures() if name in all_columns([taker])]
            raise not_taken(module, f"--{all_columns(takers)[name].flag}", takers, measures)
    columns = choose_columns(list(known.values()), named)
    given = {column.name for column, _ in columns}
    needed = {name: measure for measure in measures for name in family_of(measure).needed(measure, given)}
    if missing := [name for name in known if name in needed.keys() - given]:
        wanted = (f"{needed[name]} needs the column {name}; name it with --{known[name].flag}" for name in missing)
        raise InputError(f"{module}: {', '.join(wanted)}")
    wanted = tuple(
        (column, name)
        for column, name in columns
        if column.name in needed or not any(column.needed_by(measure) for measure in measures if column.takes(measure))
    )
    return Layout(options.id_column, wanted, by_id=ARTICLE_IDS.name in known)


def add_output_options(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Format and results file; returns the group, for a command's own."""
    group = parser.add_argument_group("output")
    group.add_argument("--format", choices=("text", "markdown", "json"), default="text", help="of the standard output")
    group.add_argument("--output", type=Path, metavar="FILE.json", help="write the results, unrounded")
    return group


def write_document(options: argparse.Namespace, document: dict[str, Any], report: Callable[..., str]) -> None:
    """Write results to the file and the standard output that were asked for; `report` makes text for people."""
    from fairsum_utils.reports.tables import to_json

    if options.output is not None:
        options.output.write_text(to_json(document) + "\n", encoding="utf-8")
    print(to_json(document) if options.format == "json" else report(markdown=options.format == "markdown"))
