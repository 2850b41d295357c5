"""Which settings go to which measures, and what is said of those that go to none; the same from every front."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.family.contract import all_measures, family_of
from fairsum_utils.family.settings import Setting, unknown_setting
from fairsum_utils.validation import describe

__all__ = ["check_asked", "known_settings", "not_taken", "route", "split_arguments"]


def known_settings(measures: Sequence[str]) -> dict[str, dict[str, Setting]]:
    """The settings that measures take: setting -> measure -> what is known of it.

    Args:
        measures: names.

    Example:
        >>> list(known_settings(["bur", "uer"])["tau"])
        ['bur']
    """
    known: dict[str, dict[str, Setting]] = {}
    for measure in measures:
        for name, info in family_of(measure).taken(measure).items():
            known.setdefault(name, {})[measure] = info
    return known


def _takers(name: str) -> list[str]:
    """All measures that take a setting, asked for or not."""
    return [measure for measure in all_measures() if name in family_of(measure).taken(measure)]


def not_taken(module: str, name: str, takers: Sequence[str], asked: Collection[str]) -> InputError:
    """The error for a setting or column that none of the measures takes that are asked for, but others do.

    Args:
        module: name used in the message.
        name: what was given.
        takers: measures that take it.
        asked: what the measures are called that are asked for.

    Example:
        >>> raise not_taken("score", "tau", ["bur"], ["uer"])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: score: tau is for bur, and only uer is asked for; leave it out, or ask for bur
    """
    verb = "is" if len(asked) == 1 else "are"
    return InputError(
        f"{module}: {name} is for {', '.join(takers)}, and only {', '.join(asked)} {verb} asked for; leave it out, or "
        f"ask for {takers[0]}"
    )


def check_asked(module: str, names: Sequence[str], asked: Mapping[str, str]) -> None:
    """Refuse settings that no measure takes that is asked for.

    Args:
        module: name used in messages.
        names: of settings.
        asked: what measures are called -> measure.

    Raises:
        InputError: there is one; the message says who takes it, or what may be meant.

    Example:
        >>> check_asked("score", ["tau"], {"uer": "uer"})
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: score: tau is for bur, and only uer is asked for; leave it out, or ask for bur
    """
    known = known_settings(list(asked.values()))
    for name in names:
        if name in known:
            continue
        takers = _takers(name)
        if not takers:
            raise unknown_setting(module, name, known)
        raise not_taken(module, name, takers, asked)


def route(
    module: str,
    asked: Mapping[str, str],
    shared: Mapping[str, Any],
    each: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, dict[str, Any]]:
    """Give each measure the settings that it takes.

    Args:
        module: name used in messages.
        asked: what measures are called -> measure.
        shared: settings for all that take them. One that several measures take in different senses, such as
            `threshold`, must be given under the measure.
        each: what a measure is called -> settings for it alone, which count more.

    Returns:
        What a measure is called -> setting -> value, of settings that are given.

    Raises:
        InputError: a setting that nobody takes who is asked for, that is ambiguous, or that is given to a measure which
            does not take it.

    Example:
        >>> route("score", {"bur": "bur", "uer": "uer"}, {"tau": 0.9, "k": 2})
        {'bur': {'tau': 0.9, 'k': 2}, 'uer': {'k': 2}}
    """
    each = each or {}
    check_asked(module, list(shared), asked)
    known = known_settings(list(asked.values()))
    for name, value in shared.items():
        senses = {family_of(measure).settings(measure) for measure in known[name]}
        if len(senses) > 1 and not next(iter(known[name].values())).shared:
            takers = [label for label, measure in asked.items() if measure in known[name]]
            raise InputError(
                f"{module}: {name} is a setting of {', '.join(takers)}, to each in its way; say whose, as in "
                f"{takers[-1]}={{{name!r}: {value!r}}}"
            )
    for label, given in each.items():
        if label not in asked:
            raise InputError(
                f"{module}: settings are given for {describe(label)}, which is not among {', '.join(asked)}"
            )
        if not isinstance(given, Mapping):
            raise InputError(
                f"{module}: the settings of {label} must be a mapping such as {{'empty': 'error'}}, found "
                f"{describe(given)}"
            )
        check_asked(module, list(given), {label: asked[label]})
    return {
        label: {name: value for name, value in shared.items() if measure in known[name]} | dict(each.get(label, {}))
        for label, measure in asked.items()
    }


def split_arguments(
    module: str, asked: Mapping[str, str], arguments: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Tell the columns of a call from its settings.

    Args:
        module: name used in messages.
        asked: what measures are called -> measure.
        arguments: columns, of which None is none; settings; and under what a measure is called, settings for it alone.

    Returns:
        Columns by name; and the settings of each, see `route`.

    Raises:
        InputError: an argument that none of the measures takes.

    Example:
        >>> split_arguments("score", {"uer": "uer"}, {"predictions": ["Fine."], "groups": None, "k": 2})
        ({'predictions': ['Fine.']}, {'uer': {'k': 2}})
    """
    takers: dict[str, list[str]] = {}
    for measure in all_measures():
        for column in family_of(measure).columns_of(measure):
            takers.setdefault(column.name, []).append(measure)
    columns = {name: entries for name, entries in arguments.items() if name in takers and entries is not None}
    for name in columns:
        if not set(takers[name]).intersection(asked.values()):
            raise not_taken(module, f"the column {name}", takers[name], asked)
    others = {name: value for name, value in arguments.items() if name not in takers}
    names = {*asked, *all_measures()}
    each = {name: value for name, value in others.items() if name in names}
    shared = {name: value for name, value in others.items() if name not in names}
    return columns, route(module, asked, shared, each)
