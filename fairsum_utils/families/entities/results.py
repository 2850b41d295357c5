"""Results of the entities family."""

from __future__ import annotations

from functools import partial

from fairsum_utils.families.engine import Engine
from fairsum_utils.families.entities.distinguishability import Distinguishability
from fairsum_utils.families.entities.entity_hallucination import Hallucination
from fairsum_utils.families.entities.entity_inclusion import Inclusion
from fairsum_utils.families.entities.samples import Originals
from fairsum_utils.families.entities.tally import Tally
from fairsum_utils.families.entities.word_list_inclusion import WordLists
from fairsum_utils.families.originals import sum_originals

_MEASURES: tuple[type[Tally], ...] = (WordLists, Inclusion, Hallucination, Distinguishability)
TALLIES = {tally.measure: tally for tally in _MEASURES}
"""Measure -> its tally."""
_OF_SOURCES = tuple(tally.name(tally.of_sources) for tally in _MEASURES if tally.of_sources)
ENGINE = Engine(partial(sum_originals, Originals, TALLIES), TALLIES, ("samples", *_OF_SOURCES))
