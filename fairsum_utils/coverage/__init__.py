"""Coverage: whose documents a summary draws on. Equal Coverage and Coverage Parity (papers/coverage-fairness).

Data flows one way: texts -> `CoverageScorer` -> rows -> `CoverageTable` -> `aggregate` -> result.
"""

from fairsum_utils.coverage.api import compare, compute, score
from fairsum_utils.coverage.results import METRICS, Options, aggregate, compare_tables, sample_records
from fairsum_utils.coverage.scorer import CoverageRow, CoverageScorer, Sample
from fairsum_utils.coverage.table import CoverageTable

__all__ = [
    "METRICS",
    "CoverageRow",
    "CoverageScorer",
    "CoverageTable",
    "Options",
    "Sample",
    "aggregate",
    "compare",
    "compare_tables",
    "compute",
    "sample_records",
    "score",
]
