"""Chance levels of BUR, UER, AUC and SOF, from random summaries.

A short summary cannot match the shares of its sources exactly: BUR calls one in three summaries unfair if their ten
words are drawn blindly from two groups of equal size. A random summary has as many words (k-grams) as the real one,
drawn with replacement from all words of the sample's sources. A word counts for every group whose texts hold it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.families.chance import DRAWN, N_DRAWS, generator_of, put_draws
from fairsum_utils.families.representation.matchers import Gram
from fairsum_utils.families.representation.rows import DistributionTable
from fairsum_utils.measures import get_measure
from fairsum_utils.measures._shares import shortfall
from fairsum_utils.stats.arrays import Floats, Integers, by_code
from fairsum_utils.stats.sums import Sums

MOST_WORDS = int(np.iinfo(np.uint16).max)
"""Words of a summary whose draws fit a column of small counts; longer ones have no random summaries."""
_TOGETHER = 4
"""Draws of all samples that are in memory at once."""


class Pool(NamedTuple):
    """Words of a sample's sources, counted by group.

    Attributes:
        values: groups, in an order that depends on their texts only, as do the kinds.
        holders: shape (kinds, groups), 1 where words of a kind count for a group.
        odds: shape (kinds,), share of each kind among all words.
        sources: source texts of the sample, which seed the draws.
    """

    values: list[str]
    holders: Integers
    odds: Floats
    sources: Sequence[str]

    def draw(self, n_words: int, values: Sequence[str], summary: str) -> tuple[int, ...]:
        """Draw random summaries.

        Returns:
            `N_DRAWS` counts of each group, one group after the other; none for a summary of more than `MOST_WORDS`.
        """
        if n_words > MOST_WORDS:
            return ()
        if not n_words or not len(self.odds):
            return (0,) * (N_DRAWS * len(values))
        if len(self.odds) == 1 == len(values):  # nothing to choose
            return (n_words,) * N_DRAWS
        columns = [self.values.index(value) for value in values]
        drawn = generator_of(self.sources, summary).multinomial(n_words, self.odds, size=N_DRAWS)
        return tuple((drawn @ self.holders[:, columns]).T.ravel().tolist())


def pool_of(
    grams: Mapping[str, Sequence[Gram]],
    known: Mapping[str, AbstractSet[Gram]],
    sources: Sequence[str],
    values: Sequence[str],
) -> Pool:
    """Count the words of the sources by group.

    Args:
        grams: words of each group's texts.
        known: the same, each word once.
        sources: source texts.
        values: group of each source text.

    Example:
        >>> grams = {"a": ["soup", "cake"], "b": ["soup", "bread"]}
        >>> pool = pool_of(grams, {"a": {"soup", "cake"}, "b": {"soup", "bread"}}, ["Soup cake.", "Soup bread."], "ab")
        >>> pool.values, pool.holders.tolist(), pool.odds.tolist()
        (['b', 'a'], [[1, 0], [0, 1], [1, 1]], [0.25, 0.25, 0.5])
    """
    if len(grams) > 1:
        texts: dict[str, list[str]] = {value: [] for value in grams}
        for source, value in sorted(zip(sources, values, strict=True)):
            texts[value].append(source)
        grams = {value: grams[value] for value in sorted(grams, key=texts.__getitem__)}
    seen: set[Gram] = set()
    shared: set[Gram] = set()
    for of_value in known.values():
        shared |= seen & of_value
        seen |= of_value
    # A bit for each group: most words have one, and only shared words need a look-up.
    masks = dict.fromkeys(shared, 0)
    kinds: dict[int, int] = {}
    for place, value in enumerate(grams):
        for gram in shared & known[value]:
            masks[gram] |= 1 << place
    for place, of_sources in enumerate(grams.values()):
        found = [masks[gram] for gram in of_sources if gram in shared]
        for mask in found:
            kinds[mask] = kinds.get(mask, 0) + 1
        if len(found) < len(of_sources):
            kinds[1 << place] = len(of_sources) - len(found)
    ordered = sorted(kinds)
    holders = [[mask >> place & 1 for place in range(len(grams))] for mask in ordered]
    odds = np.array([kinds[mask] for mask in ordered]) / max(sum(kinds.values()), 1)
    return Pool(list(grams), np.array(holders, dtype=np.int64).reshape(len(ordered), len(grams)), odds, sources)


def put_at_random(sums: Sums, table: DistributionTable, measures: Collection[str], settings: Any) -> None:
    """Add the scores of random summaries to the sums of a table."""
    codes, n_drawn = table.codes, int(np.count_nonzero(table.lengths("at_random")))
    sums.counts[DRAWN] = n_drawn
    if n_drawn < sums.n_units or not n_drawn:
        return
    by_entry = table.flat("at_random").reshape(len(codes), N_DRAWS)
    scores = {name: np.empty((sums.n_units, N_DRAWS)) for name in measures if get_measure(name).averages}
    by_group = [name for name in measures if name not in scores]
    values, of_values = table.values(), list(by_code(codes))
    for start in range(0, N_DRAWS, _TOGETHER):
        draws = range(start, min(start + _TOGETHER, N_DRAWS))
        weights = np.ascontiguousarray(by_entry[:, draws.start : draws.stop].T, dtype=np.float64)
        lacking = np.empty(weights.shape)
        for part in table.parts(unmatched=settings.unmatched, weights=weights):
            p_g = part.desired(settings.target)
            lacking[:, part.entries] = shortfall(part.p_y, p_g)
            for name, of_samples in scores.items():
                of_draws = settings.of(name).per_sample(part.p_y, p_g)
                of_samples[part.samples, draws.start : draws.stop] = of_draws.T
        for name in by_group:
            for code, entries in of_values:
                for draw, of_value in zip(draws, lacking[:, entries], strict=True):
                    sums.put_total((f"at_random_{name}", values[code], str(draw)), of_value)
    for name, of_samples in scores.items():
        put_draws(sums, name, of_samples)
