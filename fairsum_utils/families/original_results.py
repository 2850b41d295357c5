"""Results of families with originals: sums and comparisons."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.families.contract import Results, System
from fairsum_utils.families.originals import OrderedTable, ScoredOriginals
from fairsum_utils.families.tally import OriginalsTally
from fairsum_utils.stats.intervals import paired_comparison
from fairsum_utils.stats.sums import Column, Key, Sums, check_same_samples


def drawn_system(sums: Sums, tallies: Mapping[str, OriginalsTally]) -> System:
    """Return a system with the scores of its measures and their replicates."""
    return System(sums, {measure: tally.drawn_score() for measure, tally in tallies.items()}, tallies)


def compare_originals(
    a: System, b: System, measure: str, scored: Mapping[str, object], *, n_skipped: int = 0
) -> dict[str, Any]:
    """Compare two systems on the same samples by a paired bootstrap over originals.

    Returns:
        ``a``, ``b``, ``difference`` (B minus A; below 0 B is fairer), ``difference_ci``, ``p_value`` (two-sided,
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
        if not math.isfinite(drawn.score):
            result["undefined"] = system.details[measure].undefined()
    return result


class OriginalsResults(NamedTuple):
    """Functions of ``results.py`` for families with originals.

    Attributes:
        tally_of: measure -> its tally.
        table: table class.
        originals: class of the scored originals of a table.
        same: columns that must agree between compared systems.
    """

    tally_of: Callable[[str], type[OriginalsTally]]
    table: type[OrderedTable[Any]]
    originals: type[ScoredOriginals[Any]]
    same: Sequence[str]

    def sums_of(self, table: Any, measures: Sequence[str], settings: Any, scorer: Any = None) -> Sums:
        """Sum a table; its units are originals with all of their samples."""
        originals = self.originals(table, settings)
        sums, columns = originals.sums(), dict[Key, Column]()
        for name in measures:
            columns |= self.tally_of(name).put(sums, originals, scorer)
        originals.redraw_later(sums, columns)
        return sums

    def results_of(
        self, sums: Sums, measures: Sequence[str], settings: Any, scorer: Any, given: Collection[str]
    ) -> Results:
        """Compute measures from the sums of a data set."""
        found: Results = {}
        for name in measures:
            scored = scorer.signature(name, self.tally_of(name).used(given, sums))
            found[name] = self.aggregate(sums, name, settings, scored, scorer.groups(name))
        return found

    def aggregate(
        self, sums: Sums, measure: str, settings: Any, scored: Mapping[str, object], groups: Sequence[str] = ()
    ) -> dict[str, Any]:
        """Compute one measure, with the keys of `scored` in its signature."""
        return self.tally_of(measure)(sums, settings, groups).result(scored)

    def draw_systems(
        self, systems: Sequence[Sums], measures: Sequence[str], settings: Any, scorer: Any = None
    ) -> list[System]:
        """Score several systems on the same samples with the same bootstrap draws."""
        check_same_samples(systems, *self.same)
        tallies: list[dict[str, OriginalsTally]] = [{} for _ in systems]
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
