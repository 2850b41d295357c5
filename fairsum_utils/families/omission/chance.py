"""Chance level of matters that are not found, from random extracts."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from fairsum_utils.families.chance import DRAWN, ChanceLevel, beside_scores, levels_of, put_draws
from fairsum_utils.families.omission.rows import OmissionTable
from fairsum_utils.measures.omission import Omission
from fairsum_utils.stats.sums import Sums

_WHY_NOT = "an entailer that reads meaning would have to judge a hundred random extracts of each sample"


def put_at_random(sums: Sums, table: OmissionTable) -> None:
    """Add the scores of random extracts to the sums of a table."""
    draws = [scores for scores in table.columns["at_random"].items() if scores]
    sums.counts[DRAWN] = len(draws)
    if draws and len(draws) == sums.n_units:
        put_draws(sums, "omission", np.array(draws))


def at_random(
    sums: Sums, measures: Collection[str], settings: Omission, given: Collection[str]
) -> dict[str, ChanceLevel]:
    """Explain why a score has no chance level."""
    if not settings.at_random or not settings.reads_meaning:
        return {}
    return levels_of(sums, measures, _WHY_NOT, {})


def not_found_at_random(sums: Sums, settings: Omission) -> dict[str, Any]:
    """Return the share that random extracts leave out, if asked for."""
    if not settings.at_random:
        return {}
    [level] = levels_of(sums, ["omission"], _WHY_NOT, {}).values()
    return beside_scores({"not_found": {}}, {"not_found": level})["not_found"]
