"""Counterfactual Pairs: LangFair's difference in wording or sentiment between two variants."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Measure
from fairsum_utils.stats.arrays import Floats, quotient

__all__ = ["ABOUT", "MEASURE", "bleu", "counterfactual_pairs", "rouge_l", "strict_parity", "weak_parity"]

MEASURE = Measure(
    "counterfactual_pairs",
    "Counterfactual Pairs",
    "sensitivity",
    0.0,
    2.0,
    lower_is_fairer=True,
    place=3,
)

_ORDERS = 4
"""Longest n-grams of BLEU."""
_SMOOTHED = 0.1
"""Count of shared n-grams if there are none."""


def counterfactual_pairs(totals: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Divide the sum over pairs of texts by the number of pairs.

    Args:
        totals: sum of the pairs' dissimilarities, or the difference in sentiment from `strict_parity` or `weak_parity`.
        n: number of pairs.

    Returns:
        The broadcast shape, in [0, 2]; above 1 only for opposed embeddings, NaN without pairs.

    Source: D. Bouchard, "An Actionable Framework for Assessing Bias and Fairness in Large Language Model Use Cases",
    2024, section 3.3; the score is 1 minus the similarity of the package langfair, or its parity without a sign.

    Example:
        >>> float(counterfactual_pairs(0.25 + 0.75, n=2))
        0.5
    """
    return quotient(totals, n)


def bleu(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Compute BLEU in both directions and return the smaller one.

    If no n-gram of a length from 1 to 4 is shared, 0.1 counts instead, also in a text too short for that length: three
    tokens have BLEU 0.1 ** (1 / 4) = 0.56 with themselves.

    Args:
        first: tokens of a text.
        second: tokens of another text.

    Returns:
        Score in [0, 1]; 0 without shared tokens.

    Source: K. Papineni et al., "BLEU: a Method for Automatic Evaluation of Machine Translation", 2002, section 2; B.
    Chen and C. Cherry, "A Systematic Comparison of Smoothing Techniques for Sentence-Level BLEU", 2014, technique 1.

    Example:
        >>> bleu("the cat sat on the mat".split(), "the cat sat on the mat".split())
        1.0
        >>> round(bleu("the cat sat".split(), "the cat sat".split()), 4)
        0.5623
    """
    shared = [(_runs(first, order) & _runs(second, order)).total() for order in range(1, _ORDERS + 1)]
    if not shared[0]:
        return 0.0
    return min(_one_way(shared, len(first), len(second)), _one_way(shared, len(second), len(first)))


def _runs(tokens: Sequence[Hashable], order: int) -> Counter[tuple[Hashable, ...]]:
    return Counter(zip(*(tokens[start:] for start in range(order)), strict=False))


def _one_way(shared: Sequence[int], length: int, reference: int) -> float:
    """Compute BLEU from a text's length, its reference's length and shared n-grams."""
    logarithms = [math.log((n or _SMOOTHED) / max(1, length - order)) for order, n in enumerate(shared)]
    brevity = min(0.0, 1 - reference / length)
    return math.exp(brevity + math.fsum(logarithms) / _ORDERS)


def rouge_l(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Compute ROUGE-L: longest common subsequence over mean length.

    Time grows as the product of the lengths, 64 tokens at a time.

    Args:
        first: tokens of a text.
        second: tokens of another text.

    Returns:
        Score in [0, 1]; 0 if a text is empty.

    Source: C.-Y. Lin, "ROUGE: A Package for Automatic Evaluation of Summaries", 2004, section 3.1, with beta 1; H.
    Hyyrö, "Bit-Parallel LCS-length Computation Revisited", 2004.

    Example:
        >>> rouge_l("police killed the gunman".split(), "police kill the gunman".split())
        0.75
    """
    if not first or not second:
        return 0.0
    places: dict[Hashable, int] = {}
    for place, token in enumerate(first):
        places[token] = places.get(token, 0) | 1 << place
    everywhere = (1 << len(first)) - 1
    open_places = everywhere  # a bit is cleared for each token of the longest common run
    for token in second:
        matched = open_places & places.get(token, 0)
        open_places = (open_places + matched | open_places - matched) & everywhere
    return 2 * (len(first) - open_places.bit_count()) / (len(first) + len(second))


def strict_parity(differences: npt.ArrayLike, scores: npt.ArrayLike) -> Floats:
    """Sum the distances between two equally large, sorted sets of scores.

    The sum is the area between the cumulative counts and depends only on the frequency of each score. It compares
    distributions, not pairs: texts with scores swapped in pairs have distance 0.

    Args:
        differences: number of texts of the first variant minus the second with each score, shape (..., s), with sum 0.
        scores: scores in ascending order, shape (s,).

    Returns:
        Shape (...), at least 0; divided by the number of pairs, the Wasserstein-1 distance.

    Source: P.-S. Huang et al., "Reducing Sentiment Bias in Language Models via Counterfactual Evaluation", 2020,
    section 3; langfair's parity "strong".

    Example:
        >>> float(strict_parity([1, -1, 1, -1], [0.0, 0.1, 0.4, 0.6]).round(9))
        0.3
    """
    counts = np.cumsum(np.asarray(differences, dtype=np.float64), axis=-1)[..., :-1]
    return np.asarray(np.abs(counts) @ np.diff(np.asarray(scores, dtype=np.float64)))


def weak_parity(above: npt.ArrayLike, others: npt.ArrayLike) -> Floats:
    """Compute the difference in texts that score above the threshold.

    Args:
        above: number of such texts of the first variant.
        others: number of such texts of the second variant, same shape.

    Returns:
        Same shape; negative if the second variant has more.

    Source: langfair's parity "weak".

    Example:
        >>> float(weak_parity(3, 5))
        -2.0
    """
    return np.asarray(np.asarray(above, dtype=np.float64) - np.asarray(others, dtype=np.float64))


def _example() -> list[str]:
    first, second = (["the", "nurse", "said", who, "left"] for who in ("she", "he"))
    similarity, same = rouge_l(first, second), bleu(first[:3], first[:3])
    return [
        f"BLEU of a text of three tokens with itself is only {same:.4f}, a dissimilarity of {1 - same:.4f}.",
        f'ROUGE-L of "{" ".join(first)}" and "{" ".join(second)}": 4 of 5 tokens match in order, {similarity:.4f}.',
        f"The dissimilarity of this pair is 1 - {similarity:.4f} = {1 - similarity:.4f}.",
    ]


def _at_random(generator: np.random.Generator) -> tuple[str, float]:
    pairs = generator.integers(20, size=(500, 2, 10)).tolist()
    alike = [rouge_l(first, second) for first, second in pairs]
    return "ROUGE-L of texts of 10 words, drawn from the same 20 words", 1 - math.fsum(alike) / len(alike)


ABOUT = About(
    formula="1 - mean similarity of pairs (cosine, ROUGE-L or BLEU); or the distance between two distributions of "
    "sentiment (strict); or the absolute difference in the share of texts with sentiment above a threshold (weak)",
    example=_example,
    instead="Use counterfactual_gap unless you need numbers comparable with LangFair: it subtracts the generator's own "
    "variation, which keeps this score above 0 for every generator that samples.",
    at_random=_at_random,
)
