"""One call for several measures, which share inputs and options."""

from __future__ import annotations

import copy
import inspect
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures
from fairsum_utils.families.asked import refuse_keyword
from fairsum_utils.families.inputs import all_columns, check_given, column_takers
from fairsum_utils.integrations.modules import foreign_module
from fairsum_utils.io.frames import as_plain
from fairsum_utils.measures import NAMESPACE, NAMESPACE_IS_OURS, Measure, get_measure, measure_names
from fairsum_utils.results import CombinedResults, ScoreResults, flat_names
from fairsum_utils.session import Request, Session
from fairsum_utils.settings import unknown_setting
from fairsum_utils.validation import check_columns, count, describe

# Name used in messages.
_MODULE = "combine"


def combine(
    metrics: Sequence[Any] | Mapping[str, Any],
    *,
    force_prefix: bool = False,
    options: Mapping[str, Mapping[str, Any]] | None = None,
) -> Combination:
    """Combine measures and other `evaluate` modules in one call.

    `evaluate.combine` passes every input to every module. Here, each module gets the inputs that it takes; the measures
    of this package do shared work once; and the names of their results do not depend on the other modules.

    Args:
        metrics: a list of measures of this package, by name such as ``"bur"`` or ``"fairsum/bur"`` or with settings
            such as ``BUR(tau=0.9)``, of loaded `evaluate` modules, and of other names or paths, which go to
            `evaluate.load`. Or a dict name -> one of these, which also allows to score one of them twice. A name that
            both this package and the Hub have, such as ``"toxicity"``, is this package's: load the other one first.
        force_prefix: put the name of a module in front of all its results, not only of those that another one has too.
        options: name of another module -> options of its `compute`, such as ``{"rouge": {"use_stemmer": True}}``.

    Returns:
        A `Combination`.

    Raises:
        InputError: an entry is no name, measure or module, a module repeats, or it does not take an option.
        MissingDependencyError: `evaluate` is needed to load a module and is not installed.

    Example:
        >>> from fairsum_utils import BUR
        >>> metrics = combine([BUR(tau=0.9), "uer"])
        >>> sources, values = [["Tasty soup!", "Cold soup, slow service."]], [["pos", "neg"]]
        >>> result = metrics.compute(predictions=["Tasty soup."], sources=sources, values=values)
        >>> result["bur"], round(result["uer"], 4), result["bur_n_samples"]
        (1.0, 0.1667, 1)
    """
    return Combination(make_members(metrics), options or {}, force_prefix=force_prefix)


