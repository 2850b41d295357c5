"""Statements of summaries, compared between summaries and variants."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fairsum_utils.families.originals import Gathering
from fairsum_utils.families.sensitivity.distances import words
from fairsum_utils.families.sensitivity.samples import Originals
from fairsum_utils.families.sensitivity.tally import FLOORS, Tally, too_many
from fairsum_utils.measures.counterfactual_gap import input_pairs, mean_distances
from fairsum_utils.stats.arrays import Bools, Floats
from fairsum_utils.stats.sums import Sums
from fairsum_utils.text.caching import kept_of_short_texts
from fairsum_utils.text.splitting import sentence_units

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# Least share of words in common of two statements that say the same: twice those in both over those in each.
LEAST_SHARED = 0.5
# Pairs of statements to compare at a time.
_TOGETHER = 1 << 22

# The different words of a statement, in lower case.
Statement = frozenset[str]


@kept_of_short_texts
def statements_of(text: str) -> tuple[Statement, ...]:
    """Split an English summary into statements, as sets of words.

    Example:
        >>> [sorted(statement) for statement in statements_of("It rained. It did!")]
        [['it', 'rained'], ['did', 'it']]
    """
    return tuple(frozenset(words(statement)) for statement in sentence_units(text))


class Counterparts(NamedTuple):
    """Comparison of statements between summaries.

    Attributes:
        own: positions of each summary's statements among all distinct ones.
        there: mask of summaries with a counterpart of each statement, shape (statements, n).
        lacking: statements of summary i without a counterpart in summary j, shape (n, n).
    """

    own: list[list[int]]
    there: Bools
    lacking: Floats

    @classmethod
    def of(cls, texts: Sequence[str]) -> Counterparts:
        """Compare the statements of each pair of summaries.

        Example:
            >>> Counterparts.of(["He won the cup. Nobody came.", "She won the big cup."]).lacking.tolist()
            [[0.0, 1.0], [0.0, 0.0]]
        """
        from scipy.sparse import csr_array

        made = list(map(statements_of, texts))
        places = {statement: place for place, statement in enumerate(dict.fromkeys(chain.from_iterable(made)))}
        own = [[places[statement] for statement in statements] for statements in made]
        of_words = {word: place for place, word in enumerate(dict.fromkeys(chain.from_iterable(places)))}
        counts = _incidence(own, len(places))
        has_word = _incidence([[of_words[word] for word in statement] for statement in places], len(of_words))
        sizes = np.array(list(map(len, places)))
        there = counts.T.toarray() > 0
        step = _TOGETHER // max(len(places), 1) + 1
        for start in range(0, len(places), step):
            rows = slice(start, start + step)
            shared = (has_word[rows] @ has_word.T).tocoo()
            alike = 2 * shared.data >= LEAST_SHARED * (sizes[rows][shared.row] + sizes[shared.col])
            same = csr_array((alike, (shared.row, shared.col)), shape=shared.shape)
            there[rows] |= (same @ counts.T).toarray() > 0
        with_words = there & (sizes > 0)[:, None]
        return cls(own, there, np.asarray(counts.sum(1)[:, None] - counts @ with_words))


def _incidence(rows: Sequence[Sequence[int]], n_columns: int) -> csr_array:
    """Count how often each row lists each column."""
    from scipy.sparse import csr_array

    columns = np.array(list(chain.from_iterable(rows)), dtype=np.int64)
    numbers = np.repeat(np.arange(len(rows)), list(map(len, rows)))
    return csr_array((np.ones(len(columns)), (numbers, columns)), shape=(len(rows), n_columns))


def put_units(tally: type[Tally], sums: Sums, originals: Originals, texts: Sequence[str]) -> None:
    """Add statements lost and added between variants, and missing within a variant."""
    found, compared = Gathering(), not too_many(originals.variants)
    for alike in originals.alike() if compared else ():
        codes, pairs = np.array(alike.variants), alike.pairs()
        first, second = input_pairs(len(codes))
        for original, places in zip(alike.originals.tolist(), alike.samples.tolist(), strict=True):
            lacking = Counterparts.of([texts[place] for place in places]).lacking
            table = np.stack([lacking, lacking.T, (lacking + lacking.T) / 2])
            (lost, added, still), alone = mean_distances(table, alike.inputs)
            for a, b in pairs:
                pair = originals.variants[a], originals.variants[b]
                both = (codes[first] == a) & (codes[second] == b)
                for kind, number in (("lost", lost[both].mean()), ("added", added[both].mean()), ("units", 1.0)):
                    found.add((tally.name(kind), *pair), [original], [float(number)])
                by_floor = [
                    [still[(codes[first] == variant) & (codes[second] == variant)] for variant in (a, b)],
                    [alone[2][codes == variant] for variant in (a, b)],
                ]
                for floor, of_variants in zip(FLOORS, by_floor, strict=True):
                    known = [own[~np.isnan(own)] for own in of_variants]
                    means = [own.mean() for own in known if len(own)]
                    for kind, number in (("units_still", np.mean(means)), ("units_still_n", 1.0)) if means else ():
                        found.add((tally.name(kind), floor, *pair), [original], [float(number)])
    found.put(sums, tally.name("units_still"), tally.name("units_still_n"))


def units_only_here(originals: Originals, written: Sequence[str], texts: Sequence[str]) -> list[list[str] | None]:
    """List the statements of each summary that summaries of other variants lack."""
    found: list[list[str] | None] = [None] * len(originals)
    for alike in originals.alike():
        codes = alike.codes
        for samples in alike.samples.tolist() if alike.pairs() else ():
            counterparts = Counterparts.of([texts[sample] for sample in samples])
            for variant, sample, own in zip(codes, samples, counterparts.own, strict=True):
                others = counterparts.there[own][:, codes != variant]
                units = zip(sentence_units(written[sample]), others, strict=False)
                found[sample] = [unit for unit, is_there in units if not is_there.any()]
    return found
