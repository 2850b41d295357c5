"""Coverage Parity from records of samples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairsum_utils.analysis.dominance import extreme_columns
from fairsum_utils.analysis.records import Record, record_entries
from fairsum_utils.measures.coverage_parity import coverage_parity
from fairsum_utils.stats.arrays import scalar


def parity_of(module: str, name: str, samples: Sequence[Record]) -> float:
    """CP of a run, as the paper has it, whatever the protocol; NaN where no sample has a score.

    Args:
        module: name used in messages.
        name: name of the argument that holds the records, for messages.
        samples: records of ``equal_coverage`` or ``coverage_parity``, skipped ones among them.

    Example:
        >>> records = [{"difference_by_value": {"a": 0.5, "b": -0.25}}, {"difference_by_value": None}]
        >>> parity_of("entailers", "samples", records)
        0.375
    """
    differences = record_entries(module, name, samples, "difference_by_value")
    scored = [record for record, by_value in zip(samples, differences, strict=True) if by_value]
    _, columns = extreme_columns(module, name, scored)
    sums, counts = np.split(columns.sum(axis=0), 2)
    return scalar(coverage_parity(sums, counts))
