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
from fairsum_utils.families import all_measures, family_of
from fairsum_utils.families.routing import (
    all_columns,
    check_each,
    check_given,
    column_takers,
    known_settings,
    refusal,
    route,
)
from fairsum_utils.integrations.modules import foreign_module
from fairsum_utils.measures import NAMESPACE, NAMESPACE_IS_OURS, measure_names
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
    **shared: Any,
) -> Combination:
    """Combine measures and other `evaluate` modules in one call.

    Where `evaluate.combine` hands every module everything, here inputs and options go to those that take them; the
    measures of this package do the work that they share once; and the names of their results do not depend on what else
    is scored.

    Args:
        metrics: a list of measures of this package by their names, such as ``"bur"`` or ``"fairsum/bur"``, of loaded
            `evaluate` modules, and of other names or paths, which go to `evaluate.load`. Or a dict name -> one of
            these, which also allows to score one of them twice. A name that both this package and the Hub have, such as
            ``"toxicity"``, is this package's: load the other one first.
        force_prefix: put the name of a module in front of all its results, not only of those that another one has too.
        options: name -> its own options, such as ``{"bur": {"tau": 0.9}}``.
        **shared: options for all that take them, such as ``confidence_level=0.95``; and, as in `fairsum_utils.score`,
            under a name the options of that one, such as ``toxicity={"threshold": 0.8}``.

    Returns:
        A `Combination`.

    Raises:
        InputError: an entry is no name or module, a name is unknown, a module repeats, or no member takes an option.
        MissingDependencyError: `evaluate` is needed to load a module and is not installed.

    Example:
        >>> metrics = combine(["bur", "uer"], options={"bur": {"tau": 0.9}})
        >>> sources, values = [["Tasty soup!", "Cold soup, slow service."]], [["pos", "neg"]]
        >>> result = metrics.compute(predictions=["Tasty soup."], sources=sources, values=values)
        >>> result["bur"], round(result["uer"], 4), result["bur_n_samples"]
        (1.0, 0.1667, 1)
    """
    return Combination(make_members(metrics), shared, options or {}, force_prefix=force_prefix)


