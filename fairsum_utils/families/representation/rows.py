"""Counts of each sample, and their table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from fairsum_utils.families.arrow import EVIDENCE, Count, SmallCount
from fairsum_utils.families.table import LABELS, SampleRow, Table
from fairsum_utils.measures._shares import row_sum
from fairsum_utils.stats.arrays import Bools, Floats, Integers, by_code

# Entries whose distributions are computed together, at most.
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class DistributionRow(SampleRow):
    """Sufficient statistics of one sample.

    Attributes:
        index: position of the sample in the data.
        values: groups of the sample, sorted, without groups that have no source token.
        source_tokens: normalized source tokens of each group.
        target_weights: weights of the groups, not normalized.
        unmatched: every group has weight zero, so the target distribution is uniform.
        empty: the summary is empty and counts as unmatched instead of being skipped.
        skipped: reason why the sample has no score, or None.
        matched: matched k-grams by group; None unless evidence was requested.
        scores: neural matcher's score of each group before the softmax; None for other matchers.
        stopped: more than `STOPPED` of the words of the summary or the sources are stop words.
        opinions: opinion words that would decide the sample if they counted, see `deciding_words`.
        unread: a source is in a script without spaces, so its words were not counted.
        truncated: number of scores for which the model truncated the texts.
        at_random: counts of each group in random summaries, group after group, see `words.Pool`; empty if not drawn.
    """

    index: int
    values: tuple[str, ...] = field(default=(), metadata=LABELS)
    source_tokens: tuple[Count, ...] = ()
    target_weights: tuple[float, ...] = ()
    unmatched: bool = False
    skipped: str | None = None
    matched: tuple[tuple[str, ...], ...] | None = field(default=None, metadata=EVIDENCE)
    scores: tuple[float, ...] | None = field(default=None, metadata=EVIDENCE)
    truncated: Count = 0
    stopped: bool = False
    opinions: tuple[str, ...] = ()
    unread: bool = False
    empty: bool = False
    at_random: tuple[SmallCount, ...] = ()


class Distributions(NamedTuple):
    """Distributions of samples with the same number of groups, r.

    Attributes:
        samples: positions among the scored samples, shape (n,).
        entries: positions among the entries of all scored samples, shape (n, r).
        columns: positions in `values`, shape (n, r).
        p_x: source distribution, shape (n, r).
        p_y: target distribution, shape (n, r), or (draws, n, r) for random summaries.
        values: groups of the whole table, sorted.
    """

    samples: Integers
    entries: Integers
    columns: Integers
    p_x: Floats
    p_y: Floats
    values: list[str]

    def desired(self, target: str | Mapping[str, float]) -> Floats:
        """Return the desired distribution p_g, shape (n, r)."""
        if target == "ratio":
            return self.p_x
        if isinstance(target, str):
            return np.full(self.p_x.shape, 1 / max(self.p_x.shape[1], 1))
        weights = np.array([target[value] for value in self.values])[self.columns]
        return np.asarray(weights / row_sum(weights)[:, None])


class DistributionTable(Table[DistributionRow]):
    """Table of rows without their texts.

    Example:
        >>> table = DistributionTable([DistributionRow(0, ("a", "b"), (3, 1), (1.0, 1.0))])
        >>> [part] = table.parts()
        >>> part.p_x.tolist(), part.p_y.tolist()
        ([[0.75, 0.25]], [[0.5, 0.5]])
    """

    row = DistributionRow

    def counts(self) -> Counter[tuple[str, ...]]:
        """Count the samples that warnings mention, in total and by opinion word.

        Returns:
            ``unmatched``: no match at all, so that the target distribution is uniform, ``alien``: those of them with a
            summary; ``unread``: a source without words; ``stopped``: mostly stop words; ``opinions``: decided by stop
            words that carry opinion, also by word; ``single_value``: sources of one value, to which no summary can be
            unfair; ``truncated``: texts that a neural matcher did not read to their end.
        """
        found: dict[str, Bools] = {}
        for name in ("unmatched", "unread", "stopped", "truncated"):
            found[name] = self.scored(name) > 0
        found["alien"] = found["unmatched"] & ~self.scored("empty").astype(np.bool_)
        found["single_value"] = self.lengths("values") == 1
        found["opinions"] = self.lengths("opinions") > 0
        counts: Counter[tuple[str, ...]] = Counter()
        for name, those in found.items():
            counts[(name,)] = int(np.count_nonzero(those))
        counts.update({("opinions", word): n for word, n in self.counted("opinions").items()})
        return counts

    def parts(self, *, unmatched: str | None = None, weights: Floats | None = None) -> Iterator[Distributions]:
        """Yield the distributions of samples with the same number of groups.

        `weights` stand for those of the summaries, shape (entries,), or (draws, entries) of random ones, whose `p_y`
        have shape (draws, n, r).
        """
        tokens = self.flat("source_tokens").astype(np.float64)
        if weights is None:
            weights = self.flat("target_weights")
        lengths, (values, codes) = self.lengths("values"), self.coded("values")
        starts = np.cumsum(lengths) - lengths
        for length, places in list(by_code(lengths)) or [(0, lengths)]:
            step = max(_BLOCK // max(length * math.prod(weights.shape[:-1]), 1), 1)
            for start in range(0, max(len(places), 1), step):
                samples = places[start : start + step]
                entries = starts[samples][:, None] + np.arange(length)
                source, target = tokens[entries], weights[..., entries]
                totals = row_sum(target)[..., None]
                alike = np.full(target.shape, float(unmatched != "unfair") / max(length, 1))
                p_y = np.divide(target, totals, out=alike, where=totals > 0)
                yield Distributions(samples, entries, codes[entries], source / row_sum(source)[:, None], p_y, values)


make_table = DistributionTable
