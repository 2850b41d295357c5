"""Results of a measure over originals: figures, intervals at two levels, signature, and two systems compared."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from typing import Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar, get_type_hints

import numpy as np

from fairsum_utils.families.contract import Results, System
from fairsum_utils.families.effective import signed
from fairsum_utils.families.originals import OrderedTable, OriginalsScorer, ScoredOriginals, redrawn
from fairsum_utils.families.settings import MeasureSettings
from fairsum_utils.measures import get_measure
from fairsum_utils.stats.arrays import Floats, scalar
from fairsum_utils.stats.bootstrap import percentile_interval
from fairsum_utils.stats.intervals import (
    FEWEST_FOR_SPREADS,
    Estimate,
    Method,
    Moments,
    drawn_interval,
    mean_interval,
    paired_comparison,
)
from fairsum_utils.stats.sums import AnySums, Column, Key, Sums, check_same_samples

_Settings = TypeVar("_Settings", bound=MeasureSettings)

Intervals: TypeAlias = Mapping[str, Mapping[str, Any]]
"""Level (``ci``, ``ci_within``) -> statistic -> intervals of its entries; ``score``: one, ``lost``, ``undefined``."""


class Figures(NamedTuple):
    """The statistics of all data, and their intervals at each level."""

    statistics: Mapping[str, Floats]
    intervals: Intervals

    def across(self) -> Figures:
        """Leave out intervals within originals."""
        return self._replace(intervals={level: found for level, found in self.intervals.items() if level == "ci"})

    def entry(self, statistic: str, place: int, name: str, prefix: str = "") -> dict[str, Any]:
        """Name an entry of a statistic and its intervals, whose keys are the levels behind a prefix."""
        ends = {f"{prefix}{level}": found[statistic][place] for level, found in self.intervals.items()}
        return {name: scalar(self.statistics[statistic][place]), **ends}

    def mapping(self, statistic: str, entries: Sequence[str], name: str) -> dict[str, Any]:
        """Name all entries of a statistic, under its name, and their intervals, under that with the level."""
        ends = {f"{name}_{level}": found[statistic] for level, found in self.intervals.items()}
        found = {name: self.statistics[statistic].tolist(), **ends}
        return {key: dict(zip(entries, own, strict=True)) for key, own in found.items()}


class OriginalsTally(ABC, Generic[_Settings]):
    """Columns that one measure takes from rows, and the figures that it makes of their sums over originals.

    A resampled data set is nothing but other sums, so that an interval asks for nothing of the texts again.

    Attributes:
        measure: its name.
        recorded: keys of a sample's record besides those of all measures: fields of a row, or keys of `compared`.
        compared_types: key of `compared` -> its type; none if records do not depend on other samples.
        is_tested: whether it draws at random even without intervals.
        interval: Method of the score's interval over originals.
        limits: Statistic -> its least and largest value, if these are not those of the score.
        groups: groups that are compared.
        entries: kind of column -> its entries, each the rest of a key; what has intervals is a function of their sums.
        keys: keys of these columns.
        totals: the sums over all originals, shape (m,).
    """

    measure: ClassVar[str]
    recorded: ClassVar[tuple[str, ...]] = ()
    compared_types: ClassVar[Mapping[str, Any]] = {}
    is_tested: ClassVar[bool] = False
    interval: ClassVar[Method] = "expanded"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {}

    def __init__(self, sums: AnySums, settings: _Settings, groups: Sequence[str] = ()) -> None:
        self.sums, self.settings = sums, settings
        self.groups = self._groups(groups)
        self.entries = self.columns()
        self.keys = [(self.name(kind), *of) for kind, entries in self.entries.items() for of in entries]
        self.totals: Floats = np.array([sums.total(*key) for key in self.keys], dtype=np.float64)

    def _groups(self, groups: Sequence[str]) -> Sequence[str]:
        return groups

    @classmethod
    def name(cls, kind: str) -> str:
        """Name a column of the measure among those of all measures."""
        return f"{cls.measure}.{kind}"

    def total(self, kind: str, *of: str) -> float:
        """Sum one of the measure's columns."""
        return self.sums.total(self.name(kind), *of)

    def count(self, kind: str, *of: str) -> int:
        """Read one of the measure's counts."""
        return self.sums.counts[(self.name(kind), *of)]

    def by_original(self, kind: str, *of: str) -> Floats:
        """Numbers of each original in one of the measure's columns."""
        return self.sums.by_unit((self.name(kind), *of))

    @abstractmethod
    def columns(self) -> Mapping[str, Sequence[tuple[str, ...]]]:
        """List the entries of each kind of column."""

    def split(self, sums: Floats) -> dict[str, Floats]:
        """Split sums of the columns, shape (..., m), by kind."""
        ends = np.cumsum([len(entries) for entries in self.entries.values()])[:-1]
        return dict(zip(self.entries, np.split(sums, ends, axis=-1), strict=True))

    @classmethod
    def put(cls, sums: Sums, originals: Any, scorer: Any) -> Mapping[Key, Column]:
        """Add what the measure needs of a table to sums.

        Returns:
            Columns of the samples that are drawn anew within what they belong to, for ``ci_within``.
        """
        raise NotImplementedError

    @classmethod
    def used(cls, given: Collection[str], *systems: AnySums) -> Collection[str]:
        """Keep those of the given columns that the measure used."""
        return given

    @classmethod
    def compared(cls, originals: Any, scorer: Any) -> Sequence[Mapping[str, Any]]:
        """Make the part of each sample's record that depends on other samples."""
        raise NotImplementedError

    @abstractmethod
    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Compute the figures that have intervals from sums of the columns, shape (..., m).

        Returns:
            ``score``, shape (...), and what else, shape (..., k).
        """

    def undefined(self) -> str:
        """Explain why the score is NaN."""
        return self._undefined() if self.sums.n_samples else "no sample left to score"

    @abstractmethod
    def _undefined(self) -> str:
        """Explain why the score is NaN though there are samples."""

    @abstractmethod
    def details(self, figures: Figures) -> dict[str, Any]:
        """List the contents of the result besides the score, its intervals and the numbers of samples."""

    def numbers(self) -> dict[str, Any]:
        """Count the samples and originals of the result."""
        return {"n_samples": self.sums.n_samples, "n_articles": self.n_articles}

    def result(self, scored: Mapping[str, object]) -> dict[str, Any]:
        """Make the result of the measure, of plain Python numbers."""
        figures = Figures(self.statistics(self.totals), self.intervals())
        score = float(figures.statistics["score"])
        return {
            **self.scored(score, figures.intervals),
            **self.details(figures),
            **self.numbers(),
            "n_skipped": self.sums.skipped.total(),
            "skipped": dict(sorted(self.sums.skipped.items())),
            **self.signed(scored),
            **self.reason(score, figures.intervals),
        }

    @property
    def n_articles(self) -> int:
        """Originals of the samples."""
        return self.sums.n_distinct("articles")

    @property
    def n_articles_scored(self) -> int:
        """Originals that the score is made from."""
        return self.n_articles

    @property
    @abstractmethod
    def within(self) -> bool:
        """Whether something comes out otherwise when samples are drawn anew within what they belong to."""

    def sizes(self) -> Mapping[str, Sequence[float] | Floats]:
        """Statistic -> originals behind each of its entries, of which an expanded interval heeds how few they are.

        A statistic without sizes has as many as the score.
        """
        return {}

    def replicates(self) -> Floats:
        """Sums of the columns when originals are resampled, shape (B, m); B = 0 where there are not two."""
        if self.n_articles_scored < 2:
            return np.empty((0, len(self.keys)))
        return self.sums.replicates(self.keys, n_resamples=self.settings.n_resamples, seed=self.settings.seed)

    def replicates_within(self) -> Floats:
        """Sums of the columns when samples are drawn anew within what they belong to, shape (B, m)."""
        return self.drawn(list(map(redrawn, self.keys)), self.settings.n_resamples)

    def drawn(self, keys: Sequence[Key], n: int) -> Floats:
        """Sums that were drawn by other means than from whole originals, shape (n, keys); 0 where there are none."""
        sums = np.zeros((n, len(keys)))
        for place, key in enumerate(keys):
            drawn = self.sums.drawn(*key)
            if drawn is not None:
                sums[:, place] = drawn
        return sums

    def intervals(self) -> Intervals:
        """Compute all intervals at each level; none without a confidence level."""
        level = self.settings.confidence_level
        if level is None:
            return {}
        drawn = {"ci": self.replicates()}
        if self.within:
            drawn["ci_within"] = self.replicates_within()
        found: dict[str, dict[str, Any]] = {}
        for name, replicates in drawn.items():
            statistics = self.statistics(replicates)
            estimate, over_originals = self._estimate(statistics.pop("score")), name == "ci"
            ends = estimate.interval(level) if over_originals else percentile_interval(estimate.replicates, level)
            found[name] = {"score": list(ends), "lost": estimate.lost, "undefined": estimate.undefined(level)}
            for statistic, table in statistics.items():
                found[name][statistic] = (
                    self._over_originals(statistic, table, level)
                    if over_originals
                    else [list(percentile_interval(column, level)) for column in table.T]
                )
        return found

    def _over_originals(self, statistic: str, replicates: Floats, level: float) -> list[list[float]]:
        """Intervals of the entries of a statistic when originals are resampled."""
        limits = self.limits.get(statistic, self._limits)
        if ratios := self.ratios().get(statistic):
            return [list(mean_interval(Moments.of(*ratio), level, limits)) for ratio in ratios]
        scores = self.statistics(self.totals)[statistic]
        sizes = self.sizes().get(statistic, [self.n_articles_scored] * len(scores))
        return [
            list(drawn_interval(float(score), column, level, size, limits))
            for score, column, size in zip(scores, replicates.T, sizes, strict=True)
        ]

    def ratios(self) -> Mapping[str, Sequence[tuple[Floats, Floats]]]:
        """Statistics that are means or shares: numerator and denominator of each entry, by original."""
        return {}

    @property
    def n_differences(self) -> int:
        """Differences of which the score is the largest."""
        return 1

    @property
    def method(self) -> Method:
        """Method of the score's interval: a single difference has next to no bias to correct."""
        return "expanded" if self.interval == "corrected" and self.n_differences == 1 else self.interval

    @property
    def _limits(self) -> tuple[float, float]:
        measure = get_measure(self.measure)
        return measure.low, measure.high

    def _estimate(self, replicates: Floats) -> Estimate:
        score, n = float(self.statistics(self.totals)["score"]), self.n_articles_scored
        fewest = FEWEST_FOR_SPREADS if self.method == "corrected" else 2
        estimate = Estimate(score, self.method, n, replicates, limits=self._limits, fewest=fewest, unit="originals")
        if self.method != "two-point":
            return estimate
        [(totals, sizes)] = self.ratios()["score"]
        return estimate._replace(totals=totals, sizes=sizes)

    def scored(self, score: float, intervals: Intervals) -> dict[str, Any]:
        """Return the score, its interval at each level, and the share of replicates without one."""
        found: dict[str, Any] = {self.measure: score}
        for level, interval in intervals.items():
            found |= {f"{self.measure}_{level}": interval["score"], f"{self.measure}_{level}_lost": interval["lost"]}
        return found

    def reason(self, score: float, intervals: Intervals) -> dict[str, str]:
        """Why the score, or its interval, is undefined, under ``undefined``; empty where both are defined."""
        if math.isnan(score):
            return {"undefined": self.undefined()}
        if not intervals:
            return {}
        if self.n_articles_scored < 2:
            return {"undefined": f"{self.measure}_ci: an interval needs at least two originals that have a score"}
        reason = intervals["ci"]["undefined"]
        return {"undefined": f"{self.measure}_ci: {reason}"} if reason else {}

    def signed(self, scored: Mapping[str, object], method: Method | None = None) -> dict[str, Any]:
        """Return the settings and the signature of a result."""
        interval = (method or self.method) if self.settings.confidence_level is not None else None
        is_compared = method is not None  # whose p-value is drawn
        is_drawn = interval is not None and (is_compared or interval != "two-point" or self.within)
        unused = () if is_drawn else ("n_resamples",) if self.is_tested else ("n_resamples", "seed")
        if interval is None and not self.is_tested:
            unused = (*unused, "bootstrap")  # buckets are the units of intervals that draw nothing, too
        keyed = {**scored, **self.settings.keyed(self.measure, *unused), "interval": interval}
        return signed(keyed)

    def drawn_score(self) -> Estimate:
        """The score, and what it is when originals are resampled."""
        return self._estimate(self.statistics(self.replicates())["score"])


