"""Which settings go to which measures, and what is said of those that go to none; the same from every front."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.families.contract import all_measures, family_of
from fairsum_utils.families.settings import Setting, unknown_setting
from fairsum_utils.validation import describe


def chance_settings(measure: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Switch the chance level on, unless the caller set it or the measure has none.

    Args:
        measure: its name.
        given: settings that the caller gave.

    Example:
        >>> chance_settings("bur", {"tau": 0.9}), chance_settings("toxicity", {})
        ({'at_random': True, 'tau': 0.9}, {})
    """
    return {"at_random": True, **given} if "at_random" in family_of(measure).taken(measure) else dict(given)


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


def column_takers(name: str) -> list[str]:
    """All measures that can use a column, asked for or not.

    Args:
        name: of the column, or of anything else, which has no takers.

    Example:
        >>> column_takers("summary_units")
        ['equal_coverage', 'coverage_parity']
    """
    return [
        measure
        for measure in all_measures()
        if any(column.name == name for column in family_of(measure).columns_of(measure))
    ]


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


def refusal(
    module: str, name: str, asked: Collection[str], known: Iterable[str], columns: Iterable[str] = ()
) -> InputError:
    """The error for an argument that nobody takes who is asked for.

    Args:
        module: name used in the message.
        name: of the argument.
        asked: what those are called that are asked for.
        known: the settings that they take.
        columns: the columns that they take, where these can be given as well.

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
    """Refuse to go without columns that are needed.

    Args:
        module: name used in the message.
        needed: column -> what those are called that need it.
        given: the columns that are there.

    Raises:
        InputError: all that are missing, and who needs each.

    Example:
        >>> check_given("score", {"sources": ["bur", "uer"]}, ["predictions"])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: score: missing: sources, which bur, uer need. Given: predictions
    """
    missing = {name: labels for name, labels in needed.items() if name not in given}
    if missing:
        wanted = "; ".join(
            f"{name}, which {', '.join(labels)} need{'s' if len(labels) == 1 else ''}"
            for name, labels in missing.items()
        )
        raise InputError(f"{module}: missing: {wanted}. Given: {', '.join(given) or 'none'}")


def check_asked(module: str, names: Iterable[str], asked: Mapping[str, str], columns: Iterable[str] = ()) -> None:
    """Refuse settings that no measure takes that is asked for.

    Args:
        module: name used in messages.
        names: of settings.
        asked: what measures are called -> measure.
        columns: names of the columns, where these can be given as well and are not among `names`.

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
        if name not in known:
            raise refusal(module, name, asked, known, columns)


def check_each(module: str, each: Mapping[str, Any], asked: Collection[str]) -> None:
    """Refuse settings of somebody alone who is not asked for, and what are no settings.

    Args:
        module: name used in messages.
        each: what a measure is called -> settings for it alone.
        asked: what those are called that are asked for.

    Raises:
        InputError: an entry is not as described.

    Example:
        >>> check_each("score", {"uer": {"k": 2}}, ["bur"])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: score: settings are given for str 'uer', which is not among bur
    """
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
    check_each(module, each, asked)
    for label, given in each.items():
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
            Columns that only other measures of the family use are passed over.

    Returns:
        Columns by name; and the settings of each, see `route`.

    Raises:
        InputError: an argument that none of the measures takes.

    Example:
        >>> split_arguments("score", {"uer": "uer"}, {"predictions": ["Fine."], "groups": None, "k": 2})
        ({'predictions': ['Fine.']}, {'uer': {'k': 2}})
    """
    known = {column.name: None for measure in asked.values() for column in family_of(measure).columns_of(measure)}
    relatives = {column.name for measure in asked.values() for column in family_of(measure).columns}
    columns = {name: entries for name, entries in arguments.items() if name in known and entries is not None}
    others = {
        name: value
        for name, value in arguments.items()
        if name not in relatives and (value is not None or not column_takers(name))
    }
    names = {*asked, *all_measures()}
    each = {name: value for name, value in others.items() if name in names}
    shared = {name: value for name, value in others.items() if name not in names}
    check_asked(module, shared, asked, known)
    return columns, route(module, asked, shared, each)
