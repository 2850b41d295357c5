"""Verbs of families whose units are samples: results, chance levels, warnings and comparisons."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from fairsum_utils.families.chance import ChanceLevel
from fairsum_utils.families.contract import Results, System
from fairsum_utils.families.engine import SampleScore
from fairsum_utils.families.spreads import SpreadScore
from fairsum_utils.families.warnings import WarningRecord
from fairsum_utils.measures import get_formula
from fairsum_utils.stats.intervals import Estimate, paired_comparison
from fairsum_utils.stats.sums import Sums, check_same_samples


class SampleResults(NamedTuple):
    """Verbs of a family whose units are samples, see `Family`.

    Attributes:
        sums_of: function that sums up a table.
        scores: measure -> its declaration.
    """

    sums_of: Callable[..., Sums]
    scores: Mapping[str, type[SampleScore]]

    def of(self, sums: Sums, measures: Sequence[str], settings: Any) -> dict[str, SampleScore]:
        """Return the measures of a data set by name."""
        return {name: self.scores[name](name, sums, settings) for name in measures}

    def results_of(
        self, sums: Sums, measures: Sequence[str], settings: Any, scorer: Any, given: Collection[str]
    ) -> Results:
        """Compute measures from the sums of a data set.

        The cards in ``metrics/`` list every key.
        """
        made, results = scorer.signature(measures[0], given), dict[str, dict[str, Any]]()
        for name, score in self.of(sums, measures, settings).items():
            results[name] = score.result(made, given)
        return results

    def at_random(
        self, sums: Sums, measures: Sequence[str], settings: Any, given: Collection[str]
    ) -> dict[str, ChanceLevel]:
        """Compute the chance levels that were asked for."""
        levels = {name: score.at_random(given) for name, score in self.of(sums, measures, settings).items()}
        return {name: level for name, level in levels.items() if level is not None}

    def warnings_of(self, sums: Sums, settings: Any) -> list[WarningRecord]:
        """List the warnings about the scores of a system."""
        [score] = self.of(sums, (settings.name,), settings).values()
        return [record for warning in score.warnings() for record in warning.records(sums)]

    def draw_systems(
        self, systems: Sequence[Sums], measures: Sequence[str], settings: Any, scorer: Any = None
    ) -> list[System]:
        """Score several systems on the same samples with the same bootstrap draws."""
        check_same_samples(systems, *(name for measure in measures for name in self.scores[measure].same))
        found = []
        for sums in systems:
            scores = self.of(sums, measures, settings)
            found.append(System(sums, _drawn(scores, sums, settings), scores))
        return found

    def compare_systems(
        self,
        a: System,
        b: System,
        measures: Sequence[str],
        settings: Any,
        scorer: Any,
        given: Collection[str],
        n_skipped: int = 0,
    ) -> Results:
        """Compare two systems on the same samples by a paired bootstrap.

        Returns:
            For each measure: ``a``, ``b``, ``difference`` (B minus A; below 0 B is fairer), ``difference_ci``,
            ``p_value`` (two-sided, never 0), ``lost`` (share of replicates that lost a group), ``n_samples``,
            ``n_skipped``, chance levels, ``settings`` and ``signature``; ``undefined`` gives the reason when there is
            no interval.
        """
        made = scorer.signature(measures[0], given)
        return {name: _compared(a, b, name, made, given) | {"n_skipped": n_skipped} for name in measures}


def _drawn(scores: Mapping[str, SampleScore], sums: Sums, settings: Any) -> dict[str, Estimate]:
    """Return all scores with replicates; those of means share their draws."""
    found = {name: score.estimate for name, score in scores.items()}
    if sums.n_samples < 2:
        return found
    if means := [name for name, each in found.items() if each.totals is not None and len(each.totals)]:
        keys = [("n",), *((name,) for name in means)]
        n, *totals = sums.replicates(keys, n_resamples=settings.n_resamples, seed=settings.seed).T
        for name, column in zip(means, totals, strict=True):
            found[name] = found[name]._replace(replicates=get_formula(name)(column, n))
    return found | {name: each.with_replicates() for name, each in scores.items() if isinstance(each, SpreadScore)}


def _compared(a: System, b: System, name: str, made: Mapping[str, object], given: Collection[str]) -> dict[str, Any]:
    """Compare two systems by one measure."""
    scores: dict[str, SampleScore] = {"a": a.details[name], "b": b.details[name]}
    first, second = scores.values()
    one, other = a.drawn[name], b.drawn[name]
    assert first.level is not None
    result = paired_comparison(one, other, first.level)
    reasons = [first.why_nan(a.name), second.why_nan(b.name), first.incomparable(second, (a.name, b.name))]
    if reason := next(filter(None, reasons), ""):
        result |= {"difference_ci": [math.nan, math.nan], "p_value": math.nan, "undefined": reason}
    result["n_samples"] = first.sums.n_samples
    for key in first.by_system:
        result |= {f"{key}_{system}": score.counts()[key] for system, score in scores.items()}
    result |= first.signed(made, one.minus(other))
    for system, score in reversed(scores.items()):  # the reason of the first stays
        if (level := score.at_random(given)) is not None:
            result |= level._replace(ends=None).keys(system)
    return result
