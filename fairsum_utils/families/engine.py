"""Results of measures over samples, made from declarations.

A family declares in its ``results.py`` what is particular to each measure, as a subclass of `SampleScore`: means,
counts, warnings, and reasons to withhold a score. The formula is in the measure's own file. Everything else is made
here: score, interval, chance level, figures by group, settings, signature, and comparisons of systems.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from fairsum_utils.families.chance import ChanceLevel, level_of_draws, mean_level, missing_draws
from fairsum_utils.families.effective import signed
from fairsum_utils.families.warnings import CountWarning
from fairsum_utils.measures import get_formula, get_measure
from fairsum_utils.stats.arrays import Floats, quotient, scalar
from fairsum_utils.stats.intervals import (
    Ends,
    Estimate,
    Moments,
    drawn_interval,
    folded,
    mean_interval,
    share_interval,
)
from fairsum_utils.stats.sums import Sums


class Mean(NamedTuple):
    """A figure of a result: a sum over its number of entries.

    Attributes:
        key: key of the result.
        part: name of the sum.
        whole: name of the number of entries, a sum or a count.
        by: name of a column; each of its groups has a mean. Or the groups themselves; None for a single mean.
        averages: kind of averaged numbers, for an interval beside the mean; empty for no interval.
        limits: smallest and largest number.
        in_full: also give the share of lost replicates and the standard deviation.
    """

    key: str
    part: str
    whole: str = "n"
    by: str | Sequence[str] | None = None
    averages: Literal["shares", "scores", ""] = ""
    limits: Ends = (0.0, 1.0)
    in_full: bool = False


class SampleScore:
    """A measure over the samples of a data set; subclasses declare what is particular to it.

    Args:
        measure: name of the measure.
        sums: sums of the data set's rows.
        settings: checked settings.

    Attributes:
        same: names of columns that do not depend on the system.
        over: names of the sums and of the counts by group that the formula takes; None for a mean over samples.
        is_halved: the score of two groups is half the absolute difference of their means.
        fair: mean of each group for which the score is 0.
        n_draws: random summaries of a sample, for a chance level over groups.
        by_system: keys of `counts` that a comparison shows for both systems.
    """

    same: ClassVar[tuple[str, ...]] = ()
    over: ClassVar[tuple[str, str] | None] = None
    is_halved: ClassVar[bool] = False
    fair: ClassVar[float] = 0.0
    n_draws: ClassVar[int] = 0
    by_system: ClassVar[tuple[str, ...]] = ()

    def __init__(self, measure: str, sums: Sums, settings: Any) -> None:
        self.measure, self.sums, self.settings = measure, sums, settings
        self.level: float | None = settings.confidence_level

    # What a family declares.

    def means(self) -> Sequence[Mean]:
        """List the means of the result."""
        return ()

    def counts(self) -> dict[str, Any]:
        """Count what the result counts besides samples."""
        return {}

    def details(self) -> dict[str, Any]:
        """Compute the figures that are neither means nor counts."""
        return {}

    def warnings(self) -> Sequence[CountWarning]:
        """List the warnings about the sums, whether they apply or not."""
        return ()

    @cached_property
    def withheld(self) -> str:
        """Reason to withhold a score that could be computed; else empty."""
        return ""

    def undefined(self) -> str:
        """Explain why the score is NaN."""
        return self.withheld or "no sample was scored"

    def why_nan(self, system: str) -> str:
        """Explain why the score of a system is NaN; empty if it is a number."""
        if self.withheld:
            return f"{system}: {self.withheld}"
        return self.undefined() if math.isnan(self.estimate.score) else ""

    def undrawn(self, given: Collection[str]) -> str:
        """Explain why there are no random summaries; empty if there are."""
        return ""

    def incomparable(self, other: SampleScore, names: tuple[str, str]) -> str:
        """Explain why a difference from another system is withheld; else empty."""
        return ""

    def unused(self, method: str) -> tuple[str, ...]:
        """Return the settings without effect on a result whose score has no replicates."""
        by_unit = self.level is not None and (method == "two-point" or any(mean.averages for mean in self.means()))
        return ("n_resamples", "seed") if by_unit else ("n_resamples", "bootstrap", "seed")

    # Score and interval.

    def by_group(self, prefix: str = "") -> tuple[Floats, Floats]:
        """Return the sums and counts of each group that the formula takes, shape (groups,)."""
        assert self.over is not None
        names = [f"{prefix}{part}" for part in self.over]
        totals, counts = (np.array([self.sums.total(name, of) for of in self.groups()]) for name in names)
        return totals, counts

    def groups(self) -> list[str]:
        """List the groups of the formula."""
        assert self.over is not None
        return self.sums.of(self.over[1])

    def score(self, prefix: str = "") -> float:
        """Apply the formula to the sums; a prefix names those of some samples."""
        if self.withheld or not self.sums.n_samples:
            return math.nan
        if self.over is None:
            names = f"{prefix}{self.measure}", f"{prefix}n"
            return scalar(get_formula(self.measure)(*map(self.sums.total, names)))
        totals, counts = self.by_group(prefix)
        return scalar(get_formula(self.measure)(totals[counts > 0], counts[counts > 0]))

    @cached_property
    def estimate(self) -> Estimate:
        """Score with what its interval takes, except replicates."""
        return self.make_estimate()

    def make_estimate(self) -> Estimate:
        """Score and prepare the interval, see `estimate`."""
        measure = get_measure(self.measure)
        return Estimate.of_sums(self.score(), self.sums, self.measure, measure.averages, (measure.low, measure.high))

    def with_interval(self) -> Estimate:
        """Return the estimate with the interval of a result."""
        is_drawn = self.over is not None and self.level is not None and not self.estimate.withheld
        return self.with_replicates() if is_drawn else self.estimate

    def with_replicates(self) -> Estimate:
        """Return the estimate of a score over groups with its replicates."""
        estimate, (totals, counts) = self.estimate, self.by_group()
        if not len(drawn := self.drawn):
            return estimate
        there = counts > 0
        totals, counts = totals[there], counts[there]
        drawn_totals, drawn_counts = (part[:, there] for part in np.split(drawn, 2, axis=1))
        estimate = estimate._replace(replicates=self._formula(drawn_totals, drawn_counts))
        if len(counts) != 2 or not self.is_halved:
            moved = drawn_totals + (self.fair - totals / counts) * drawn_counts
            return estimate._replace(centered=self._formula(moved, drawn_counts))
        half, halves, most = _halved(totals, counts), _halved(drawn_totals, drawn_counts), estimate.limits[1]
        return estimate._replace(
            method="folded",
            absolute=lambda level: folded(drawn_interval(float(half), halves, level, estimate.n, (-most, most))),
        )

    @cached_property
    def drawn(self) -> Floats:
        """Sums and counts of each group in replicates, shape (B, 2 groups); empty if there are too few samples."""
        assert self.over is not None
        keys = [(part, group) for part in self.over for group in self.groups()]
        if self.sums.n_samples < 2:
            return np.empty((0, len(keys)))
        return self.sums.replicates(keys, n_resamples=self.settings.n_resamples, seed=self.settings.seed)

    def _formula(self, totals: Floats, counts: Floats) -> Floats:
        """Apply the formula to replicates; NaN if a group is missing."""
        return np.where((counts > 0).all(axis=1), get_formula(self.measure)(totals, counts), np.nan)

    # Figures.

    def mean(self, part: str, whole: str, *group: str) -> float:
        """Divide a sum by its number of entries; NaN for none, or if the score is withheld."""
        n = self.sums.total(whole, *group)
        return self.sums.total(part, *group) / n if n and not self.withheld else math.nan

    def by(self, column: str, whole: str = "") -> dict[str, int]:
        """Count the entries of each group of a column."""
        return {group: int(self.sums.total(whole or column, group)) for group in self.sums.of(column)}

    def _figures(self, mean: Mean) -> Iterator[tuple[str, Any]]:
        """Yield the entries of a mean with its intervals."""
        names = self.sums.of(mean.by) if isinstance(mean.by, str) else mean.by
        groups: list[tuple[str, ...]] = [()] if names is None else [(name,) for name in names]
        means = {group: self.mean(mean.part, mean.whole, *group) for group in groups}
        yield mean.key, _plain(means)
        if self.level is None or not mean.averages:
            return
        if mean.in_full:
            estimate = Estimate.of_sums(means[()], self.sums, mean.part, mean.averages, mean.limits)
            yield from estimate.keys(mean.key, self.level).items()
        else:
            yield f"{mean.key}_ci", _plain({group: list(self._ends(mean, group, self.level)) for group in groups})

    def _ends(self, mean: Mean, group: tuple[str, ...], level: float) -> Ends:
        keys = (mean.part, *group), (mean.whole, *group)
        if mean.averages == "shares":
            part, whole = (self.sums.total(*key) for key in keys)
            return share_interval(part, whole, level)
        return mean_interval(Moments.of(*map(self.sums.by_unit, keys)), level, mean.limits)

    # Results.

    def result(self, made: Mapping[str, object], given: Collection[str]) -> dict[str, Any]:
        """Make the result from plain Python numbers; `made` are the settings of the rows by signature key."""
        estimate = self.with_interval()
        result: dict[str, Any] = {self.measure: estimate.score}
        for mean in self.means():
            result |= self._figures(mean)
        result |= {**self.details(), **self.counts(), **numbers_of(self.sums), **self.signed(made, estimate)}
        if self.level is not None:
            result |= estimate.keys(self.measure, self.level)
        if math.isnan(estimate.score):
            result["undefined"] = self.undefined()
        level = self.at_random(given)
        return result if level is None else result | level.keys(self.measure)

    def signed(self, made: Mapping[str, object], estimate: Estimate) -> dict[str, Any]:
        """Return the effective settings and the signature of a result or a comparison."""
        unused = () if len(estimate.replicates) else self.unused(estimate.method)
        interval = None if self.level is None else estimate.method
        return signed({**made, **self.settings.keyed(self.measure, *unused), "interval": interval})

    def at_random(self, given: Collection[str]) -> ChanceLevel | None:
        """Compute the chance level; None if it was not asked for."""
        if not getattr(self.settings, "at_random", False):
            return None
        if reason := missing_draws(self.sums, self.undrawn(given)):
            return ChanceLevel(reason=reason)
        if self.over is None:
            return mean_level(self.sums, self.measure)
        scores = [scalar(get_formula(self.measure)(*self.random_sums(str(draw)))) for draw in range(self.n_draws)]
        if any(map(math.isnan, scores)):
            return ChanceLevel(reason=f"{self.measure.upper()} compares groups, but the data has only one")
        return level_of_draws(scores)

    def random_sums(self, draw: str) -> tuple[Floats, Floats]:
        """Return the sums and counts by group of random summaries."""
        assert self.over is not None
        totals = [self.sums.total(f"at_random_{self.over[0]}", group, draw) for group in self.groups()]
        return np.array(totals), self.by_group()[1]


def _halved(totals: Floats, counts: Floats) -> Floats:
    """Compute half the signed difference of two groups' means, shape (...)."""
    means = quotient(totals, counts)
    return np.asarray((means[..., 0] - means[..., 1]) / 2)


def _plain(entries: Mapping[tuple[str, ...], Any]) -> Any:
    """Return the only entry without a group, or group -> entry."""
    return entries[()] if () in entries else {group: entry for (group,), entry in entries.items()}


def numbers_of(sums: Sums) -> dict[str, Any]:
    """Count the scored and the skipped samples for a result."""
    return {
        "n_samples": sums.n_samples,
        "n_skipped": sums.skipped.total(),
        "skipped": dict(sorted(sums.skipped.items())),
    }
