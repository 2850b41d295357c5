"""Rows of a data set in columns of Arrow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np
import numpy.typing as npt

from fairsum_utils.families.arrow import Count, decoded, from_numbers, inside, is_there, kinds_of, numbers_in, to_arrow
from fairsum_utils.stats.arrays import Bools, Integers, by_code
from fairsum_utils.stats.sums import digest_of

if TYPE_CHECKING:
    import pyarrow

Row = TypeVar("Row")

_BLOCK = 1 << 12
"""Rows that are converted together."""

_MOST_PARTS = 64
"""Small parts that are joined, since each column of a part takes some memory of its own."""

_ID = "id"
"""Column with the digests of ids."""

LABELS = {"labels": True}
"""Metadata of fields that hold groups, see `Table.labels`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleRow:
    """Base class of rows; subclasses begin with ``index`` and have ``skipped``.

    Attributes:
        content: digest of the sample that is the same for every system; 0 if unknown.
        notes: remarks on the texts of the sample, see `fairsum_utils.cleaning`.
        language: language other than English that its texts are noticed to be in.
        n_dropped: source texts or persons that were left out, because they have no label.
    """

    content: int = field(default=0, compare=False)
    notes: tuple[str, ...] = ()
    language: str | None = None
    n_dropped: Count = 0


class Entries(NamedTuple):
    """Groups of the scored samples, sample after sample.

    Attributes:
        names: groups, sorted.
        codes: position in `names` of each entry, shape (entries,); -1 for none.
        samples: position of its sample among the scored ones, shape (entries,).
    """

    names: list[str]
    codes: Integers
    samples: Integers

    def by_group(self) -> Iterator[tuple[str, Integers]]:
        """Yield each group with the positions of its entries."""
        for code, places in by_code(self.codes):
            if code >= 0:
                yield self.names[code], places


