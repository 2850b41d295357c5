"""The rows of a data set in columns."""

from __future__ import annotations

from fairsum_utils.families.ordered import OrderedTable
from fairsum_utils.families.sensitivity.rows import SensitivityRow

__all__ = ["SensitivityTable"]


class SensitivityTable(OrderedTable[SensitivityRow]):
    """Collects rows; each distinct text once.

    Example:
        >>> rows = [SensitivityRow(1, "b", "x"), SensitivityRow(0, "a", "x"), SensitivityRow(2, "a", "y", "empty")]
        >>> SensitivityTable(rows).column("article", "score")
        ['a', 'b']
    """

    row = SensitivityRow