def drawn_system(sums: AnySums, tallies: Mapping[str, OriginalsTally[Any]]) -> System:
    """A system with the scores of its measures and their replicates."""
    return System(sums, {measure: tally.drawn_score() for measure, tally in tallies.items()}, tallies)


def compare_originals(
    a: System, b: System, measure: str, scored: Mapping[str, object], *, n_skipped: int = 0
) -> dict[str, Any]:
    """Compare two systems on the same samples by a paired bootstrap over originals.

    Returns:
        ``a``, ``b``, ``difference`` (A minus B; below zero A is fairer), ``difference_ci``, ``p_value`` (two-sided,
        never 0), ``lost`` (share of replicates that are undefined), ``n_samples``, ``n_articles``, ``n_skipped`` and
        ``signature``; ``undefined`` gives the reason when there is no interval.
    """
    tally, first, second = a.details[measure], a.drawn[measure], b.drawn[measure]
    if not (len(first.replicates) and len(second.replicates)):  # of one of them nothing can be drawn
        first, second = (drawn._replace(replicates=np.empty(0)) for drawn in (first, second))
    result = {
        **paired_comparison(first, second, tally.settings.confidence_level),
        "n_samples": a.sums.n_samples,
        "n_articles": tally.n_articles,
        "n_skipped": n_skipped,
        **tally.signed(scored, first.minus(second).method),
    }
    for system, drawn in ((a, first), (b, second)):
        if math.isnan(drawn.score):
            result["undefined"] = system.details[measure].undefined()
    return result


