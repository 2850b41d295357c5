"""Engine of families with originals: their sums, by original with all of its samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from fairsum_utils.families.engine import Engine
from fairsum_utils.families.originals import ScoredOriginals
from fairsum_utils.families.tally import OriginalsTally
from fairsum_utils.families.warnings import CountWarning
from fairsum_utils.stats.sums import Column, Key, Sums


class OriginalsResults(Engine):
    """Verbs of a family with originals.

    Args:
        originals: class of the scored originals of a table.
        tallies: measure -> its declaration.
        same: names of columns that do not depend on the system.
        common: warnings that concern all measures.
    """

    def __init__(
        self,
        originals: type[ScoredOriginals],
        tallies: Mapping[str, type[OriginalsTally]],
        same: Sequence[str],
        common: Sequence[CountWarning] = (),
    ) -> None:
        super().__init__(partial(_sums_of, originals, tallies), tallies, same, common)


def _sums_of(
    kind: type[ScoredOriginals],
    tallies: Mapping[str, type[OriginalsTally]],
    table: Any,
    measures: Sequence[str],
    settings: Any,
    scorer: Any = None,
) -> Sums:
    """Sum a table; its units are originals with all of their samples."""
    originals = kind(table, settings)
    sums, columns = originals.sums(), dict[Key, Column]()
    for name in measures:
        columns |= tallies[name].put(sums, originals, scorer)
    originals.redraw_later(sums, columns)
    return sums
