"""Options that `score` and `compare` share. Those of measures are derived from the families' settings and columns."""

from __future__ import annotations

import argparse
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.terminal import screen_width
from fairsum_utils.errors import InputError, require
from fairsum_utils.families import Setting, all_measures, families, family_of
from fairsum_utils.families.routing import all_columns, column_takers, not_taken
from fairsum_utils.families.settings import USUAL_LEVEL
from fairsum_utils.inference.settings import InferenceSettings
from fairsum_utils.io.layout import Layout, layout_for
from fairsum_utils.io.names import FORMATS, PACKINGS, STANDARD_INPUT, Several, format_of, list_names
from fairsum_utils.io.opening import MAX_ROW_BYTES
from fairsum_utils.io.shapes import Shape
from fairsum_utils.measures import DEFAULT_METRICS
from fairsum_utils.results.record import Clock, describe_input, describe_settings, plain, record, write_record
from fairsum_utils.validation import check_metrics

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Part
    from fairsum_utils.session import Request


INPUT_FORMATS = (
    f"{', '.join(FORMATS)}, each also {' or '.join(PACKINGS)}; a folder of save_to_disk, an address such as s3://..., "
    f"or {STANDARD_INPUT} for standard input"
)
"""What every command reads, for help; `fairsum_utils.io.reading` reads it."""

SEVERAL = "; several files or patterns such as 'data/*.parquet' are read one after the other"
"""What a command adds to that for help which reads one body of rows."""

_SETTING, _COLUMN = "setting:", "column:"
"""Begin the names that the parser gives to options of settings and of columns."""


