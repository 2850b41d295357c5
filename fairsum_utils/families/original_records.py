"""Records of samples of families with originals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any, NamedTuple, get_type_hints

from fairsum_utils.families.originals import OriginalsScorer, ScoredOriginals
from fairsum_utils.families.table import Table
from fairsum_utils.families.tally import OriginalsTally


class OriginalsRecords(NamedTuple):
    """Functions of ``records.py`` for families with originals.

    Attributes:
        tally_of: measure -> its tally.
        table: table class.
        originals: class of the scored originals of a table.
        scorer: scorer class.
        always: keys of every record.
    """

    tally_of: Callable[[str], type[OriginalsTally]]
    table: type[Table[Any]]
    originals: type[ScoredOriginals]
    scorer: Callable[..., OriginalsScorer]
    always: Sequence[str]

    def keys(self, measures: Sequence[str]) -> list[str]:
        """List the keys of a record."""
        return list(dict.fromkeys([*self.always, *(key for name in measures for key in self.tally_of(name).recorded)]))

    def sample_records(self, rows: Sequence[Any], measures: Sequence[str], settings: Any) -> list[dict[str, Any]]:
        """Yield a record for every sample, including skipped ones."""
        compared: list[dict[str, Any]] = [{} for _ in rows]
        some = [name for name in measures if self.tally_of(name).compared_types]
        if some:
            originals = self.originals(self.table(rows), settings)
            with closing(self.scorer(some, settings)) as scorer:
                for name in some:
                    for place, more in zip(
                        originals.order.tolist(), self.tally_of(name).compared(originals, scorer), strict=True
                    ):
                        compared[place].update(more)
        keys = self.keys(measures)
        return [
            {key: _plain(more[key] if key in more else getattr(row, key, None)) for key in keys}
            for row, more in zip(rows, compared, strict=True)
        ]

    def types(self, measures: Sequence[str]) -> dict[str, Any]:
        """List the type of each field of a row and of each comparison."""
        types = get_type_hints(self.table.row)
        for name in measures:
            types |= self.tally_of(name).compared_types
        return types

    def record_types(self, measures: Sequence[str], settings: Any = None) -> dict[str, Any]:
        """List the type of each key of a record."""
        types = self.types(measures)
        return {key: types[key] for key in self.keys(measures)}


def _plain(entry: Any) -> Any:
    """Convert mappings and tuples for JSON."""
    if isinstance(entry, Mapping):
        return dict(entry)
    return list(map(_plain, entry)) if isinstance(entry, tuple) else entry
