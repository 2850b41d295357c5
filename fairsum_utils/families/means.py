"""Means over samples: scores, intervals, chance levels and figures by group, made from declarations.

A family declares in its ``results.py`` what is particular to each measure, as a subclass of `SampleScore`: means,
counts, warnings, and reasons to withhold a score. The formula is in the measure's own file.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

from fairsum_utils.families.chance import ChanceLevel, mean_level, missing_draws
from fairsum_utils.families.effective import signed
from fairsum_utils.families.engine import Score
from fairsum_utils.measures import get_formula
from fairsum_utils.stats.arrays import scalar
from fairsum_utils.stats.intervals import (
    Ends,
    Estimate,
    Moments,
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


class SampleScore(Score):
    """A mean over the samples of a data set; subclasses declare the rest."""

    shares_draws = True

    def __init__(self, sums: Sums, settings: Any) -> None:
        super().__init__(sums, settings)
        self.measure: str = settings.name

    # Declarations of a family.

    def means(self) -> Sequence[Mean]:
        """List the means of the result."""
        return ()

    def counts(self) -> dict[str, Any]:
        """Count what the result counts besides samples."""
        return {}

    def details(self) -> dict[str, Any]:
        """Compute the figures that are neither means nor counts."""
        return {}

    @cached_property
    def withheld(self) -> str:
        """Reason to withhold a score that could be computed; else empty."""
        return ""

    def undefined(self) -> str:
        """Explain why the score is NaN."""
        return self.withheld or "no sample was scored"

    def why_undefined(self, system: str) -> str:
        """Explain why the score of a system is undefined; empty if it is not."""
        return f"{system}: {self.withheld}" if self.withheld else super().why_undefined(system)

    def undrawn(self, given: Collection[str]) -> str:
        """Explain why there are no random summaries; empty if there are."""
        return ""

    def unused(self, method: str) -> tuple[str, ...]:
        """Return the settings without effect on a result whose score has no replicates."""
        by_unit = self.level is not None and (method == "two-point" or any(mean.averages for mean in self.means()))
        return ("n_resamples", "seed") if by_unit else ("n_resamples", "bootstrap", "seed")

    # Score and interval.

    def score(self, prefix: str = "") -> float:
        """Apply the formula to the sums; a prefix names those of some samples."""
        if self.withheld or not self.sums.n_samples:
            return math.nan
        return scalar(self.formula(self.sums.total(f"{prefix}{self.measure}"), self.sums.total(f"{prefix}n")))

    @property
    def formula(self) -> Callable[..., Any]:
        """Formula of the measure, which takes sums and counts."""
        return get_formula(self.measure)

    @cached_property
    def estimate(self) -> Estimate:
        """Score with what its interval takes, except replicates."""
        limits = self.settings.low, self.settings.high
        return Estimate.of_sums(self.score(), self.sums, self.measure, self.settings.averages, limits)

    @cached_property
    def shown(self) -> Estimate:
        """Estimate with the interval of the result."""
        return self.estimate

    # Figures.

    def mean(self, part: str, whole: str, *group: str) -> float:
        """Divide a sum by its entries; NaN without any, or if withheld."""
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

    def result(self, made: Mapping[str, object]) -> dict[str, Any]:
        """Make the result, see `Score.result`."""
        estimate = self.shown
        result: dict[str, Any] = {self.measure: estimate.score}
        for mean in self.means():
            result |= self._figures(mean)
        result |= {**self.details(), **self.counts(), **self.numbers(), **self.signed(made)}
        if self.level is not None:
            result |= estimate.keys(self.measure, self.level)
        if math.isnan(estimate.score):
            result["undefined"] = self.undefined()
        return result

    def signed(self, made: Mapping[str, object], difference: Estimate | None = None) -> dict[str, Any]:
        """Return effective settings and signature of the result, or of a difference."""
        estimate = self.shown if difference is None else difference
        unused = () if len(estimate.replicates) else self.unused(estimate.method)
        interval = None if self.level is None else estimate.method
        return signed({**made, **self.settings.keyed(self.measure, *unused), "interval": interval})

    def at_random(self, given: Collection[str]) -> ChanceLevel | None:
        """Compute the chance level; None if it was not asked for."""
        if not getattr(self.settings, "at_random", False):
            return None
        if reason := missing_draws(self.sums, self.undrawn(given)):
            return ChanceLevel(reason=reason)
        return self.level_of_draws()

    def level_of_draws(self) -> ChanceLevel:
        """Compute the chance level of samples that all have random summaries."""
        return mean_level(self.sums, self.measure)


def _plain(entries: Mapping[tuple[str, ...], Any]) -> Any:
    """Return the only entry without a group, or group -> entry."""
    return entries[()] if () in entries else {group: entry for (group,), entry in entries.items()}
