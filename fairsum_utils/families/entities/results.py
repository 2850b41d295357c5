"""Results of the entities family."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from fairsum_utils.families.engine import Engine
from fairsum_utils.families.entities.samples import Originals
from fairsum_utils.families.entities.tally import Tally
from fairsum_utils.families.originals import sum_originals
from fairsum_utils.families.tally import tallies_of

TALLIES: Mapping[str, type[Tally]] = tallies_of("entities")
"""Measure -> its tally."""
ENGINE = Engine(partial(sum_originals, Originals, TALLIES), TALLIES)
