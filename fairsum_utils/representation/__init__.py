"""Representation: whose voice a summary carries. BUR, UER, AUC and SOF (papers/fairsumm-v1, -v2).

Data flows one way: texts -> `DistributionScorer` -> rows -> `DistributionTable` -> `aggregate` -> result.
"""

from fairsum_utils.representation.api import compare, compute, score
from fairsum_utils.representation.distributions import DistributionRow, DistributionScorer
from fairsum_utils.representation.results import METRICS, Options, aggregate, compare_tables, sample_records
from fairsum_utils.representation.table import DistributionTable

__all__ = [
    "METRICS",
    "DistributionRow",
    "DistributionScorer",
    "DistributionTable",
    "Options",
    "aggregate",
    "compare",
    "compare_tables",
    "compute",
    "sample_records",
    "score",
]
