"""Chance levels of Equal Coverage and Coverage Parity, from random sentences.

A random summary consists of sentences of the sample's sources, in random order and none twice, about as long as the
real summary. It is judged like the real one.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from fairsum_utils.families.chance import DRAWN, N_JUDGED, ChanceLevel, level_of_draws, levels_of, put_draws
from fairsum_utils.families.coverage.differences import Differences, put_coverage_parity
from fairsum_utils.families.coverage.rows import CoverageTable
from fairsum_utils.measures import get_measure
from fairsum_utils.measures._coverage import CoverageMeasure
from fairsum_utils.measures.coverage_parity import coverage_parity
from fairsum_utils.stats.arrays import scalar
from fairsum_utils.stats.sums import Sums


def put_at_random(sums: Sums, table: CoverageTable, measures: Collection[str], real: Differences) -> None:
    """Add the scores of random summaries to the sums of a table.

    Args:
        sums: sums of the table.
        table: rows with random summaries.
        measures: names of the measures.
        real: differences of the real summaries.
    """
    n_drawn = int(np.count_nonzero(table.columns["at_random"].lengths))
    sums.counts[DRAWN] = n_drawn
    if n_drawn < sums.n_units or not n_drawn:
        return
    drawn = np.array(table.columns["at_random"].flat.array).reshape(-1, N_JUDGED)
    of_draws = [real.replaced(of_draw) for of_draw in np.ascontiguousarray(drawn.T)]
    for name in measures:
        if get_measure(name).averages:
            put_draws(sums, name, np.column_stack([differences.scores for differences in of_draws]))
            continue
        for draw, differences in enumerate(of_draws):
            extremes = Sums(len(differences))
            put_coverage_parity(extremes, differences)
            for (part, value), column in extremes.columns.items():
                sums.put_total((f"at_random_{part}", value, str(draw)), column.numbers)


def at_random(
    sums: Sums, measures: Collection[str], settings: CoverageMeasure, given: Collection[str]
) -> dict[str, ChanceLevel]:
    """Compute the chance level of each measure, if the settings ask for it."""
    if not settings.at_random:
        return {}
    return levels_of(sums, measures, _why_not(settings, given), {"coverage_parity": _parity_level})


def _parity_level(sums: Sums) -> ChanceLevel:
    values = sums.of("documents")
    of_draws = []
    for draw in map(str, range(N_JUDGED)):
        extremes, counts = (
            [sums.total(f"at_random_{name}", value, draw) for value in values] for name in ("extreme", "extreme_n")
        )
        of_draws.append(scalar(coverage_parity(extremes, counts)))
    return level_of_draws(of_draws)


def draws_sentences(settings: CoverageMeasure) -> bool:
    """Check whether random summaries can be judged without a model."""
    return settings.entailer == "lexical" and settings.splitter == "sentence"


def _why_not(settings: CoverageMeasure, given: Collection[str]) -> str:
    """Return why there is no chance level; empty if there is one."""
    if "coverage" in given or "summary_units" in given:
        return "coverage or summary units were given, not only texts"
    if not draws_sentences(settings):
        return "it needs entailer='lexical' and splitter='sentence' (--entailer lexical)"
    return ""
