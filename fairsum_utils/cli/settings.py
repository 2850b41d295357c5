"""Settings from the command line, as ``--set tau=0.9``, and from `fairsum.toml`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import click

from fairsum_utils.cli.command import Option, Options
from fairsum_utils.cli.names import COMMON, OF_INPUT
from fairsum_utils.cli.terminal import note
from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures
from fairsum_utils.families.asked import not_taken, refuse_name
from fairsum_utils.io.objects import parse_json
from fairsum_utils.measures import Measure, get_measure
from fairsum_utils.results.record import plain
from fairsum_utils.settings import Setting, Settings
from fairsum_utils.settings.base import unknown_setting
from fairsum_utils.validation import check_choice

INSTEAD = {"return_samples": "--samples FILE"}
"""Setting that the command does by an option -> the option."""


def set_option(about: str = "", complete: Any = None) -> Option:
    """Make the option of settings, of measures or as described."""
    return Option(
        "--set",
        multiple=True,
        metavar="NAME=VALUE",
        help=about or "Setting, such as tau=0.9 or bur.tau=0.9; see fairsum explain bur",
        shell_complete=complete or _complete,
    )


def _complete(ctx: click.Context, param: click.Parameter, typed: str) -> list[str]:
    """Complete the name of a setting."""
    asked = str(ctx.params.get("metrics") or ctx.params.get("metric") or "").split(",")
    known = [name for name in asked if name in all_measures()] or all_measures()
    names = dict.fromkeys(name for measure in known for name in get_measure(measure).infos() if name not in INSTEAD)
    return [f"{name}=" for name in names if name.startswith(typed)]


def chosen_settings(options: Options, module: str, measures: Sequence[str]) -> dict[str, Measure]:
    """Return the measures with the settings that the command and its file give.

    Args:
        options: options of the command.
        module: name used in messages.
        measures: measures that are asked for.

    Raises:
        InputError: A setting that none of the measures has, or that cannot be read.
    """
    given: dict[str, dict[str, Any]] = {measure: {} for measure in measures}
    for name in COMMON:
        if (text := getattr(options, name)) is not None:
            _give(given, module, name, text, measures)
    for item in options.set:
        path, text = split_item(module, item)
        if path in OF_INPUT:
            continue
        measure, _, name = path.rpartition(".")
        if measure:
            check_choice(module, "the measure", measure, all_measures())
            if measure not in measures:
                raise not_taken(module, f"--set {path}", [measure], measures)
        _give(given, module, name, text, [measure] if measure else measures)
    from_file = _from_file(options, measures)
    return {name: get_measure(name).make(from_file[name] | settings, module=module) for name, settings in given.items()}


def input_settings(options: Options, names: Collection[str]) -> dict[str, str]:
    """Return the settings of the input among names that ``--set`` gives."""
    given = dict(split_item(options.command, item) for item in getattr(options, "set", ()))
    return {name: text for name, text in given.items() if name in OF_INPUT and name in names}


def _give(given: Mapping[str, dict[str, Any]], module: str, name: str, text: Any, measures: Collection[str]) -> None:
    """Give a setting to the measures that have it."""
    takers = {measure: info for measure in measures if (info := get_measure(measure).infos().get(name)) is not None}
    if not takers:
        raise refuse_name(module, name, {measure: get_measure(measure)() for measure in measures})
    if name in INSTEAD:
        raise InputError(f"{module}: {name} is for Python; write {INSTEAD[name]}")
    for measure, info in takers.items():
        if name in given[measure]:
            raise InputError(f"{module}: the setting {name} of {measure} is given twice; leave one out")
        given[measure][name] = read_value(module, info, text)


def split_item(module: str, item: str, option: str = "--set") -> tuple[str, str]:
    """Split NAME=VALUE of ``--set``, or COLUMN=NAME of ``--column``."""
    name, equals, text = item.partition("=")
    if not equals or not name:
        what, example = _ITEMS[option]
        raise InputError(f"{module}: {option} {item} has no {what}; write {option} {example}")
    return name.replace("-", "_"), text


_ITEMS = {
    "--set": ("value", "NAME=VALUE, such as --set tau=0.9"),
    "--column": ("name", "COLUMN=NAME, such as article_id=doc"),
}
"""Option of items -> what an item may lack, and an example."""


def _from_file(options: Options, measures: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the settings that `fairsum.toml` gives to each measure, and name them."""
    found = {measure: dict(options.tables.get(measure, {})) for measure in measures}
    words = [f"--set {measure}.{name}={value}" for measure in measures for name, value in found[measure].items()]
    if words:
        note(f"{click.get_current_context().obj}: {' '.join(words)}")
    return found


