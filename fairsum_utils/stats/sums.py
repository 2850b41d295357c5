"""Sums of named columns over bootstrap units: all a measure needs from the rows.

A unit is a sample, an original with all of its samples, or a bucket of either. The number of buckets is fixed, so that
the bootstrap of a large data set costs no more than that of a small one.

Source: B. Efron and R. Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 6; A. Kleiner et al., "A scalable
bootstrap for massive data", 2014, section 1 (why resampling must not touch every row).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from fairsum_utils.stats.arrays import Floats, Integers, exact_parts
from fairsum_utils.stats.bootstrap import bootstrap_draws, weighted_sums

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

Key: TypeAlias = tuple[str, ...]
"""Name of a sum and its subject, such as ``("shortfall", "female")``."""

N_BUCKETS = 1 << 12
"""Number of buckets in a state: enough for a bootstrap, few enough to store for every sum."""

_SPREAD = 1 << 22
"""Largest block of numbers held in memory: 32 MB."""
_SMALL = 1 << 18
"""Most numbers of columns that are drawn without a sparse product, whose import takes memory."""
_SPARSE = 0.25
"""Columns with fewer nonzero units (as a share) are sparse, so that time grows with the entries."""


def digest_of(name: str) -> int:
    """Hash a string to 64 bits; the remainder by `N_BUCKETS` is its bucket.

    Args:
        name: id of a sample, or name of an original.

    Example:
        >>> digest_of("a") == digest_of("a") != digest_of("b")
        True
    """
    return int.from_bytes(blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def content_digest(texts: Iterable[str]) -> int:
    """Hash several texts in order to a number in [0, 2**63).

    Args:
        texts: texts that identify a sample, such as its sources and values.

    Example:
        >>> content_digest(["ab", "c"]) == content_digest(["ab", "c"]) != content_digest(["a", "bc"])
        True
    """
    return digest_of("".join([f"{len(text)} {text}" for text in texts])) >> 1


class Column(NamedTuple):
    """Numbers of some units at distinct places; None means all units."""

    places: Integers | None
    numbers: Floats


class Sums:
    """Columns of a data set with all its rows present.

    Args:
        n_units: number of units.
        names: names of the units, such as originals; None if units are the scored samples in their order.
        n_samples: number of samples with a score; None for `n_units`.
        skipped: reason -> samples without a score.

    Example:
        >>> sums = Sums(3)
        >>> sums.put(("score",), np.array([0.5, 0.25, 1.0]))
        >>> sums.put(("score", "a"), np.array([0.5]), places=np.array([2]))
        >>> sums.total("score"), sums.total("score", "a"), sums.total("score", "b"), sums.of("score")
        (1.75, 0.5, 0.0, ['a'])
        >>> sums.replicates([("score",), ("score", "a")], n_resamples=2, seed=0).shape
        (2, 2)
    """

    def __init__(
        self,
        n_units: int,
        names: Sequence[str] | None = None,
        *,
        n_samples: int | None = None,
        skipped: Mapping[str, int] | None = None,
    ) -> None:
        self.n_units = n_units
        self.n_samples = n_units if n_samples is None else n_samples
        self.skipped = Counter(skipped or {})
        self.counts: Counter[Key] = Counter()
        self.named: dict[str, Counter[Key]] = {}
        self.names = names
        self.columns: dict[Key, Column] = {}
        self._totals: dict[Key, Sequence[float]] = {}
        self._drawn_sums: dict[Key, Floats] = {}
        self._later: defaultdict[Key, list[Callable[[], None]]] = defaultdict(list)

    def put(self, key: Key, numbers: npt.ArrayLike, places: Integers | None = None) -> None:
        """Add a column.

        Args:
            key: key of the column.
            numbers: one for each unit or place; finite.
            places: distinct units that have a number; the others are 0. None for all units in their order.
        """
        self.columns[key] = Column(places, np.asarray(numbers, dtype=np.float64))

    def put_total(self, key: Key, numbers: npt.ArrayLike) -> None:
        """Add numbers that need only their sum, no replicates.

        Args:
            key: key of the sum; no column may have it.
            numbers: finite numbers.
        """
        self._totals[key] = np.asarray(numbers, dtype=np.float64)  # type: ignore[assignment]  # floats in a sequence

    def put_later(self, keys: Sequence[Key], put: Callable[[], None]) -> None:
        """Register costly columns, added on first use.

        Args:
            keys: keys that `put` adds.
            put: function that puts them.
        """
        once = cache(put)
        for key in keys:
            self._later[key].append(once)

    def _settle(self, key: Key) -> None:
        """Add the columns registered for this key, if any."""
        for put in self._later.pop(key, ()):
            put()

    def draw_later(self, keys: Sequence[Key], draw: Callable[[], Floats]) -> None:
        """Register replicates not drawn from whole units; `draw` -> (B, keys), on first use."""

        def put() -> None:
            for key, sums in zip(keys, draw().T, strict=True):
                self._drawn_sums[key] = np.asarray(sums, dtype=np.float64)

        self.put_later(keys, put)

    def total(self, *key: str) -> float:
        """Return the exactly rounded sum of a column, or a count."""
        self._settle(key)
        if key in self._totals:
            return math.fsum(self._totals[key])
        return math.fsum(self.columns[key].numbers) if key in self.columns else float(self.counts[key])

    def column(self, key: Key) -> Column | None:
        """Return a column as numbers, or None."""
        self._settle(key)
        return self.columns.get(key)

    def drawn(self, *key: str) -> Floats | None:
        """Return the replicates that `draw_later` added, or None."""
        self._settle(key)
        return self._drawn_sums.get(key)

    def by_unit(self, key: Key) -> Floats:
        """Return a column for all units, shape (units,); missing entries are 0."""
        found, numbers = self.column(key), np.zeros(self.n_units)
        if found is not None:
            numbers[slice(None) if found.places is None else found.places] = found.numbers
        return numbers

    def of(self, name: str) -> list[str]:
        """Return second parts of the column keys with this name, sorted."""
        return sorted({key[1] for key in self.columns if key[0] == name and len(key) > 1})

    def counted(self, name: str) -> dict[str, int]:
        """Return the counts with this name by second part of their key."""
        return {key[1]: n for key, n in sorted(self.counts.items()) if key[0] == name and len(key) > 1}

    def replicates(self, keys: Sequence[Key], *, n_resamples: int, seed: int | None) -> Floats:
        """Sum columns over units drawn with replacement."""
        if not self.n_units:
            raise ValueError("replicates: there are no units to draw from")
        there = [(place, found) for place, key in enumerate(keys) if (found := self.column(key)) is not None]
        fewest = _SPARSE * self.n_units if len(there) * self.n_units > _SMALL else 0
        few = [each for each in there if len(each[1].numbers) < fewest]
        many = [each for each in there if len(each[1].numbers) >= fewest]
        sums = np.zeros((n_resamples, len(keys)))
        step = max(1, _SPREAD // self.n_units)
        for start in range(0, len(many), step):
            some = many[start : start + step]
            spread = np.zeros((self.n_units, len(some)))
            for place, (_, found) in enumerate(some):
                spread[slice(None) if found.places is None else found.places, place] = found.numbers
            blocks = bootstrap_draws(self.n_units, n_resamples, seed)
            sums[:, [place for place, _ in some]] = weighted_sums(blocks, spread, n_resamples)
        if few:
            blocks = bootstrap_draws(self.n_units, n_resamples, seed)
            sums[:, [place for place, _ in few]] = weighted_sums(blocks, _stacked(few, self.n_units), n_resamples)
        return sums


class BucketSums(Sums):
    """Sums of parts of a data set, with buckets as units.

    Only sums by bucket and exact totals are kept of a part, so that memory does not grow with the data.

    Example:
        >>> whole = BucketSums()
        >>> for name, score in (("x", 0.1), ("y", 0.2)):
        ...     part = Sums(1)
        ...     part.put(("score",), [score])
        ...     _ = whole.add(part, [digest_of(name)])
        >>> whole.n_samples, whole.total("score") == 0.1 + 0.2
        (2, True)
    """

    def __init__(self) -> None:
        super().__init__(N_BUCKETS, n_samples=0)

    def add(self, part: Sums, digests: npt.ArrayLike = ()) -> Self:
        """Move the sums of a part here.

        Args:
            part: its sums.
            digests: digests of the ids of its scored samples in their order, see `digest_of`; unused for named units.

        Raises:
            ValueError: units without a digest.
        """
        given = digests if part.names is None else list(map(digest_of, part.names))
        buckets = (np.asarray(given, dtype=np.uint64) % np.uint64(N_BUCKETS)).astype(np.int64)
        if len(buckets) != part.n_units:
            raise ValueError(f"add: {part.n_units} units have {len(buckets)} digests")
        self.n_samples += part.n_samples
        self.skipped.update(part.skipped)
        self.counts.update(part.counts)
        self.named |= part.named
        self._take(part, buckets)
        for key in part._later:
            self.put_later([key], partial(self._take_later, part, buckets, key))
        return self

    def _take_later(self, part: Sums, buckets: Integers, key: Key) -> None:
        """Add what a part registered for a key."""
        part._settle(key)
        self._take(part, buckets)

    def _take(self, part: Sums, buckets: Integers) -> None:
        """Add the columns, totals and draws of a part, which loses them."""
        self._drawn_sums |= part._drawn_sums
        while part.columns:
            key, (places, numbers) = part.columns.popitem()
            self._add_total(key, numbers)
            of_units, known = buckets if places is None else buckets[places], self.columns.get(key)
            sums, is_there = np.zeros(N_BUCKETS), np.zeros(N_BUCKETS, dtype=np.bool_)
            if known is not None:
                sums[known.places], is_there[known.places] = known.numbers, True
            np.add.at(sums, of_units, numbers)
            is_there[of_units] = True
            there = np.flatnonzero(is_there)
            self.columns[key] = Column(there, sums[there])
        while part._totals:
            key, total = part._totals.popitem()
            self._add_total(key, np.asarray(total))

    def _add_total(self, key: Key, numbers: Floats) -> None:
        self._totals[key] = [*self._totals.get(key, ()), *exact_parts(numbers)]


def _stacked(columns: Sequence[tuple[int, Column]], n_units: int) -> csc_matrix:
    """Stack columns with places in a sparse matrix, shape (units, columns)."""
    from scipy.sparse import csc_matrix

    numbers, places = (np.concatenate([getattr(found, part) for _, found in columns]) for part in ("numbers", "places"))
    ends = np.cumsum([0, *(len(found.numbers) for _, found in columns)])
    return csc_matrix((numbers, places, ends), shape=(n_units, len(columns)))
