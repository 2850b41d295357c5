"""Sums of named columns over bootstrap units: all a measure needs from the rows.

A unit is a sample, an original with all of its samples, or a bucket of either. The number of buckets is fixed, so
results from them cost the same for any number of rows. The sums of parts of a data set add up to the sums of the whole:
every number is rounded once, to a multiple of 2**-56, and added as an integer, so neither the order nor the number of
parts changes a bit.

Source: B. Efron and R. Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 6; A. Kleiner et al., "A scalable
bootstrap for massive data", 2014, section 1 (why resampling must not touch every row); U. Kulisch, "Very fast and exact
accumulation of products", 2011 (fixed point).
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from fairsum_utils.errors import InputError
from fairsum_utils.stats.arrays import Floats, Integers
from fairsum_utils.stats.bootstrap import bootstrap_draws, weighted_sums

if TYPE_CHECKING:
    import pyarrow


Key: TypeAlias = tuple[str, ...]
"""Name of a sum and its subject, such as ``("shortfall", "female")``."""

N_BUCKETS = 1 << 12
"""Number of buckets in a state: enough for a bootstrap, few enough to store for every sum."""

MOST_NAMES = 50_000
"""Limit of distinct names that buckets count, so that a state stays small."""

_SPREAD = 1 << 22
"""Largest block of numbers held in memory: 32 MB."""
_SPARSE = 0.25
"""Columns with fewer nonzero units (as a share) are multiplied entry by entry."""

_HIGH, _LOW = 24, 56
"""Binary fraction digits of the two integers that represent a number."""
_MOST = float(1 << 38)
"""Limit of the numbers that can be represented."""
_FULL = 1 << 62
"""Two sums below this limit can be added in 64 bits. A bucket holds a total of 2**38 (2.7e11) and 2**31 rows."""


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


class _Fixed(NamedTuple):
    """Fixed-point sums of some units or replicates: rising places, limbs (k, 2)."""

    places: Integers
    limbs: npt.NDArray[np.int64]

    def plus(self, other: _Fixed) -> _Fixed:
        """Both together."""
        size = 1 + max((int(part.places[-1]) for part in (self, other) if len(part.places)), default=-1)
        limbs = np.zeros((size, 2), dtype=np.int64)
        is_there = np.zeros(size, dtype=np.bool_)
        for part in (self, other):
            limbs[part.places] += part.limbs
            is_there[part.places] = True
        if len(limbs) and max(limbs.max(), -limbs.min()) >= _FULL:
            raise OverflowError("the sums are too large to add exactly")
        places = np.flatnonzero(is_there)
        return _Fixed(places, limbs[places])

    def total(self) -> float:
        high, low = (sum(part.tolist()) for part in self.limbs.T)
        return float(((high << (_LOW - _HIGH)) + low) / (1 << _LOW))

    def numbers(self) -> Floats:
        """Convert to floats, rounded once more."""
        return np.ldexp(self.limbs[:, 0].astype(np.float64), -_HIGH) + np.ldexp(
            self.limbs[:, 1].astype(np.float64), -_LOW
        )


def _fixed(places: Integers, numbers: Floats, size: int) -> _Fixed:
    """Sum numbers by place; several may share one."""
    numbers = np.asarray(numbers, dtype=np.float64)
    if not (np.abs(numbers) < _MOST).all():  # False for NaN as well
        raise ValueError(f"only finite numbers below {_MOST:g} can be summed")
    high = np.rint(np.ldexp(numbers, _HIGH))
    low = np.rint(np.ldexp(numbers - np.ldexp(high, -_HIGH), _LOW))
    limbs = np.zeros((size, 2), dtype=np.int64)
    np.add.at(limbs[:, 0], places, high.astype(np.int64))
    np.add.at(limbs[:, 1], places, low.astype(np.int64))
    present = np.unique(places)
    return _Fixed(present, limbs[present])


class _Summed:
    """Base of both kinds of sums.

    Attributes:
        n_units: number of units that the bootstrap draws.
        n_samples: samples with a score.
        skipped: reason -> samples without one.
        counts: name -> count that is never resampled.
        named: name -> counts of distinct names; in buckets None for more
            than `MOST_NAMES` names.
        columns: key -> numbers of the units.
    """

    n_units: int
    columns: Mapping[Key, Any]

    def __init__(self, n_samples: int, skipped: Mapping[str, int]) -> None:
        self.n_samples = n_samples
        self.skipped = Counter(skipped)
        self.counts: Counter[Key] = Counter()
        self.named: dict[str, Counter[Key] | None] = {}
        self._distinct: dict[str, list[npt.NDArray[np.uint64]]] = {}

    def put_distinct(self, what: str, names: Iterable[str]) -> None:
        """Add distinct names; a name counts once, even if several parts contain it."""
        digests = np.array([digest_of(name) for name in names], dtype=np.uint64)
        self._distinct.setdefault(what, []).append(np.unique(digests))

    def n_distinct(self, what: str) -> int:
        """Number of different names that `put_distinct` added."""
        return len(self._digests(what))

    def _digests(self, what: str) -> npt.NDArray[np.uint64]:
        parts = self._distinct.get(what, [])
        if len(parts) != 1:
            parts[:] = self._distinct[what] = [np.unique(np.concatenate([np.empty(0, np.uint64), *parts]))]
        return parts[0]

    def by_unit(self, key: Key) -> Floats:
        """Return a column for all units, shape (units,); missing entries are 0."""
        found, numbers = self.column(key), np.zeros(self.n_units)
        if found is not None:
            numbers[slice(None) if found.places is None else found.places] = found.numbers
        return numbers

    def has_same(self, other: _Summed, key: Key) -> bool:
        """Return whether other sums have an equal column, unit by unit."""
        mine, theirs = self._entries(key), other._entries(key)
        return all(map(np.array_equal, mine, theirs))

    def _entries(self, key: Key) -> tuple[Integers, Floats]:
        """Return the nonzero units of a column, in rising order, and their numbers."""
        found = self.column(key)
        if found is None:
            return np.empty(0, dtype=np.int64), np.empty(0)
        places = np.arange(self.n_units) if found.places is None else found.places
        order = np.argsort(places, kind="stable")
        order = order[found.numbers[order] != 0]
        return places[order], found.numbers[order]

    def column(self, key: Key) -> Column | None:
        """Return a column as numbers, or None."""
        raise NotImplementedError

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
        few: list[tuple[int, Column]] = []
        many: list[tuple[int, Column]] = []
        for place, found in there:
            is_sparse = found.places is not None and len(found.places) < _SPARSE * self.n_units
            (few if is_sparse else many).append((place, found))
        sums = np.zeros((n_resamples, len(keys)))
        step = max(1, _SPREAD // self.n_units)
        for start in range(0, len(many), step):
            some = many[start : start + step]
            spread = np.zeros((self.n_units, len(some)))
            for place, (_, found) in enumerate(some):
                spread[slice(None) if found.places is None else found.places, place] = found.numbers
            blocks = bootstrap_draws(self.n_units, n_resamples, seed)
            sums[:, [place for place, _ in some]] = weighted_sums(blocks, spread, n_resamples)
        if few:  # time grows with the entries, not with columns x units
            start = 0
            for weights in bootstrap_draws(self.n_units, n_resamples, seed):
                for place, found in few:
                    sums[start : start + len(weights), place] = weights[:, found.places] @ found.numbers
                start += len(weights)
        return sums


class Sums(_Summed):
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
        super().__init__(n_units if n_samples is None else n_samples, skipped or {})
        self.n_units = n_units
        self.names = names
        self.columns: dict[Key, Column] = {}
        self._totals: dict[Key, Floats] = {}
        self._drawn_sums: dict[Key, Floats] = {}
        self._later: dict[Key, Callable[[], None]] = {}

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
        self._totals[key] = np.asarray(numbers, dtype=np.float64)

    def put_later(self, keys: Sequence[Key], put: Callable[[], None]) -> None:
        """Register costly columns, added on first use.

        Args:
            keys: keys that `put` adds.
            put: function that puts them.
        """
        self._later.update(dict.fromkeys(keys, put))

    def _settle(self, key: Key) -> None:
        """Add the columns registered for this key, if any."""
        if (put := self._later.get(key)) is not None:
            self._later = {other: waiting for other, waiting in self._later.items() if waiting is not put}
            put()

    def draw_later(self, keys: Sequence[Key], draw: Callable[[], Floats]) -> None:
        """Register replicates not drawn from whole units; `draw` -> (B, keys), on first use."""

        def put() -> None:
            for key, sums in zip(keys, draw().T, strict=True):
                self._drawn_sums[key] = np.asarray(sums, dtype=np.float64)

        self.put_later(keys, put)

    def total(self, *key: str) -> float:
        """Return the exactly rounded sum of a column or total, 0 if absent."""
        column = self.column(key)
        return math.fsum(self._totals.get(key, ()) if column is None else column.numbers)

    def column(self, key: Key) -> Column | None:
        """Return a column as numbers, or None."""
        if self._later:
            self._settle(key)
        return self.columns.get(key)

    def drawn(self, *key: str) -> Floats | None:
        """Return the replicates that `draw_later` added, or None."""
        self._settle(key)
        return self._drawn_sums.get(key)

    def bucketed(self, digests: npt.ArrayLike = ()) -> BucketSums:
        """Convert to buckets.

        Args:
            digests: digests of the ids of the scored samples in their order, see `digest_of`; named units
                need none.

        Raises:
            ValueError: a number that is not finite, or units without a digest.
        """
        given = digests if self.names is None else list(map(digest_of, self.names))
        buckets = (np.asarray(given, dtype=np.uint64) % np.uint64(N_BUCKETS)).astype(np.int64)
        if len(buckets) != self.n_units:
            raise ValueError(f"bucketed: {self.n_units} units have {len(buckets)} digests")
        for key in list(self._later):
            self._settle(key)
        found = BucketSums(self.n_samples, self.skipped)
        found.counts = Counter(self.counts)
        found.named = {name: _if_few(Counter(counts)) for name, counts in self.named.items()}
        found._distinct = {what: list(parts) for what, parts in self._distinct.items()}
        for key, column in self.columns.items():
            places = buckets if column.places is None else buckets[column.places]
            found.columns[key] = _fixed(places, column.numbers, N_BUCKETS)
        for key, numbers in self._totals.items():
            found.totals[key] = _fixed(np.zeros(len(numbers), dtype=np.int64), numbers, 1)
        for key, sums in self._drawn_sums.items():
            found.draws[key] = _fixed(np.arange(len(sums)), sums, len(sums))
        return found


class BucketSums(_Summed):
    """Sums of any number of rows in `N_BUCKETS` buckets of fixed-point numbers.

    Args:
        n_samples: samples with a score.
        skipped: reason -> samples without a score.

    Example:
        >>> first, second = Sums(2), Sums(1)
        >>> first.put(("score",), [0.1, 0.2])
        >>> second.put(("score",), [0.3])
        >>> whole = first.bucketed([digest_of("x"), digest_of("y")])
        >>> whole.merge(second.bucketed([digest_of("z")]))
        >>> whole.total("score"), whole.n_samples
        (0.6, 3)
    """

    n_units = N_BUCKETS

    def __init__(self, n_samples: int = 0, skipped: Mapping[str, int] | None = None) -> None:
        super().__init__(n_samples, skipped or {})
        self.columns: dict[Key, _Fixed] = {}
        self.totals: dict[Key, _Fixed] = {}
        self.draws: dict[Key, _Fixed] = {}

    def total(self, *key: str) -> float:
        """Return the correctly rounded sum of a column or total, 0 if absent."""
        found = self.columns.get(key) or self.totals.get(key)
        return 0.0 if found is None else found.total()

    def column(self, key: Key) -> Column | None:
        """Return a column as numbers, or None."""
        found = self.columns.get(key)
        return None if found is None else Column(found.places, found.numbers())

    def drawn(self, *key: str) -> Floats | None:
        """Return replicates drawn separately, one number each, or None."""
        found = self.draws.get(key)
        return None if found is None else found.numbers()

    def merge(self, other: Self) -> None:
        """Add the sums of other rows; order and number of parts change no bit.

        Raises:
            ValueError: different numbers of replicates.
        """
        self.n_samples += other.n_samples
        self.skipped.update(other.skipped)
        self.counts.update(other.counts)
        for name, more in other.named.items():
            names = self.named.setdefault(name, Counter())
            if names is not None and more is not None:
                names.update(more)
            self.named[name] = None if names is None or more is None else _if_few(names)
        for what, parts in other._distinct.items():
            self._distinct.setdefault(what, []).extend(parts)
        others = other._kinds()
        for kind, held in self._kinds().items():
            for key, added in others[kind].items():
                mine = held.get(key, added)
                if kind == "drawn" and len(mine.places) != len(added.places):
                    raise ValueError(f"{key[0]}: cannot merge {len(mine.places)} and {len(added.places)} replicates")
                held[key] = mine.plus(added) if key in held else added

    def to_arrow(self) -> pyarrow.Table:
        """Convert to an Arrow table: one row per key and place, counts as metadata."""
        import pyarrow

        parts = [(kind, key, part) for kind, held in self._kinds().items() for key, part in sorted(held.items())]
        for what in sorted(self._distinct):
            digests = self._digests(what).view(np.int64)
            zeros = np.zeros_like(digests)
            parts.append(("distinct", (what,), _Fixed(zeros, np.column_stack([digests, zeros]))))
        sizes = [len(part.places) for _, _, part in parts]
        places = np.concatenate([np.empty(0, dtype=np.int64), *(part.places for *_, part in parts)])
        limbs = np.concatenate([np.empty((0, 2), dtype=np.int64), *(part.limbs for *_, part in parts)])
        codes = np.repeat(np.arange(len(parts), dtype=np.int32), sizes)
        names = pyarrow.array([json.dumps([kind, *key]) for kind, key, _ in parts], pyarrow.string())
        table = pyarrow.table(
            {
                "key": pyarrow.DictionaryArray.from_arrays(pyarrow.array(codes), names),
                "place": pyarrow.array(places, pyarrow.int32()),
                "high": pyarrow.array(limbs[:, 0]),
                "low": pyarrow.array(limbs[:, 1]),
            }
        )
        told = {
            "n_samples": self.n_samples,
            "skipped": dict(sorted(self.skipped.items())),
            "counts": _listed(self.counts),
            "named": {name: None if counts is None else _listed(counts) for name, counts in sorted(self.named.items())},
        }
        return table.replace_schema_metadata({"sums": json.dumps(told)})

    @classmethod
    def from_arrow(cls, table: pyarrow.Table) -> Self:
        """Read a table that `to_arrow` made."""
        told: dict[str, Any] = json.loads(table.schema.metadata[b"sums"])
        sums = cls(told["n_samples"], told["skipped"])
        sums.counts = _unlisted(told["counts"])
        sums.named = {name: None if counts is None else _unlisted(counts) for name, counts in told["named"].items()}
        kinds, keys = sums._kinds(), table.column("key").combine_chunks()
        codes = keys.indices.to_numpy()
        places = table.column("place").to_numpy().astype(np.int64)
        limbs = np.column_stack([table.column(name).to_numpy() for name in ("high", "low")])
        ends = np.searchsorted(codes, np.arange(len(keys.dictionary) + 1))
        for place, name in enumerate(keys.dictionary.to_pylist()):
            kind, *key = json.loads(name)
            rows = slice(ends[place], ends[place + 1])
            if kind == "distinct":
                sums._distinct[key[0]] = [np.ascontiguousarray(limbs[rows, 0]).view(np.uint64)]
            else:
                kinds[kind][tuple(key)] = _Fixed(places[rows], limbs[rows])
        return sums

    def _kinds(self) -> dict[str, dict[Key, _Fixed]]:
        """Mergeable parts by their name in the Arrow table."""
        return {"column": self.columns, "total": self.totals, "drawn": self.draws}


def _if_few(names: Counter[Key]) -> Counter[Key] | None:
    """Return the counts, or None for more than `MOST_NAMES` names."""
    return names if len(names) <= MOST_NAMES else None


def _listed(counts: Counter[Key]) -> list[Any]:
    """Convert counts to JSON."""
    return [[list(key), n] for key, n in sorted(counts.items())]


def _unlisted(listed: Sequence[Any]) -> Counter[Key]:
    return Counter({tuple(key): n for key, n in listed})


AnySums: TypeAlias = Sums | BucketSums
"""Sums for results."""


def check_same_samples(systems: Sequence[AnySums], *names: str) -> None:
    """Refuse to compare systems with different samples.

    Args:
        systems: sums of each system.
        *names: names of columns that do not depend on the system.

    Raises:
        InputError: the systems have different samples, or none.
    """
    sizes = [sums.n_samples for sums in systems]
    if len(set(sizes)) > 1 or not sizes[0]:
        *others, last = map(str, sizes)
        which = "both" if len(sizes) == 2 else "all"
        raise InputError(
            f"compare: needs the same samples from {which} systems, at least one; found {', '.join(others)} and {last}"
        )
    first = systems[0]
    for other in systems[1:]:
        keys = {key for sums in (first, other) for key in sums.columns if key[0] in names}
        if other.n_units != first.n_units or not all(first.has_same(other, key) for key in keys):
            raise InputError("compare: the two systems list different samples or another order; pair them first")
