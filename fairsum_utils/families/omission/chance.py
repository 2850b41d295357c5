"""Chance level of Omission, from random extracts as long as the summary."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from fairsum_utils.families.chance import DRAWN, ChanceLevel, levels_of, put_draws
from fairsum_utils.families.omission.rows import OmissionTable
from fairsum_utils.measures.omission import Omission
from fairsum_utils.stats.sums import AnySums, Sums

# Models that read pairs would judge a hundred extracts a sample.
_WHY_NOT = "only the entailers 'lexical' and 'embeddings' (--omission-entailer) have one"


def put_at_random(sums: Sums, table: OmissionTable) -> None:
    """Add the scores of random extracts to the sums of a table."""
    draws = [scores for scores in table.columns["at_random"].items() if scores]
    sums.counts[DRAWN] = len(draws)
    if draws and len(draws) == sums.n_units:
        put_draws(sums, "omission", np.array(draws))


def at_random(
    sums: AnySums, measures: Collection[str], settings: Omission, given: Collection[str]
) -> dict[str, ChanceLevel]:
    """Compute the chance level of each measure, if the settings ask for it."""
    if not settings.at_random:
        return {}
    return levels_of(sums, measures, _WHY_NOT, {})
