"""Results of the entities family: scores and intervals."""

from __future__ import annotations

from fairsum_utils.families.entities.distinguishability import Distinguishability
from fairsum_utils.families.entities.rows import EntityTable
from fairsum_utils.families.entities.samples import Originals
from fairsum_utils.families.entities.tallies import Hallucination, Inclusion, Tally, WordLists
from fairsum_utils.families.original_results import OriginalsResults

_MEASURES: tuple[type[Tally], ...] = (WordLists, Inclusion, Hallucination, Distinguishability)
TALLIES = {tally.measure: tally for tally in _MEASURES}
"""Measure -> its tally."""
_SHARED = OriginalsResults(
    TALLIES.__getitem__,
    EntityTable,
    Originals,
    same=("samples", *(tally.name(tally.of_sources) for tally in _MEASURES if tally.of_sources)),
)
sums_of = _SHARED.sums_of
aggregate = _SHARED.aggregate
results_of = _SHARED.results_of
draw_systems = _SHARED.draw_systems
compare_systems = _SHARED.compare_systems
