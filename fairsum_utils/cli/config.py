"""What is always the same, from a file: a section for each command, whose keys are options without their dashes."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils.errors import FileError, InputError
from fairsum_utils.io.stores import as_path

if TYPE_CHECKING:
    from fairsum_utils.cli.commands import Command


NAME = "fairsum.toml"
"""Of the file that is read where the command line names none."""

_OPTION = "--config"
_SERVERS = ("--url", "--address")
"""Options that say where keys and texts go, even without a scheme."""


def configured(command: Command, words: Sequence[str]) -> list[str]:
    """The words of a command line, after those that the file of settings stands for: the command line wins.

    Args:
        command: with its options.
        words: of the command line, after the command's name.

    Raises:
        InputError: the file cannot be read, or says what the command does not know.
    """
    path = _named(command, words)
    if path is None or any(word in ("-h", "--help", "--help-all") for word in words):
        return list(words)
    section = command.prog.split()[1:]
    table = _section(path, section)
    made = words_of(command, table, str(path), words)
    if made:
        from fairsum_utils.cli.terminal import note

        if "--quiet" not in words:
            note(f"{path}: {' '.join(made)}")
        command.set_defaults(config_file=path)
    return [*made, *words]


def words_of(command: Command, table: Mapping[str, Any], where: str, given: Sequence[str] = ()) -> list[str]:
    """The words of a command line that a section stands for.

    Args:
        command: with its options.
        table: option without its dashes -> value: a text, a number, a truth value, a list or a mapping.
        where: the section is, for messages.
        given: words of the command line; what they name is left out, so that lists are not added up.

    Raises:
        InputError: an option that the command does not know, a value that is none for it, or an address.
    """
    words = []
    for key, value in table.items():
        flag = f"--{key.replace('_', '-')}"
        action = command._option_string_actions.get(flag)
        if action is None or flag in (_OPTION, "--help", "--help-all"):
            raise InputError(f"{where}: {command.unknown(key, 'key')}")
        if not any(word == name or word.startswith(f"{name}=") for word in given for name in action.option_strings):
            made = _words(action, flag, value, f"{where}: {key}")
            if flag in _SERVERS or any("://" in word for word in made):
                raise InputError(
                    f"{where}: {key} names an address, which a file may not; write {flag} on the command line"
                )
            words += made
    return words


def _words(action: argparse.Action, flag: str, value: Any, where: str) -> list[str]:
    """An option with its value."""
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise InputError(f"{where} must be true or false, found {value!r}")
        opposite = next((name for name in action.option_strings if name.startswith("--no-")), None)
        return [flag] if value else [opposite] if opposite and opposite != flag else []
    if isinstance(value, bool):
        raise InputError(f"{where} must be a text or a number, found {str(value).lower()}")
    if isinstance(value, dict):
        value = [f"{name}={each}" for name, each in value.items()]
    if isinstance(value, list):
        parts = [str(part) for part in value]
        return (
            [f"{flag}={part}" for part in parts]
            if isinstance(action, argparse._AppendAction)
            else [f"{flag}={','.join(parts)}"]
        )
    return [f"{flag}={value}"]


def _named(command: Command, words: Sequence[str]) -> Path | None:
    """The file to read, if there is one."""
    if "--config" in command._option_string_actions and command._option_string_actions[_OPTION].dest == "config_file":
        for place, word in enumerate(words):
            if word == _OPTION and place + 1 < len(words):
                return as_path(words[place + 1], _OPTION)
            if word.startswith(f"{_OPTION}="):
                return as_path(word.partition("=")[2], _OPTION)
    path = Path(NAME)
    return path if path.is_file() else None


def _section(path: Path, names: Sequence[str]) -> Mapping[str, Any]:
    """The section of a command; an empty one where the file says nothing of it."""
    import tomllib

    try:
        with path.open("rb") as file:
            table: Any = tomllib.load(file)
    except FileNotFoundError:
        raise FileError(f"{path}: there is no such file") from None
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits, and lists within lists
        raise FileError(f"{path}: no valid TOML: {error}") from None
    from fairsum_utils.cli import COMMANDS
    from fairsum_utils.validation import did_you_mean

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
