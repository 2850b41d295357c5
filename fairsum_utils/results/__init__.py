"""Results: plain dicts that show, draw and save themselves."""

from fairsum_utils.results.base import flat_names
from fairsum_utils.results.comparison import Comparison, MeasureComparison
from fairsum_utils.results.reading import read_results
from fairsum_utils.results.record import Run
from fairsum_utils.results.results import CombinedResults, MeasureResult, ScoreResults

__all__ = [
    "CombinedResults",
    "Comparison",
    "MeasureComparison",
    "MeasureResult",
    "Run",
    "ScoreResults",
    "flat_names",
    "read_results",
]
