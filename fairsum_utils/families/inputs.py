"""Columns of several measures together, and their description."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from types import UnionType
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.families.columns import Column
from fairsum_utils.families.contract import all_measures, family_of
from fairsum_utils.settings import wrapped_item


def column_takers(name: str) -> list[str]:
    """List all measures that can use a column.

    Example:
        >>> column_takers("summary_units")
        ['equal_coverage', 'coverage_parity']
    """
    column = all_columns(all_measures()).get(name)
    return [] if column is None else list(column.taken)


def check_given(module: str, needed: Mapping[str, Sequence[str]], given: Collection[str]) -> None:
    """Check that all required columns are given.

    Example:
        >>> check_given("score", {"sources": ["bur", "uer"]}, ["predictions"])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: score: missing: sources (needed by bur, uer). Given: predictions
    """
    missing = {name: labels for name, labels in needed.items() if name not in given}
    if missing:
        wanted = ", ".join(f"{name} (needed by {', '.join(labels)})" for name, labels in missing.items())
        raise InputError(f"{module}: missing: {wanted}. Given: {', '.join(given) or 'none'}")


def all_columns(measures: Iterable[str]) -> Mapping[str, Column]:
    """Return all columns of measures by name.

    Where families have a column in common, it is here as a call for all of the measures has it: needed if any of them
    needs it, its entries such as all of them can read, and helped by the words of each.

    Example:
        >>> columns = all_columns(["bur", "word_list_inclusion", "sentiment"])
        >>> list(columns)
        ['predictions', 'sources', 'values', 'target_distributions', 'article_ids', 'pair_ids', 'groups']
        >>> columns["sources"].needed, columns["sources"].kind
        (('bur', 'word_list_inclusion'), list[str])
    """
    return _all_columns(tuple(measures))


@cache
def _all_columns(measures: tuple[str, ...]) -> Mapping[str, Column]:
    by_measure: dict[str, dict[str, Column]] = {}
    for measure in measures:
        for column in family_of(measure).columns_of(measure):
            by_measure.setdefault(column.name, {})[measure] = column
    merged = {}
    for name, columns in by_measure.items():
        kinds = [column.kind for column in columns.values()]
        merged[name] = next(iter(columns.values()))._replace(
            kind=next((kind for kind in kinds if not isinstance(kind, UnionType)), kinds[0]),
            help="; or ".join(dict.fromkeys(column.help for column in columns.values())),
            needed=tuple(measure for measure, column in columns.items() if column.needed_by(measure)),
            taken=tuple(columns),
        )
    return merged


def kind_name(kind: Any) -> str:
    """Describe the type of a column's entries.

    Example:
        >>> kind_name(str | list[str]), kind_name(dict[str, float])
        ('str or list of str', 'dict of float')
    """
    arguments = getattr(kind, "__args__", ())
    if isinstance(kind, UnionType):
        return " or ".join(map(kind_name, arguments))
    if arguments:
        return f"{kind.__origin__.__name__} of {kind_name(arguments[-1])}"
    return "dict" if hasattr(kind, "__annotations__") else str(kind.__name__)


def describe_columns(measure: str, indent: str = "") -> str:
    """Describe the columns of a measure for a docstring.

    Example:
        >>> print(describe_columns("uer").splitlines()[1])
        sources (list of list of str): the source texts, at least one.
    """
    lines = []
    for column in family_of(measure).columns_of(measure):
        optional = not column.needed_by(measure)
        without = f" Without it: {column.without}." if optional and column.without else ""
        head = f"{column.name} (list of {kind_name(column.kind)}{', optional' if optional else ''})"
        lines.append(wrapped_item(f"{head}: {column.help}.{without}", indent))
    return "\n".join(lines)
