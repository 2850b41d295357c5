"""Several measures and other `evaluate` modules scored by one call.

Names and modules -> `members` (who takes which inputs and options) -> `Combination` (what goes to whom, and one dict of
results). The measures of this package are scored by a `Session`, which does the work that they have in common once.
`OfGenerated` makes a metric for the evaluators of `evaluate` of it.
"""

from fairsum_utils.combining.combination import Combination, combine
from fairsum_utils.combining.generated import OfGenerated

__all__ = ["Combination", "OfGenerated", "combine"]
