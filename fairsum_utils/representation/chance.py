"""What summaries of random words would score.

A summary of few words cannot hit the shares of its sources: of ten words drawn blindly from two values of equal size,
BUR calls one in three unfair. So a score says little without that of summaries which are as long and favour nobody.
Each of these has as many words as counted in the real one, drawn with replacement from all words of the sample's
sources; a word counts for every value whose texts hold it, as a real one does.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fairsum_utils.family.chance import Chance, Expected
from fairsum_utils.family.settings import USUAL_LEVEL
from fairsum_utils.measures import get_formula
from fairsum_utils.measures._shares import row_sum, shortfall
from fairsum_utils.measures.sof import sof
from fairsum_utils.representation.attribution import count_words, located_sources
from fairsum_utils.representation.results import sample_scores
from fairsum_utils.representation.settings import RepresentationSettings
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.bootstrap import percentile_interval

__all__ = ["N_DRAWS", "RandomSummaries"]

N_DRAWS = 100
"""Data sets of random summaries."""


class RandomSummaries(Chance):
    """What the measures would be of as many words drawn at random from the sources of each sample.

    Cost: the sources are located, see `attribute`, which shares that work, and per sample a few hundred microseconds
    for 100 draws; 1,500 sets of eight reviews take about three seconds. Memory does not grow with the samples.

    Args:
        measures: of the family.
        settings: of these, with n-gram matching.
        n_draws: how many random data sets.
        seed: of the draws.

    Example:
        >>> chance = RandomSummaries(("bur", "uer"), RepresentationSettings())
        >>> sample = {"predictions": "Tasty soup.", "sources": ["Tasty.", "Soup."], "values": ["pos", "neg"]}
        >>> chance.add(sample, {"values": ["neg", "pos"], "matched": [["soup"], ["tasti"]], "skipped": None,
        ...                     "desired_share": [0.5, 0.5]})
        >>> 0.3 < chance.expected()["bur"].score < 0.7  # each word twice, or both once: even odds
        True
    """

    said = "summaries of as many words, drawn at random (with replacement) from all sources of their sample"

    def __init__(
        self, measures: Sequence[str], settings: RepresentationSettings, *, n_draws: int = N_DRAWS, seed: int = 0
    ) -> None:
        self._measures, self._settings, self._n_draws = tuple(measures), settings, n_draws
        self._generator = np.random.default_rng(seed)
        self._known = settings.matcher == "ngram"
        self._sums: dict[str, Floats] = {}
        self._shortfalls: dict[str, Floats] = {}
        self._counts: Counter[str] = Counter()

    def add(self, sample: Mapping[str, Any], record: Mapping[str, Any]) -> None:
        """Take a sample in; one that was skipped counts for nothing.

        Args:
            sample: column -> entry.
            record: what `sample_records` says of the sample, with evidence.
        """
        if record["skipped"] is not None or not self._known:
            return
        weights = self._weights(sample, record)
        if weights is None:
            self._known = False
            return
        settings, desired = self._settings, np.array(record["desired_share"])
        p_y = _shares(weights, unmatched_share=0.0 if settings.unmatched == "unfair" else 1 / len(desired))
        p_g = np.broadcast_to(desired, p_y.shape)
        self.n_samples += 1
        for name, scores in sample_scores(p_y, p_g, settings).items():
            self._sums[name] = self._sums.get(name, 0.0) + scores
        for value, lacking in zip(record["values"], shortfall(p_y, p_g).T, strict=True):
            self._shortfalls[value] = self._shortfalls.get(value, 0.0) + lacking
            self._counts[value] += 1

    def expected(self) -> dict[str, Expected]:
        """Measure -> its mean over the random data sets, and between which ends 95 % of them lie.

        Returns:
            Nothing without a sample, or if a sample was given whose shares do not come from words: from a model, a
            function or annotators, or from other settings. A score that is undefined is NaN.
        """
        if not self._known or not self.n_samples:
            return {}
        drawn = {name: self._drawn(name) for name in self._measures}
        return {
            name: Expected(math.fsum(scores) / len(scores), self.said, percentile_interval(scores, USUAL_LEVEL))
            for name, scores in drawn.items()
        }

    def _drawn(self, name: str) -> Floats:
        """The score of each random data set, shape (n_draws,)."""
        if name == "sof":
            values = sorted(self._shortfalls)
            sums = np.column_stack([self._shortfalls[value] for value in values])
            return sof(sums, [self._counts[value] for value in values])
        replicates: Floats = get_formula(name)(self._sums[name], self.n_samples)
        return replicates

    def _weights(self, sample: Mapping[str, Any], record: Mapping[str, Any]) -> Floats | None:
        """What each random summary gives each value, shape (n_draws, r); None where words did not decide."""
        values = record["values"]
        if "predictions" not in sample:
            return None
        if not sample["predictions"].strip():
            return np.zeros((self._n_draws, len(values)))
        n_words = count_words(self._settings, sample, record)
        if n_words is None:
            return None
        sources = located_sources(self._settings, sample)
        pool = Counter(sources.values_of[gram] for joined in sources.joined for gram in joined.grams)
        drawn = np.zeros((self._n_draws, len(pool)))
        if n_words:
            odds = np.array([*pool.values()]) / pool.total()
            drawn = self._generator.multinomial(n_words, odds, size=self._n_draws).astype(np.float64)
        held: dict[str, list[int]] = {value: [] for value in values}
        for kind, holders in enumerate(pool):
            for value in holders:
                held[value].append(kind)
        weights: Floats = np.column_stack([drawn[:, kinds].sum(axis=1) for kinds in held.values()])
        return weights


def _shares(weights: Floats, unmatched_share: float) -> Floats:
    """Weights over their sum, shape (n_draws, r); without any, all have the same share."""
    totals = row_sum(weights)[:, None]
    return np.divide(weights, totals, out=np.full_like(weights, unmatched_share), where=totals > 0)
