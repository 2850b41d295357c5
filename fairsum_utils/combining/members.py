"""Who takes part in a combination, and which inputs and options each takes."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fairsum_utils.errors import InputError, require
from fairsum_utils.family import family_of
from fairsum_utils.hub.folders import NAMESPACE
from fairsum_utils.measures import measure_names
from fairsum_utils.validation import describe

__all__ = ["Measure", "Member", "Module", "make_members"]


@dataclass(frozen=True, kw_only=True)
class Member:
    """A measure or a module.

    Attributes:
        label: what it is called in the combination.
        columns: the inputs that it takes.
        options: the options that it takes.
        takes_any_option: whether it may take options that it does not name.
    """

    label: str
    columns: tuple[str, ...]
    options: tuple[str, ...]
    takes_any_option: bool = False

    def needed(self, given: Mapping[str, Any]) -> tuple[str, ...]:
        """The inputs that it needs, considering what is given."""
        return self.columns


@dataclass(frozen=True, kw_only=True)
class Measure(Member):
    """A measure of this package, which the library itself scores.

    Attributes:
        name: the measure's own name, which is its label unless it was given another.
    """

    name: str

    def needed(self, given: Mapping[str, Any]) -> tuple[str, ...]:
        """The inputs that it needs, considering what is given."""
        return family_of(self.name).needed(self.name, given)


@dataclass(frozen=True, kw_only=True)
class Module(Member):
    """Any other module of `evaluate`.

    Attributes:
        module: the module.
    """

    module: Any


def make_members(metrics: Any) -> list[Member]:
    """The members of a combination.

    Args:
        metrics: a list of names and modules, or a dict label -> name or module.

    Raises:
        InputError: an empty list, something else than names and modules, a name that nobody knows, a label that comes
            twice, or a module that already holds samples or was loaded for several processes.
        MissingDependencyError: a module is to be loaded, and `evaluate` is not installed.

    Example:
        >>> [member.label for member in make_members(["bur", "fairsum/auc"])]
        ['bur', 'auc']
    """
    if not isinstance(metrics, (list, tuple, Mapping)) or not metrics:
        raise InputError(
            "combine: metrics must be a non-empty list of names and evaluate modules, or a dict of them by the names "
            f"that they are to have, found {describe(metrics)}"
        )
    if isinstance(metrics, Mapping):
        for label in metrics:
            if not isinstance(label, str) or not label:
                raise InputError(f"combine: the names in metrics must be strings, found {describe(label)}")
        return [_make_member(label, metric) for label, metric in metrics.items()]
    members = [_make_member(None, metric) for metric in metrics]
    labels = [member.label for member in members]
    for label in labels:
        if labels.count(label) > 1:
            raise InputError(
                f"combine: {label} comes {labels.count(label)} times; to score it with several settings, name each: "
                f"{{'{label}_a': ..., '{label}_b': ...}}"
            )
    return members


def _make_member(label: str | None, metric: Any) -> Member:
    if isinstance(metric, str):
        name = metric.removeprefix(f"{NAMESPACE}/")
        if name in measure_names():
            return _measure(label or name, name)
        metric = _load(metric)
    evaluate = sys.modules.get("evaluate")  # whoever has a module has imported it
    if evaluate is None or not isinstance(metric, evaluate.EvaluationModule):
        raise InputError(
            f"combine: a metric must be a name, a path or a loaded evaluate module, found {describe(metric)}"
        )
    if metric.num_process > 1:
        raise InputError(
            f"combine: the module {metric.name} was loaded for {metric.num_process} processes; gather the inputs first "
            "and load it without num_process"
        )
    if len(metric):
        raise InputError(
            f"combine: the module {metric.name} already holds {len(metric)} samples; compute it, or load it anew, and "
            "add samples to the combination"
        )
    if isinstance(metric, require("fairsum_utils.modules", extra="hub", purpose="tell modules apart").Metric):
        name = str(metric.name)
        if name in measure_names():
            return _measure(label or name, name)
    return _module(label or str(metric.name), metric)


def _measure(label: str, name: str) -> Measure:
    family = family_of(name)
    columns = tuple(column.name for column in family.columns_of(name))
    return Measure(label=label, name=name, columns=columns, options=tuple(family.taken(name)))


def _module(label: str, module: Any) -> Module:
    features = module.features[0] if isinstance(module.features, list) else module.features
    parameters = inspect.signature(module._compute).parameters.values()
    named = [parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD]
    return Module(
        label=label,
        columns=tuple(features),
        options=tuple(name for name in named if name not in features),
        takes_any_option=len(named) < len(parameters),
        module=module,
    )


def _load(name: str) -> Any:
    evaluate = require("evaluate", extra="hub", purpose=f"load the module {name}")
    try:
        return evaluate.load(name)
    except (FileNotFoundError, ConnectionError) as error:
        raise InputError(
            f"combine: {name!r} is no measure of fairsum ({', '.join(measure_names())}), and evaluate cannot load it: "
            f"{' '.join(str(error).split())}"
        ) from error
