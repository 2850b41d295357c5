"""Results of the sensitivity family."""

from __future__ import annotations

from functools import partial

from fairsum_utils.families.engine import Engine
from fairsum_utils.families.originals import OriginalsRecords, sum_originals
from fairsum_utils.families.sensitivity.inputs import Originals
from fairsum_utils.families.sensitivity.rows import SensitivityTable
from fairsum_utils.families.sensitivity.scorer import TALLIES, SensitivityScorer
from fairsum_utils.families.warnings import COPIES, SAME_SUMMARIES, CountWarning

_FEW = 0.05
"""Least share of summaries alike to warn of: fewer may be alike by chance."""
_ALIKE = (
    CountWarning(
        SAME_SUMMARIES,
        "{} summaries are identical to summaries of other originals, so they cannot depend on a person or an order",
        "same_summaries",
        "distinct_summaries",
        _FEW,
    ),
    CountWarning(
        COPIES,
        "{} summaries seem to copy their input: they contain every changed word, or all of the sources",
        "copies",
        least=_FEW,
    ),
)
"""Warnings about summaries that are always the same, or copies, and score as if nothing mattered."""


recorded = OriginalsRecords(
    TALLIES.__getitem__,
    SensitivityTable,
    Originals,
    SensitivityScorer,
    always=("index", "skipped", "article", "variant", "control", "replicate", "n_tokens"),
).recorded


ENGINE = Engine(partial(sum_originals, Originals, TALLIES), TALLIES, _ALIKE)
