"""One call for several measures: inputs and options go to those that take them, results come back in one dict."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from fairsum_utils.combining.members import Measure, Member, Module, make_members
from fairsum_utils.combining.routing import route_options, split_columns
from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures
from fairsum_utils.families.documents import all_columns
from fairsum_utils.families.routing import check_given
from fairsum_utils.families.settings import unknown_setting
from fairsum_utils.results import CombinedResults, ScoreResults, combined, flat_names
from fairsum_utils.session.session import Request, Session
from fairsum_utils.validation import check_columns

__all__ = ["Combination", "combine"]

_MODULE = "combine"
"""Name used in messages."""


def combine(
    metrics: Sequence[Any] | Mapping[str, Any],
    *,
    force_prefix: bool = False,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    **shared: Any,
) -> Combination:
    """Put measures and other `evaluate` modules together, to be scored by one call.

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
        InputError: something else than names and modules, a name that nobody knows, a module that comes twice, or an
            option that none takes.
        MissingDependencyError: a module is to be loaded, and `evaluate` is not installed.

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
        members: what is scored.
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
        """The inputs, and who takes each.

        Example:
            >>> combine(["bur", "sentiment"]).columns["groups"]
            ('sentiment',)
        """
        names = dict.fromkeys(chain.from_iterable(member.columns for member in self._members))
        return {name: tuple(member.label for member in self._members if name in member.columns) for name in names}

    @property
    def options(self) -> dict[str, tuple[str, ...]]:
        """The options, and who takes each; in ``options=`` they stand under the names of those who take them.

        Example:
            >>> combine({"strict": "bur", "uer": "uer"}).options["tau"]
            ('strict',)
        """
        names = dict.fromkeys(chain.from_iterable(member.options for member in self._members))
        return {name: tuple(member.label for member in self._members if name in member.options) for name in names}

    def __repr__(self) -> str:
        """What is scored, with the options that were given and the columns that it takes.

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
        """How many samples were added."""
        return len(next(iter(self._stored.values()), ()))

    def add(self, **sample: Any) -> None:
        """Add one sample, to be scored by the next `compute`.

        Args:
            **sample: its entry of each column, by the column's name or that of an entry, such as ``prediction``,
                ``reference`` or ``group``.

        Raises:
            InputError: an input that none takes, or other inputs than of the samples before.
        """
        columns: dict[str, list[Any] | None] = {}
        entries = {column.entry: column.name for column in all_columns(all_measures()).values()}
        entries["reference"] = "references"
        for name, entry in sample.items():
            column = entries.get(name, name)
            if column in columns:
                raise InputError(f"{_MODULE}: {column} is given twice, also as {name}")
            columns[column] = None if entry is None else [entry]
        self.add_batch(**columns)

    def add_batch(self, **columns: Any) -> None:
        """Add samples, to be scored by the next `compute`. They are copied, and checked when they are scored.

        Args:
            **columns: one entry a sample each, by name.

        Raises:
            InputError: an input that none takes, columns of different lengths, or others than of the samples before;
                none of the batch is added.
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
        """Let go of the models; the next call loads them again."""
        self._session.close()

    def _check_same_columns(self, given: Mapping[str, Any]) -> None:
        """There is a sample, and those that were added have the same columns."""
        if not given:
            raise InputError(f"{_MODULE}: no sample to score; give {', '.join(self.columns)}, or add some first")
        for name in {**self._stored, **given} if self._stored else ():
            if name not in self._stored or name not in given:
                here, there = ("these", "those before") if name not in given else ("those before", "these")
                raise InputError(
                    f"{_MODULE}: {here} were added without {name}, {there} with it; give the same columns with every "
                    "sample, or reset()"
                )

    def _results(
        self, columns: Mapping[str, Any], settings: Mapping[str, Mapping[str, Any]]
    ) -> tuple[ScoreResults, dict[str, dict[str, Any]]]:
        """The results of our measures, which come first, for they check every sample; and those of other modules."""
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
        """All results in one dict, under names that tell them apart."""
        named = {
            member.label: list(flat_names(member.label, member.name, measures[member.label]).values())
            for member in self._members
            if isinstance(member, Measure)
        }
        for label, result in others.items():
            named[label] = [f"{label}_{key}" if self._force_prefix else key for key in result]
        counts = Counter(chain.from_iterable(named.values()))
        taken: set[str] = set()
        renamed = {}
        for member in self._members:
            names = named[member.label]
            if isinstance(member, Module):
                result = others[member.label]
                names = [
                    f"{member.label}_{key}" if counts[name] > 1 else name
                    for key, name in zip(result, names, strict=True)
                ]
                renamed[member.label] = dict(zip(names, result.values(), strict=True))
            for name in names:
                if name in taken:
                    raise InputError(
                        f"{_MODULE}: two results are called {name}; give the modules other names, with a dict"
                    )
                taken.add(name)
        return combined(measures, renamed, [member.label for member in self._members])


def _plain(result: Any) -> Any:
    """A result with plain numbers and lists in place of arrays and their scalars."""
    if isinstance(result, Mapping):
        return {str(key): _plain(part) for key, part in result.items()}
    if isinstance(result, (list, tuple)):
        return [_plain(part) for part in result]
    return result.tolist() if hasattr(result, "tolist") else result
