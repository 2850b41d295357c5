"""Which columns and options go to whom in a combination.

What is said of columns and settings of measures is what `fairsum_utils.families.routing` says of them everywhere; only
options of other modules have words of their own here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_utils.combining.members import Measure, Member, Module
from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures
from fairsum_utils.families.routing import check_each, column_takers, known_settings, refusal, route
from fairsum_utils.families.settings import unknown_setting
from fairsum_utils.validation import describe

__all__ = ["route_options", "split_columns"]

_LEFT_OUT = ("reference", "references")
"""Columns that may be None though nobody takes them: what calls a metric may always give them."""


def split_columns(members: Sequence[Member], arguments: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Tell the columns of a call from its options.

    Args:
        members: what is scored.
        arguments: columns, of which None is none; and anything else.

    Returns:
        What a member takes as a column, by name; and all else, without columns that are None.

    Example:
        >>> split_columns([Measure("bur", "bur")], {"predictions": ["Fine."], "groups": None, "tau": 0.9})
        ({'predictions': ['Fine.']}, {'tau': 0.9})
    """
    taken = {name for member in members for name in member.columns}
    columns = {name: entries for name, entries in arguments.items() if name in taken and entries is not None}
    others = {
        name: value
        for name, value in arguments.items()
        if name not in taken and not (value is None and (name in _LEFT_OUT or column_takers(name)))
    }
    return columns, others


def route_options(
    members: Sequence[Member], shared: Mapping[str, Any], each: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Give each member the options that it takes.

    Args:
        members: what is scored.
        shared: options for all that take them; under the label of a member, a mapping of options for it alone.
        each: label -> options for it alone, which count more.

    Returns:
        Label -> option -> value, of options that are given.

    Raises:
        InputError: an option that no member takes, that means different things to several measures, or that is given to
            a member which does not take it or is not there.

    Example:
        >>> route_options([Measure("bur", "bur"), Measure("uer", "uer")], {"k": 2}, {"bur": {"tau": 0.9}})
        {'bur': {'k': 2, 'tau': 0.9}, 'uer': {'k': 2}}
    """
    labels = [member.label for member in members]
    measures = {member.label: member.name for member in members if isinstance(member, Measure)}
    modules = {member.label: member for member in members if isinstance(member, Module)}
    settings = known_settings(list(measures.values()))
    known = [*settings, *(name for module in modules.values() for name in module.options)]
    for name in shared:
        if name not in (*known, *labels, *all_measures()):
            columns = dict.fromkeys(column for member in members for column in member.columns)
            raise refusal("combine", name, labels, known, columns)
    if not isinstance(each, Mapping):
        raise InputError(
            "combine: options must map names to their options, such as {'bur': {'tau': 0.9}}, found " + describe(each)
        )
    for given in (each, {name: value for name, value in shared.items() if name not in known}):
        check_each("combine", given, labels)
    alone = {label: {**each.get(label, {}), **({} if label in known else shared.get(label, {}))} for label in labels}
    routed = route(
        "combine",
        measures,
        {name: value for name, value in shared.items() if name in settings},
        {label: given for label, given in alone.items() if label in measures},
    )
    for label, module in modules.items():
        for name in alone[label]:
            if name not in module.options and not module.takes_any_option:
                raise unknown_setting(f"combine: {label}", name, module.options, "option")
        routed[label] = {name: value for name, value in shared.items() if name in module.options} | alone[label]
    return routed
