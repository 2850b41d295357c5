"""Messages and help with options instead of settings and Python types."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import Any

import click

from fairsum_utils.cli.names import COMMON, OF_INPUT, options_of, setting_names
from fairsum_utils.families import all_measures
from fairsum_utils.families.inputs import all_columns

# `pair_ids`, language='zh', unmatched='uniform' or 'skip', at_random=False, group_by, and seed before "must"
_SPELLED = re.compile(
    r"""`(?P<ticked>\w+)`|\b(?P<set>\w+)=(?P<values>(['"])[^'"]*\4(?:(?:, | or )'[^']*')*)(?P<next>,(?= \w+=['"]))?"""
    r"""|\b(?P<switched>\w+)=(?P<truth>True|False|\d+(?:\.\d+)?)\b"""
    r"""|\b(?<!['"])(?P<long>[a-z]+(?:_[a-z]+)+)\b(?!['"=(\[:])|^(?P<first>\w+)(?= must | applies | needs )"""
)
_FOUND = re.compile(r"\bfound (str|int|float|list|tuple|dict|None)\b ?")
_KINDS = {"int": "the number ", "float": "the number ", "list": "the list ", "dict": "the mapping ", "None": "nothing"}
_PYTHON = re.compile(r", found bool \w+|, for example with (?:str\(\)|\.decode\([^)]*\))|; use str\(\)")


def as_options(text: str, command: click.Command | None = None) -> str:
    """Spell settings and columns in a text as on the command line.

    Args:
        text: text with names as in Python.
        command: command whose options may be named; None for none.

    Example:
        >>> as_options("choose language='zh' or unmatched='uniform'"), as_options("seed must be a number")
        ('choose --language zh or --set unmatched=uniform', '--seed must be a number')
        >>> as_options("leave out `article_ids`"), as_options("tau must be a number")
        ('leave out --column article_id=NAME', 'tau must be a number')
    """
    own = {} if command is None else {name[2:].replace("-", "_"): name for name in options_of(command)}
    own |= {name: f"--set {name}=NAME" for name in OF_INPUT if "set" in own}
    flags, settings, columns = own | COMMON, setting_names(), all_columns(all_measures())

    def spelled(match: re.Match[str]) -> str:
        name = next(filter(None, map(match.group, ("ticked", "set", "switched", "long", "first"))))
        flag = (own if match["long"] else flags).get(name)
        value = _shell(match["values"]) if match["set"] else str(match["truth"]).lower()
        if name in columns and (match["set"] or match["ticked"]):
            return columns[name].named(value) if match["set"] else columns[name].flag
        if match["truth"] in ("True", "False") and flag is not None:
            return flag if value == "true" else own.get(f"no_{name}", match[0])
        if match["set"] or match["switched"]:
            if flag is None:
                return f"--set {name}={value}" if name in settings else match[0]
            return f"{flag} {value}"
        return flag or (name if match["ticked"] and name in settings else match[0])

    return _SPELLED.sub(spelled, text)


def _shell(values: str) -> str:
    """Quote a value for the shell; several lose their quotes."""
    is_one = values.count(values[0]) == 2
    return shlex.quote(values[1:-1]) if is_one else re.sub("['\"]", "", values)


def in_plain_words(text: str) -> str:
    """Replace Python's types and calls in a message.

    Example:
        >>> in_plain_words("must be a number, found str 'main'"), in_plain_words("must be a text, found int 3")
        ("must be a number, found 'main'", 'must be a text, found the number 3')
    """
    return _PYTHON.sub("", _FOUND.sub(lambda match: f"found {_KINDS.get(match[1], '')}", text))


def spelled_reasons(
    parts: Iterable[Any], document: Mapping[str, Any], command: click.Command | None = None
) -> list[Any]:
    """Spell settings in warnings and reasons as options."""
    from fairsum_utils.families.warnings import as_sentence
    from fairsum_utils.reports.tables import Table

    messages = [text for reason in _reasons(document) for text in (reason, as_sentence(reason))]
    spelled = {text: as_options(text, command) for text in messages}

    def replaced(lines: Any) -> list[str]:
        kind = type(lines) if isinstance(lines, list) else list
        return kind(reduce(lambda line, reason: line.replace(*reason), spelled.items(), line) for line in lines)

    return [part._replace(below=replaced(part.below)) if isinstance(part, Table) else replaced(part) for part in parts]


def _reasons(entry: Any, key: str = "") -> Iterator[str]:
    """Find the messages of warnings and the reasons of undefined numbers."""
    if isinstance(entry, Mapping):
        for name, inner in entry.items():
            yield from _reasons(inner, key if key == "undefined" else name)
    elif isinstance(entry, list):
        for each in entry:
            yield from _reasons(each, key)
    elif isinstance(entry, str) and key in ("warnings", "message", "undefined"):
        yield from re.split(r"; (?=\w+_ci: )", entry)
