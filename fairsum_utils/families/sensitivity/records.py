"""Records of samples of the sensitivity family."""

from __future__ import annotations

from fairsum_utils.families.originals import OriginalsRecords
from fairsum_utils.families.sensitivity.inputs import Originals
from fairsum_utils.families.sensitivity.rows import SensitivityTable
from fairsum_utils.families.sensitivity.scorer import TALLIES, SensitivityScorer

recorded = OriginalsRecords(
    TALLIES.__getitem__,
    SensitivityTable,
    Originals,
    SensitivityScorer,
    always=("index", "skipped", "article", "variant", "control", "replicate", "n_tokens"),
).recorded