class OriginalsResults(NamedTuple):
    """The functions of ``results.py`` that families by original share.

    Attributes:
        tally_of: measure -> its tally.
        table: class of its tables.
        originals: class of the scored originals of a table.
        scorer: class of its scorers.
        same: keys of columns that systems on the same samples have in common.
        always: keys of every record.
    """

    tally_of: Callable[[str], type[OriginalsTally[Any]]]
    table: type[OrderedTable[Any]]
    originals: type[ScoredOriginals[Any, Any]]
    scorer: Callable[..., OriginalsScorer]
    same: Sequence[str]
    always: Sequence[str]

    def sums_of(self, table: Any, measures: Sequence[str], settings: Any, scorer: Any = None) -> Sums:
        """Sum a table; the units are originals, which must have all of their samples in one part of the data."""
        originals = self.originals(table, settings)
        sums, columns = originals.sums(), dict[Key, Column]()
        for name in measures:
            columns |= self.tally_of(name).put(sums, originals, scorer)
        originals.redraw_later(sums, columns)
        return sums

    def results_of(
        self, sums: AnySums, measures: Sequence[str], settings: Any, scorer: Any, given: Collection[str]
    ) -> Results:
        """Compute measures from the sums of a data set."""
        found: Results = {}
        for name in measures:
            scored = scorer.signature(name, self.tally_of(name).used(given, sums))
            found[name] = self.aggregate(sums, name, settings, scored, scorer.groups(name))
        return found

    def aggregate(
        self, sums: AnySums, measure: str, settings: Any, scored: Mapping[str, object], groups: Sequence[str] = ()
    ) -> dict[str, Any]:
        """Compute one measure, whose signature names what `scored` has."""
        return self.tally_of(measure)(sums, settings, groups).result(scored)

    def keys(self, measures: Sequence[str]) -> list[str]:
        """List the keys of a record."""
        return list(dict.fromkeys([*self.always, *(key for name in measures for key in self.tally_of(name).recorded)]))

    def sample_records(self, rows: Sequence[Any], measures: Sequence[str], settings: Any) -> list[dict[str, Any]]:
        """Make one record a sample, skipped ones included; None where a sample has nothing to say."""
        compared: list[dict[str, Any]] = [{} for _ in rows]
        some = [name for name in measures if self.tally_of(name).compared_types]
        if some:
            table = self.table(rows)
            places, originals = table.order(settings.module).tolist(), self.originals(table, settings)
            with closing(self.scorer(some, settings)) as scorer:
                for name in some:
                    for place, more in zip(places, self.tally_of(name).compared(originals, scorer), strict=True):
                        compared[place].update(more)
        keys = self.keys(measures)
        return [
            {key: _plain(more[key] if key in more else getattr(row, key, None)) for key in keys}
            for row, more in zip(rows, compared, strict=True)
        ]

    def types(self, measures: Sequence[str]) -> dict[str, Any]:
        """List the type of each field of a row, and of what is compared."""
        types = get_type_hints(self.table.row)
        for name in measures:
            types |= self.tally_of(name).compared_types
        return types

    def record_types(self, measures: Sequence[str], settings: Any = None) -> dict[str, Any]:
        """List the type of each key of a record."""
        types = self.types(measures)
        return {key: types[key] for key in self.keys(measures)}

    def draw_systems(
        self, systems: Sequence[AnySums], measures: Sequence[str], settings: Any, scorer: Any = None
    ) -> list[System]:
        """Score several systems on the same samples, with replicates from the same draws."""
        check_same_samples(systems, *self.same)
        tallies: list[dict[str, OriginalsTally[Any]]] = [{} for _ in systems]
        for name in measures:
            make, given = self.tally_of(name), () if scorer is None else scorer.groups(name)
            groups = sorted(set(given).union(*(make(sums, settings).groups for sums in systems)))
            for sums, of_system in zip(systems, tallies, strict=True):
                of_system[name] = make(sums, settings, groups)
        return list(map(drawn_system, systems, tallies))

    def compare_systems(
        self,
        a: System,
        b: System,
        measures: Sequence[str],
        settings: Any,
        scorer: Any,
        given: Collection[str],
        n_skipped: int,
    ) -> Results:
        """Compare two systems on the same samples, see `compare_originals`."""
        found: Results = {}
        for name in measures:
            scored = scorer.signature(name, self.tally_of(name).used(given, a.sums, b.sums))
            found[name] = compare_originals(a, b, name, scored, n_skipped=n_skipped)
        return found


def _plain(entry: Any) -> Any:
    """Convert mappings and tuples for JSON."""
    if isinstance(entry, Mapping):
        return dict(entry)
    return list(map(_plain, entry)) if isinstance(entry, tuple) else entry
