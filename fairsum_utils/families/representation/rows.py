"""Rows of the representation family: counts of each sample, and their table with the distributions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fairsum_utils.families.table import EVIDENCE, Table
from fairsum_utils.measures._shares import row_sum
from fairsum_utils.stats.arrays import Floats, Integers


@dataclass(frozen=True, slots=True)
class DistributionRow:
    """The sufficient statistics of one sample. Rows from any number of processes may be put together.

    Attributes:
        index: position of the sample in the data.
        values: the values present, sorted; a value whose texts hold no token is left out.
        source_tokens: normalized source tokens of each value.
        target_weights: what the matcher gave each value, not normalized.
        unmatched: the matcher gave every value zero, so the target distribution is uniform.
        empty: the summary is empty, and the settings say that it is unmatched, not skipped.
        content: digest of what the sample is, whatever the system; 0 if not known.
        skipped: why the sample has no score, or None.
        matched: for each value the k-grams that matched; None unless evidence was asked for.
        scores: of a neural matcher, what it gave each value before the softmax, empty if it was not asked; else None.
        stopped: words were matched, and most of the summary's or of the sources' are stop words, see `STOPPED`.
        opinions: stop words of opinion that would decide the sample if they counted, see `deciding_words`.
        unread: some source is in a script without spaces between words, of which no word was counted.
        truncated: how many of these scores are of texts that the model did not read to their end.
        at_random: counts of each value in random summaries, value after value, see `chance`; empty if none were drawn.
    """

    index: int
    values: tuple[str, ...] = ()
    source_tokens: tuple[int, ...] = ()
    target_weights: tuple[float, ...] = ()
    unmatched: bool = False
    skipped: str | None = None
    matched: tuple[tuple[str, ...], ...] | None = field(default=None, metadata=EVIDENCE)
    scores: tuple[float, ...] | None = field(default=None, metadata=EVIDENCE)
    truncated: int = 0
    stopped: bool = False
    opinions: tuple[str, ...] = ()
    unread: bool = False
    empty: bool = False
    at_random: tuple[int, ...] = ()
    content: int = field(default=0, compare=False)


_CELLS = 1 << 14
"""A part of fewer places than this may be as empty as it likes."""
_EMPTY = 4
"""Of a larger part at least one place in so many has a value."""


class Distributions(NamedTuple):
    """Distributions of some samples, of which the one with most values has r; NaN where a sample has fewer.

    Attributes:
        columns: shape (n, r): for each share the place of its value in the table's `values`; -1 where there is none.
        p_x: shape (n, r), the source distribution.
        p_y: shape (n, r), the target distribution.
        values: of the whole table, sorted.
    """

    columns: Integers
    p_x: Floats
    p_y: Floats
    values: list[str]

    def desired(self, target: str | Mapping[str, float]) -> Floats:
        """Desired distribution p_g, shape (n, r)."""
        if target == "ratio":
            return self.p_x
        if isinstance(target, str):
            weights = np.where(np.isnan(self.p_x), np.nan, 1.0)
        else:
            by_column = np.array([*(target[value] for value in self.values), np.nan])  # column -1: absent
            weights = by_column[self.columns]
        return np.asarray(weights / row_sum(weights)[:, None])


class DistributionTable(Table[DistributionRow]):
    """Collects rows; about 20 bytes a value of a sample, 160 more with random summaries, and no text.

    Example:
        >>> table = DistributionTable([DistributionRow(0, ("a", "b"), (3, 1), (1.0, 1.0))])
        >>> [part] = table.parts()
        >>> part.p_x.tolist(), part.p_y.tolist()
        ([[0.75, 0.25]], [[0.5, 0.5]])
    """

    row = DistributionRow

    def counts(self) -> Counter[tuple[str, ...]]:
        """Count the scored samples with a reason against their scores, and those that each word of opinion decides.

        Returns:
            ``unmatched``: no match at all, so that the target distribution is uniform, ``alien``: those of them with a
            summary; ``unread``: a source without words; ``stopped``: mostly stop words; ``opinions``: decided by stop
            words that carry opinion, also by word; ``single_value``: sources of one value, to which no summary can be
            unfair; ``truncated``: texts that a neural matcher did not read to their end.
        """
        found = {name: self.scored(name) > 0 for name in ("unmatched", "unread", "stopped", "truncated")}
        found["alien"] = found["unmatched"] & ~self.scored("empty").astype(np.bool_)
        found["single_value"] = np.asarray(self.columns["values"].lengths) == 1
        opinions = self.columns["opinions"]
        found["opinions"] = np.asarray(opinions.lengths) > 0
        counts: Counter[tuple[str, ...]] = Counter()
        counts.update({(name,): int(np.count_nonzero(those)) for name, those in found.items()})
        counts.update(("opinions", word) for word in opinions.flat.items())
        return counts

    def values(self) -> list[str]:
        """All values of the data set, sorted."""
        return sorted(self.columns["values"].flat.places)

    def parts(
        self, size: int = 1 << 13, *, unmatched: str | None = None, weights: Floats | None = None
    ) -> Iterator[Distributions]:
        """The distributions of the scored samples, at most `size` samples at a time: bounds what formulas hold.

        A part also ends before a sample of so many values that most of the part would be places without a value. A
        table without a scored sample has one part, which is empty.
        """
        values = self.values()
        order = {value: column for column, value in enumerate(values)}
        column_of = np.array([order[value] for value in self.columns["values"].flat.places], dtype=np.int64)
        codes, tokens, of_rows = (
            np.asarray(self.columns[name].flat.array) for name in ("values", "source_tokens", "target_weights")
        )
        weights = of_rows if weights is None else weights
        lengths = np.asarray(self.columns["values"].lengths, dtype=np.int64)
        lengths = lengths[lengths > 0]  # a skipped sample has none
        ends = np.concatenate([[0], np.cumsum(lengths)])
        for start, stop in _parts(lengths.tolist(), size):
            flat, shape = slice(int(ends[start]), int(ends[stop])), lengths[start:stop]
            source = _padded(tokens[flat].astype(np.float64), shape, np.nan)
            target = _padded(weights[flat], shape, np.nan)
            totals = row_sum(target)[:, None]
            present = ~np.isnan(target)
            alike = np.where(present, float(unmatched != "unfair"), np.nan) / np.maximum(
                present.sum(axis=1, keepdims=True), 1
            )
            p_y = np.divide(target, totals, out=alike, where=totals > 0)
            columns = _padded(column_of[codes[flat]] if len(codes) else codes[flat].astype(np.int64), shape, -1)
            yield Distributions(columns, source / row_sum(source)[:, None], p_y, values)


def _parts(lengths: Sequence[int], size: int) -> Iterator[tuple[int, int]]:
    """Divide samples into parts whose size grows with the values, not with the widest sample."""
    start = width = n_values = 0
    for place, length in enumerate(lengths):
        widest, n_cells = max(width, length), (place - start + 1) * max(width, length)
        if place - start == size or n_cells > max(_CELLS, _EMPTY * (n_values + length)):
            if place > start:
                yield start, place
            start, n_values, widest = place, 0, length
        width, n_values = widest, n_values + length
    yield start, len(lengths)


def _padded(flat: npt.NDArray[Any], lengths: Integers, fill: float) -> npt.NDArray[Any]:
    width = int(lengths.max(initial=0))
    padded = np.full((len(lengths), width), fill, dtype=flat.dtype)
    padded[np.arange(width) < lengths[:, None]] = flat
    return padded


make_table = DistributionTable
