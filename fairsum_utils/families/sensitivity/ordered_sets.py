"""The sets of a table: their sources, the orders that they were given in, and what each summary has of each source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families.sensitivity.originals import Originals
from fairsum_utils.stats.arrays import Floats, Integers

__all__ = ["OrderedSet", "identify", "ordered_sets"]


class OrderedSet(NamedTuple):
    """A set that was summarized in several orders; its sources have an order of their own here, the same in all arrays.

    Attributes:
        original: its place among the originals.
        values: of the sources, shape (n,).
        variants: of the k inputs, places among the variants.
        places: of the sources in each input, shape (k, n), from 0.
        samples: for each input the places of its samples.
        shares: of the sources in each sample, shape (samples of all inputs, n), in the order of `samples`; NaN where
            the summary has nothing of any.
        coverage: how much of each summary each source holds, the same shape.
    """

    original: int
    values: Sequence[str]
    variants: Integers
    places: Integers
    samples: Sequence[Integers]
    shares: Floats
    coverage: Floats

    def by_input(self, numbers: Floats) -> Floats:
        """Means over the samples of each input, those that are NaN left out, shape (k, n); NaN where all are."""
        parts = np.split(numbers, np.cumsum([len(places) for places in self.samples])[:-1])
        present = [part[~np.isnan(part[:, 0])] for part in parts]
        return np.stack([part.mean(axis=0) if len(part) else np.full(part.shape[1], np.nan) for part in present])


def identify(sources: Sequence[str], values: Sequence[str]) -> tuple[str, ...]:
    """Names of sources that do not depend on their order; equal texts of one value are told apart by which comes first.

    Args:
        sources: texts.
        values: of each.

    Example:
        >>> first, second = identify(["good", "bad", "good"], "xxx"), identify(["bad", "good", "good"], "xxx")
        >>> sorted(first) == sorted(second), first[0] == second[1], len(set(first))
        (True, True, 3)
    """
    seen: Counter[tuple[str, str]] = Counter()
    names = []
    for source in zip(values, sources, strict=True):
        seen[source] += 1
        digest = blake2b("\0".join(source).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        names.append(f"{digest}-{seen[source]}")
    return tuple(names)


def ordered_sets(originals: Originals, measure: str, matcher: str) -> Iterator[OrderedSet]:
    """The sets of originals with two sources at least and two orders, in the order of the originals.

    Args:
        originals: of a table.
        measure: that asks.
        matcher: whose shares and coverage are taken.

    Raises:
        InputError: the samples of an original do not have the same sources, those of an input not the same order, or a
            row lacks what the measure needs.
    """
    ids: list[tuple[str, ...]] = originals.entries("source_ids", measure)
    values = originals.entries("source_values", measure)
    shares, coverage = (originals.column(f"{matcher}_{kind}") for kind in ("shares", "coverage"))
    index, members = originals.column("index"), originals.members()
    for original, inputs in originals.parts():
        first = int(members[inputs[0]][0])
        known = {name: place for place, name in enumerate(sorted(ids[first]))}
        placed: list[Integers] = []
        for number in inputs.tolist():
            for sample in members[number].tolist():
                if set(ids[sample]) != known.keys():
                    raise InputError(
                        f"{originals.settings.module}: sample {index[sample]}: its sources are not those of sample "
                        f"{index[first]}, which is of the same original {originals.names[original]!r}; give the inputs "
                        "of an original the same sources in other orders, and other sets other ids"
                    )
                if ids[sample] != ids[int(members[number][0])]:
                    raise InputError(
                        f"{originals.settings.module}: sample {index[sample]}: its sources stand in another order than "
                        f"those of sample {index[int(members[number][0])]}, though it is a summary of the same input; "
                        "give each order a variant, or a control, of its own"
                    )
            placed.append(_places(ids[int(members[number][0])], known))
        samples = [members[number] for number in inputs.tolist()]
        orders = [ids[int(places[0])] for places in samples]
        if len(known) < 2 or len(set(orders)) < 2:
            continue
        every = [int(sample) for places in samples for sample in places]
        yield OrderedSet(
            original=original,
            values=[values[first][place] for place in _places(ids[first], known)],
            variants=originals.input_variant[inputs],
            places=np.stack(placed),
            samples=samples,
            shares=np.stack([_aligned(shares[sample], ids[sample], known) for sample in every]),
            coverage=np.stack([_aligned(coverage[sample], ids[sample], known) for sample in every]),
        )


def _places(ids: Sequence[str], known: dict[str, int]) -> Integers:
    """Where each known source stands."""
    places = np.empty(len(ids), dtype=np.int64)
    places[[known[name] for name in ids]] = np.arange(len(ids))
    return places


def _aligned(numbers: Sequence[float] | None, ids: Sequence[str], known: dict[str, int]) -> Floats:
    """Numbers of the sources as they stand, in the order of the known ones; NaN without numbers."""
    aligned = np.full(len(ids), np.nan)
    if numbers is not None:
        aligned[[known[name] for name in ids]] = numbers
    return aligned
