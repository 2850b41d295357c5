"""Options from a file, with a section per command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from fairsum_utils.errors import FileError, InputError
from fairsum_utils.validation import did_you_mean

# File of settings that is read if the command line names none.
NAME = "fairsum.toml"

RENAMED_OPTIONS = {
    "--framing-classifier": "--framing-model",
    "--toxicity-exclusive": "--toxicity-multi-label no",
    "--checkpoint": "--rows FOLDER",
    "--shard": "--only I/N, with --rows FOLDER",
    "--merge": "fairsum score FOLDER/RUN",
}
"""Former option -> what to write instead."""

# Options that say where keys and texts go, even without a scheme.
_SERVERS = ("--url", "--address")

# Options of the command line alone.
_NEVER = ("--config", "--help", "--help-all")


def configure(ctx: click.Context, param: click.Parameter | None, given: str | None) -> str | None:
    """Use the command's section as defaults; return the file if used.

    Raises:
        InputError: The file cannot be read or has an unknown option.
    """
    from fairsum_utils.io.stores import as_path

    if ctx.resilient_parsing or (given is None and not Path(NAME).is_file()):
        return given
    path = Path(NAME) if given is None else as_path(given, "--config")
    values = values_of(ctx, _section(path, ctx.command_path.split()[1:]), str(path))
    ctx.default_map, ctx.obj = values, path
    return str(path) if values or given else None


def values_of(ctx: click.Context, section: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Turn a section into values of parameters.

    Raises:
        InputError: An option that the command does not know, or a value that it cannot have.
    """
    known = {name: param for param in ctx.command.params for name in param.opts if name.startswith("--")}
    values = {}
    for key, entry in section.items():
        flag = f"--{key.replace('_', '-')}"
        if (now := RENAMED_OPTIONS.get(flag)) is not None:
            raise InputError(f"{where}: {key} is now {now.replace('--', '')}")
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


def _section(path: Path, names: Sequence[str]) -> Mapping[str, Any]:
    """Read a command's section; empty if the file has none."""
    import tomllib

    from fairsum_utils.cli.app import COMMANDS

    try:
        with path.open("rb") as file:
            table: Any = tomllib.load(file)
    except FileNotFoundError:
        raise FileError(f"{path}: there is no such file") from None
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits, and lists within lists
        raise FileError(f"{path}: no valid TOML: {error}") from None
    for key, value in table.items():
        if not isinstance(value, dict) or key not in COMMANDS:
            guess = did_you_mean(key, COMMANDS) or f"; they are named like commands: {', '.join(COMMANDS)}"
            raise InputError(f"{path}: unknown section {key!r}{guess}")
    for name in names:
        table = table.get(name, {})
        if not isinstance(table, dict):
            raise InputError(f"{path}: {name} must be a section, found {table!r}")
    section: Mapping[str, Any] = table
    return section
