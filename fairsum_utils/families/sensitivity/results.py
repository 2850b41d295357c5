"""Results of the sensitivity family: scores, intervals and warnings."""

from __future__ import annotations

from dataclasses import replace

from fairsum_utils.families.original_results import OriginalsResults
from fairsum_utils.families.sensitivity.rows import SensitivityTable
from fairsum_utils.families.sensitivity.samples import Originals
from fairsum_utils.families.sensitivity.tally import tally_of
from fairsum_utils.families.sensitivity.texts import copy_warnings
from fairsum_utils.families.warnings import WarningRecord
from fairsum_utils.measures import measures_of
from fairsum_utils.measures._sensitivity import SensitivityMeasure
from fairsum_utils.stats.sums import Sums

_SHARED = OriginalsResults(
    tally_of,
    SensitivityTable,
    Originals,
    same=("samples", "inputs"),
)
sums_of = _SHARED.sums_of
aggregate = _SHARED.aggregate
results_of = _SHARED.results_of
draw_systems = _SHARED.draw_systems
compare_systems = _SHARED.compare_systems


def warnings_of(sums: Sums, settings: SensitivityMeasure) -> list[WarningRecord]:
    """Warn about rows that weaken the scores, see `Tally.warnings_of`."""
    of_measures = [
        replace(warning, measure=measure)
        for measure in measures_of("sensitivity")
        for warning in tally_of(measure).warnings_of(sums)
    ]
    return [*copy_warnings(sums), *of_measures]
