"""Several measures and other `evaluate` modules scored by one call.

A `Session` scores the measures of this package, and does their common work once. `OfGenerated` turns a combination into
a metric for the evaluators of `evaluate`.
"""

from fairsum_utils.combining.combination import Combination, OfGenerated, combine

__all__ = ["Combination", "OfGenerated", "combine"]
