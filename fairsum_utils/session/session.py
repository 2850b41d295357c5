"""The one caller of families: requests -> work that they share -> results.

Everything that scores goes through a `Session`: the library's calls, the `evaluate` modules, training loops, the
adapters of other stacks, the command. It groups requests that can share rows, keeps their scorers and models for the
next call, and gives each request the result that it would have alone, to the bit.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, Self

from fairsum_utils.errors import InputError
from fairsum_utils.families import Family, MeasureSettings, Results, Scorer, family_of
from fairsum_utils.families.cautions import Caution, common_cautions
from fairsum_utils.families.routing import check_given
from fairsum_utils.families.settings import MANY, Stage
from fairsum_utils.results import Asked, Comparison, Run, ScoreResults
from fairsum_utils.results.record import Clock, plain
from fairsum_utils.session.lineup import Lineup, StateLineup, asked_measures
from fairsum_utils.session.state import State, Taken, digest_sum
from fairsum_utils.stats.sums import BucketSums
from fairsum_utils.validation import check_columns, count

__all__ = ["Request", "Session"]

Columns = Mapping[str, Any]
"""Column -> its entries, one a sample."""

_TOGETHER = 512
"""Rows that are put into a table at a time, so that few are there as they are."""

_OF_RESULTS = ("confidence_level", "bootstrap")
"""Settings that no sum depends on."""


@dataclass(frozen=True)
class Request:
    """A measure that is asked for.

    Args:
        measure: its name.
        label: what its result is called; None for the measure's name.
        settings: setting -> value; those left out have their default.
        given: settings that the caller gave, for the record; None for all.
    """

    measure: str
    label: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    given: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or self.measure)


@dataclass
class _Group:
    """Requests that agree in every setting that several of them take."""

    family: Family
    kind: type[MeasureSettings]
    chosen: dict[str, Any]
    requests: list[Request]

    def accepts(self, kind: type[MeasureSettings], chosen: Mapping[str, Any]) -> bool:
        shared = self.chosen.keys() & chosen.keys()
        return self.kind is kind and all(_frozen(self.chosen[name]) == _frozen(chosen[name]) for name in shared)

    @property
    def measures(self) -> tuple[str, ...]:
        return asked_measures(self.requests)


def _grouped(requests: Iterable[Request], stage: Stage) -> list[_Group]:
    """Requests that share their rows, or what is made of them."""
    groups: list[_Group] = []
    for request in requests:
        family = family_of(request.measure)
        kind = family.settings(request.measure)
        chosen = {
            name: request.settings.get(name, info.default)
            for name, info in kind.infos(request.measure).items()
            if info.stage == stage
        }
        group = next((group for group in groups if group.accepts(kind, chosen)), None)
        if group is None:
            groups.append(group := _Group(family, kind, {}, []))
        group.chosen |= chosen
        group.requests.append(request)
    return groups


class Pass:
    """One way to make rows, and the requests that they serve.

    Args:
        group: of requests that share rows.
        module: name used in messages; None for the labels of the requests.
        distributed: share the work of models with the other processes of ``accelerate launch``.
        evidence: keep what decided in the rows, even if no request asks for records.
    """

    def __init__(self, group: _Group, module: str | None, *, distributed: bool = False, evidence: bool = False) -> None:
        self.family = group.family
        self.measures = group.measures
        module = module or ", ".join(request.label for request in group.requests)
        context: dict[str, Any] = {"module": module}
        if hasattr(group.kind, "distributed"):
            context["distributed"] = distributed
        self.settings = group.kind(**group.chosen, **context)
        self.key = (group.kind, self.measures, module, distributed, _frozen(group.chosen))
        self.calls = [
            (self.settings.replace(**call.chosen).seeded(), call.requests)
            for call in _grouped(group.requests, "results")
        ]
        self.keeps_rows = any(settings.return_samples for settings, _ in self.calls)
        self.evidence = evidence or self.keeps_rows
        self._scorer: Scorer | None = None
        self.reset()

    @property
    def scorer(self) -> Scorer:
        """Makes the rows; made when it is first needed."""
        if self._scorer is None:
            self._scorer = self.family.scorer(self.measures, self.settings)
        self._scorer.evidence = self.evidence
        return self._scorer

    def take_scorer(self, other: Pass) -> None:
        """Go on with the scorer of another pass that was made for the same settings."""
        self._scorer = other._scorer

    def columns(self, columns: Columns) -> dict[str, Any]:
        """Those columns that the measures can use."""
        names = {column.name for measure in self.measures for column in self.family.columns_of(measure)}
        return {name: entries for name, entries in columns.items() if name in names}

    def read(self, columns: Columns, start: int = 0) -> Iterator[Any]:
        """Check samples, see `Scorer.read`."""
        given = self.columns(columns)
        self.given |= given.keys()
        return self.scorer.read(given, start=start)

    def reset(self) -> None:
        """Forget what was scored."""
        self.taken = Taken(self.family)
        self.rows: list[Any] = []
        self.given: set[str] = set()
        self._folded: list[BucketSums] = []
        self._folded_digest = 0

    def add(self, rows: Iterable[Any], ids: Iterable[str] | None = None) -> None:
        """Take rows in; they are kept as they are only if records are to be made of them.

        Args:
            rows: of samples.
            ids: of these; None for their indices.
        """
        added = list(rows)
        self.taken.extend(added, ids)
        if self.keeps_rows:
            self.rows += added
        self._fold()

    def scored(self, samples: Sequence[Any]) -> tuple[Taken, list[Any]]:
        """The rows of samples in columns; and as they are, if records are to be made of them."""
        taken, kept = Taken(self.family), []
        rows = self.scorer.rows(samples)
        while together := list(islice(rows, _TOGETHER)):
            taken.extend(together)
            kept += together if self.keeps_rows else []
        return taken, kept

    def merge(self, taken: Taken, rows: Sequence[Any]) -> None:
        """Take in other rows, and these as they are, if records are to be made of them."""
        self.taken.merge(taken)
        self.rows += rows
        self._fold()

    def absorb(self, other: Pass) -> None:
        """Take in what another pass of the same requests has scored."""
        if other._folded:
            self._folded = self._folded or [BucketSums() for _ in other._folded]
            for mine, theirs in zip(self._folded, other._folded, strict=True):
                mine.merge(theirs)
            self._folded_digest = digest_sum([self._folded_digest, other._folded_digest])
        self.merge(other.taken, other.rows)
        self.given |= other.given

    def _fold(self) -> None:
        """Keep sums in place of rows, once there are so many that results are made of buckets: memory stays flat."""
        drawn_singly = any(settings.bootstrap == "samples" for settings, _ in self.calls)
        if len(self.taken) >= MANY and self.family.by_sample and not (self.keeps_rows or drawn_singly):
            self._folded, self._folded_digest = self.state(), self.digest
            self.taken = Taken(self.family)

    @property
    def asked(self) -> list[dict[str, Any]]:
        """For each call what its sums are of: its measures, and all settings that reach a number of theirs."""
        found = []
        for settings, requests in self.calls:
            infos = (info for info in settings.infos().values() if not info.shared or info.key)
            reach = {info.name: plain(getattr(settings, info.name)) for info in infos if info.name not in _OF_RESULTS}
            found.append({"measures": list(asked_measures(requests)), **reach})
        return found

    @property
    def digest(self) -> int:
        """Digest of the ids and contents of the scored samples, whatever their order."""
        return digest_sum([self._folded_digest, self.taken.digest()])

    def state(self) -> list[BucketSums]:
        """For each call the sums of what was taken in, in buckets."""
        found = []
        for place, (settings, requests) in enumerate(self.calls):
            sums = self.taken.sums(asked_measures(requests), settings.replace(bootstrap="buckets"), self.scorer)
            assert isinstance(sums, BucketSums)
            if self._folded:
                sums.merge(self._folded[place])
            found.append(sums)
        return found

    def results(self, state: Sequence[BucketSums] | None = None) -> Results:
        """Label -> result.

        Args:
            state: for each call the sums to make it of; None: of what was taken in.
        """
        if state is None and self._folded:
            state = self.state()
        results: Results = {}
        for place, (settings, requests) in enumerate(self.calls):
            measures = asked_measures(requests)
            if state is None:
                settings = settings.sized(len(self.taken))
                sums = self.taken.sums(measures, settings, self.scorer)
            else:
                settings, sums = settings.replace(bootstrap="buckets"), state[place]
            computed = self.family.results(sums, measures, settings, self.scorer, self.given)
            cautions = self.family.cautions(sums, settings)
            for request in requests:
                result = results[request.label] = dict(computed[request.measure])
                self.caution(request.measure, result, result["n_samples"], settings, cautions)
                if settings.return_samples:
                    results[request.label]["samples"] = self.family.records(self.rows, (request.measure,), settings)
        return results

    def records(self, rows: Sequence[Any]) -> list[dict[str, Any]]:
        """One record a sample for all measures together, as a file of samples has it; see `Family.file_records`."""
        return self.family.file_records(rows, self.measures, self.calls[0][0])

    def record_types(self) -> dict[str, Any]:
        """Key of the records -> its type."""
        return self.family.record_types(self.measures, self.calls[0][0])

    def compare(self, a: Sequence[Any], b: Sequence[Any]) -> Results:
        """Compare the rows of two systems, one by one of the same samples; see `Family.compare`.

        Raises:
            InputError: rows that cannot be of the same sample.
        """
        lineup = Lineup(self, "AB")
        lineup.add((a, b))
        return lineup.two()

    def caution(
        self, measure: str, result: dict[str, Any], n_scored: int, settings: Any, cautions: Iterable[Caution]
    ) -> None:
        """Put into a result what it has against it.

        Args:
            measure: its name.
            result: of the measure, or of the comparison of systems.
            n_scored: samples that have a score.
            settings: that the result was made with.
            cautions: what the rows have against it, or against other measures.
        """
        common = common_cautions(measure, result, n_scored, settings.n_resamples, self.family.unit)
        concerned = [caution for caution in cautions if caution.measure in (None, measure)]
        result["warnings"] = [caution.told() for caution in (*concerned, *common)]

    def close(self) -> None:
        """Let go of what the scorer has loaded."""
        if self._scorer is not None:
            self._scorer.close()


class Session(AbstractContextManager["Session"]):
    """Scores measures, of several families if need be, as often as it is asked to.

    Args:
        requests: what to score.
        module: name used in messages; None for the labels of the measures.
        distributed: share the work of models with the other processes of ``accelerate launch``.
        evidence: keep what decided in the rows, even if no request asks for records.

    Attributes:
        passes: one for each way to make rows, in the order of the requests.

    Raises:
        InputError: a setting is not as described, or no measure takes it.

    Example:
        >>> columns = {"predictions": ["Tasty."], "sources": [["Tasty.", "Awful."]], "values": [["pos", "neg"]]}
        >>> with Session([Request("bur"), Request("bur", "lenient", {"tau": 0.0})]) as session:
        ...     {label: result["bur"] for label, result in session.score(columns).items()}
        {'bur': 1.0, 'lenient': 0.0}
    """

    def __init__(
        self,
        requests: Sequence[Request] = (),
        *,
        module: str | None = None,
        distributed: bool = False,
        evidence: bool = False,
    ) -> None:
        self.module = module
        self._options = {"distributed": distributed, "evidence": evidence}
        self.passes: list[Pass] = []
        self._clock = Clock.start()
        self._data: dict[str, Any] = {}
        self.ask(requests)

    def ask(self, requests: Sequence[Request]) -> None:
        """Ask for other measures or settings; scorers that fit are kept, others are let go.

        Args:
            requests: what to score.

        Raises:
            InputError: as of the class.
        """
        for request in requests:
            kind = family_of(request.measure).settings(request.measure)
            kind.make(request.settings, measure=request.measure, module=self.module or request.label)
        passes = [Pass(group, self.module, **self._options) for group in _grouped(requests, "rows")]
        before = {one.key: one for one in self.passes}
        for new in passes:
            if new.key in before:
                new.take_scorer(before.pop(new.key))
        for old in before.values():
            old.close()
        self.requests, self.passes = tuple(requests), passes
        self._asked = {request.label: _asked(request) for request in requests}

    @property
    def labels(self) -> str:
        """What the measures are called, for a message."""
        return self.module or ", ".join(request.label for request in self.requests)

    def needed(self, given: Collection[str] = ()) -> dict[str, list[str]]:
        """The columns that must be there: column -> what the measures are called that need it.

        Args:
            given: columns that are there, some of which stand for others.
        """
        needed: dict[str, list[str]] = {}
        for request in self.requests:
            functions = {name for name, value in request.settings.items() if callable(value)}  # such as a matcher
            for name in family_of(request.measure).needed(request.measure, {*given, *functions}):
                needed.setdefault(name, []).append(request.label)
        return needed

    def check(self, columns: Columns) -> None:
        """Refuse columns that are missing or not of one length.

        Args:
            columns: that are given.

        Raises:
            InputError: all that are missing, and who needs each; or a column that is no list of as many entries.
        """
        check_given(self.labels, self.needed(columns), columns)
        check_columns(self.labels, **columns)

    def rows(self, columns: Columns, *, start: int = 0, whole: bool = True) -> list[list[Any]]:
        """Make rows, a list for each of `passes`; all samples are checked before any is scored.

        Args:
            columns: that the measures need, and others that they can use; the rest is passed over.
            start: index of the first sample.
            whole: whether these are all samples there are, which can be checked as a whole as well.

        Raises:
            InputError: a column or a sample is not as described.
        """
        samples = self._samples(columns, start, whole)
        return [list(each.scorer.rows(checked)) for each, checked in zip(self.passes, samples, strict=True)]

    def rows_of_systems(self, systems: Sequence[Columns], *, start: int = 0) -> list[list[list[Any]]]:
        """Make rows of several systems: for each of `passes`, for each system a list.

        The summaries of a sample are scored one after the other, so that its sources are read once for all of them.

        Args:
            systems: the columns of each, of the same samples in the same order.
            start: index of the first sample.

        Raises:
            InputError: a column or a sample is not as described.
        """
        for columns in systems:
            self.check(columns)
        made = []
        for each in self.passes:
            samples = chain.from_iterable(zip(*(each.read(columns, start) for columns in systems), strict=True))
            rows = list(each.scorer.rows(list(samples)))
            made.append([rows[place :: len(systems)] for place in range(len(systems))])
        return made

    def _samples(self, columns: Columns, start: int, whole: bool) -> list[list[Any]]:
        """The samples of each pass, checked."""
        self.check(columns)
        samples = [list(each.read(columns, start)) for each in self.passes]
        if whole:
            for each, checked in zip(self.passes, samples, strict=True):
                each.scorer.check(checked)
        return samples

    def add(self, columns: Columns, *, start: int = 0, whole: bool = False) -> None:
        """Score samples and take them in, for `results`.

        Args:
            columns: as for `rows`.
            start: index of the first sample.
            whole: whether these are all samples there are, which can be checked as a whole as well.

        Raises:
            InputError: as of `rows`; nothing is taken in then.
        """
        samples = self._samples(columns, start, whole)
        scored = [each.scored(checked) for each, checked in zip(self.passes, samples, strict=True)]
        for each, (taken, rows) in zip(self.passes, scored, strict=True):
            each.merge(taken, rows)

    def add_rows(self, rows: Sequence[Iterable[Any]], ids: Sequence[str] | None = None) -> None:
        """Take in rows that were made elsewhere.

        Args:
            rows: for each of `passes`.
            ids: of their samples, which decide their buckets where the bootstrap draws these; None for their indices.
        """
        for each, made in zip(self.passes, rows, strict=True):
            each.add(made, ids)

    def make_scorers(self) -> None:
        """Make the scorers now, so that a setting that names a file that is not there is refused before any sample.

        Raises:
            InputError: a setting is not as described.
        """
        for each in self.passes:
            _ = each.scorer

    def take_columns(self, names: Iterable[str]) -> None:
        """Say which columns the samples had whose rows were made elsewhere, for the signatures.

        Args:
            names: of the columns.
        """
        given = set(names)
        for each in self.passes:
            each.given |= given

    def merge(self, other: Session) -> None:
        """Take in what another session of the same requests has scored.

        Args:
            other: in which samples have other indices.
        """
        for mine, theirs in zip(self.passes, other.passes, strict=True):
            mine.absorb(theirs)

    def state(self) -> State:
        """What `results` needs of all samples that were taken in, as sums that add up with those of other samples."""
        digests = [each.digest for each in self.passes]
        states, given = [each.state() for each in self.passes], [each.given for each in self.passes]
        return State(states, given, digests, self._asked_of_states())

    def _asked_of_states(self) -> list[list[dict[str, Any]]]:
        return [each.asked for each in self.passes]

    def results(self, state: State | None = None) -> ScoreResults:
        """Label -> result, of all samples that were taken in, in the order of the requests.

        Args:
            state: of samples that other sessions of the same requests have scored; the results are of these instead.

        Raises:
            InputError: the samples as a whole are not as described, or the state is of other requests.
        """
        if state is not None:
            state.check(self.labels, self._asked_of_states())
        results: Results = {}
        for place, each in enumerate(self.passes):
            if state is not None:
                each.given |= state.given[place]
            results |= each.results(None if state is None else state.passes[place])
        return ScoreResults({request.label: results[request.label] for request in self.requests}, run=self.provenance())

    def provenance(self) -> Run:
        """How the results came about that are made now; time counts from the last `reset`."""
        columns = tuple(dict.fromkeys(name for each in self.passes for name in sorted(each.given)))
        clock = self._clock
        return Run(self._asked, columns=columns, began=clock.began, seconds=clock.seconds(), data=self._data)

    def score(self, columns: Columns) -> ScoreResults:
        """Label -> result, of these samples alone.

        Args:
            columns: as for `rows`.

        Raises:
            InputError: as of `rows` and `results`.
        """
        self.reset()
        self.add(columns, whole=True)
        if any(each.keeps_rows for each in self.passes):
            self._data = {name: entries for each in self.passes for name, entries in each.columns(columns).items()}
        results = self.results()
        self.reset()
        return results

    def compare(self, a: Columns, b: Columns) -> Comparison:
        """Compare two systems on the same samples by a paired bootstrap.

        Args:
            a: columns of system A.
            b: columns of system B, of the same samples.

        Returns:
            For each label ``a``, ``b``, ``difference`` (A minus B; below zero A is fairer), ``difference_ci``,
            ``p_value`` (two-sided, never 0), ``lost`` (share of replicates without a score), ``n_samples``,
            ``n_skipped`` (samples that either system left without a score) and ``signature``; ``undefined`` gives the
            reason when there is no interval.

        Raises:
            InputError: a column or a sample is not as described, or a measure that compares no systems.
        """
        self._clock = Clock.start()
        self.check_comparable()
        self.check(a)
        self.check(b)
        n_a, n_b = (len(next(iter(columns.values()))) for columns in (a, b))
        if n_a != n_b:
            raise InputError(f"{self.labels}: A has {count(n_a, 'sample')} and B has {n_b}; compare the same samples")
        results: Results = {}
        for each, rows in zip(self.passes, self.rows_of_systems((a, b)), strict=True):
            results |= each.compare(*rows)
        return self.comparison(results)

    def compare_states(self, a: State, b: State) -> Comparison:
        """Compare two systems on the same samples by a paired bootstrap of buckets, without their rows.

        Args:
            a: state of system A, of sessions of the same requests.
            b: state of system B, in which samples have the same ids.

        Returns:
            As `compare` does with ``bootstrap="buckets"``, to the bit.

        Raises:
            InputError: a state is of other requests, the systems do not have scores of the same samples, or a measure
                compares no systems.

        Example:
            >>> columns = {"predictions": ["Tasty."] * 9, "sources": [["Tasty.", "Awful."]] * 9}
            >>> columns["values"] = [["pos", "neg"]] * 9
            >>> with Session([Request("bur")]) as session:
            ...     session.add(columns)
            ...     state = session.state()
            ...     compared = session.compare_states(state, state)["bur"]
            >>> compared["difference"], compared["p_value"]
            (0.0, 1.0)
        """
        self._clock = Clock.start()
        self.check_comparable()
        for state in (a, b):
            state.check(self.labels, self._asked_of_states())
        results: Results = {}
        for place, each in enumerate(self.passes):
            results |= StateLineup(each, "AB", (a, b), place).two()
        return self.comparison(results)

    def comparison(self, results: Results, systems: Sequence[str] = "AB") -> Comparison:
        """Comparisons that the passes made one by one, in the order of the requests.

        Args:
            results: label -> comparison.
            systems: what the two systems are called.
        """
        ordered = {request.label: results[request.label] for request in self.requests}
        return Comparison(ordered, systems=systems, run=self.provenance())

    def check_comparable(self) -> None:
        """Refuse measures that compare groups of texts, not systems.

        Raises:
            InputError: there are some.
        """
        names = [request.label for request in self.requests if not family_of(request.measure).comparable]
        if names:
            raise InputError(
                f"{self.labels}: {', '.join(names)} compare groups of texts, not systems on the same samples; score "
                "each system by itself, or put both into one data set with the system as the group"
            )

    def reset(self) -> None:
        """Forget what was taken in; scorers stay."""
        self._clock = Clock.start()
        self._data = {}
        for each in self.passes:
            each.reset()

    def close(self) -> None:
        """Let go of the models; they are loaded again when they are needed."""
        for each in self.passes:
            each.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _asked(request: Request) -> Asked:
    """A request as a record of results has it."""
    used = {name: plain(value) for name, value in request.settings.items()}
    given = used if request.given is None else {name: used[name] for name in request.given}
    return Asked(request.measure, given, used)


def _frozen(value: Any) -> Any:
    """A copy of a setting that stays as it is and can be compared: `==` of arrays is no truth value."""
    if isinstance(value, Mapping):
        return tuple((name, _frozen(part)) for name, part in value.items())
    is_array = hasattr(value, "__len__") and hasattr(value, "__array__") and getattr(value, "ndim", 1) > 0
    if isinstance(value, (list, tuple)) or is_array:
        return tuple(map(_frozen, value))
    return value if isinstance(value, Hashable) else _Itself(value)


class _Itself:
    """Something that is the same as nothing else."""

    def __init__(self, value: object) -> None:
        self._value = value  # held, so that no other takes its place
