"""Settings and columns of measures: routing, errors, signatures and documentation."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any

from fairsum_utils.errors import InputError
from fairsum_utils.families.columns import Column
from fairsum_utils.families.contract import all_measures, family_of
from fairsum_utils.measures import get_measure
from fairsum_utils.settings import USUAL_LEVEL, Setting, unknown_setting
from fairsum_utils.validation import describe

if TYPE_CHECKING:
    from inspect import Parameter, Signature


def chance_settings(measure: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Request the chance level, unless the caller set it or the measure has none.

    Example:
        >>> chance_settings("bur", {"tau": 0.9}), chance_settings("toxicity", {})
        ({'at_random': True, 'tau': 0.9}, {})
    """
    return {"at_random": True, **given} if "at_random" in family_of(measure).taken(measure) else dict(given)


def usual_settings(measure: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Add the interval and the chance level, shown by default.

    Example:
        >>> usual_settings("uer", {"k": 2})
        {'at_random': True, 'confidence_level': 0.95, 'k': 2}
    """
    return chance_settings(measure, with_interval(given))


def with_interval(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Add the usual confidence level if none is given.

    Example:
        >>> with_interval({"seed": 3})
        {'confidence_level': 0.95, 'seed': 3}
    """
    return {"confidence_level": USUAL_LEVEL, **settings}


def known_settings(measures: Sequence[str]) -> dict[str, dict[str, Setting]]:
    """Return the descriptions of all settings: setting -> measure -> description.

    Example:
        >>> list(known_settings(["bur", "uer"])["tau"])
        ['bur']
    """
    known: dict[str, dict[str, Setting]] = {}
    for measure in measures:
        for name, info in family_of(measure).taken(measure).items():
            known.setdefault(name, {})[measure] = info
    return known


def column_takers(name: str) -> list[str]:
    """List all measures that can use a column.

    Example:
        >>> column_takers("summary_units")
        ['equal_coverage', 'coverage_parity']
    """
    columns = _columns_by_measure(all_measures())
    return list(columns.get(name, ()))


def not_taken(module: str, name: str, takers: Sequence[str], asked: Collection[str]) -> InputError:
    """Return the error for a setting or column of measures that were not requested.

    Example:
        >>> raise not_taken("score", "tau", ["bur"], ["uer"])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: score: tau applies only to bur, but uer is requested; leave it out, or
        request bur
    """
    return InputError(
        f"{module}: {name} applies only to {', '.join(takers)}, but {_requested(asked)}; leave it out, or request "
        f"{takers[0]}"
    )


def _requested(asked: Collection[str]) -> str:
    return f"{', '.join(asked)} {'is' if len(asked) == 1 else 'are'} requested"


def refusal(
    module: str, name: str, asked: Collection[str], known: Iterable[str], columns: Iterable[str] = ()
) -> InputError:
    """Return the error for an argument that no requested measure takes.

    Returns:
        It says which measures take the argument; where there are none, what may be meant.

    Example:
        >>> raise refusal("score", "sorces", ["uer"], ["k"], ["predictions", "sources"])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: score: unknown setting 'sorces'; did you mean sources? The settings are k; the
        columns are predictions, sources
    """
    if takers := column_takers(name):
        return not_taken(module, f"the column {name}", takers, asked)
    if takers := [measure for measure in all_measures() if name in family_of(measure).taken(measure)]:
        return not_taken(module, name, takers, asked)
    return unknown_setting(module, name, known, columns=columns)


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


def check_asked(module: str, names: Iterable[str], asked: Mapping[str, str], columns: Iterable[str] = ()) -> None:
    """Check that a requested measure takes each setting.

    Example:
        >>> check_asked("score", ["tau"], {"uer": "uer"})
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: score: tau applies only to bur, but uer is requested; leave it out, or
        request bur
    """
    known = known_settings(list(asked.values()))
    for name in names:
        if name not in known:
            raise refusal(module, name, asked, known, columns)


def check_each(module: str, each: Mapping[str, Any], asked: Collection[str]) -> None:
    """Check settings for single measures.

    Example:
        >>> check_each("score", {"uer": {"k": 2}}, ["bur"])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: score: settings are given for str 'uer', but bur is requested; leave them out,
        or request that measure
    """
    for label, given in each.items():
        if label not in asked:
            raise InputError(
                f"{module}: settings are given for {describe(label)}, but {_requested(asked)}; leave them out, or "
                "request that measure"
            )
        if not isinstance(given, Mapping):
            raise InputError(
                f"{module}: the settings of {label} must be a mapping such as {{'empty': 'error'}}, found "
                f"{describe(given)}"
            )


def route(
    module: str,
    asked: Mapping[str, str],
    shared: Mapping[str, Any],
    each: Mapping[str, Mapping[str, Any]] | None = None,
    columns: Iterable[str] = (),
) -> dict[str, dict[str, Any]]:
    """Give each measure its settings.

    Returns:
        What a measure is called -> setting -> value, of settings that are given.

    Example:
        >>> route("score", {"bur": "bur", "uer": "uer"}, {"tau": 0.9, "k": 2})
        {'bur': {'tau': 0.9, 'k': 2}, 'uer': {'k': 2}}
    """
    check_asked(module, shared, asked, columns)
    known = known_settings(list(asked.values()))
    routed: dict[str, dict[str, Any]] = {label: {} for label in asked}
    for name, value in shared.items():
        takers = [label for label, measure in asked.items() if measure in known[name]]
        senses = {get_measure(asked[label]).reader for label in takers}
        if len(senses) > 1 and not next(iter(known[name].values())).shared:
            raise InputError(
                f"{module}: {name} means something different for each of {', '.join(takers)}; give it by measure, as "
                f"in {takers[-1]}={{{name!r}: {value!r}}}"
            )
        for label in takers:
            routed[label][name] = value
    for label, given in (each or {}).items():
        check_each(module, {label: given}, asked)
        check_asked(module, given, {label: asked[label]})
        routed[label] |= given
    return routed


def split_arguments(
    module: str, asked: Mapping[str, str], arguments: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Split the arguments of a call into columns and settings.

    Returns:
        Columns by name; and the settings of each, see `route`.

    Example:
        >>> split_arguments("score", {"uer": "uer"}, {"predictions": ["Fine."], "groups": None, "k": 2})
        ({'predictions': ['Fine.']}, {'uer': {'k': 2}})
    """
    known = all_columns(asked.values())
    relatives = {column.name for measure in asked.values() for column in family_of(measure).columns}
    columns, each, shared = {}, {}, {}
    for name, value in arguments.items():
        if name in relatives:
            if name in known and value is not None:
                columns[name] = value
        elif name in asked or name in all_measures():
            each[name] = value
        elif value is not None or not column_takers(name):
            shared[name] = value
    return columns, route(module, asked, shared, each, known)


_WIDTH = 120


class _ByMeasure:
    """Placeholder for a default that differs between measures."""

    def __repr__(self) -> str:
        return "<by measure>"


BY_MEASURE = _ByMeasure()
"""The default of a setting whose measures have different ones."""


def _columns_by_measure(measures: Iterable[str]) -> dict[str, dict[str, Column]]:
    """Return the descriptions of columns: name -> measure -> column."""
    known: dict[str, dict[str, Column]] = {}
    for measure in measures:
        for column in family_of(measure).columns_of(measure):
            known.setdefault(column.name, {})[measure] = column
    return known


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
    found = {}
    for name, of_measures in _columns_by_measure(measures).items():
        first, *others = of_measures.values()
        found[name] = first._replace(
            kind=min((first.kind, *(other.kind for other in others)), key=lambda kind: isinstance(kind, UnionType)),
            help="; or ".join(dict.fromkeys([first.help, *(other.help for other in others)])),
            needed=tuple(measure for measure, column in of_measures.items() if column.needed_by(measure)),
            taken=tuple(of_measures),
        )
    return found


def derive_signature(
    measures: Sequence[str],
    *before: Parameter,
    columns: Iterable[str] | None = None,
    defaults: Mapping[str, Any] = {},
) -> Signature:
    """Return the signature of a call with columns and settings of measures.

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
        first, *others = takers.values()
        default = first.default if all(other.default == first.default for other in others) else BY_MEASURE
        parameters += parameters_of([first._replace(default=defaults.get(name, default))])
    return Signature(parameters)


def parameters_of(infos: Iterable[Setting]) -> list[Parameter]:
    """Return the parameters of a call with settings.

    Example:
        >>> from fairsum_utils.settings import Resampling
        >>> [parameter.name for parameter in parameters_of(Resampling.infos().values())]
        ['confidence_level', 'n_resamples', 'bootstrap', 'seed']
    """
    from inspect import Parameter

    return [Parameter(info.name, Parameter.KEYWORD_ONLY, default=info.default, annotation=info.type) for info in infos]


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


def _item(head: str, text: str, indent: str) -> str:
    """Format an item of a docstring's list."""
    return textwrap.fill(
        f"{head}: {text}", _WIDTH, initial_indent=indent, subsequent_indent=f"{indent}    ", break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip


def describe_columns(measures: Sequence[str], indent: str = "    ") -> str:
    """Describe the columns of measures for a docstring.

    Example:
        >>> print(describe_columns(["uer"]).splitlines()[1])
            sources (list of list of str): the source texts, at least one.
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
    """List the measures that take a column or setting, unless all do."""
    return "" if len(takers) == len(measures) else f" For {', '.join(takers)}."


def describe_settings(measures: Sequence[str], indent: str = "    ", *, defaults: Mapping[str, Any] = {}) -> str:
    """Describe the settings of measures for a docstring.

    Example:
        >>> print(next(line for line in describe_settings(["bur"]).splitlines() if " tau " in line))
            tau (float): a group is underrepresented below tau times its desired share, in [0, 1]. Default: 0.8.
    """
    lines = []
    for takers in known_settings(measures).values():
        senses: dict[Setting, list[str]] = {}
        for measure, info in takers.items():
            default = defaults.get(info.name, info.default)
            senses.setdefault(info._replace(default=default), []).append(measure)
        lines += [_setting_item(info, indent, _users(of_sense, measures)) for info, of_sense in senses.items()]
    return "\n".join(lines)


def describe_infos(infos: Iterable[Setting], indent: str = "    ") -> str:
    """Describe settings without a measure for a docstring.

    Example:
        >>> from fairsum_utils.settings import Resampling
        >>> print(describe_infos([Resampling.infos()["n_resamples"]])[:21])
            n_resamples (int)
    """
    return "\n".join(_setting_item(info, indent) for info in infos)


def _setting_item(info: Setting, indent: str, users: str = "") -> str:
    return _item(f"{info.name} ({info.type})", f"{info.help}. Default: {info.default!r}.{users}", indent)
