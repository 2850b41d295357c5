"""Who takes part in a combination, and which columns and options each takes."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from fairsum_utils.errors import InputError, require
from fairsum_utils.families import family_of
from fairsum_utils.families.documents import all_columns
from fairsum_utils.hub.folders import NAMESPACE
from fairsum_utils.measures import measure_names
from fairsum_utils.validation import count, describe

__all__ = ["Measure", "Member", "Module", "make_members"]


@dataclass(frozen=True)
class Measure:
    """A measure of this package, which a session scores.

    Attributes:
        label: what it is called in the combination.
        name: of the measure, which is its label unless it was given another.
    """

    label: str
    name: str

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it can use."""
        return tuple(all_columns([self.name]))

    @property
    def options(self) -> tuple[str, ...]:
        """The settings that it takes."""
        return tuple(family_of(self.name).taken(self.name))


@dataclass(frozen=True)
class Module:
    """Any other module of `evaluate`.

    Attributes:
        label: what it is called in the combination.
        module: the module.
        columns: the columns that it takes, all of which it needs.
        options: the options that it takes.
        takes_any_option: whether it may take options that it does not name.
    """

    label: str
    module: Any
    columns: tuple[str, ...]
    options: tuple[str, ...]
    takes_any_option: bool


Member: TypeAlias = Measure | Module


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
            return Measure(label or name, name)
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
            f"combine: the module {metric.name} already holds {count(len(metric), 'sample')}; compute it, or load "
            "it anew, and add samples to the combination"
        )
    label = label or str(metric.name)
    if isinstance(metric, require("fairsum_utils.modules", extra="hub", purpose="tell modules apart").Metric):
        return Measure(label, metric.measure)
    columns = tuple(metric.features[0] if isinstance(metric.features, list) else metric.features)
    parameters = inspect.signature(metric._compute).parameters.values()
    named = [parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD]
    options = tuple(name for name in named if name not in columns)
    return Module(label, metric, columns, options, takes_any_option=len(named) < len(parameters))


def _load(name: str) -> Any:
    evaluate = require("evaluate", extra="hub", purpose=f"load the module {name}")
    try:
        return evaluate.load(name)
    except (FileNotFoundError, ConnectionError) as error:
        raise InputError(
            f"combine: {name!r} is no measure of fairsum ({', '.join(measure_names())}), and evaluate cannot load it: "
            f"{' '.join(str(error).split())}"
        ) from error