class Combination:
    """Measures and modules that are scored together; made by `combine`.

    Models are loaded when they are first needed and serve all later calls with the same settings, as in a training
    loop, until `close`.

    Args:
        members: measures and modules.
        options: label of another module -> options of its `compute`.
        force_prefix: put the label of a module in front of all its results, not only of those that another one has too.

    Raises:
        InputError: an option that none takes.
    """

    def __init__(
        self,
        members: Sequence[Member],
        options: Mapping[str, Mapping[str, Any]],
        *,
        force_prefix: bool = False,
    ) -> None:
        self._members = members
        self._options = _checked_options(members, options)
        self._force_prefix = force_prefix
        self._session = Session()
        self._stored: dict[str, list[Any]] = {}

    @property
    def columns(self) -> dict[str, tuple[str, ...]]:
        """Column -> labels of the members that take it.

        Example:
            >>> combine(["bur", "sentiment"]).columns["groups"]
            ('sentiment',)
        """
        takers: dict[str, tuple[str, ...]] = {}
        for member in self._members:
            for name in member.columns:
                takers[name] = (*takers.get(name, ()), member.label)
        return takers

    def __repr__(self) -> str:
        """Show the members with their settings and columns.

        Example:
            >>> from fairsum_utils import BUR
            >>> combine({"strict": BUR(tau=0.9), "sentiment": "sentiment"})
            Combination of 2 (samples added: 0)
              strict: BUR(tau=0.9) of predictions, sources, values, target_distributions
              sentiment: Sentiment() of predictions, groups
        """
        lines = [f"Combination of {len(self._members)} (samples added: {len(self)})"]
        for member in self._members:
            given = ", ".join(f"{name}={value!r}" for name, value in self._options.get(member.label, {}).items())
            what = repr(member.measure) if isinstance(member, Ours) else f"{member.module.name}({given})"
            lines.append(f"  {member.label}: {what} of {', '.join(member.columns)}")
        return "\n".join(lines)

    def __len__(self) -> int:
        """Number of samples added."""
        return len(next(iter(self._stored.values()), ()))

    def add(self, **sample: Any) -> None:
        """Add one sample, to be scored by the next `compute`.

        Args:
            **sample: entry of each column, by the name of the column or of an entry, such as ``prediction``,
                ``reference`` or ``group``.

        Raises:
            InputError: No member takes an input, or the samples before had other inputs.
        """
        columns: dict[str, list[Any] | None] = {}
        entries = {column.entry: column.name for column in all_columns(all_measures()).values()}
        entries["reference"] = "references"
        for name, entry in sample.items():
            column = entries.get(name, name)
            if column in columns:
                raise InputError(f"{_MODULE}: {column} is given twice, the second time as {name}; give it once")
            columns[column] = None if entry is None else [entry]
        self.add_batch(**columns)

    def add_batch(self, **columns: Any) -> None:
        """Add copies of samples, to be checked and scored by the next `compute`.

        Args:
            **columns: columns by name, with one entry a sample each.

        Raises:
            InputError: No member takes an input, columns differ in length, or the samples before had others; nothing
                is added then.
        """
        given = self._columns_in(columns)
        check_columns(_MODULE, **given)
        self._check_same_columns(given)
        copied = {name: copy.deepcopy(list(column)) for name, column in given.items()}
        for name, column in copied.items():
            self._stored.setdefault(name, []).extend(column)

    def reset(self) -> None:
        """Forget the samples that were added."""
        self._stored = {}

    def compute(self, **columns: Any) -> CombinedResults:
        """Score the given samples together with those added before.

        Args:
            **columns: the columns, all of which may be left out to score what was added.

        Returns:
            One dict of what can be written as JSON. Each result of a measure of this package has the name that the
            combination has for it in front, whatever else is scored: ``bur``, ``bur_by_value``, ``bur_ci``,
            ``bur_n_samples``, ``bur_signature``. Of other modules only those that would collide, as `evaluate.combine`
            does it. The dict shows itself; see `fairsum_utils.results.CombinedResults`.

        Raises:
            InputError: an input that none takes, one that is needed and not there, or one that is not as described.
                Samples that were added before stay.
        """
        given = self._columns_in(columns)
        check_columns(_MODULE, **given)
        self._check_same_columns(given or self._stored)
        columns = given or self._stored
        if given and self._stored:
            columns = {name: [*self._stored[name], *column] for name, column in given.items()}
        results = self._results(columns)
        self.reset()
        return self._merged(*results)

    def close(self) -> None:
        """Release the models; the next call loads them again."""
        self._session.close()

    def _columns_in(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the given columns; callers of metrics may give others as None."""
        known = self.columns
        for name, entries in arguments.items():
            if name not in known and not (entries is None and (name in _LEFT_OUT or column_takers(name))):
                asked = {member.label: member.measure for member in self._members if isinstance(member, Ours)}
                raise refuse_keyword(_MODULE, name, entries, asked, known)
        return {name: entries for name, entries in arguments.items() if name in known and entries is not None}

    def _check_same_columns(self, given: Mapping[str, Any]) -> None:
        """Refuse to score nothing, or samples with different columns."""
        if not given:
            raise InputError(
                f"{_MODULE}: there are no samples to score; give {', '.join(self.columns)}, or add samples first"
            )
        for name in {**self._stored, **given} if self._stored else ():
            if name not in self._stored or name not in given:
                here, there = ("new", "earlier") if name not in given else ("earlier", "new")
                raise InputError(
                    f"{_MODULE}: the {here} samples have no {name}, but the {there} ones do; give the same columns "
                    f"with every sample, or call reset() first"
                )

    def _results(self, columns: Mapping[str, Any]) -> tuple[ScoreResults, dict[str, dict[str, Any]]]:
        """Score the measures first, since they check all samples, then the modules."""
        requests = [Request(member.measure, member.label) for member in self._members if isinstance(member, Ours)]
        modules = [member for member in self._members if isinstance(member, Module)]
        self._session.ask(requests)
        needed = self._session.needed(columns)
        for member in modules:
            for name in member.columns:
                needed.setdefault(name, []).append(member.label)
        check_given(_MODULE, needed, columns)
        measures = self._session.score(columns) if requests else ScoreResults()
        others = {}
        for member in modules:
            inputs = {name: columns[name] for name in member.columns}
            others[member.label] = as_plain(member.module.compute(**inputs, **self._options.get(member.label, {})))
        return measures, others

    def _merged(self, measures: ScoreResults, others: Mapping[str, dict[str, Any]]) -> CombinedResults:
        """Put all results into one dict, under distinct names."""
        named = {}
        for member in self._members:
            if isinstance(member, Ours):
                named[member.label] = list(
                    flat_names(member.label, member.measure.name, measures[member.label]).values()
                )
            else:
                prefix = f"{member.label}_" if self._force_prefix else ""
                named[member.label] = [f"{prefix}{key}" for key in others[member.label]]
        counts = Counter(chain.from_iterable(named.values()))
        renamed = {}
        for label, result in others.items():
            pairs = zip(result, named[label], strict=True)
            named[label] = [f"{label}_{key}" if counts[name] > 1 else name for key, name in pairs]
            renamed[label] = dict(zip(named[label], result.values(), strict=True))
        for name, n in Counter(chain.from_iterable(named.values())).items():
            if n > 1:
                raise InputError(
                    f"{_MODULE}: two results have the name {name}; give metrics as a dict to name the modules"
                )
        return CombinedResults(measures, renamed, [member.label for member in self._members])


@dataclass(frozen=True)
class Ours:
    """A measure of this package in a combination."""

    label: str
    measure: Measure

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that the measure can use."""
        return tuple(all_columns([self.measure.name]))


@dataclass(frozen=True)
class Module:
    """Another `evaluate` module in a combination."""

    label: str
    module: Any
    columns: tuple[str, ...]
    options: tuple[str, ...]
    takes_any_option: bool


Member: TypeAlias = Ours | Module


def make_members(metrics: Any) -> list[Member]:
    """Make members from a list of names and modules, or a dict.

    Example:
        >>> [member.label for member in make_members(["bur", "fairsum/auc"])]
        ['bur', 'auc']
    """
    if not isinstance(metrics, (list, tuple, Mapping)) or not metrics:
        raise InputError(
            "combine: metrics must be a non-empty list of names and evaluate modules, or a dict from new names to "
            f"these, found {describe(metrics)}"
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
                f"combine: {label} occurs {labels.count(label)} times in metrics; to use it with several settings, "
                f"give each a name: {{'{label}_a': ..., '{label}_b': ...}}"
            )
    return members


def _make_member(label: str | None, metric: Any) -> Member:
    if isinstance(metric, type) and issubclass(metric, Measure):
        metric = metric()
    if isinstance(metric, Measure):
        return Ours(label or metric.name, metric)
    if isinstance(metric, str):
        name = metric.removeprefix(f"{NAMESPACE}/")
        if name in measure_names():
            return Ours(label or name, get_measure(name)())
        metric = _load(metric)
    evaluate = sys.modules.get("evaluate")  # imported if there is a loaded module
    if evaluate is None or not isinstance(metric, evaluate.EvaluationModule):
        raise InputError(
            f"combine: a metric must be a name, a path, a measure or a loaded evaluate module, found {describe(metric)}"
        )
    return _of_module(label or str(metric.name), metric)


def _of_module(label: str, metric: Any) -> Member:
    """Make a member of a loaded `evaluate` module."""
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
    from fairsum_utils.modules import Metric

    if isinstance(metric, Metric):
        return Ours(label, get_measure(metric.measure)())
    script = getattr(sys.modules.get(type(metric).__module__), "__file__", None)
    if script is not None and (foreign := foreign_module(Path(script))):
        ours = foreign.name.removeprefix(f"{NAMESPACE}/")
        raise InputError(
            f"combine: the module {foreign.name} is not ours: evaluate loaded it from "
            f"{foreign.origin or foreign.folder}; use {ours!r}, or load it with fairsum_utils.load({ours!r})"
        )
    columns = tuple(metric.features[0] if isinstance(metric.features, list) else metric.features)
    parameters = inspect.signature(metric._compute).parameters.values()
    named = [parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD]
    options = tuple(name for name in named if name not in columns)
    return Module(label, metric, columns, options, takes_any_option=len(named) < len(parameters))


def _load(name: str) -> Any:
    import evaluate

    if name.startswith(f"{NAMESPACE}/") and not NAMESPACE_IS_OURS and not Path(name).exists():
        raise InputError(
            f"combine: {name!r} is not a measure of fairsum ({', '.join(measure_names())}), and what the Hub may have "
            "under that name is not ours"
        )
    try:
        return evaluate.load(name)
    except (FileNotFoundError, ConnectionError) as error:
        raise InputError(
            f"combine: {name!r} is not a measure of fairsum ({', '.join(measure_names())}), and evaluate cannot load "
            f"it: {' '.join(str(error).split())}"
        ) from error


# Columns that may be None though no member takes them: callers of metrics may always give them.
_LEFT_OUT = ("reference", "references")


def _checked_options(members: Sequence[Member], options: Any) -> Mapping[str, Mapping[str, Any]]:
    """Check that options belong to other modules, which take them."""
    if not isinstance(options, Mapping):
        raise InputError(f"{_MODULE}: options must map names of modules to their options, found {describe(options)}")
    known = {member.label: member for member in members}
    for label, given in options.items():
        member = known.get(label)
        if isinstance(member, Ours):
            raise refuse_keyword(_MODULE, label, given, {label: member.measure})
        if member is None:
            raise unknown_setting(_MODULE, label, known, "module")
        if not isinstance(given, Mapping):
            raise InputError(f"{_MODULE}: the options of {label} must be a mapping, found {describe(given)}")
        for name in given:
            if name not in member.options and not member.takes_any_option:
                raise unknown_setting(f"{_MODULE}: {label}", name, member.options, "option")
    return options