class Combination:
    """Measures and modules that are scored together; made by `combine`.

    Models are loaded when they are first needed and serve all later calls with the same settings, as in a training
    loop, until `close`.

    Args:
        members: measures and modules.
        shared: options for all that take them, in every call that does not say otherwise.
        options: label of a member -> options for it alone, which count more.
        force_prefix: put the label of a module in front of all its results, not only of those that another one has too.

    Raises:
        InputError: an option that none takes.
    """

    def __init__(
        self,
        members: Sequence[Member],
        shared: Mapping[str, Any],
        options: Mapping[str, Mapping[str, Any]],
        *,
        force_prefix: bool = False,
    ) -> None:
        self._members = members
        self._options = route_options(members, shared, options)
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
        return self._takers("columns")

    @property
    def options(self) -> dict[str, tuple[str, ...]]:
        """Options by name, with the labels of the members that take them.

        Example:
            >>> combine({"strict": "bur", "uer": "uer"}).options["tau"]
            ('strict',)
        """
        return self._takers("options")

    def _takers(self, kind: str) -> dict[str, tuple[str, ...]]:
        takers: dict[str, tuple[str, ...]] = {}
        for member in self._members:
            for name in getattr(member, kind):
                takers[name] = (*takers.get(name, ()), member.label)
        return takers

    def __repr__(self) -> str:
        """Show the members with their options and columns.

        Example:
            >>> combine({"strict": "bur", "sentiment": "sentiment"}, strict={"tau": 0.9})
            Combination of 2 (samples added: 0)
              strict = bur(tau=0.9) of predictions, sources, values, target_distributions
              sentiment() of predictions, groups
        """
        lines = [f"Combination of {len(self._members)} (samples added: {len(self)})"]
        for member in self._members:
            given = ", ".join(f"{name}={value!r}" for name, value in self._options[member.label].items())
            name = member.name if isinstance(member, Measure) else str(member.module.name)
            alias = "" if name == member.label else f"{member.label} = "
            lines.append(f"  {alias}{name}({given}) of {', '.join(member.columns)}")
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
        given, others = split_columns(self._members, columns)
        for name in others:
            raise unknown_setting(_MODULE, name, self.columns, "column")
        check_columns(_MODULE, **given)
        self._check_same_columns(given)
        copied = {name: copy.deepcopy(list(column)) for name, column in given.items()}
        for name, column in copied.items():
            self._stored.setdefault(name, []).extend(column)

    def reset(self) -> None:
        """Forget the samples that were added."""
        self._stored = {}

    def compute(self, *, options: Mapping[str, Mapping[str, Any]] | None = None, **arguments: Any) -> CombinedResults:
        """Score the given samples together with those added before.

        Args:
            options: name -> its own options, for this call.
            **arguments: the columns, all of which may be left out to score what was added; and options for all that
                take them, for this call.

        Returns:
            One dict of what can be written as JSON. Each result of a measure of this package has the name that the
            combination has for it in front, whatever else is scored: ``bur``, ``bur_by_value``, ``bur_ci``,
            ``bur_n_samples``, ``bur_signature``. Of other modules only those that would collide, as `evaluate.combine`
            does it. The dict shows itself; see `fairsum_utils.results.CombinedResults`.

        Raises:
            InputError: an input or an option that none takes, one that is needed and not there, or one that is not as
                described. Samples that were added before stay.
        """
        given, shared = split_columns(self._members, arguments)
        chosen = route_options(self._members, shared, options or {})
        check_columns(_MODULE, **given)
        self._check_same_columns(given or self._stored)
        columns = given or self._stored
        if given and self._stored:
            columns = {name: [*self._stored[name], *column] for name, column in given.items()}
        results = self._results(columns, {label: self._options[label] | chosen[label] for label in chosen})
        self.reset()
        return self._merged(*results)

    def close(self) -> None:
        """Release the models; the next call loads them again."""
        self._session.close()

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

    def _results(
        self, columns: Mapping[str, Any], settings: Mapping[str, Mapping[str, Any]]
    ) -> tuple[ScoreResults, dict[str, dict[str, Any]]]:
        """Score the measures first, since they check all samples, then the modules."""
        requests = [
            Request(member.name, member.label, settings[member.label])
            for member in self._members
            if isinstance(member, Measure)
        ]
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
            others[member.label] = _plain(member.module.compute(**inputs, **settings[member.label]))
        return measures, others

    def _merged(self, measures: ScoreResults, others: Mapping[str, dict[str, Any]]) -> CombinedResults:
        """Put all results into one dict, under distinct names."""
        named = {}
        for member in self._members:
            if isinstance(member, Measure):
                named[member.label] = list(flat_names(member.label, member.name, measures[member.label]).values())
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


def _plain(result: Any) -> Any:
    """Turn arrays and array scalars into plain lists and numbers."""
    if isinstance(result, Mapping):
        return {str(key): _plain(part) for key, part in result.items()}
    if isinstance(result, (list, tuple)):
        return [_plain(part) for part in result]
    return result.tolist() if hasattr(result, "tolist") else result


@dataclass(frozen=True)
class Measure:
    """A measure of this package in a combination."""

    label: str
    name: str

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that the measure can use."""
        return tuple(all_columns([self.name]))

    @property
    def options(self) -> tuple[str, ...]:
        """Settings that the measure takes."""
        return tuple(family_of(self.name).taken(self.name))


@dataclass(frozen=True)
class Module:
    """Another `evaluate` module in a combination."""

    label: str
    module: Any
    columns: tuple[str, ...]
    options: tuple[str, ...]
    takes_any_option: bool


Member: TypeAlias = Measure | Module


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
    if isinstance(metric, str):
        name = metric.removeprefix(f"{NAMESPACE}/")
        if name in measure_names():
            return Measure(label or name, name)
        metric = _load(metric)
    evaluate = sys.modules.get("evaluate")  # imported if there is a loaded module
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
    from fairsum_utils.modules import Metric

    if isinstance(metric, Metric):
        return Measure(label, metric.measure)
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


def split_columns(members: Sequence[Member], arguments: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split arguments into the members' columns and everything else.

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
    """Route given options to members, by label.

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


_OF_GENERATED = "OfGenerated"


