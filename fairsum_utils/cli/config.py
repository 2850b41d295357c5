"""Options and settings from a file, with a section for each command and measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from fairsum_utils.cli.names import COMMANDS, setting_names
from fairsum_utils.errors import FileError, InputError
from fairsum_utils.validation import did_you_mean

# File of settings that is read if the command line names none.
NAME = "fairsum.toml"

# Options that say where keys and texts go, even without a scheme.
_SERVERS = ("--url", "chat_url")

# Options of the command line alone.
_NEVER = ("--config", "--help")


def configure(ctx: click.Context, param: click.Parameter | None, given: str | None) -> str | None:
    """Use the command's section as defaults; return the file if used.

    Raises:
        InputError: The file cannot be read or has an unknown option.
    """
    from fairsum_utils.io.stores import as_path

    if ctx.resilient_parsing or (given is None and not Path(NAME).is_file()):
        return given
    path = Path(NAME) if given is None else as_path(given, "--config")
    sections = _sections(path)
    values = values_of(ctx, _section(sections, ctx.command_path.split()[1:], path), str(path))
    ctx.default_map, ctx.obj = values, path
    if any(param.name == "set" for param in ctx.command.params):
        ctx.meta[_TABLES] = _tables(sections, path)
    return str(path) if values or given else None


# Key of the settings of measures in the context of a command.
_TABLES = "fairsum.tables"

# Section of settings for all measures that have them.
_ALL = "measures"


def tables_of(ctx: click.Context) -> Mapping[str, Mapping[str, Any]]:
    """Return the settings that the file gives: measure -> name -> value."""
    tables: Mapping[str, Mapping[str, Any]] = ctx.meta.get(_TABLES, {})
    return tables


def _tables(sections: Mapping[str, Any], path: Path) -> dict[str, dict[str, Any]]:
    """Return the settings of each measure, checked."""
    from fairsum_utils.families import all_measures
    from fairsum_utils.measures import get_measure
    from fairsum_utils.settings.base import unknown_setting

    for_all, found = sections.get(_ALL, {}), dict[str, dict[str, Any]]()
    for name in for_all:
        if name not in setting_names():
            raise unknown_setting(f"{path}: [{_ALL}]", name, sorted(setting_names()))
    for measure in all_measures():
        infos, own = get_measure(measure).infos(), sections.get(measure, {})
        for name in own:
            if name not in infos:
                raise unknown_setting(f"{path}: [{measure}]", name, infos)
        found[measure] = {name: value for name, value in {**for_all, **own}.items() if name in infos}
        for name, value in found[measure].items():
            if name in _SERVERS or "://" in str(value):
                raise InputError(
                    f"{path}: {name} names an address, which a file may not; write --set {name}={value} on the command "
                    "line"
                )
    return found


def values_of(ctx: click.Context, section: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Turn a section into values of parameters.

    Raises:
        InputError: An option that the command does not know, or a value that it cannot have.
    """
    known = {name: param for param in ctx.command.params for name in param.opts if name.startswith("--")}
    values = {}
    for key, entry in section.items():
        flag = f"--{key.replace('_', '-')}"
        if flag not in known and (name := flag[2:].replace("-", "_")) in setting_names():
            raise InputError(f"{where}: {name} is a setting; write it in the section of its measure, or in [{_ALL}]")
        if flag in known and known[flag].name == "set":
            raise InputError(f"{where}: write settings in the section of their measure, such as [bur]")
        if flag not in known or flag in _NEVER:
            guess = did_you_mean(flag[2:], [name[2:] for name in known]) or f"; see {ctx.command_path} --help"
            raise InputError(f"{where}: unknown key {key}{guess}")
        values[str(known[flag].name)] = _value(known[flag], entry, f"{where}: {key}")
    return values


def _value(param: click.Parameter, entry: Any, where: str) -> Any:
    """Read one option: a boolean, text, number, list or mapping."""
    if getattr(param, "is_flag", False):
        if not isinstance(entry, bool):
            raise InputError(f"{where} must be true or false, found {entry!r}")
        return entry
    if isinstance(entry, bool):
        raise InputError(f"{where} must be a text or a number, found {str(entry).lower()}")
    if isinstance(entry, dict):
        entry = [f"{name}={each}" for name, each in entry.items()]
    parts = [str(part) for part in entry] if isinstance(entry, list) else [str(entry)]
    return parts if param.multiple else ",".join(parts)


def words_from_file(ctx: click.Context) -> list[str]:
    """Write options from the file as on the command line, which takes precedence.

    Raises:
        InputError: One is an address.
    """
    params = {param.name: param for param in ctx.command.params}
    words = []
    for name in ctx.default_map or {}:
        if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT_MAP:
            continue
        made, flag = _words(params[name], ctx.params[name]), params[name].opts[-1]
        if flag in _SERVERS or any("://" in word for word in made):
            key = flag.removeprefix("--")
            raise InputError(
                f"{ctx.obj}: {key} names an address, which a file may not; write {flag} on the command line"
            )
        words += made
    return words


def _words(param: click.Parameter, value: Any) -> list[str]:
    if isinstance(value, bool):
        return param.opts[-1:] if value else param.secondary_opts[-1:]
    return [f"{param.opts[-1]}={each}" for each in (value if isinstance(value, tuple) else [value])]


def _sections(path: Path) -> Mapping[str, Any]:
    """Read a file of settings."""
    import tomllib

    from fairsum_utils.families import all_measures

    try:
        with path.open("rb") as file:
            sections: Mapping[str, Any] = tomllib.load(file)
    except FileNotFoundError:
        raise FileError(f"{path}: there is no such file") from None
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits, and lists within lists
        raise FileError(f"{path}: no valid TOML: {error}") from None
    for key, value in sections.items():
        if not isinstance(value, dict) or key not in {*COMMANDS, *all_measures(), _ALL}:
            guess = did_you_mean(key, [*COMMANDS, *all_measures()])
            known = f"; they are named like commands ({', '.join(COMMANDS)}) or measures, or {_ALL}"
            raise InputError(f"{path}: unknown section {key!r}{guess or known}")
    return sections


def _section(table: Any, names: Sequence[str], path: Path) -> Mapping[str, Any]:
    """Return a command's section; empty if the file has none."""
    for name in names:
        table = table.get(name, {})
        if not isinstance(table, dict):
            raise InputError(f"{path}: {name} must be a section, found {table!r}")
    section: Mapping[str, Any] = table
    return section
