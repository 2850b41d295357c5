"""Results of measures over originals: figures, intervals, signatures and comparisons."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np

from fairsum_utils.families.effective import signed
from fairsum_utils.families.originals import redrawn
from fairsum_utils.measures import Measure, get_measure
from fairsum_utils.stats.arrays import Floats, scalar
from fairsum_utils.stats.bootstrap import percentile_interval
from fairsum_utils.stats.intervals import (
    FEWEST_FOR_SPREADS,
    Ends,
    Estimate,
    Method,
    Moments,
    drawn_interval,
    folded,
    mean_interval,
)
from fairsum_utils.stats.sums import AnySums, Column, Key, Sums

Intervals: TypeAlias = Mapping[str, Mapping[str, Any]]
"""Level (``ci``, ``ci_within``) -> statistic -> intervals of its entries; ``score``: one, ``lost``, ``undefined``."""


class Figures(NamedTuple):
    """Statistics of the data, and their intervals at each level."""

    statistics: Mapping[str, Floats]
    intervals: Intervals

    def entry(self, statistic: str, place: int, name: str, prefix: str = "") -> dict[str, Any]:
        """Return a statistic's entry with its intervals; `prefix` starts the keys of levels."""
        ends = {f"{prefix}{level}": found[statistic][place] for level, found in self.intervals.items()}
        return {name: scalar(self.statistics[statistic][place]), **ends}

    def mapping(self, statistic: str, entries: Sequence[str], name: str) -> dict[str, Any]:
        """Return all entries of a statistic with their intervals at each level."""
        ends = {f"{name}_{level}": found[statistic] for level, found in self.intervals.items()}
        found = {name: self.statistics[statistic].tolist(), **ends}
        return {key: dict(zip(entries, own, strict=True)) for key, own in found.items()}


