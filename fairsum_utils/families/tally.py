"""Results of measures over originals: figures, intervals and signatures.

A family declares a subclass of `OriginalsTally` for each measure: columns of the sums, statistics computed from them,
and further entries of the result. The formula is in the measure's own file.
"""

from __future__ import annotations

import importlib
import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import Any, ClassVar

import numpy as np

from fairsum_utils.families.effective import signed
from fairsum_utils.families.engine import Score
from fairsum_utils.families.originals import redrawn
from fairsum_utils.measures import Measure, get_measure, measures_of
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
from fairsum_utils.stats.sums import Column, Key, Sums


class OriginalsTally(Score):
    """Columns of one measure, and the figures computed from their sums over originals.

    A resampled data set is nothing but other sums, so that an interval asks for nothing of the texts again.

    Attributes:
        measure: name of the measure.
        recorded: fields of the row that a sample's record has.
        compared_record: typed dictionary of what `compared` returns; None if records do not depend on other samples.
        is_tested: it draws random numbers even without intervals.
        interval: method of the score's interval over originals.
        limits: statistic -> minimum and maximum, if they differ from the score's.
        folds: signed statistic whose largest absolute difference is the score, for the method "corrected".
        entries: kind of column -> its entries, each the rest of a key; statistics with intervals depend on their sums.
        keys: keys of these columns.
        totals: sums over all originals, shape (m,).
    """

    measure: ClassVar[str]
    recorded: ClassVar[tuple[str, ...]] = ()
    compared_record: ClassVar[type | None] = None
    is_tested: ClassVar[bool] = False
    interval: ClassVar[Method] = "expanded"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {}
    folds: ClassVar[str] = ""

    def __init__(self, sums: Sums, settings: Measure) -> None:
        super().__init__(sums, settings)
        self.entries = self.columns()
        self.keys = [(self.name(kind), *of) for kind, entries in self.entries.items() for of in entries]
        self.totals: Floats = np.array([sums.total(*key) for key in self.keys], dtype=np.float64)

    # Declarations of a family.

    @classmethod
    def put(cls, sums: Sums, originals: Any, scorer: Any) -> Mapping[Key, Column]:
        """Add the measure's columns of a table to the sums.

        Returns:
            Columns of the samples that are drawn anew within what they belong to, for ``ci_within``.
        """
        raise NotImplementedError

    @classmethod
    def compared(cls, originals: Any, scorer: Any) -> Sequence[Mapping[str, Any]]:
        """Return the part of each sample's record that depends on other samples."""
        raise NotImplementedError

    @abstractmethod
    def columns(self) -> Mapping[str, Sequence[Key]]:
        """List the entries of each kind of column."""

    @abstractmethod
    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Compute the statistics with intervals from sums of the columns, shape (..., m).

        Returns:
            ``score``, shape (...), and other statistics, shape (..., k).
        """

    @abstractmethod
    def details(self) -> dict[str, Any]:
        """Return further entries of the result."""

    @abstractmethod
    def _undefined(self) -> str:
        """Explain why the score is NaN or infinite although there are samples."""

    @property
    @abstractmethod
    def within(self) -> bool:
        """Check whether redrawing samples within originals has an effect."""

    @property
    def n_articles_scored(self) -> int:
        """Return the number of originals that determine the score."""
        return self.n_articles

    def sizes(self) -> Mapping[str, Sequence[float] | Floats]:
        """Return the number of originals of each statistic's entries, for expanded intervals.

        A statistic without sizes has as many as the score.
        """
        return {}

    def ratios(self) -> Mapping[str, Sequence[tuple[Floats, Floats]]]:
        """Return numerator and denominator of each mean or share, by original."""
        return {}

    @property
    def n_differences(self) -> int:
        """Return how many differences the score is the maximum of."""
        return 1

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

    # Columns.

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

    def split(self, sums: Floats) -> dict[str, Floats]:
        """Split sums of the columns, shape (..., m), by kind."""
        ends = np.cumsum([len(entries) for entries in self.entries.values()])[:-1]
        return dict(zip(self.entries, np.split(sums, ends, axis=-1), strict=True))

    def by_original(self) -> dict[str, Floats]:
        """Return the columns of each kind by original, shape (entries, originals)."""
        columns = np.array([self.sums.by_unit(key) for key in self.keys]).reshape(len(self.keys), self.sums.n_units)
        return {kind: part.T for kind, part in self.split(columns.T).items()}

    @property
    def n_articles(self) -> int:
        """Return the number of originals with samples."""
        return self.sums.counts["articles",]

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
        every = [self.sums.drawn(*key) for key in keys]
        return np.array([np.zeros(n) if sums is None else sums for sums in every]).reshape(len(keys), n).T

    # Score and intervals.

    @cached_property
    def observed(self) -> dict[str, Floats]:
        """Statistics of the data."""
        return self.statistics(self.totals)

    @property
    def method(self) -> Method:
        """Return the method of the score's interval."""
        return "folded" if self.interval == "corrected" and self.n_differences == 1 else self.interval

    @cached_property
    def resampled(self) -> dict[str, Floats]:
        """Statistics of resampled originals."""
        return self.statistics(self.replicates())

    @cached_property
    def estimate(self) -> Estimate:
        """Score and its replicates with resampled originals."""
        return self._estimate(self.resampled)

    def _estimate(self, drawn: Mapping[str, Floats]) -> Estimate:
        """Return the score with the statistics of its replicates."""
        fewest = FEWEST_FOR_SPREADS if self.method == "corrected" else 2
        score, n, limits = float(self.observed["score"]), self.n_articles_scored, self._limits("score")
        estimate = Estimate(score, self.method, n, drawn["score"], limits=limits, fewest=fewest, unit="originals")
        if self.method == "two-point":
            [(totals, sizes)] = self.ratios()["score"]
            return estimate._replace(totals=totals, sizes=sizes)
        if self.method == "folded":
            return estimate._replace(
                absolute=lambda level: self._folded(self._over_originals(self.folds, drawn[self.folds], level)[0])
            )
        if self.method == "corrected":
            with np.errstate(invalid="ignore"):  # infinite figures
                return estimate._replace(centered=self.spread_of(drawn[self.folds] - self.observed[self.folds]))
        return estimate

    def _limits(self, statistic: str) -> tuple[float, float]:
        measure = get_measure(self.measure)
        return self.limits.get(statistic, (measure.low, measure.high))

    @cached_property
    def intervals(self) -> dict[str, dict[str, Any]]:
        """Level (``ci`` or ``ci_within``) -> statistic -> intervals of its entries."""
        if self.level is None:
            return {}
        score = {"score": list(self.estimate.interval(self.level)), "lost": self.estimate.lost}
        others = [statistic for statistic in self.observed if statistic != "score"]
        over = {name: self._over_originals(name, self.resampled[name], self.level) for name in others}
        found = {"ci": score | over}
        if self.within:
            drawn = self.statistics(self.replicates_within())
            estimate = self._estimate(drawn)
            ends = {name: self._redrawn(name, drawn[name], self.level) for name in others}
            score = {"score": list(self._within(estimate, ends, self.level)), "lost": estimate.lost}
            found["ci_within"] = score | ends
        return found

    def _over_originals(self, statistic: str, replicates: Floats, level: float) -> list[list[float]]:
        """Compute intervals of a statistic's entries by resampling originals."""
        limits = self._limits(statistic)
        if ratios := self.ratios().get(statistic):
            return [list(mean_interval(Moments.of(*ratio), level, limits)) for ratio in ratios]
        scores = self.observed[statistic]
        sizes = self.sizes().get(statistic, [self.n_articles_scored] * len(scores))
        return [
            list(drawn_interval(float(score), column, level, size, limits))
            for score, column, size in zip(scores, replicates.T, sizes, strict=True)
        ]

    def _redrawn(self, statistic: str, replicates: Floats, level: float) -> list[list[float]]:
        """Compute intervals with samples redrawn within originals; NaN for infinite entries."""
        return [
            [math.nan, math.nan] if math.isinf(found) else list(percentile_interval(column, level))
            for found, column in zip(self.observed[statistic].tolist(), replicates.T, strict=True)
        ]

    def _within(self, estimate: Estimate, ends: Mapping[str, list[list[float]]], level: float) -> Ends:
        """Compute the interval of the score with samples redrawn within originals."""
        if self.method == "folded":
            return self._folded(ends[self.folds][0])
        if math.isinf(estimate.score):
            return math.nan, math.nan
        low, high = percentile_interval(estimate.replicates, level)
        return estimate.above_chance(low, level), high

    # Results.

    def figure(self, statistic: str, place: int, name: str, prefix: str = "") -> dict[str, Any]:
        """Return a statistic's entry with its intervals; `prefix` starts their keys."""
        ends = {f"{prefix}{level}": found[statistic][place] for level, found in self.intervals.items()}
        return {name: scalar(self.observed[statistic][place]), **ends}

    def result(self, made: Mapping[str, object]) -> dict[str, Any]:
        """Make the result, see `Score.result`."""
        found: dict[str, Any] = {self.measure: float(self.observed["score"])}
        for level, ends in self.intervals.items():
            found |= {f"{self.measure}_{level}": ends["score"], f"{self.measure}_{level}_lost": ends["lost"]}
        found |= {**self.details(), **self.numbers(), **self.signed(made)}
        if reasons := self._reasons():
            found["undefined"] = "; ".join(reasons)
        return found

    def numbers(self) -> dict[str, Any]:
        """Count the samples and originals of the result."""
        return {"n_articles": self.n_articles, **super().numbers()}

    def undefined(self) -> str:
        """Explain why the score is NaN or infinite."""
        return self._undefined() if self.sums.n_samples else "no sample was scored"

    def _reasons(self) -> list[str]:
        """Explain why the score or its interval is undefined or infinite."""
        score = float(self.observed["score"])
        reasons = [] if math.isfinite(score) else [self.undefined()]
        if self.level is not None and not math.isnan(score):
            few = "an interval needs at least two scored originals" if self.n_articles_scored < 2 else ""
            reason = few or self.estimate.undefined(self.level)
            reasons += [f"{self.measure}_ci: {reason}"] if reason else []
        return reasons

    def signed(self, made: Mapping[str, object], difference: Estimate | None = None) -> dict[str, Any]:
        """Return effective settings and signature of the result, or of a difference."""
        is_compared = difference is not None  # its p-value is drawn
        method = self.method if difference is None else difference.method
        interval = None if self.level is None else method
        is_drawn = interval is not None and (is_compared or interval != "two-point" or self.within)
        unused = () if is_drawn else ("n_resamples",) if self.is_tested else ("n_resamples", "seed")
        if interval is None and not self.is_tested:
            unused = (*unused, "bootstrap")  # buckets are the units of intervals that draw nothing, too
        return signed({**made, **self.settings.keyed(self.measure, *unused), "interval": interval})


@cache
def tallies_of(family: str) -> dict[str, Any]:
    """Find the tallies of a family's measures, in the files named after them."""
    tallies = {}
    for name in measures_of(family):
        defined = vars(importlib.import_module(f"{__package__}.{family}.{name}")).values()
        tallies[name] = next(each for each in defined if isinstance(each, type) and vars(each).get("measure") == name)
    return tallies
