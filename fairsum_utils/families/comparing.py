"""The comparison of two systems whose samples come from originals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from fairsum_utils.families.contract import System
from fairsum_utils.families.tally import OriginalsTally
from fairsum_utils.stats.intervals import paired_comparison
from fairsum_utils.stats.sums import AnySums


def drawn_system(sums: AnySums, tallies: Mapping[str, OriginalsTally[Any]]) -> System:
    """A system with the scores of its measures and their replicates.

    Args:
        sums: of its rows.
        tallies: measure -> what it makes of them.
    """
    return System(sums, {measure: tally.drawn_score() for measure, tally in tallies.items()}, tallies)


def compare_originals(
    a: System, b: System, measure: str, scored: Mapping[str, object], *, n_skipped: int = 0
) -> dict[str, Any]:
    """Compare two systems on the same samples by a paired bootstrap over originals.

    Args:
        a: system A, of `drawn_system`; the settings of its measures have a confidence level, and are seeded.
        b: system B, drawn with it.
        measure: its name.
        scored: what changes the rows, for the signature.
        n_skipped: samples that were left out because a system left them without a score.

    Returns:
        ``a``, ``b``, ``difference`` (A minus B; below zero A is fairer), ``difference_ci``, ``p_value`` (two-sided,
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
        if math.isnan(drawn.score):
            result["undefined"] = system.details[measure].undefined()
    return result