def add_file(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add the file of rows that a command reads, and how it is read; `more` is what else it reads."""
    add_files(parser, more)
    add_reading_options(parser)


def add_files(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add the file of rows, or several; without how they are read."""
    parser.add_argument("file", nargs="+", action=_Files, metavar="FILE", help=INPUT_FORMATS + more + SEVERAL)


class _Files(argparse.Action):
    """One file as its name, several as names that read well in a message."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        setattr(namespace, self.dest, values[0] if len(values) == 1 else Several(values))


def add_reading_options(parser: argparse._ActionsContainer) -> None:
    """Add how files of rows are read; `reading` hands it to `fairsum_utils.io.reading.read_rows`."""
    parser.add_argument("--split", metavar="NAME", help="of a saved data set that has several")
    parser.add_argument(
        "--encoding", metavar="NAME", help="of texts that are neither UTF-8 nor have a byte order mark, such as cp1252"
    )
    parser.add_argument(
        "--input-format", metavar="NAME", help="such as csv, where the name of the file does not tell it"
    )
    parser.add_argument(
        "--max-row-bytes",
        type=int,
        metavar="N",
        help=f"refuse a row with more bytes, before it fills the memory (default: {MAX_ROW_BYTES:,})",
    )


def reading(options: argparse.Namespace) -> dict[str, Any]:
    """How the command line says that files are read: keyword arguments of `fairsum_utils.io.reading.read_rows`."""
    return {name: getattr(options, name) for name in ("split", "encoding", "input_format", "max_row_bytes")}


_NOT_READ = ("cache", "checkpoint", "folder")
"""Options that name folders of our own making, which have checks of their own."""


def check_outputs(options: argparse.Namespace, source: str | None = None, **outputs: Sequence[str]) -> None:
    """Refuse outputs that cannot be written, or would be written over what the command reads or over one another.

    Args:
        options: of the command. Whatever else they name counts as read, be it rows, a word list or a folder.
        source: the output that gets the rows of ``options.file`` again.
        **outputs: name of an option -> what the name of the file may end in; nothing for anything.

    Raises:
        InputError: an output of which this is so.
    """
    from fairsum_utils.io.writing import check_output

    read: list[str | Path] = []
    for name, value in vars(options).items():
        if name not in (*outputs, *_NOT_READ):
            values = value if isinstance(value, (list, tuple)) else [value]
            read += [each for each in values if isinstance(each, (str, Path)) and each]
    written: list[str | Path | None] = []
    for name, endings in outputs.items():
        path: str | Path | None = getattr(options, name)
        again = options.file if name == source else None
        check_output(path, *endings, source=again, inputs=read, others=written)
        written.append(path)


def add_input_options(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Columns, shape, split, workers; returns the group, for a command's own."""
    group = parser.add_argument_group("input")
    for column in all_columns(all_measures()).values():
        default = f" (default: {column.in_file})" if column.in_file else ""
        without = f"; none: {column.without}" if column.without else ""
        group.add_argument(
            f"--{column.flag}",
            dest=f"{_COLUMN}{column.name}",
            default=argparse.SUPPRESS,
            metavar="NAME",
            help=_in_options(f"{column.help}{without}{default}"),
        )
    add_settings(group, Shape.infos().values())
    add_reading_options(group)
    group.add_argument(
        "--workers", type=int, default=1, metavar="N", help="processes; results do not depend on it (default: 1)"
    )
    return group


def add_predictions(group: argparse._ActionsContainer) -> None:
    """Add the file of predictions that stand apart from their sources."""
    group.add_argument(
        "--predictions",
        metavar="FILE",
        help="the predictions by id, if they are not beside the sources",
    )


def add_measure_options(parser: argparse.ArgumentParser, *, comparing: bool = False) -> None:
    """Everything that changes a number, family by family; `comparing` leaves out what compares no systems."""
    chosen = [family for family in families().values() if family.comparable or not comparing]
    group = parser.add_argument_group("measures")
    group.add_argument(
        "--metrics",
        default=",".join(DEFAULT_METRICS),
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
    group = parser.add_argument_group("models, where a measure runs one")
    add_settings(group, [info for name, info in shared.items() if name in models])


def add_settings(group: argparse._ActionsContainer, infos: Iterable[Setting]) -> None:
    """Options of settings; what is not given leaves no trace in the parsed arguments.

    Args:
        group: of options.
        infos: the settings.
    """
    for info in infos:
        if info.flag is None:
            continue
        options: dict[str, Any] = {
            "dest": f"{_SETTING}{info.flag}",
            "default": argparse.SUPPRESS,
            "help": _setting_help(info).replace("%", "%%"),
        }
        if info.const is not None:
            group.add_argument(f"--{info.flag}", action="store_const", const=info.const, **options)
            continue
        kind = info.read if info.read in _METAVARS else str
        group.add_argument(f"--{info.flag}", type=kind, metavar=_metavar(info, kind), **options)


def _metavar(info: Setting, kind: Any) -> str:
    """What stands for a value: the names to choose from, where they are a few."""
    choices = f"{{{','.join(info.choices)}}}"
    return info.metavar or (choices if info.choices and len(choices) <= _LONGEST else _METAVARS.get(kind, "NAME"))


_LONGEST = 40
"""A list of choices that is longer stands in the help alone."""

_METAVARS = {int: "N", float: "X"}
"""What stands for a number in help."""


def _setting_help(info: Setting) -> str:
    """What a setting does in the words of the command line, with its default."""
    if info.flag_help is not None:
        return info.flag_help
    default, parts = info.default, []
    for part in info.help.split("; "):
        if part.startswith(("None for ", "default: ")):
            default = part.removeprefix("None for ").removeprefix("default: ")
        elif not part.startswith("in Python "):
            parts.append(part.replace("None if ", "leave it out if ", 1))
    return _in_options("; ".join(parts)) + ("" if default is None else f" (default: {default})")


@cache
def _flags() -> dict[str, str | None]:
    """Setting or column -> its option."""
    flags = {info.name: info.flag for measure in all_measures() for info in family_of(measure).taken(measure).values()}
    return flags | {name: column.flag for name, column in all_columns(all_measures()).items()}


@cache
def takers(destination: str) -> tuple[str, ...]:
    """The measures that an option is for.

    Args:
        destination: of its value, as the parser calls it.

    Example:
        >>> takers("setting:tau")
        ('bur',)
    """
    kind, colon, name = destination.partition(":")
    if f"{kind}{colon}" == _SETTING:
        return tuple(measure for measure in all_measures() if name in _flags_of(measure))
    return tuple(column_takers(name)) if f"{kind}{colon}" == _COLUMN else ()


def _in_options(text: str) -> str:
    """Help in which columns and settings are named as options."""
    flags = _flags()
    return re.sub(r"`(\w+)`", lambda match: f"--{flags[match[1]]}" if match[1] in flags else match[0], text)


def chosen_measures(options: argparse.Namespace, module: str) -> tuple[str, ...]:
    """The measures that the command asks for."""
    return check_metrics(module, options.metrics, all_measures())


def chosen_settings(
    options: argparse.Namespace, module: str, measures: Sequence[str], *, by_name: bool = False
) -> dict[str, dict[str, Any]]:
    """The settings that the command gives to each measure.

    Args:
        options: of the command.
        module: name used in messages.
        measures: that are asked for.
        by_name: an option that none of them takes stands for the setting of that name, such as ``--revision`` for that
            of the entailer's model.

    Raises:
        InputError: an option that none of the measures takes, or that cannot be read.
    """
    settings = {name: given_settings(options, module, family_of(name).taken(name).values()) for name in measures}
    of_shape = {info.flag for info in Shape.infos().values()}
    for flag, text in _given(options, _SETTING).items():
        if flag in of_shape:
            continue
        takers = [name for name in all_measures() if flag in _flags_of(name)]
        if set(takers) & set(measures):
            continue
        meant = [name for name in measures if by_name and flag in family_of(name).taken(name)]
        if not meant:
            raise not_taken(module, f"--{flag}", takers, measures)
        for name in meant:
            settings[name].setdefault(flag, _read(module, family_of(name).taken(name)[flag], text))
    return settings


def _flags_of(measure: str) -> set[str | None]:
    return {info.flag for info in family_of(measure).taken(measure).values()}


def given_settings(options: argparse.Namespace, module: str, infos: Iterable[Setting]) -> dict[str, Any]:
    """The settings that the command line gives: name -> value.

    Args:
        options: of the command.
        module: name used in messages.
        infos: of the settings that are wanted.

    Raises:
        InputError: a value that cannot be read.
    """
    given = _given(options, _SETTING)
    return {info.name: _read(module, info, given[info.flag]) for info in infos if info.flag in given}


def _read(module: str, info: Setting, given: Any) -> Any:
    """The value of a setting; numbers have been read by the parser."""
    try:
        return info.read(given) if isinstance(given, str) else given
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"{module}: --{info.flag}: {error}") from None


def with_interval(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The same settings with a confidence level if none is given: commands show intervals by default.

    Example:
        >>> with_interval({"seed": 3})
        {'confidence_level': 0.95, 'seed': 3}
    """
    return {"confidence_level": USUAL_LEVEL, **settings}


def _given(options: argparse.Namespace, prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): value for name, value in vars(options).items() if name.startswith(prefix)}


def layout_of(
    options: argparse.Namespace, module: str, measures: Sequence[str], predictions: str | None = None
) -> Layout:
    """The columns to read: those that any of the measures needs, and those that it can use and the file has.

    Args:
        options: of the command.
        module: name used in messages.
        measures: that are asked for.
        predictions: file with the predictions; None where they stand beside the sources.

    Raises:
        InputError: a column is named that none of the measures takes, or the samples cannot be laid out so.
    """
    # Columns of the measures' relatives may be named, so that one command line serves all measures of a family.
    related = all_columns([name for measure in measures for name in family_of(measure).measures])
    named = _given(options, _COLUMN)
    for name in named:
        if name not in related:
            takers = [taker for taker in all_measures() if name in all_columns([taker])]
            raise not_taken(module, f"--{all_columns(takers)[name].flag}", takers, measures)
    shape = Shape(**given_settings(options, module, Shape.infos().values()), module=module)
    return layout_for(
        measures, named, shape, predictions=predictions, called=lambda column: f"--{related[column].flag}"
    )


def add_output_options(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Format and results file; returns the group, for a command's own."""
    group = parser.add_argument_group("output")
    group.add_argument(
        "--format",
        choices=("text", "markdown", "latex", "csv", "html", "json"),
        default="text",
        help="of the standard output",
    )
    group.add_argument("--output", metavar="FILE.json", help="write the results, unrounded, and how they came about")
    group.set_defaults(clock=Clock.start())
    return group


def add_plot(group: argparse._ActionsContainer) -> None:
    """Add the file of a drawing."""
    group.add_argument("--plot", metavar="FILE", help="draw the results (.svg, or .png with fairsum-utils[plot])")


def add_report(group: argparse._ActionsContainer) -> None:
    """Add the file of a page, and what is left out of it."""
    group.add_argument(
        "--report", metavar="FILE.html", help="write a page with the results and the samples behind them"
    )
    add_redact(group)


def add_redact(group: argparse._ActionsContainer) -> None:
    """Add what is left out of a page."""
    group.add_argument(
        "--redact", action="store_true", help="no texts and no ids in the page, and of paths only the names of files"
    )


def check_report(options: argparse.Namespace, module: str) -> None:
    """Refuse to leave something out of a page that nobody asked for.

    Args:
        options: of the command.
        module: name used in the message.

    Raises:
        InputError: this is so.
    """
    if options.redact and options.report is None:
        raise InputError(f"{module}: --redact is for the page; name its file with --report")


def check_drawable(path: str | None) -> None:
    """Refuse a PNG where nothing can draw one, before any work is done.

    Raises:
        MissingDependencyError: it is not installed.
    """
    if path is not None and format_of(path) == ".png":
        require("resvg_py", extra="plot", purpose="save a drawing as PNG (.svg needs no package)")


def write_document(
    options: argparse.Namespace,
    document: dict[str, Any],
    parts: Iterable[Part],
    *,
    n_rows: Mapping[Any, int | None] | None = None,
    settings: Mapping[str, Any] | None = None,
    run: Mapping[str, Any] | None = None,
) -> None:
    """Write results to the file and the standard output that were asked for.

    Args:
        options: of the command.
        document: the results, and what they are of.
        parts: what people see of them.
        n_rows: file or files that were read -> their rows; None for what ``options.file`` names, if a document has
            samples.
        settings: label -> its measure and settings, see `fairsum_utils.results.record.describe_settings`.
        run: all of this as `recorded` has it, where it is there already.
    """
    from fairsum_utils.reports.formats import FORMATS, as_text, to_json

    if options.output is not None:
        if run is None:
            if n_rows is None and "n_samples" in document:
                n_rows = {options.file: document["n_samples"] + document.get("n_skipped", 0)}
            run = recorded(options, n_rows or {}, settings or {})
        write_record(options.output, {**document, "run": run})
    if options.format == "json":
        print(to_json(document))
    elif options.format == "text":
        print(as_text(parts, screen_width()))
    else:
        print(FORMATS[options.format](parts))


def recorded(
    options: argparse.Namespace, n_rows: Mapping[Any, int | None], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """How results came about: the command, what it read, and all that `fairsum_utils.results.record.record` has.

    Args:
        options: of the command.
        n_rows: as of `write_document`.
        settings: as of `write_document`.
    """
    read = {path: list_names(path) for path in n_rows}
    inputs = [
        describe_input(name, n_rows[path] if len(names) == 1 else None)
        for path, names in read.items()
        for name in names
    ]
    return {
        "command": _command(options),
        **record(inputs, settings, options.clock.began, options.clock.seconds()),
    }


def told_settings(requests: Iterable[Request], given: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The settings of a run for its record: label -> its measure and settings.

    Args:
        requests: of the session.
        given: label -> the settings that the command line gave.
    """
    return {each.label: describe_settings(each.measure, given[each.label], each.settings) for each in requests}


def _command(options: argparse.Namespace) -> dict[str, Any]:
    """What was asked for on the command line: the command and its options."""
    given = {name.rpartition(":")[2]: value for name, value in vars(options).items() if not callable(value)}
    said = {name: plain(value) for name, value in given.items() if name != "clock" and value is not None}
    return {"name": options.run.__module__.rpartition(".")[2], "options": said}
