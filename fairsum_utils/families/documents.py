"""Settings and columns in words: signatures and documentation of whatever takes them, derived from the families."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from types import UnionType
from typing import TYPE_CHECKING, Any

from fairsum_utils.families.columns import Column
from fairsum_utils.families.contract import family_of
from fairsum_utils.families.routing import known_settings
from fairsum_utils.families.settings import Setting

if TYPE_CHECKING:
    from inspect import Parameter, Signature

_WIDTH = 120


class _ByMeasure:
    """Stands for a default that differs between measures."""

    def __repr__(self) -> str:
        return "<by measure>"


BY_MEASURE = _ByMeasure()
"""The default of a setting whose measures have different ones."""


def _columns_by_measure(measures: Iterable[str]) -> dict[str, dict[str, Column]]:
    """Name of a column -> measure -> the column as the measure's family has it."""
    known: dict[str, dict[str, Column]] = {}
    for measure in measures:
        for column in family_of(measure).columns_of(measure):
            known.setdefault(column.name, {})[measure] = column
    return known


def all_columns(measures: Iterable[str]) -> dict[str, Column]:
    """The columns that measures can use, by name.

    Where families have a column in common, it is here as a call for all of the measures has it: needed if any of them
    needs it, its entries such as all of them can read, and helped by the words of each.

    Args:
        measures: names.

    Example:
        >>> columns = all_columns(["bur", "word_list_inclusion", "sentiment"])
        >>> list(columns)
        ['predictions', 'sources', 'values', 'target_distributions', 'article_ids', 'pair_ids', 'groups']
        >>> columns["sources"].needed, columns["sources"].kind
        (('bur', 'word_list_inclusion'), list[str])
    """
    return {name: _in_common(of_measures) for name, of_measures in _columns_by_measure(measures).items()}


def _in_common(of_measures: Mapping[str, Column]) -> Column:
    columns = list(of_measures.values())
    return columns[0]._replace(
        kind=min((column.kind for column in columns), key=lambda kind: isinstance(kind, UnionType)),
        help="; or ".join(dict.fromkeys(column.help for column in columns)),
        needed=tuple(measure for measure, column in of_measures.items() if column.needed_by(measure)),
        taken=tuple(of_measures),
    )


def default_of(infos: Iterable[Setting]) -> Any:
    """The default of a setting, over the measures that take it."""
    first, *others = [info.default for info in infos]
    return first if all(other == first for other in others) else BY_MEASURE


def derive_signature(
    measures: Sequence[str],
    *before: Parameter,
    columns: Iterable[str] | None = None,
    defaults: Mapping[str, Any] = {},
) -> Signature:
    """The signature of a call that takes the columns and settings of measures.

    Args:
        measures: names.
        *before: parameters that stand between columns and settings.
        columns: names of the columns; None for all that the measures can use.
        defaults: setting -> default of the call, where it is not that of the measures.

    Example:
        >>> str(derive_signature(["sof"], columns=["predictions"]))[:37]
        "(predictions=None, *, matcher: 'str |"
    """
    from inspect import Parameter, Signature

    parameters = [
        Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=None)
        for name in (all_columns(measures) if columns is None else columns)
    ]
    parameters += before
    for name, takers in known_settings(measures).items():
        infos = list(takers.values())
        default = defaults.get(name, default_of(infos))
        parameters += parameters_of([infos[0]._replace(default=default)])
    return Signature(parameters)


def parameters_of(infos: Iterable[Setting]) -> list[Parameter]:
    """The parameters of a call that takes settings.

    Args:
        infos: the settings.

    Example:
        >>> from fairsum_utils.families.settings import Resampling
        >>> [parameter.name for parameter in parameters_of(Resampling.infos().values())]
        ['confidence_level', 'n_resamples', 'bootstrap', 'seed']
    """
    from inspect import Parameter

    return [Parameter(info.name, Parameter.KEYWORD_ONLY, default=info.default, annotation=info.type) for info in infos]


