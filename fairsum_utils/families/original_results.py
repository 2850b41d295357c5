"""Verbs of families with originals: sums, results, warnings and comparisons."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.families.contract import Results, System
from fairsum_utils.families.originals import ScoredOriginals
from fairsum_utils.families.tally import OriginalsTally
from fairsum_utils.families.warnings import CountWarning, WarningRecord
from fairsum_utils.stats.intervals import paired_comparison
from fairsum_utils.stats.sums import Column, Key, Sums, check_same_samples


class OriginalsResults(NamedTuple):
    """Verbs of a family with originals, see `Family`.

    Attributes:
        originals: class of the scored originals of a table.
        tallies: measure -> its declaration.
        same: names of columns that do not depend on the system.
        common: warnings that concern all measures.
    """

    originals: type[ScoredOriginals]
    tallies: Mapping[str, type[OriginalsTally]]
    same: Sequence[str]
    common: Sequence[CountWarning] = ()

    def sums_of(self, table: Any, measures: Sequence[str], settings: Any, scorer: Any = None) -> Sums:
        """Sum a table; its units are originals with all of their samples."""
        originals = self.originals(table, settings)
        sums, columns = originals.sums(), dict[Key, Column]()
        for name in measures:
            columns |= self.tallies[name].put(sums, originals, scorer)
            sums.counts[_asked(name)] = 1
        originals.redraw_later(sums, columns)
        return sums

    def results_of(
        self, sums: Sums, measures: Sequence[str], settings: Any, scorer: Any, given: Collection[str]
    ) -> Results:
        """Compute measures from the sums of a data set."""
        found: Results = {}
        for name in measures:
            tally = self.tallies[name](sums, settings)
            found[name] = tally.result(scorer.signature(name, tally.used(given, sums)))
        return found

    def warnings_of(self, sums: Sums, settings: Any) -> list[WarningRecord]:
        """List the warnings about the scores of a system."""
        found = [record for warning in self.common for record in warning.records(sums)]
        for name, tally in self.tallies.items():
            if sums.counts[_asked(name)]:
                found += [replace(record, measure=name) for record in tally(sums, settings).warnings()]
        return found

    def draw_systems(
        self, systems: Sequence[Sums], measures: Sequence[str], settings: Any, scorer: Any = None
    ) -> list[System]:
        """Score several systems on the same samples with the same bootstrap draws."""
        check_same_samples(systems, *self.same)
        found = []
        for sums in systems:
            tallies = {name: self.tallies[name](sums, settings) for name in measures}
            found.append(System(sums, {name: tally.estimate for name, tally in tallies.items()}, tallies))
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
        """Compare two systems on the same samples by a paired bootstrap over originals.

        Returns:
            For each measure: ``a``, ``b``, ``difference`` (B minus A; below 0 B is fairer), ``difference_ci``,
            ``p_value`` (two-sided, never 0), ``lost`` (share of replicates that are undefined), ``n_samples``,
            ``n_articles``, ``n_skipped``, ``settings`` and ``signature``; ``undefined`` gives the reason when there is
            no interval.
        """
        found: Results = {}
        for name in measures:
            made = scorer.signature(name, self.tallies[name].used(given, a.sums, b.sums))
            found[name] = compared(a.details[name], b.details[name], made) | {"n_skipped": n_skipped}
        return found


def _asked(measure: str) -> Key:
    """Return the count that says that a measure was asked for."""
    return "asked", measure


def compared(a: OriginalsTally, b: OriginalsTally, made: Mapping[str, object]) -> dict[str, Any]:
    """Compare two systems by one measure.

    Args:
        a: score of system A.
        b: score of system B, with replicates from the same draws.
        made: settings of the rows by key of the signature.
    """
    first, second = a.estimate, b.estimate
    if not (len(first.replicates) and len(second.replicates)):  # of one of them nothing can be drawn
        first, second = (estimate._replace(replicates=np.empty(0)) for estimate in (first, second))
    assert a.level is not None
    result = {
        **paired_comparison(first, second, a.level),
        "n_samples": a.sums.n_samples,
        "n_articles": a.n_articles,
        **a.signed(made, first.minus(second).method),
    }
    for tally in (a, b):
        if not math.isfinite(tally.estimate.score):
            result["undefined"] = tally.undefined()
    return result