class OfGenerated:
    """A metric of generated texts that also gets the data set's columns.

    Give it to an `evaluate.evaluator` or to a task of an `evaluate.EvaluationSuite`, together with the same data::

        metric = OfGenerated(["bur", "uer"], data)
        evaluate.evaluator("text-generation").compute(model, data=data, input_column="prompt", metric=metric)

    Args:
        metric: a `Combination`, or what `combine` takes: names and modules.
        data: a `datasets.Dataset`, or a dict of columns.
        columns: columns that the metric gets; None for all that it takes.
        prompt: the column with the model's inputs.
        full_text: True if a causal model's texts begin with their prompts, the default of text generation; these
            are taken off. Summaries and translations never begin with them.

    Raises:
        InputError: a column that the data do not have or the metric does not take.

    Example:
        >>> data = {"prompt": ["Sum up: "], "sources": [["Tasty.", "Awful."]], "values": [["pos", "neg"]]}
        >>> OfGenerated(["uer"], data).compute(data=["Sum up: Tasty."])["uer"]
        0.25
    """

    def __init__(
        self,
        metric: Any,
        data: Any,
        columns: Sequence[str] | None = None,
        *,
        prompt: str = "prompt",
        full_text: bool = True,
    ) -> None:
        self.metric: Combination = metric if isinstance(metric, Combination) else combine(_listed(metric))
        there = list(data.column_names if hasattr(data, "column_names") else data)
        taken = [name for name in self.metric.columns if name != "predictions"]
        if columns is None:
            columns = [name for name in taken if name in there]
        for name in columns:
            if name not in there:
                raise InputError(f"{_OF_GENERATED}: the data has no column {name!r}, found {', '.join(there)}")
            if name not in taken:
                raise InputError(
                    f"{_OF_GENERATED}: the metric does not use the column {name!r}, only {', '.join(taken)}"
                )
        if full_text and prompt not in there:
            raise InputError(
                f"{_OF_GENERATED}: the data has no column {prompt!r} with the prompts to remove from the texts; name "
                "the right one with prompt=, or give full_text=False if the texts contain no prompts"
            )
        self._columns = {name: list(data[name]) for name in columns}
        self._prompts = list(data[prompt]) if full_text else None

    def __repr__(self) -> str:
        return f"OfGenerated({self.metric!r}, columns={list(self._columns)})"

    def compute(
        self, data: Sequence[str] | None = None, *, predictions: Sequence[str] | None = None, **arguments: Any
    ) -> dict[str, Any]:
        """Score texts as an evaluator gives them.

        Args:
            data: texts as text generation gives them, with their prompts in front unless ``full_text=False``.
            predictions: texts as summarization and translation give them.
            **arguments: arguments of `Combination.compute`. Columns from the evaluator, such as ``references``, take
                precedence over those of the data; columns that the metric does not take are ignored.

        Returns:
            What `Combination.compute` returns.

        Raises:
            InputError: not one text for each sample of the data, or one that does not begin with its prompt.
        """
        if (data is None) == (predictions is None):
            raise InputError(f"{_OF_GENERATED}: give the texts either as data (with their prompts) or as predictions")
        if predictions is None:
            assert data is not None
            predictions = self._without_prompts(list(data))
        references = arguments.pop("references", None)
        columns: dict[str, Any] = dict(self._columns)
        if references is not None and "references" in self.metric.columns:
            columns["references"] = references
        check_columns(_OF_GENERATED, predictions=predictions, **columns)
        return self.metric.compute(predictions=predictions, **columns, **arguments)

    def _without_prompts(self, texts: list[str]) -> list[str]:
        if self._prompts is None:
            return texts
        check_columns(_OF_GENERATED, texts=texts, prompts=self._prompts)
        for place, (text, prompt) in enumerate(zip(texts, self._prompts, strict=True)):
            if not text.startswith(prompt):
                raise InputError(
                    f"{_OF_GENERATED}: sample {place}: the text must begin with its prompt {describe(prompt)}, found "
                    f"{describe(text)}; give full_text=False if texts come without prompts (return_full_text=False of "
                    "the pipeline)"
                )
        return [text.removeprefix(prompt) for text, prompt in zip(texts, self._prompts, strict=True)]


def _listed(metric: Any) -> Any:
    """Wrap one name or module in a list."""
    return metric if isinstance(metric, (list, tuple, Mapping)) else [metric]
