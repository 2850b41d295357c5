"""The rows of a data set in columns, and how many of its texts have each label."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from fairsum_utils.families.polarity.rows import PolarityRow
from fairsum_utils.families.table import Table

__all__ = ["PolarityTable", "Tally"]


class Tally(NamedTuple):
    """How many texts there are by group, where None is the group of texts without one.

    Attributes:
        sizes: group -> texts that are not skipped, if there are any.
        skipped: group -> texts that are skipped, if there are any.
        labelled: group and label -> texts that have it.
        counted: what else rows count -> its sum.
    """

    sizes: Counter[str | None]
    skipped: Counter[str | None]
    labelled: Counter[tuple[str | None, str]]
    counted: Counter[str]


class PolarityTable(Table[PolarityRow]):
    """Collects rows; about 25 bytes a text, 4 more for each of its labels and 12 for what else it counts.

    Example:
        >>> rows = [PolarityRow(0, "a", ("male",)), PolarityRow(1, "a", ("male",)), PolarityRow(2, "b")]
        >>> PolarityTable(rows).tally().labelled
        Counter({('a', 'male'): 2})
    """

    row = PolarityRow

    def tally(self) -> Tally:
        """Count texts by group and label; time is linear in the rows."""
        column, labels, counts = (self.columns[name] for name in ("group", "labels", "counts"))
        groups = [*column.some.places, None]
        of_row = np.full(len(column.present), len(groups) - 1)
        of_row[np.asarray(column.present, dtype=np.bool_)] = np.asarray(column.some.array)
        is_skipped = np.asarray(self.columns["skipped"].present, dtype=np.bool_)
        sizes, skipped = (
            Counter({group: n for group, n in zip(groups, _count(rows, len(groups)), strict=True) if n})
            for rows in (of_row[~is_skipped], of_row[is_skipped])
        )
        pairs = [(group, label) for group in groups for label in labels.flat.places]
        of_label = np.repeat(of_row, labels.lengths) * len(labels.flat.places) + np.asarray(labels.flat.array)
        labelled = {pair: n for pair, n in zip(pairs, _count(of_label, len(pairs)), strict=True) if n}
        names, numbers = (np.asarray(part.array) for part in counts.flat.parts)
        counted = {name: int(numbers[names == place].sum()) for name, place in counts.flat.parts[0].places.items()}
        return Tally(sizes, skipped, Counter(labelled), Counter(counted))


def _count(places: np.typing.NDArray[np.int64], n: int) -> list[int]:
    """How often each of the places 0 ... n - 1 occurs."""
    counts: list[int] = np.bincount(places, minlength=n).tolist()
    return counts