def kind_name(kind: Any) -> str:
    """The type of a column's entries in words.

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


def _item(head: str, text: str, indent: str) -> str:
    """An entry of a docstring's list, wrapped."""
    return textwrap.fill(
        f"{head}: {text}", _WIDTH, initial_indent=indent, subsequent_indent=f"{indent}    ", break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip


def describe_columns(measures: Sequence[str], indent: str = "    ") -> str:
    """The columns of measures, for a docstring.

    Args:
        measures: names.
        indent: before each entry.

    Example:
        >>> print(describe_columns(["uer"]).splitlines()[1])
            sources (list of list of str): the source texts of a sample, at least one.
    """
    lines = []
    for name, of_measures in _columns_by_measure(measures).items():
        senses: dict[Column, list[str]] = {}
        for measure, column in of_measures.items():
            senses.setdefault(column._replace(needed=False, taken=()), []).append(measure)
        for column, of_sense in senses.items():
            optional = not all(of_measures[measure].needed_by(measure) for measure in of_sense)
            without = f" Without it: {column.without}." if optional and column.without else ""
            head = f"{name} (list of {kind_name(column.kind)}{', optional' if optional else ''})"
            lines.append(_item(head, f"{column.help}.{without}{_users(of_sense, measures)}", indent))
    return "\n".join(lines)


def _users(takers: Sequence[str], measures: Sequence[str]) -> str:
    """Who takes a column or a setting, unless all measures do."""
    return "" if len(takers) == len(measures) else f" For {', '.join(takers)}."


def describe_settings(measures: Sequence[str], indent: str = "    ", *, defaults: Mapping[str, Any] = {}) -> str:
    """The settings of measures, for a docstring.

    Args:
        measures: names.
        indent: before each entry.
        defaults: setting -> default of the call, where it is not that of the measures.

    Example:
        >>> print(describe_settings(["bur"]).splitlines()[10])
            tau (float): a value is underrepresented below tau times its desired share, in [0, 1]. Default: 0.8.
    """
    lines = []
    for takers in known_settings(measures).values():
        senses: dict[Setting, list[str]] = {}
        for measure, info in takers.items():
            default = defaults.get(info.name, info.default)
            senses.setdefault(info._replace(only=(), default=default), []).append(measure)
        lines += [_setting_item(info, indent, _users(of_sense, measures)) for info, of_sense in senses.items()]
    return "\n".join(lines)


def describe_infos(infos: Iterable[Setting], indent: str = "    ") -> str:
    """Settings that belong to no measure, for a docstring.

    Args:
        infos: the settings.
        indent: before each entry.

    Example:
        >>> from fairsum_utils.families.settings import Resampling
        >>> print(describe_infos([Resampling.infos()["n_resamples"]])[:21])
            n_resamples (int)
    """
    return "\n".join(_setting_item(info, indent) for info in infos)


def _setting_item(info: Setting, indent: str, users: str = "") -> str:
    return _item(f"{info.name} ({info.type})", f"{info.help}. Default: {info.default!r}.{users}", indent)


def tables(measure: str) -> dict[str, str]:
    """The columns and the settings of a measure as Markdown tables, by their first header.

    Args:
        measure: its name.

    Example:
        >>> print(tables("sof")["column"].splitlines()[2])
        | `predictions` | str | the summary, or another generated text; an empty one is data, see `empty` |
    """
    family = family_of(measure)
    columns = [["column", "type", "meaning"], ["---"] * 3]
    for column in family.columns_of(measure):
        without = f"; without it: {column.without}" if column.without else ""
        optional = "" if column.needed_by(measure) else ", optional"
        columns.append([f"`{column.name}`", f"{kind_name(column.kind)}{optional}", f"{column.help}{without}"])
    settings = [["setting", "default", "meaning"], ["---"] * 3]
    for info in family.taken(measure).values():
        default = f'"{info.default}"' if isinstance(info.default, str) else repr(info.default)
        settings.append([f"`{info.name}`", f"`{default}`", info.help])
    return {rows[0][0]: "\n".join(f"| {' | '.join(row)} |" for row in rows) for rows in (columns, settings)}
