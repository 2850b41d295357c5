"""Matchers of a summary with its sources: two by words, one by entailment.

Overlap counts whatever a source shares with the summary, also what all sources share, and so sees everything
everywhere. The lexical matcher weighs words by how few sources hold them, and asks of each sentence which source it is
from. A model of natural language inference sees paraphrases too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from fairsum_utils.families.sensitivity.distances import words
from fairsum_utils.inference.entailers import Entailer
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.text.splitting import sentence_units

N = 2
"""Words of an n-gram."""
_CLOSE = 1e-9
"""Sources that hold a sentence alike, but for rounding, share it."""


class Matched(NamedTuple):
    """Shares of a summary by source.

    Attributes:
        shares: shares of the summary by source, shape (n,), with sum 1; None if no source matches.
        coverage: part of the summary found in each source, independent of the others, shape (n,), in [0, 1].
    """

    shares: Floats | None
    coverage: Floats


def ngram(summary: str, sources: Sequence[str]) -> Matched:
    """Match by overlap: sources share each pair of adjacent words.

    Example:
        >>> shares, coverage = ngram("Good food, slow staff.", ["good food here", "slow staff", "good food"])
        >>> shares.tolist(), coverage.round(3).tolist()
        ([0.25, 0.5, 0.25], [0.333, 0.333, 0.333])
    """
    held = [set(_ngrams(source)) for source in sources]
    grams = _ngrams(summary)
    holds = np.array([[gram in of for of in held] for gram in grams], dtype=np.float64).reshape(
        len(grams), len(sources)
    )
    return _matched(holds, np.ones(len(grams)), holds)


def _ngrams(text: str) -> list[tuple[str, ...]]:
    found = words(text)
    return [found[place : place + N] for place in range(len(found) - N + 1)] or [found][: len(found)]


def lexical(summary: str, sources: Sequence[str]) -> Matched:
    """Match each sentence to the source with most of its words, weighted by rarity.

    A word that all sources hold counts nothing. A sentence counts as many words as it has.

    Example:
        >>> sources = ["the food is good", "the staff is slow"]
        >>> shares, coverage = lexical("The food is good. The staff is slow here.", sources)
        >>> shares.round(3).tolist(), coverage.round(3).tolist()
        ([0.444, 0.556], [0.5, 0.5])
    """
    held = [set(words(source)) for source in sources]
    n_holding = Counter(word for of in held for word in of)
    sentences = [found for unit in sentence_units(summary) if (found := words(unit))]
    contained = np.zeros((len(sentences), len(sources)))
    for row, sentence in enumerate(sentences):
        weights = [math.log(len(sources) / n_holding[word]) if n_holding[word] else 0.0 for word in sentence]
        total = math.fsum(weights)
        if total > 0:
            contained[row] = [
                math.fsum(weight for word, weight in zip(sentence, weights, strict=True) if word in of) / total
                for of in held
            ]
    largest = contained.max(axis=1, initial=0.0, keepdims=True)
    best = (contained >= largest - _CLOSE) & (largest > 0)
    return _matched(best.astype(np.float64), np.array([len(sentence) for sentence in sentences], float), contained)


def entailed(samples: Sequence[tuple[str, Sequence[str]]], entailer: Entailer) -> list[Matched]:
    """Match by entailment: sources share each sentence in proportion to its probability.

    A sentence counts as far as the source that entails it most does.

    Example:
        >>> from fairsum_utils.inference.entailers import LexicalEntailer
        >>> sources = ["warm soup", "soup and slow staff"]
        >>> [(shares, coverage)] = entailed([("Warm soup. Slow staff, slow soup.", sources)], LexicalEntailer())
        >>> shares.round(3).tolist(), coverage.round(3).tolist()
        ([0.433, 0.567], [0.625, 0.75])
    """
    sentences = [sentence_units(summary) for summary, _ in samples]
    asked = dict.fromkeys(
        (source, sentence)
        for own, (_, sources) in zip(sentences, samples, strict=True)
        for sentence in own
        for source in sources
    )
    judged = dict(zip(asked, np.nan_to_num(entailer.judge(list(asked)).probability).tolist(), strict=True))
    found = []
    for own, (_, sources) in zip(sentences, samples, strict=True):
        held = np.array([[judged[source, sentence] for source in sources] for sentence in own], dtype=np.float64)
        held = held.reshape(len(own), len(sources))
        found.append(_matched(held, held.max(axis=1, initial=0.0), held))
    return found


def _matched(from_source: Floats, sizes: Floats, held: Floats) -> Matched:
    """Convert the source weights of units to shares and coverage."""
    n_sources = from_source.sum(axis=1)
    counted = n_sources > 0
    credit = (from_source[counted] / n_sources[counted, None] * sizes[counted, None]).sum(axis=0)
    coverage = held.mean(axis=0) if len(held) else np.zeros(held.shape[1])
    return Matched(credit / credit.sum() if counted.any() else None, coverage)


MATCHERS: Mapping[str, Callable[[str, Sequence[str]], Matched]] = {"lexical": lexical, "ngram": ngram}
"""Name -> matcher that needs no model."""
NLI = "nli"
"""The name of `entailed`."""


def fields_of(matcher: str) -> tuple[str, str]:
    """Return the fields of a row with the shares and coverage of a matcher.

    Example:
        >>> fields_of("ngram")
        ('ngram_shares', 'ngram_coverage')
    """
    return f"{matcher}_shares", f"{matcher}_coverage"


def matchers_with(chosen: str) -> tuple[str, ...]:
    """Return the matchers to report: both by words, and the chosen one.

    Example:
        >>> matchers_with("ngram"), matchers_with("nli")
        (('lexical', 'ngram'), ('lexical', 'ngram', 'nli'))
    """
    return tuple(dict.fromkeys([*MATCHERS, chosen]))