class OriginalsTally(ABC):
    """Columns of one measure, and the figures computed from their sums over originals.

    A resampled data set is nothing but other sums, so that an interval asks for nothing of the texts again.

    Attributes:
        measure: name of the measure.
        recorded: further keys of a sample's record: fields of a row, or keys of `compared`.
        compared_types: key of `compared` -> type; empty if records do not depend on other samples.
        is_tested: it draws random numbers even without intervals.
        interval: method of the score's interval over originals.
        limits: statistic -> minimum and maximum, if they differ from the score's.
        folds: signed statistic whose largest absolute difference is the score, for the method "corrected".
        groups: compared groups.
        entries: kind of column -> its entries, each the rest of a key; statistics with intervals depend on their sums.
        keys: keys of these columns.
        totals: sums over all originals, shape (m,).
    """

    measure: ClassVar[str]
    recorded: ClassVar[tuple[str, ...]] = ()
    compared_types: ClassVar[Mapping[str, Any]] = {}
    is_tested: ClassVar[bool] = False
    interval: ClassVar[Method] = "expanded"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {}
    folds: ClassVar[str] = ""
    settings: Measure

    def __init__(self, sums: AnySums, settings: Measure, groups: Sequence[str] = ()) -> None:
        self.sums, self.settings = sums, settings
        self.groups = self._groups(groups)
        self.entries = self.columns()
        self.keys = [(self.name(kind), *of) for kind, entries in self.entries.items() for of in entries]
        self.totals: Floats = np.array([sums.total(*key) for key in self.keys], dtype=np.float64)

    def _groups(self, groups: Sequence[str]) -> Sequence[str]:
        return groups

    @classmethod
    def name(cls, kind: str) -> str:
        """Return the key of a column among those of all measures."""
        return f"{cls.measure}.{kind}"

    def total(self, kind: str, *of: str) -> float:
        """Sum one of the measure's columns."""
        return self.sums.total(self.name(kind), *of)

    def count(self, kind: str, *of: str) -> int:
        """Read one of the measure's counts."""
        return self.sums.counts[(self.name(kind), *of)]

    def by_original(self, kind: str, *of: str) -> Floats:
        """Return each original's numbers in one of the measure's columns."""
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
        """Add the measure's columns of a table to the sums.

        Returns:
            Columns of the samples that are drawn anew within what they belong to, for ``ci_within``.
        """
        raise NotImplementedError

    @classmethod
    def used(cls, given: Collection[str], *systems: AnySums) -> Collection[str]:
        """Return the given columns that the measure used."""
        return given

    @classmethod
    def compared(cls, originals: Any, scorer: Any) -> Sequence[Mapping[str, Any]]:
        """Return the part of each sample's record that depends on other samples."""
        raise NotImplementedError

    @abstractmethod
    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Compute the statistics with intervals from sums of the columns, shape (..., m).

        Returns:
            ``score``, shape (...), and what else, shape (..., k).
        """

    def undefined(self) -> str:
        """Explain why the score is NaN or infinite."""
        return self._undefined() if self.sums.n_samples else "no sample was scored"

    @abstractmethod
    def _undefined(self) -> str:
        """Explain why the score is NaN or infinite although there are samples."""

    @abstractmethod
    def details(self, figures: Figures) -> dict[str, Any]:
        """Return further entries of the result."""

    def numbers(self) -> dict[str, Any]:
        """Count the samples and originals of the result."""
        return {"n_samples": self.sums.n_samples, "n_articles": self.n_articles}

    def result(self, scored: Mapping[str, object]) -> dict[str, Any]:
        """Make the result of the measure from plain Python numbers."""
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
        """Return the number of originals with samples."""
        return self.sums.n_distinct("articles")

    @property
    def n_articles_scored(self) -> int:
        """Return the number of originals that determine the score."""
        return self.n_articles

    @property
    @abstractmethod
    def within(self) -> bool:
        """Check whether redrawing samples within originals has an effect."""

    def sizes(self) -> Mapping[str, Sequence[float] | Floats]:
        """Return the number of originals of each statistic's entries, for expanded intervals.

        A statistic without sizes has as many as the score.
        """
        return {}

    def replicates(self) -> Floats:
        """Sum the columns of resampled originals, shape (B, m)."""
        if self.n_articles_scored < 2:
            return np.empty((0, len(self.keys)))
        return self.sums.replicates(self.keys, n_resamples=self.settings.n_resamples, seed=self.settings.seed)

    def replicates_within(self) -> Floats:
        """Sum the columns with samples redrawn within originals, shape (B, m)."""
        return self.drawn(list(map(redrawn, self.keys)), self.settings.n_resamples)

    def drawn(self, keys: Sequence[Key], n: int) -> Floats:
        """Return other random sums, shape (n, keys); 0 if missing."""
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
            estimate, over_originals = self._estimate(statistics), name == "ci"
            ends = estimate.interval(level) if over_originals else self._within(statistics, estimate, level)
            del statistics["score"]
            found[name] = {"score": list(ends), "lost": estimate.lost, "undefined": estimate.undefined(level)}
            for statistic, table in statistics.items():
                found[name][statistic] = (
                    self._over_originals(statistic, table, level)
                    if over_originals
                    else self._redrawn(statistic, table, level)
                )
        return found

    def _redrawn(self, statistic: str, replicates: Floats, level: float) -> list[list[float]]:
        """Compute intervals with samples redrawn within originals; NaN for infinite entries."""
        return [
            [math.nan, math.nan] if math.isinf(found) else list(percentile_interval(column, level))
            for found, column in zip(self.statistics(self.totals)[statistic].tolist(), replicates.T, strict=True)
        ]

    def _over_originals(self, statistic: str, replicates: Floats, level: float) -> list[list[float]]:
        """Compute intervals of a statistic's entries by resampling originals."""
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
        """Return numerator and denominator of each mean or share, by original."""
        return {}

    @property
    def n_differences(self) -> int:
        """Return how many differences the score is the maximum of."""
        return 1

    @property
    def method(self) -> Method:
        """Return the method of the score's interval."""
        return "folded" if self.interval == "corrected" and self.n_differences == 1 else self.interval

    @property
    def fair(self) -> float:
        """Return the fair value of the statistic that the score folds."""
        return 0.0

    def spread_of(self, signed: Floats) -> Floats:
        """Compute the score from the centered statistic, shape (..., k)."""
        raise NotImplementedError

    def _folded(self, ends: Sequence[float]) -> Ends:
        """Return the interval of the score, given that of the one difference behind it."""
        return folded((ends[0] - self.fair, ends[1] - self.fair))

    def _within(self, statistics: Mapping[str, Floats], estimate: Estimate, level: float) -> Ends:
        """Compute the interval of the score with samples redrawn within originals."""
        if self.method == "folded":
            return self._folded(self._redrawn(self.folds, statistics[self.folds], level)[0])
        if math.isinf(estimate.score):
            return math.nan, math.nan
        low, high = percentile_interval(estimate.replicates, level)
        return estimate.above_chance(low, level), high

    @property
    def _limits(self) -> tuple[float, float]:
        measure = get_measure(self.measure)
        return measure.low, measure.high

    def _estimate(self, drawn: Mapping[str, Floats]) -> Estimate:
        """Return the score with the statistics of its replicates."""
        observed, n = self.statistics(self.totals), self.n_articles_scored
        fewest = FEWEST_FOR_SPREADS if self.method == "corrected" else 2
        score, replicates = float(observed["score"]), drawn["score"]
        estimate = Estimate(score, self.method, n, replicates, limits=self._limits, fewest=fewest, unit="originals")
        if self.method == "two-point":
            [(totals, sizes)] = self.ratios()["score"]
            return estimate._replace(totals=totals, sizes=sizes)
        if self.method == "folded":
            signed = drawn[self.folds]
            return estimate._replace(
                absolute=lambda level: self._folded(self._over_originals(self.folds, signed, level)[0])
            )
        if self.method == "corrected":
            with np.errstate(invalid="ignore"):  # of infinite figures
                return estimate._replace(centered=self.spread_of(drawn[self.folds] - observed[self.folds]))
        return estimate

    def scored(self, score: float, intervals: Intervals) -> dict[str, Any]:
        """Return the score, its intervals and the share of undefined replicates."""
        found: dict[str, Any] = {self.measure: score}
        for level, interval in intervals.items():
            found |= {f"{self.measure}_{level}": interval["score"], f"{self.measure}_{level}_lost": interval["lost"]}
        return found

    def reason(self, score: float, intervals: Intervals) -> dict[str, str]:
        """Explain under ``undefined`` why the score or its interval is undefined or infinite."""
        reasons = [] if math.isfinite(score) else [self.undefined()]
        if intervals and not math.isnan(score):
            few = "an interval needs at least two scored originals" if self.n_articles_scored < 2 else ""
            reason = few or intervals["ci"]["undefined"]
            reasons += [f"{self.measure}_ci: {reason}"] if reason else []
        return {"undefined": "; ".join(reasons)} if reasons else {}

    def signed(self, scored: Mapping[str, object], method: Method | None = None) -> dict[str, Any]:
        """Return the effective settings and the signature of a result."""
        interval = (method or self.method) if self.settings.confidence_level is not None else None
        is_compared = method is not None  # whose p-value is drawn
        is_drawn = interval is not None and (is_compared or interval != "two-point" or self.within)
        unused = () if is_drawn else ("n_resamples",) if self.is_tested else ("n_resamples", "seed")
        if interval is None and not self.is_tested:
            unused = (*unused, "bootstrap")  # buckets are the units of intervals that draw nothing, too
        keyed = {**scored, **self.settings.keyed(self.measure, *unused), "interval": interval}
        return signed(keyed)

    def drawn_score(self) -> Estimate:
        """Compute the score and its replicates with resampled originals."""
        return self._estimate(self.statistics(self.replicates()))
