"""Measures that a call asks for, with their settings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.families.contract import all_measures
from fairsum_utils.families.inputs import column_takers
from fairsum_utils.measures import Measure, get_measure
from fairsum_utils.settings import USUAL_LEVEL, unknown_setting
from fairsum_utils.validation import check_choice, check_metrics, describe

FOR_ALL: Mapping[str, Any] = MappingProxyType(
    {
        "confidence_level": USUAL_LEVEL,
        "n_resamples": None,
        "seed": 0,
        "at_random": True,
        "return_samples": False,
        "language": "english",
        "unlabelled": "error",
    }
)
"""Settings that a call can give to all measures, and its defaults."""

USUAL: Mapping[str, Any] = MappingProxyType({name: FOR_ALL[name] for name in ("at_random", "confidence_level")})
"""Settings of measures that are scored, unless they or the call say otherwise."""

_LONGEST = 40
"""Characters of a value that an error repeats."""


def asked_measures(module: str, metrics: Any, known: Sequence[str] | None = None) -> dict[str, Measure]:
    """Return the measures of an argument ``metrics``, by label.

    Args:
        module: name used in messages.
        metrics: names of measures, in a list or one text with commas; measures with settings, such as `BUR(tau=0.9)`;
            or a mapping of label -> name or measure.
        known: names to choose from; None for all.

    Raises:
        InputError: a name is unknown, or a label occurs twice.

    Example:
        >>> from fairsum_utils.measures.bur import BUR
        >>> asked_measures("score", ["uer", BUR(tau=0.9)])
        {'uer': UER(), 'bur': BUR(tau=0.9)}
        >>> list(asked_measures("score", {"strict": BUR(tau=0.9), "lenient": BUR(tau=0.5)}))
        ['strict', 'lenient']
    """
    known = all_measures() if known is None else known
    if isinstance(metrics, (Measure, type)):
        metrics = [metrics]
    if isinstance(metrics, Mapping) and metrics:
        return {_label(module, label): _measure(module, metric, known) for label, metric in metrics.items()}
    if not isinstance(metrics, (list, tuple)) or all(isinstance(metric, str) for metric in metrics):
        return {name: get_measure(name)() for name in check_metrics(module, metrics, known)}
    measures = [_measure(module, metric, known) for metric in metrics]
    for measure in measures:
        same = [each for each in measures if each.name == measure.name]
        if len(same) > 1:
            raise InputError(
                f"{module}: metrics contains {measure.name} {len(same)} times; give each a label, as in "
                f"metrics={{'one': {same[0]!r}, 'other': {same[1]!r}}}"
            )
    return {measure.name: measure for measure in measures}


def _label(module: str, label: object) -> str:
    if not isinstance(label, str) or not label:
        raise InputError(f"{module}: the labels in metrics must be strings, found {describe(label)}")
    return label


def _measure(module: str, metric: object, known: Sequence[str]) -> Measure:
    """Return a measure from its name, its class or itself."""
    if isinstance(metric, type) and issubclass(metric, Measure) and metric.name:
        metric = metric()
    if isinstance(metric, str):
        [name] = check_metrics(module, [metric], known)
        return get_measure(name)()
    if not isinstance(metric, Measure) or not metric.name:
        raise InputError(
            f"{module}: metrics must contain names and measures, such as 'uer' or BUR(tau=0.9), found "
            f"{describe(metric)}"
        )
    check_choice(module, "metrics", metric.name, known)
    return metric


def completed(
    module: str, measures: Mapping[str, Measure], usual: Mapping[str, Any], given: Mapping[str, Any]
) -> dict[str, Measure]:
    """Add the settings of a call to measures that do not set them.

    Args:
        module: name used in messages.
        measures: measures by label.
        usual: settings that the call sets unless the caller sets them; measures may lack them.
        given: settings that the caller gave; at least one measure must take each.

    Raises:
        InputError: no measure takes a given setting, or its value is invalid.

    Example:
        >>> from fairsum_utils.measures.bur import BUR
        >>> completed("score", {"bur": BUR(seed=3)}, {"at_random": True}, {"seed": 1, "confidence_level": 0.9})
        {'bur': BUR(confidence_level=0.9, seed=3, at_random=True)}
    """
    for name in given:
        if not any(name in measure.infos() for measure in measures.values()):
            takers = [each for each in all_measures() if name in get_measure(each).infos()]
            raise not_taken(module, name, takers, measures)
    added = {**usual, **given}
    return {label: measure.completed(module=module, **added) for label, measure in measures.items()}


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
        f"{module}: {name} applies only to {', '.join(takers)}, but {', '.join(asked)} "
        f"{'is' if len(asked) == 1 else 'are'} requested; leave it out, or request {takers[0]}"
    )


def refuse_keyword(
    module: str,
    name: str,
    value: Any,
    asked: Mapping[str, Measure],
    columns: Iterable[str] = (),
    argument: str = "metrics",
) -> InputError:
    """Return the error for a keyword that a call does not take.

    Args:
        module: name used in messages.
        name: the keyword.
        value: its value.
        asked: measures that are asked for.
        columns: columns and options that the call takes.
        argument: argument of the call that takes measures.

    Example:
        >>> from fairsum_utils.measures.bur import BUR
        >>> raise refuse_keyword("score", "k", 2, {"strict": BUR(tau=0.9), "lenient": BUR(k=3)})
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: score: k is a setting of a measure; write
        metrics={"strict": BUR(tau=0.9, k=2), "lenient": BUR(k=2)}, with BUR from fairsum_utils
    """
    if name in asked or name in all_measures():
        every = {**asked, name: asked.get(name) or get_measure(name)()}
        changes = {name: value if isinstance(value, Mapping) else {}}
        return InputError(f"{module}: {_written(argument, every, changes)}")
    if changes := {label: {name: value} for label, measure in asked.items() if name in measure.infos()}:
        return InputError(f"{module}: {name} is a setting of a measure; {_written(argument, asked, changes)}")
    return refuse_name(module, name, asked, columns)


def refuse_name(module: str, name: str, asked: Mapping[str, Measure], columns: Iterable[str] = ()) -> InputError:
    """Return the error for a name that the measures do not have.

    Args:
        module: name used in messages.
        name: the name.
        asked: measures that are asked for.
        columns: columns and options that the call takes.

    Example:
        >>> from fairsum_utils.measures.uer import UER
        >>> raise refuse_name("uer", "tau", {"uer": UER()})
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: uer: tau applies only to bur, but uer is requested; leave it out, or request
        bur
    """
    if others := column_takers(name):
        return not_taken(module, f"the column {name}", others, asked)
    if others := [measure for measure in all_measures() if name in get_measure(measure).infos()]:
        return not_taken(module, name, others, asked)
    settings = {name: None for measure in asked.values() for name in measure.infos()}
    return unknown_setting(module, name, settings, columns=columns)


def refuse_settings(
    module: str, asked: Mapping[str, Measure], given: Mapping[str, Any], argument: str = "metrics"
) -> None:
    """Refuse settings beside measures, see `refuse_keyword`."""
    for name, value in given.items():
        raise refuse_keyword(module, name, value, asked, argument=argument)


def _written(argument: str, asked: Mapping[str, Measure], changes: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the advice to write measures with their settings and some changes, by label."""
    settings = {label: {**measure.given(), **changes.get(label, {})} for label, measure in asked.items()}
    plain = [label for label in asked if label not in changes and not settings[label]]
    calls = {
        label: f'"{measure.name}"' if label in plain else _call(type(measure), settings[label])
        for label, measure in asked.items()
    }
    if argument != "metrics":
        text = calls[next(iter(changes))]
    elif all(label == measure.name for label, measure in asked.items()):
        text = f"[{', '.join(calls.values())}]"
    else:
        labelled = ", ".join(f'"{label}": {call}' for label, call in calls.items())
        text = f"{{{labelled}}}"
    kinds = dict.fromkeys(type(measure).__name__ for label, measure in asked.items() if label not in plain)
    return f"write {argument}={text}, with {', '.join(kinds)} from fairsum_utils"


def _call(kind: type[Measure], settings: Mapping[str, Any]) -> str:
    """Write a measure with settings as Python."""
    written = {name: "..." if callable(value) else repr(value) for name, value in settings.items()}
    short = ", ".join(f"{name}={text if len(text) <= _LONGEST else '...'}" for name, text in written.items())
    return f"{kind.__name__}({short})"
