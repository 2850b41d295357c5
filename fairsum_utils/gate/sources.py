"""Where rules come from: texts, and files that hold some."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairsum_utils.errors import FileError, InputError
from fairsum_utils.gate.rules import Rule, parse_rule
from fairsum_utils.validation import describe

__all__ = ["is_file", "read_rules"]

ENDING = ".toml"
_SECTION, _KEY = "check", "rules"


def read_rules(rules: Any, module: str = "check") -> list[Rule]:
    """The rules that are meant.

    Args:
        rules: a rule; the path of a file that ends in ``.toml``, with a list ``rules`` in its section ``[check]`` or
            outside of any; or a list of both.
        module: name used in messages.

    Raises:
        InputError: there is none, or something is no rule.
        FileError: a file cannot be read, or is no TOML.

    Example:
        >>> [str(rule) for rule in read_rules(["0.05 > uer.ci_high", "warnings == 0"])]
        ['uer.ci_high < 0.05', 'warnings == 0']
    """
    several = isinstance(rules, Sequence) and not isinstance(rules, (str, bytes))
    found = [rule for each in (rules if several else [rules]) for rule in _read(each, module)]
    if not found:
        raise InputError(f"{module}: there is no rule, and what is held to none passes nothing; give at least one")
    return found


def is_file(given: Any) -> bool:
    """Whether a file is meant, not a rule.

    Example:
        >>> is_file("fairsum.toml"), is_file("uer < 0.05")
        (True, False)
    """
    return isinstance(given, os.PathLike) or (isinstance(given, str) and given.strip().endswith(ENDING))


def _read(given: Any, module: str) -> list[Rule]:
    """The rules of a text or a file."""
    if is_file(given):
        path = os.fspath(given).strip()
        return [parse_rule(rule, f"{module}: {path}") for rule in _listed(path, module)]
    return [parse_rule(given, module)]


def _listed(path: str, module: str) -> list[Any]:
    import tomllib

    try:
        with Path(path).open("rb") as file:
            table: Any = tomllib.load(file)
    except FileNotFoundError:
        raise FileError(f"{module}: there is no file {path}; a rule is a text such as 'uer.ci_high < 0.05'") from None
    except (OSError, ValueError, RecursionError) as error:
        raise FileError(f"{module}: {path} cannot be read as TOML: {error}") from None
    section = table.get(_SECTION, table)
    rules = section.get(_KEY) if isinstance(section, Mapping) else None
    if isinstance(rules, str):  # as among the options of a command
        rules = [rules]
    if not isinstance(rules, list):
        raise InputError(
            f"{module}: {path} has no list of rules, found {describe(rules)}; "
            f'write [{_SECTION}] and below it {_KEY} = ["uer.ci_high < 0.05"]'
        )
    return rules
