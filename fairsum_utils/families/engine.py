"""Engine of results: the base of scores, and the functions of families.

A measure is a mean over samples (`fairsum_utils.families.means`), a score over groups (`spreads`), or a score over
originals (`tally`). Families declare what is particular to each.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from fairsum_utils.families.chance import ChanceLevel
from fairsum_utils.families.contract import Results, System
from fairsum_utils.families.warnings import CountWarning, WarningRecord
from fairsum_utils.measures import get_formula
from fairsum_utils.stats.intervals import Estimate, paired_comparison
from fairsum_utils.stats.sums import Sums


class Score(ABC):
    """A measure on a data set: its score, and what is declared of it.

    Args:
        sums: sums of the data set's rows.
        settings: the measure.

    Attributes:
        level: confidence level; None without intervals.
        shares_draws: the score is a mean over samples, whose replicates are drawn with those of other means.
    """

    shares_draws: bool = False

    def __init__(self, sums: Sums, settings: Any) -> None:
        self.sums, self.settings = sums, settings
        self.level: float | None = settings.confidence_level

    @cached_property
    @abstractmethod
    def estimate(self) -> Estimate:
        """Score with what its interval takes."""

    @abstractmethod
    def result(self, made: Mapping[str, object]) -> dict[str, Any]:
        """Make the result from plain Python numbers.

        Args:
            made: settings of the rows by key of the signature.
        """

    @abstractmethod
    def signed(self, made: Mapping[str, object], difference: Estimate | None = None) -> dict[str, Any]:
        """Return effective settings and signature of the result, or of a difference."""

    @abstractmethod
    def undefined(self) -> str:
        """Explain why the score is undefined."""

    @property
    def warned(self) -> Sequence[CountWarning]:
        """Warnings about the sums, whether they apply or not."""
        return ()

    def warnings(self) -> list[WarningRecord]:
        """List the warnings that apply."""
        return [record for warning in self.warned for record in warning.records(self.sums)]

    @classmethod
    def used(cls, given: Collection[str], *systems: Sums) -> Collection[str]:
        """Return the given columns that the measure used."""
        return given

    def with_replicates(self) -> Estimate:
        """Return the estimate with replicates, for comparisons."""
        return self.estimate

    def why_undefined(self, system: str) -> str:
        """Explain why the score of a system is undefined; empty if it is not."""
        return "" if math.isfinite(self.estimate.score) else self.undefined()

    def incomparable(self, other: Any, names: tuple[str, str]) -> str:
        """Explain why a difference from another system is withheld; else empty."""
        return ""

    def at_random(self, given: Collection[str]) -> ChanceLevel | None:
        """Compute the chance level; None without one."""
        return None

    def numbers(self) -> dict[str, Any]:
        """Count the scored and the skipped samples for a result."""
        return {
            "n_samples": self.sums.n_samples,
            "n_skipped": self.sums.skipped.total(),
            "skipped": dict(sorted(self.sums.skipped.items())),
        }


class Engine:
    """Functions of a family, see `Family`.

    Args:
        sums_of: function that sums up a table.
        scores: measure -> its declaration.
        common: warnings that concern all measures.
    """

    def __init__(
        self,
        sums_of: Callable[..., Sums],
        scores: Mapping[str, type[Score]],
        common: Sequence[CountWarning] = (),
    ) -> None:
        self.sums_of, self.scores, self.common = sums_of, scores, common

    def of(self, sums: Sums, measures: Sequence[str], settings: Any) -> dict[str, Score]:
        """Return the measures of a data set by name."""
        return {name: self.scores[name](sums, settings.of(name)) for name in measures}

    def results_of(
        self, sums: Sums, measures: Sequence[str], settings: Any, scorer: Any, given: Collection[str]
    ) -> Results:
        """Compute measures from the sums of a data set.

        The cards in ``metrics/`` list every key.
        """
        results: Results = {}
        for name, score in self.of(sums, measures, settings).items():
            results[name] = score.result(scorer.signature(name, score.used(given, sums)))
            if (level := score.at_random(given)) is not None:
                results[name] |= level.keys(name)
        return results

    def warnings_of(self, sums: Sums, settings: Any) -> list[WarningRecord]:
        """List the warnings about the scores of a system."""
        found = [record for warning in self.common for record in warning.records(sums)]
        for name, score in self.of(sums, settings.names, settings).items():
            found += [replace(record, measure=name) for record in score.warnings()]
        return found

    def draw_systems(self, systems: Sequence[Sums], measures: Sequence[str], settings: Any) -> list[System]:
        """Score several systems on the same samples with the same bootstrap draws."""
        scores = [self.of(sums, measures, settings) for sums in systems]
        return [System(sums, each, _drawn(each)) for sums, each in zip(systems, scores, strict=True)]

    def compare_systems(self, a: System, b: System, scorer: Any, given: Collection[str]) -> Results:
        """Compare two systems on the same samples by a paired bootstrap.

        Returns:
            For each measure: ``difference`` (B minus A; below 0 B is fairer), ``difference_ci``, ``p_value``
            (two-sided, never 0), ``lost`` (share of undefined replicates), ``n_samples``, of originals also
            ``n_articles``, ``settings`` and ``signature``; ``undefined`` gives the reason when there is no interval.
        """
        found: Results = {}
        for name, score in a.scores.items():
            found[name] = compared(a, b, name, scorer.signature(name, score.used(given, a.sums, b.sums)))
        return found


def _drawn(scores: Mapping[str, Score]) -> dict[str, Estimate]:
    """Return all estimates with replicates; those of means over samples share their draws."""
    found = {name: score.with_replicates() for name, score in scores.items()}
    means = [name for name, score in scores.items() if score.shares_draws and score.sums.n_samples > 1]
    if means:
        first, keys = scores[means[0]], [("n",), *((name,) for name in means)]
        n_resamples, seed = first.settings.n_resamples, first.settings.seed
        n, *totals = first.sums.replicates(keys, n_resamples=n_resamples, seed=seed).T
        for name, column in zip(means, totals, strict=True):
            found[name] = found[name]._replace(replicates=get_formula(name)(column, n))
    return found


def compared(a: System, b: System, measure: str, made: Mapping[str, object]) -> dict[str, Any]:
    """Compare two systems by one measure.

    Args:
        a: system A.
        b: system B, of one draw with system A.
        measure: name of the measure.
        made: settings of the rows by key of the signature.
    """
    first, second = a.scores[measure], b.scores[measure]
    one, other = a.drawn[measure], b.drawn[measure]
    if not (len(one.replicates) and len(other.replicates)):  # one of them has no replicates
        one, other = (estimate._replace(replicates=np.empty(0)) for estimate in (one, other))
    numbers = first.numbers()
    result: dict[str, Any] = {
        **paired_comparison(one, other, first.settings.confidence_level),
        **{key: numbers[key] for key in ("n_samples", "n_articles") if key in numbers},
        **first.signed(made, one.minus(other)),
    }
    reasons = (
        first.why_undefined(a.name),
        second.why_undefined(b.name),
        first.incomparable(second, (a.name, b.name)),
    )
    if reason := next(filter(None, reasons), ""):
        result |= {"difference_ci": [math.nan, math.nan], "p_value": math.nan, "undefined": reason}
    return result
