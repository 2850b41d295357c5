"""Several measures and other `evaluate` modules scored by one call.

A `Session` scores the measures of this package, and does their common work once.
"""

from fairsum_utils.combining.combination import Combination, combine

__all__ = ["Combination", "combine"]
