"""Messages and help with options instead of settings and Python types."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from fairsum_utils.families import all_measures, family_of
from fairsum_utils.families.inputs import all_columns
from fairsum_utils.io.opening import READING
from fairsum_utils.measures import get_measure

# `tau`, language='zh', unmatched='uniform' or 'skip', entailment_label, and tau before "must" or "applies"
_SPELLED = re.compile(
    r"""`(?P<ticked>\w+)`|\b(?P<set>\w+)=(?P<values>(['"])[^'"]*\4(?:(?:, | or )'[^']*')*)(?P<next>,(?= \w+=['"]))?"""
    r"""|\b(?P<switched>\w+)=(?P<truth>True|False)\b"""
    r"""|\b(?<!['"])(?P<long>[a-z]+(?:_[a-z]+)+)\b(?!['"=(\[])|^(?P<first>\w+)(?= must | applies | needs )"""
)
# Arguments of data sets and of processes, which are no settings
_ARGUMENTS: Mapping[str, Mapping[str, Any]] = {
    name: {name.replace("_", "-"): None}
    for name in ("data_dir", "workers", "engine", "address", "gpus_per_worker", *READING)
}
_FOUND = re.compile(r"\bfound (str|int|float|list|tuple|dict|None)\b ?")
_KINDS = {"int": "the number ", "float": "the number ", "list": "the list ", "dict": "the mapping ", "None": "nothing"}
_PYTHON = re.compile(r", found bool \w+|, for example with (?:str\(\)|\.decode\([^)]*\))|; use str\(\)")


def as_options(text: str, measures: Sequence[str] = (), given: Collection[str] = ()) -> str:
    """Spell settings and columns in a text as on the command line.

    Args:
        text: Text with names as in Python.
        measures: Measures that are asked for, which may have options of their own for a setting; empty for all.
        given: Options that are given, without dashes.

    Example:
        >>> as_options("choose language='zh' or `splitter`"), as_options("tau must be a number")
        ('choose --language zh or --splitter', '--tau must be a number')
        >>> as_options("threshold must be above 0", ["toxicity"])
        '--toxicity-threshold must be above 0'
    """
    related = dict.fromkeys(each for measure in measures for each in family_of(measure).measures) or all_measures()
    flags = {**_ARGUMENTS, **_flags(tuple(related)), **_flags(tuple(measures))}
    columns = _column_flags()

    def spelled(match: re.Match[str]) -> str:
        name = next(filter(None, map(match.group, ("ticked", "set", "switched", "long", "first"))))
        found = flags.get(name, {})
        if not found and name in columns and (match["ticked"] or match["set"]):
            return f"--{columns[name]}" + (f" {shlex.quote(match['values'][1:-1])}" if match["set"] else "")
        # A switch stands for its value, or for the setting where it was typed.
        value = None if match["truth"] is None else match["truth"] == "True"
        if match["set"] and (switches := [flag for flag in found if repr(found[flag]) == match["values"]]):
            return f"--{switches[0]}"
        chosen = [flag for flag in found if flag in given] or [flag for flag in found if found[flag] is value]
        if value is not None and not chosen:
            chosen = [f"{flag} {'yes' if value else 'no'}" for flag in found if found[flag] is None]
        if not chosen or (len(chosen) > 1 and not any(name in get_measure(each).infos() for each in measures)):
            return match[0]
        values = ""
        if match["set"]:
            is_one = match["values"].count(match["values"][0]) == 2
            values = f" {shlex.quote(match['values'][1:-1]) if is_one else re.sub(_QUOTES, '', match['values'])}"
        return f"{' or '.join(f'--{flag}' for flag in chosen)}{values}"

    return _SPELLED.sub(spelled, text)


_QUOTES = re.compile("['\"]")


def in_plain_words(text: str) -> str:
    """Replace Python's types and calls in a message.

    Example:
        >>> in_plain_words("must be a number, found str 'main'"), in_plain_words("must be a text, found int 3")
        ("must be a number, found 'main'", 'must be a text, found the number 3')
    """
    return _PYTHON.sub("", _FOUND.sub(lambda match: f"found {_KINDS.get(match[1], '')}", text))


def spelled_reasons(parts: Iterable[Any], document: Mapping[str, Any], *asked: Sequence[str]) -> list[Any]:
    """Spell settings in warnings and reasons as options."""
    from fairsum_utils.reports.tables import Table

    spelled = {reason: as_options(reason, *asked) for reason in _reasons(document)}
    changed = {old: new for old, new in spelled.items() if old != new}

    def replaced(lines: Any) -> list[str]:
        kind = type(lines) if isinstance(lines, list) else list
        return kind(_replaced(line, changed) for line in lines)

    return [part._replace(below=replaced(part.below)) if isinstance(part, Table) else replaced(part) for part in parts]


def _replaced(line: str, changed: Mapping[str, str]) -> str:
    for old, new in changed.items():
        if old in line:
            line = line.replace(old, new)
    return line


def _reasons(document: Mapping[str, Any]) -> Iterator[str]:
    """Find the messages of warnings and the reasons of undefined numbers."""
    for key, entry in document.items():
        if key == "warnings" and isinstance(entry, list):
            yield from (warning if isinstance(warning, str) else warning["message"] for warning in entry)
        elif key == "undefined" and isinstance(entry, str):
            yield entry
        elif key == "undefined" and isinstance(entry, Mapping):
            yield from (reason for reason in entry.values() if isinstance(reason, str))
        elif isinstance(entry, Mapping):
            yield from _reasons(entry)
        elif isinstance(entry, list):
            for each in entry:
                if isinstance(each, Mapping):
                    yield from _reasons(each)


@cache
def _flags(measures: tuple[str, ...]) -> Mapping[str, Mapping[str, Any]]:
    """Map settings to their options and constant values."""
    from fairsum_utils.io.shapes import Shape

    found: dict[str, dict[str, Any]] = {}
    for infos in (Shape.infos(), *(get_measure(measure).infos() for measure in measures)):
        for info in infos.values():
            if info.flag is not None:
                found.setdefault(info.name, {})[info.flag] = info.const
    return found


@cache
def _column_flags() -> dict[str, str]:
    return {name: column.flag for name, column in all_columns(all_measures()).items()}