class Table(Generic[Row]):
    """Rows of a data set in columns, without evidence.

    Columns are named as the fields of the row. In a path such as ``"groups.claims"`` a field of named tuples follows.

    Args:
        rows: rows of samples.
        ids: ids of the samples; None for their indices.
    """

    row: ClassVar[type]

    def __init__(self, rows: Iterable[Row] = (), ids: Iterable[str] | None = None) -> None:
        self._whole: list[pyarrow.RecordBatch] = []
        self._small: list[pyarrow.RecordBatch] = []
        self._coded: dict[str, tuple[list[str], Integers]] = {}
        self.extend(rows, ids)

    def extend(self, rows: Iterable[Row], ids: Iterable[str] | None = None) -> None:
        """Add rows of samples with these ids, or their indices."""
        remaining, names = iter(rows), None if ids is None else iter(ids)
        while added := list(islice(remaining, _BLOCK)):
            self.append(to_arrow(added, self.row, evidence=False), None if names is None else islice(names, len(added)))

    def append(self, batch: pyarrow.RecordBatch, ids: Iterable[str] | None = None) -> None:
        """Add columns that `to_arrow` made."""
        if ids is None:
            ids = map(str, numbers_in(batch.column("index")).tolist())
        self._add([_kept(self.row, batch, np.fromiter(map(digest_of, ids), np.uint64, len(batch)))])

    def merge(self, other: Self) -> None:
        """Add the rows of another table without changing indices."""
        self._add(other.batches)

    def _add(self, batches: Iterable[pyarrow.RecordBatch]) -> None:
        self.__dict__.pop("is_scored", None)
        self._coded = {}
        self._small += batches
        if len(self._small) >= _MOST_PARTS:
            import pyarrow

            self._whole += pyarrow.Table.from_batches(self._small).combine_chunks().to_batches()
            self._small = []

    @property
    def batches(self) -> Sequence[pyarrow.RecordBatch]:
        """Parts of the rows, in the order in which they came."""
        return [*self._whole, *self._small] or [_nothing(self.row)]

    @property
    def n_rows(self) -> int:
        """Number of samples, scored or not."""
        return sum(map(len, self.batches))

    def __len__(self) -> int:
        """Return the number of scored samples."""
        return int(self.is_scored.sum())

    @cached_property
    def is_scored(self) -> Bools:
        """Mask of samples with a score."""
        return np.concatenate([~is_there(batch.column("skipped")) for batch in self.batches])

    def only(self, chosen: Bools) -> Self:
        """Return the chosen rows."""
        found, start = type(self)(), 0
        for batch in self.batches:
            some = chosen[start : start + len(batch)]
            start += len(batch)
            found._add([batch if some.all() else batch.filter(from_numbers(some))])
        return found

    def blocks(self, size: int) -> Iterator[Self]:
        """Yield the rows in tables of this size."""
        import pyarrow

        whole = pyarrow.Table.from_batches(self.batches)
        for start in range(0, max(self.n_rows, 1), size):
            part = type(self)()
            part._add(whole.slice(start, size).to_batches())
            yield part

    def digests(self) -> npt.NDArray[np.uint64]:
        """Return the digests of the ids of the scored samples."""
        return self.scored(_ID)

    def numbers(self, path: str) -> npt.NDArray[Any]:
        """Return a column of numbers, one for each row or named tuple."""
        return np.concatenate(list(map(numbers_in, self._arrays(path))))

    def scored(self, path: str) -> npt.NDArray[Any]:
        """Return a column of numbers, one for each scored sample."""
        return self.numbers(path)[self.is_scored]

    def sizes(self, path: str) -> Integers:
        """Return the number of entries in each list of a column; 0 for None."""
        return np.concatenate([np.diff(numbers_in(array.offsets)) for array in self._arrays(path)]).astype(np.int64)

    def lengths(self, path: str) -> Integers:
        """Return the number of entries in the list of each scored sample."""
        return self.sizes(path)[self.is_scored]

    def flat(self, path: str) -> npt.NDArray[Any]:
        """Return the numbers in all lists of a column, end to end."""
        return np.concatenate([numbers_in(_leaf(array)) for array in self._arrays(path)])

    def coded(self, path: str) -> tuple[list[str], Integers]:
        """Return the sorted distinct texts of a column and each entry's code."""
        if path not in self._coded:
            seen: dict[str | None, int] = {}  # code by first place; pyarrow's own coding loads 8 MB
            codes = [
                np.fromiter((seen.setdefault(text, len(seen)) for text in array.to_pylist()), np.int64, len(array))
                for array in map(_leaf, self._arrays(path))
            ]
            names = sorted(text for text in seen if text is not None)
            ranks = {name: rank for rank, name in enumerate(names)}
            in_order = np.array([-1 if text is None else ranks[text] for text in seen], dtype=np.int64)
            self._coded[path] = names, in_order[np.concatenate(codes)]
        return self._coded[path]

    def entries(self, path: str) -> Entries:
        """Return a column with groups of each scored sample; other samples have none."""
        lengths = self.lengths(path.partition(".")[0])
        return Entries(*self.coded(path), np.repeat(np.arange(len(lengths)), lengths))

    def counted(self, path: str) -> Counter[str]:
        """Count each distinct text of a column."""
        names, codes = self.coded(path)
        counts = np.bincount(codes[codes >= 0], minlength=len(names))
        return Counter(dict(zip(names, counts.tolist(), strict=True)))

    def items(self, name: str) -> Iterator[Any]:
        """Yield the entries of a column as rows have them."""
        kind = kinds_of(self.row)[name]
        for batch in self.batches:
            yield from decoded(batch.column(name), kind)

    def _arrays(self, path: str) -> Iterator[pyarrow.Array]:
        name, *inner = path.split(".")
        for batch in self.batches:
            array = batch.column(name)
            for part in inner:
                array = _leaf(array).field(part)
            yield array

    def labels(self) -> Counter[str]:
        """Count the groups of all rows."""
        found: Counter[str] = Counter()
        for declared in fields(self.row):
            if declared.metadata.get("labels"):
                found.update(self.counted(declared.name))
        return found

    @property
    def skipped(self) -> Counter[str]:
        """Count samples without a score by reason."""
        return self.counted("skipped")


def _kept(row: type, batch: pyarrow.RecordBatch, digests: npt.NDArray[np.uint64]) -> pyarrow.RecordBatch:
    """Return rows without evidence, with the digests of their ids."""
    import pyarrow

    names = list(kinds_of(row, evidence=False))
    columns = [*(batch.column(name) for name in names), from_numbers(digests)]
    return pyarrow.RecordBatch.from_arrays(columns, names=[*names, _ID])


@cache
def _nothing(row: type) -> pyarrow.RecordBatch:
    """Return the columns of a table without rows."""
    return _kept(row, to_arrow([], row, evidence=False), np.empty(0, dtype=np.uint64))


def _leaf(array: pyarrow.Array) -> pyarrow.Array:
    """Return what is inside lists."""
    while hasattr(array, "offsets"):
        array = inside(array)
    return array
