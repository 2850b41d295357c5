"""Statements of summaries: those that other summaries lack, and what variants lose and add."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

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

LEAST_SHARED = 0.5
"""Least share of words in common of two statements that say the same: twice those in both over those in each."""
_TOGETHER = 1 << 22
"""Pairs of statements to compare at a time."""
_FIRST = 4
"""Statements of a summary to compare first, since most have a counterpart among any few, or among none."""

Statement = frozenset[str]
"""The different words of a statement, in lower case."""


@kept_of_short_texts
def statements_of(text: str) -> tuple[Statement, ...]:
    """Split an English summary into statements, as sets of words.

    Example:
        >>> [sorted(statement) for statement in statements_of("It rained. It did!")]
        [['it', 'rained'], ['did', 'it']]
    """
    return tuple(frozenset(words(statement)) for statement in sentence_units(text))


class Counterparts(NamedTuple):
    """Statements of several summaries, compared.

    Attributes:
        own: for each summary the places of its statements among all different ones.
        there: whether a summary has a counterpart of a statement, shape (statements, n).
        lacking: statements of summary i without a counterpart in summary j, shape (n, n).
    """

    own: list[list[int]]
    there: Bools
    lacking: Floats

    @classmethod
    def of(cls, texts: Sequence[str]) -> Counterparts:
        """Compare the statements of each two summaries.

        Time grows as the pairs of statements that share words, without those that have a counterpart in all summaries
        among the first; memory as the pairs of statements and summaries.

        Example:
            >>> Counterparts.of(["He won the cup. Nobody came.", "She won the big cup."]).lacking.tolist()
            [[0.0, 1.0], [0.0, 0.0]]
        """
        from scipy.sparse import csr_array

        made = list(map(statements_of, texts))
        places = {statement: place for place, statement in enumerate(dict.fromkeys(chain.from_iterable(made)))}
        own = [[places[statement] for statement in statements] for statements in made]
        of_words = {word: place for place, word in enumerate(dict.fromkeys(chain.from_iterable(places)))}

        def incidence(rows: Iterable[Sequence[int]], n_columns: int) -> csr_array:
            listed = list(rows)
            ends = np.cumsum([0, *map(len, listed)])
            columns = np.fromiter(chain.from_iterable(listed), np.int64, ends[-1])
            return csr_array((np.ones(ends[-1]), columns, ends), shape=(len(listed), n_columns))

        counts = incidence(own, len(places))
        counts.sum_duplicates()
        has_word = incidence(([of_words[word] for word in statement] for statement in places), len(of_words))
        sizes = np.array(list(map(len, places)))
        there = counts.T.toarray() > 0
        first = sorted({place for statements in own for place in statements[:_FIRST]})
        few = [first] if _FIRST * len(first) < len(places) else []
        for others in (*few, list(range(len(places)))):
            left = np.flatnonzero(~there.all(1))
            step = _TOGETHER // max(len(others), 1) + 1
            for start in range(0, len(left), step):
                rows = left[start : start + step]
                shared = (has_word[rows] @ has_word[others].T).tocoo()
                alike = 2 * shared.data >= LEAST_SHARED * (sizes[rows][shared.row] + sizes[others][shared.col])
                same = csr_array((alike, (shared.row, shared.col)), shape=shared.shape)
                there[rows] |= (same @ counts[:, others].T).toarray() > 0
        with_words = there & (sizes > 0)[:, None]
        return cls(own, there, np.asarray(counts.sum(1)[:, None] - counts @ with_words))


def put_units(tally: type[Tally], sums: Sums, originals: Originals, texts: Sequence[str]) -> None:
    """Add the statements lost and added between summaries of two variants, and those lacking between those of one."""
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
    """List the statements of each summary, as written, that no summary of another variant makes."""
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
