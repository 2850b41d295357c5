"""Records of samples of families with originals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any, NamedTuple

from fairsum_utils.families.contract import Scorer
from fairsum_utils.families.originals import ScoredOriginals
from fairsum_utils.families.records import Recorded
from fairsum_utils.families.table import Table
from fairsum_utils.families.tally import OriginalsTally


class OriginalsRecords(NamedTuple):
    """Maker of ``recorded`` for families with originals.

    Attributes:
        tally_of: measure -> its tally.
        table: table class.
        originals: class of the scored originals of a table.
        scorer: scorer class.
        always: fields of every record.
    """

    tally_of: Callable[[str], type[OriginalsTally]]
    table: type[Table[Any]]
    originals: type[ScoredOriginals]
    scorer: Callable[..., Scorer]
    always: Sequence[str]

    def recorded(self, measures: Sequence[str], settings: Any) -> Recorded:
        """Return the keys of a record: fields, and comparisons with other samples."""
        tallies = {name: self.tally_of(name) for name in measures}
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
                for place, more in zip(places, self.tally_of(name).compared(originals, scorer), strict=True):
                    compared[place].update(more)
        return compared
