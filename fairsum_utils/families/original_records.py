"""Records of samples of families with originals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any, NamedTuple

from fairsum_utils.families.originals import OriginalsScorer, ScoredOriginals
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
    scorer: Callable[..., OriginalsScorer]
    always: Sequence[str]

    def recorded(self, measures: Sequence[str], settings: Any) -> Recorded:
        """Return the keys of a record: fields of the row, and comparisons with other samples."""
        tallies = {name: self.tally_of(name) for name in measures}
        fields = dict.fromkeys((*self.always, *(key for tally in tallies.values() for key in tally.recorded)))
        types = {key: kind for tally in tallies.values() for key, kind in tally.compared_types.items()}
        some = [name for name, tally in tallies.items() if tally.compared_types]
        found = Recorded(tuple(fields), types)
        return found._replace(compute=partial(self._compared, some, settings)) if some else found

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
