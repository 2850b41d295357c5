"""The samples with the worst scores of each measure that scores samples, of as many as come."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fairsum_utils.families import family_of
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.tables import Cell, Table

__all__ = ["Worst"]


class Worst:
    """Keeps the worst samples; memory does not grow with the data.

    Args:
        measures: names; those that give no sample a score of its own, such as SOF, have no rows, and no more have
            samples that are fair.
        count: samples of each measure; of equal ones the first.

    Example:
        >>> worst = Worst(["uer"], count=1)
        >>> worst.add([{"index": 0, "id": "a", "uer": 0.1}, {"index": 1, "id": "b", "uer": 0.4}])
        >>> worst.table().rows
        [['uer', 'b', 0.4]]
    """

    def __init__(self, measures: Iterable[str], count: int = 20) -> None:
        self._count = count
        self._kept: dict[str, list[tuple[float, int, float, str]]] = {name: [] for name in measures}

    def add(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Take in records of samples, each with an ``index`` and, if it has a name, an ``id``."""
        for record in records:
            for name, heap in self._kept.items():
                score = family_of(name).part_of(record).get(name)
                if isinstance(score, bool) or not isinstance(score, (int, float)):
                    continue
                badness = get_measure(name).unfairness(score)
                if not badness > 0:  # fair, or NaN
                    continue
                index = record["index"]
                heapq.heappush(heap, (badness, -index, score, str(record.get("id", index))))
                if len(heap) > self._count:
                    heapq.heappop(heap)

    @property
    def indices(self) -> set[int]:
        """Which samples these are."""
        return {-index for heap in self._kept.values() for _, index, _, _ in heap}

    def table(self, texts: Mapping[int, str] | Sequence[str] | None = None) -> Table:
        """The samples, worst first.

        Args:
            texts: index of a sample -> its text, which adds a column; None for no texts.
        """
        rows: list[list[Cell]] = [
            [name, identity, score, *([] if texts is None else [texts[-index]])]
            for name, heap in self._kept.items()
            for _, index, score, identity in sorted(heap, reverse=True)
        ]
        return Table(["measure", "id", "score", *([] if texts is None else ["text"])], rows)
