"""Engine of results of families with originals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any

from fairsum_utils.families.arrow import Recorded
from fairsum_utils.families.contract import Scorer
from fairsum_utils.families.engine import Engine
from fairsum_utils.families.originals import ScoredOriginals
from fairsum_utils.families.table import Table
from fairsum_utils.families.tally import OriginalsTally, tallies_of
from fairsum_utils.families.warnings import CountWarning
from fairsum_utils.stats.sums import Column, Key, Sums


class OriginalsEngine(Engine):
    """Functions of a family whose samples are summed up by original.

    Args:
        family: name of the family.
        originals: class of the scored originals of a table.
        table: class of the table.
        scorer: class of the scorer.
        always: fields of every record.
        common: warnings that concern all measures.
    """

    scores: Mapping[str, type[OriginalsTally]]

    def __init__(
        self,
        family: str,
        originals: type[ScoredOriginals],
        table: type[Table[Any]],
        scorer: type[Scorer],
        always: Sequence[str],
        common: Sequence[CountWarning] = (),
    ) -> None:
        super().__init__(self._sum, tallies_of(family), common)
        self.originals, self.table, self.scorer, self.always = originals, table, scorer, always

    def _sum(self, table: Table[Any], measures: Sequence[str], settings: Any, scorer: Any = None) -> Sums:
        """Sum a table; its units are originals with all of their samples."""
        originals = self.originals(table, settings)
        sums, columns = originals.sums(), dict[Key, Column]()
        for name in measures:
            columns |= self.scores[name].put(sums, originals, scorer)
        originals.redraw_later(sums, columns)
        return sums

    def recorded(self, measures: Sequence[str], settings: Any) -> Recorded:
        """Return the keys of a record: fields, and comparisons with other samples."""
        tallies = {name: self.scores[name] for name in measures}
        fields = dict.fromkeys((*self.always, *(key for tally in tallies.values() for key in tally.recorded)))
        kinds = {name: tally.compared_record for name, tally in tallies.items() if tally.compared_record is not None}
        if not kinds:
            return Recorded(tuple(fields))
        return Recorded(tuple(fields), list(kinds.values()), partial(self._compared, list(kinds), settings))

    def _compared(self, measures: Sequence[str], settings: Any, rows: Sequence[Any]) -> Sequence[Mapping[str, Any]]:
        """Return what each sample's record has from comparisons with other samples."""
        compared: list[dict[str, Any]] = [{} for _ in rows]
        originals = self.originals(self.table(rows), settings)
        places = originals.order.tolist()
        with closing(self.scorer(measures, settings)) as scorer:
            for name in measures:
                for place, more in zip(places, self.scores[name].compared(originals, scorer), strict=True):
                    compared[place].update(more)
        return compared