def read_settings(module: str, kind: type[Settings], items: Sequence[str]) -> dict[str, Any]:
    """Read settings, each as NAME=VALUE, where there is one set of them.

    Raises:
        InputError: A setting that is unknown, or that cannot be read.
    """
    infos, given = kind.infos(), dict[str, Any]()
    for item in items:
        name, text = split_item(module, item)
        if name in OF_INPUT and name not in infos:
            continue
        if name not in infos:
            raise unknown_setting(module, name, infos)
        given[name] = read_value(module, infos[name], text)
    return given


def read_value(module: str, info: Setting, text: Any) -> Any:
    """Read the value of a setting as TOML, or else as text.

    ``none`` stands for None, and ``@file.json`` for what the file holds.

    Args:
        module: name used in messages.
        info: the setting.
        text: typed text; other values are returned unchanged.

    Raises:
        InputError: A file cannot be read.

    Example:
        >>> from fairsum_utils.measures.bur import BUR
        >>> infos = BUR.infos()
        >>> read_value("score", infos["tau"], "0.9"), read_value("score", infos["model"], "7")
        (0.9, '7')
        >>> read_value("score", infos["target"], "{female = 0.5, male = 0.5}")
        {'female': 0.5, 'male': 0.5}
    """
    if not isinstance(text, str):
        return text
    if text.startswith("@"):
        return _read_json(module, info.name, text[1:])
    kinds = info.type.split(" | ")
    if text == "none" and "None" in kinds and text not in info.choices:
        return None
    value = _toml(text)
    is_number = isinstance(value, (bool, int, float))
    if is_number and "str" in kinds and type(value).__name__ not in kinds:
        return text
    if isinstance(value, str) and "str" not in kinds and any(kind.startswith("Sequence[") for kind in kinds):
        return [part.strip() for part in value.split(",")]
    return value


def read_plain(text: str) -> Any:
    """Read a value without a description as TOML, or else as text.

    Example:
        >>> read_plain("0.7"), read_plain("true"), read_plain("none"), read_plain("beginning")
        (0.7, True, None, 'beginning')
    """
    return None if text == "none" else _toml(text)


def _toml(text: str) -> Any:
    """Read a value as TOML; invalid TOML and dates remain text."""
    import tomllib

    number = re.sub(r"^([+-]?)\.(?=\d)", r"\g<1>0.", text)  # TOML wants 0.9 for .9
    try:
        value = text if "\n" in text else tomllib.loads(f"value = {number}")["value"]
    except (ValueError, RecursionError):
        return text
    return text if isinstance(value, (date, datetime, time)) else value


_LARGEST = 64 << 20  # bytes of a file of settings


def _read_json(module: str, name: str, path: str) -> Any:
    """Read a value from a JSON file."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(_LARGEST + 1)
        if len(content) > _LARGEST:
            raise ValueError(f"more than {_LARGEST:,} bytes")
        return parse_json(content.decode())
    except (OSError, ValueError) as error:
        raise InputError(f"{module}: {name}: {path} cannot be read as JSON ({error})") from None


def described(kind: type[Settings]) -> Iterator[str]:
    """Describe settings in a line each."""
    for info in kind.infos().values():
        yield f"{info.name} ({plain(info.default)!r}): {info.help}"
