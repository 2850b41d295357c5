"""Sums of named columns over the units of the bootstrap: everything a measure needs of the rows.

A unit is a sample, an original with all of its samples, or a bucket of either. From buckets, of which there is a fixed
number, results cost the same however many rows there are, and sums of parts of a data set add up to those of the whole:
every number is rounded once, to a multiple of 2**-56, and added as whole numbers are, so that neither the order nor the
number of the parts changes a bit.

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
"""What is summed: a name, and of what, such as ``("shortfall", "female")``."""

N_BUCKETS = 1 << 12
"""Units of a state, whatever the number of rows: enough for a bootstrap, few enough to be kept for every sum."""

MOST_NAMES = 50_000
"""Of more different names than this buckets count none, so that a state stays small."""

_SPREAD = 1 << 22
"""Most numbers to lay out at a time: 32 MB."""
_SPARSE = 0.25
"""A column with a smaller share of its units is multiplied entry by entry."""

_HIGH, _LOW = 24, 56
"""Binary digits after the point of the two whole numbers that a number is split into."""
_MOST = float(1 << 38)
"""Larger numbers do not fit."""
_FULL = 1 << 62
"""Two sums below it can be added in 64 bits. A bucket holds 2**38 (2.7e11) in all, and 2**31 rows."""


def digest_of(name: str) -> int:
    """A number of 64 bits of a string, the same on every machine; its rest by `N_BUCKETS` is the bucket.

    Args:
        name: id of a sample, or name of an original.

    Example:
        >>> digest_of("a") == digest_of("a") != digest_of("b")
        True
    """
    return int.from_bytes(blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def content_digest(texts: Iterable[str]) -> int:
    """Digest several texts in their order, to a number from 0 below 2**63.

    Args:
        texts: what identifies a sample, such as its sources and values.

    Example:
        >>> content_digest(["ab", "c"]) == content_digest(["ab", "c"]) != content_digest(["a", "bc"])
        True
    """
    return digest_of("".join([f"{len(text)} {text}" for text in texts])) >> 1


class Column(NamedTuple):
    """The numbers of some units; places do not repeat. None stands for all of them."""

    places: Integers | None
    numbers: Floats


class _Fixed(NamedTuple):
    """Sums of some units or replicates in fixed point: places in rising order, and shape (k, 2) of whole numbers."""

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
            raise OverflowError("sums too large to be added up exactly")
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
    """Sums by place, of numbers that may share one."""
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
        n_units: that the bootstrap draws.
        n_samples: samples that have a score.
        skipped: reason -> samples without one.
        counts: what is counted and never drawn -> how many there are.
        named: what may have any number of names -> how many there are of each; of buckets None where there are more
            than `MOST_NAMES` different ones.
        columns: key -> what the units have of it.
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
        """Add names of which each counts once, in however many parts it occurs."""
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
        """Numbers of each unit in a column, shape (units,); 0 where there is no such column."""
        found, numbers = self.column(key), np.zeros(self.n_units)
        if found is not None:
            numbers[slice(None) if found.places is None else found.places] = found.numbers
        return numbers

    def has_same(self, other: _Summed, key: Key) -> bool:
        """Whether others have the same in a column, unit by unit."""
        mine, theirs = self._entries(key), other._entries(key)
        return all(map(np.array_equal, mine, theirs))

    def _entries(self, key: Key) -> tuple[Integers, Floats]:
        """The units that have another number than 0 in a column, in rising order, and these numbers."""
        found = self.column(key)
        if found is None:
            return np.empty(0, dtype=np.int64), np.empty(0)
        places = np.arange(self.n_units) if found.places is None else found.places
        order = np.argsort(places, kind="stable")
        order = order[found.numbers[order] != 0]
        return places[order], found.numbers[order]

    def column(self, key: Key) -> Column | None:
        """A column as numbers; None if there is none."""
        raise NotImplementedError

    def of(self, name: str) -> list[str]:
        """Second parts of the keys of columns with this name, in alphabetical order."""
        return sorted({key[1] for key in self.columns if key[0] == name and len(key) > 1})

    def counted(self, name: str) -> dict[str, int]:
        """Map the second parts of the keys of counts with this name to the counts."""
        return {key[1]: n for key, n in sorted(self.counts.items()) if key[0] == name and len(key) > 1}

    def replicates(self, keys: Sequence[Key], *, n_resamples: int, seed: int | None) -> Floats:
        """The sums of columns in data sets of units drawn with replacement."""
        if not self.n_units:
            raise ValueError("replicates: there is nothing to draw from")
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
        if few:  # time grows with their entries, not with their number times the units
            start = 0
            for weights in bootstrap_draws(self.n_units, n_resamples, seed):
                for place, found in few:
                    sums[start : start + len(weights), place] = weights[:, found.places] @ found.numbers
                start += len(weights)
        return sums


class Sums(_Summed):
    """The columns of a data set whose rows are all there.

    Args:
        n_units: how many units there are.
        names: of the units, such as originals; None: they are the samples that have a score, in their order.
        n_samples: samples that have a score; None: as many as units.
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
            key: what it is.
            numbers: one a unit, or one a place; finite.
            places: of the units that have one, each once; the others have 0. None: all have one, in their order.
        """
        self.columns[key] = Column(places, np.asarray(numbers, dtype=np.float64))

    def put_total(self, key: Key, numbers: npt.ArrayLike) -> None:
        """Add numbers of which nothing but their sum is asked for: no replicates, and a state keeps one number of them.

        Args:
            key: what they are; no column has it.
            numbers: any number of them; finite.
        """
        self._totals[key] = np.asarray(numbers, dtype=np.float64)

    def put_later(self, keys: Sequence[Key], put: Callable[[], None]) -> None:
        """Let what is costly be put when it is first asked for, if it ever is.

        Args:
            keys: that are put then.
            put: puts them.
        """
        self._later.update(dict.fromkeys(keys, put))

    def _settle(self, key: Key) -> None:
        """Put what was to be put when this is asked for."""
        if (put := self._later.get(key)) is not None:
            self._later = {other: waiting for other, waiting in self._later.items() if waiting is not put}
            put()

    def draw_later(self, keys: Sequence[Key], draw: Callable[[], Floats]) -> None:
        """Let sums be drawn by other means than from whole units when one of them is first used; `draw`: (B, keys)."""

        def put() -> None:
            for key, sums in zip(keys, draw().T, strict=True):
                self._drawn_sums[key] = np.asarray(sums, dtype=np.float64)

        self.put_later(keys, put)

    def total(self, *key: str) -> float:
        """The exactly rounded sum of a column or of what `put_total` added; 0 if there is none."""
        column = self.column(key)
        return math.fsum(self._totals.get(key, ()) if column is None else column.numbers)

    def column(self, key: Key) -> Column | None:
        """A column as numbers; None if there is none."""
        if self._later:
            self._settle(key)
        return self.columns.get(key)

    def drawn(self, *key: str) -> Floats | None:
        """Sums that `draw_later` added; None if there are none."""
        self._settle(key)
        return self._drawn_sums.get(key)

    def bucketed(self, digests: npt.ArrayLike = ()) -> BucketSums:
        """Convert to buckets.

        Args:
            digests: of the ids of the samples that have a score, in their order, see `digest_of`; units that have names
                do without.

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
    """The sums of any number of rows in `N_BUCKETS` buckets: a fixed number of whole numbers a key.

    Args:
        n_samples: samples that have a score.
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
        """The correctly rounded sum of a column or of what was put as a total; 0 if there is none."""
        found = self.columns.get(key) or self.totals.get(key)
        return 0.0 if found is None else found.total()

    def column(self, key: Key) -> Column | None:
        """A column as numbers; None if there is none."""
        found = self.columns.get(key)
        return None if found is None else Column(found.places, found.numbers())

    def drawn(self, *key: str) -> Floats | None:
        """Sums that were drawn by other means, one a replicate; None if there are none."""
        found = self.draws.get(key)
        return None if found is None else found.numbers()

    def merge(self, other: Self) -> None:
        """Add those of other rows. Neither the order nor the number of parts changes a bit.

        Raises:
            ValueError: other numbers of replicates.
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
                    raise ValueError(f"{key[0]}: {len(mine.places)} and {len(added.places)} replicates do not add up")
                held[key] = mine.plus(added) if key in held else added

    def to_arrow(self) -> pyarrow.Table:
        """Convert to an Arrow table: a row a key and place, with the counts in its metadata."""
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
        """All that adds up, by what an Arrow table calls it."""
        return {"column": self.columns, "total": self.totals, "drawn": self.draws}


def _if_few(names: Counter[Key]) -> Counter[Key] | None:
    """The counts of names; None of too many, of which no more can make few, in whatever order they come."""
    return names if len(names) <= MOST_NAMES else None


def _listed(counts: Counter[Key]) -> list[Any]:
    """Counts as JSON has them."""
    return [[list(key), n] for key, n in sorted(counts.items())]


def _unlisted(listed: Sequence[Any]) -> Counter[Key]:
    return Counter({tuple(key): n for key, n in listed})


AnySums: TypeAlias = Sums | BucketSums
"""Sums from which results can be made."""


def check_same_samples(systems: Sequence[AnySums], *names: str) -> None:
    """Refuse systems that are to be compared and have other samples than the first.

    Args:
        systems: the sums of each.
        *names: of columns that are the same whatever the system.

    Raises:
        InputError: it is so, or there is no sample.
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
            raise InputError(
                "compare: the two systems' rows are not of the same samples in the same order; pair them first"
            )
