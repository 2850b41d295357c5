"""Chance levels of BUR, UER, AUC and SOF, from random summaries.

A short summary cannot match the shares of its sources exactly: BUR calls one in three summaries unfair if their ten
words are drawn blindly from two groups of equal size. A random summary has as many words (k-grams) as the real one,
drawn with replacement from all words of the sample's sources. A word counts for every group whose texts hold it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import numpy as np

from fairsum_utils.families.chance import N_DRAWS, generator_of
from fairsum_utils.families.representation.matchers import Gram
from fairsum_utils.stats.arrays import Floats, Integers

MOST_WORDS = int(np.iinfo(np.uint16).max)
"""Words of a summary whose draws fit a column of small counts; longer ones have no random summaries."""


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
    if len(grams) == 1:
        n_kinds = min(*map(len, grams.values()), 1)
        return Pool(list(grams), np.ones((n_kinds, 1), dtype=np.int64), np.ones(n_kinds), sources)
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
        found = list(map(masks.__getitem__, filter(masks.__contains__, of_sources)))
        for mask in found:
            kinds[mask] = kinds.get(mask, 0) + 1
        if len(found) < len(of_sources):
            kinds[1 << place] = len(of_sources) - len(found)
    ordered = sorted(kinds)
    holders = [[mask >> place & 1 for place in range(len(grams))] for mask in ordered]
    odds = np.array([kinds[mask] for mask in ordered]) / max(sum(kinds.values()), 1)
    return Pool(list(grams), np.array(holders, dtype=np.int64).reshape(len(ordered), len(grams)), odds, sources)
