"""Records of samples: their keys, the types of these, and how rows become records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple, get_type_hints

from fairsum_utils.families.arrow import as_annotated, kinds_of

Record = dict[str, Any]
"""Key -> entry of a sample, of texts, numbers, lists and dicts alone."""


def _nothing(rows: Sequence[Any]) -> Iterable[Mapping[str, Any]]:
    return ({} for _ in rows)


class Recorded(NamedTuple):
    """Keys of the record of a sample.

    Attributes:
        fields: fields of the row, whose types and meaning are there, among them ``index`` and ``skipped``.
        computed: typed dictionaries of the keys that are computed.
        compute: function that returns the computed entries of each row; missing ones are None.
        scores: measures that have a score of a sample, which is computed, too.
    """

    fields: Sequence[str]
    computed: Sequence[type] = ()
    compute: Callable[[Sequence[Any]], Iterable[Mapping[str, Any]]] = _nothing
    scores: Sequence[str] = ()

    def types(self, row: type) -> dict[str, Any]:
        """Return the type of each key, given the class of the rows."""
        of_row = kinds_of(row)
        types = {name: of_row[name] for name in ("index", "skipped")} | dict.fromkeys(self.scores, float | None)
        for each in self.computed:
            types |= get_type_hints(each)
        return types | {name: of_row[name] for name in self.fields}

    def of(self, rows: Sequence[Any], row: type) -> list[Record]:
        """Return the record of each row, also of skipped samples."""
        types = self.types(row)
        entries = {name: map(attrgetter(name), rows) for name in self.fields}
        records = []
        for computed, *own in zip(self.compute(rows), *entries.values(), strict=True):
            found = {**dict(zip(entries, own, strict=True)), **computed}
            records.append({key: as_annotated(found.get(key), kind, plain=True) for key, kind in types.items()})
        return records
