"""Results of the sensitivity family."""

from __future__ import annotations

from fairsum_utils.families.original_engine import OriginalsEngine
from fairsum_utils.families.sensitivity.inputs import Originals
from fairsum_utils.families.sensitivity.rows import SensitivityTable
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
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
_ALWAYS = ("index", "skipped", "article", "variant", "control", "replicate", "n_tokens")
ENGINE = OriginalsEngine("sensitivity", Originals, SensitivityTable, SensitivityScorer, _ALWAYS, _ALIKE)
