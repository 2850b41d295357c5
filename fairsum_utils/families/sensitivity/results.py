"""Results of the sensitivity family: scores, intervals and warnings."""

from __future__ import annotations

from dataclasses import replace

from fairsum_utils.families.original_results import OriginalsResults
from fairsum_utils.families.sensitivity.inputs import Originals
from fairsum_utils.families.sensitivity.rows import SensitivityTable
from fairsum_utils.families.sensitivity.scorer import TALLIES
from fairsum_utils.families.warnings import COPIES, SAME_SUMMARIES, WarningRecord
from fairsum_utils.measures._sensitivity import SensitivityMeasure
from fairsum_utils.stats.sums import Sums

_SHARED = OriginalsResults(
    TALLIES.__getitem__,
    SensitivityTable,
    Originals,
    same=("samples", "inputs"),
)
sums_of = _SHARED.sums_of
aggregate = _SHARED.aggregate
results_of = _SHARED.results_of
draw_systems = _SHARED.draw_systems
compare_systems = _SHARED.compare_systems


# Summaries that are always the same, or copies, score as if nothing mattered; the results warn of them.
_FEW = 0.05
"""Least share of summaries alike to warn of: fewer may be alike by chance."""
_SAME = "{} summaries are identical to summaries of other originals, so they cannot depend on a person or an order"
_COPIED = "{} summaries seem to copy their input: they contain every changed word, or all of the sources"


def warnings_of(sums: Sums, settings: SensitivityMeasure) -> list[WarningRecord]:
    """Warn about rows that weaken the scores, see `Tally.warnings_of`."""
    same, distinct, copies = (sums.counts[(name,)] for name in ("same_summaries", "distinct_summaries", "copies"))
    alike = [
        *WarningRecord.of(SAME_SUMMARIES, same, distinct, _SAME),
        *WarningRecord.of(COPIES, copies, sums.n_samples, _COPIED),
    ]
    of_measures = [
        replace(warning, measure=measure) for measure, tally in TALLIES.items() for warning in tally.warnings_of(sums)
    ]
    return [*(warning for warning in alike if warning.share >= _FEW), *of_measures]
