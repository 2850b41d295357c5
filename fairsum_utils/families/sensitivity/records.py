"""Records of samples of the sensitivity family."""

from __future__ import annotations

from fairsum_utils.families.original_records import OriginalsRecords
from fairsum_utils.families.sensitivity.rows import SensitivityTable
from fairsum_utils.families.sensitivity.samples import Originals
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.tally import tally_of

_RECORDS = OriginalsRecords(
    tally_of,
    SensitivityTable,
    Originals,
    SensitivityScorer,
    always=("index", "article", "variant", "control", "replicate", "skipped", "n_tokens"),
)
sample_records = _RECORDS.sample_records
record_types = _RECORDS.record_types
