"""Chance levels of Equal Coverage and Coverage Parity, from random sentences.

A random summary consists of sentences of the sample's sources, in random order and none twice, about as long as the
real summary. It is judged like the real one.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator

import numpy as np

from fairsum_utils.families.chance import DRAWN, N_DRAWS, ChanceLevel, levels_of, put_draws
from fairsum_utils.families.coverage.differences import Differences, put_coverage_parity
from fairsum_utils.families.coverage.rows import CoverageTable, DocumentCoverage
from fairsum_utils.families.coverage.settings import CoverageSettings
from fairsum_utils.measures import get_measure
from fairsum_utils.measures.coverage_parity import coverage_parity
from fairsum_utils.stats.arrays import scalar
from fairsum_utils.stats.sums import AnySums, Sums


class _Drawn(CoverageTable):
    """Table with random summaries in place of the real ones."""

    def __init__(self, table: CoverageTable, draw: int) -> None:
        self.columns = table.columns
        self._coverage = np.array(table.columns["at_random"].flat.array).reshape(-1, N_DRAWS)[:, draw]

    def __iter__(self) -> Iterator[DocumentCoverage]:
        start = 0
        for sample in super().__iter__():
            stop = start + len(sample.codes)
            yield sample._replace(coverage=self._coverage[start:stop])
            start = stop


def put_at_random(sums: Sums, table: CoverageTable, measures: Collection[str], settings: CoverageSettings) -> None:
    """Add the scores of random summaries to the sums of a table."""
    n_drawn = int(np.count_nonzero(table.columns["at_random"].lengths))
    sums.counts[DRAWN] = n_drawn
    if n_drawn < sums.n_units or not n_drawn:
        return
    of_draws = [Differences(_Drawn(table, draw), settings) for draw in range(N_DRAWS)]
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
    sums: AnySums, measures: Collection[str], settings: CoverageSettings, given: Collection[str]
) -> dict[str, ChanceLevel]:
    """Compute the chance level of each measure, if the settings ask for it."""
    if not settings.at_random:
        return {}
    return levels_of(sums, measures, _why_not(settings, given), {"coverage_parity": _parity_level})


def _parity_level(sums: AnySums) -> ChanceLevel:
    values = sums.of("documents")
    of_draws = []
    for draw in map(str, range(N_DRAWS)):
        extremes, counts = (
            [sums.total(f"at_random_{name}", value, draw) for value in values] for name in ("extreme", "extreme_n")
        )
        of_draws.append(scalar(coverage_parity(extremes, counts)))
    return ChanceLevel(math.fsum(of_draws) / N_DRAWS)


def draws_sentences(settings: CoverageSettings) -> bool:
    """Check whether random summaries can be judged without a model."""
    return settings.entailer == "lexical" and settings.splitter == "sentence"


def _why_not(settings: CoverageSettings, given: Collection[str]) -> str:
    """Return why there is no chance level; empty if there is one."""
    if "coverage" in given or "summary_units" in given:
        return "coverage or summary units were given, not only texts"
    if not draws_sentences(settings):
        return "it needs entailer='lexical' and splitter='sentence' (--entailer lexical)"
    return ""
