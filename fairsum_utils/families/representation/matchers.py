"""Matchers, which attribute the content of a summary to groups.

A matcher takes the source texts of each value and the summary, and returns one weight a value; the target distribution
p_y is the weights over their sum. Names are listed here; any callable works as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.validation import as_float, describe

# (joined source texts of each value, summary or None) -> one count or score of at least 0 for each value.
Matcher: TypeAlias = Callable[[list[str], Any], Sequence[float]]

# A k-gram; a token stands for itself.
Gram: TypeAlias = str | tuple[str, ...]


def ngrams(tokens: list[str], k: int) -> Iterable[Gram]:
    """Return the k-grams of a list of tokens, repeats included.

    Example:
        >>> list(ngrams(["a", "b", "c"], 2))
        [('a', 'b'), ('b', 'c')]
    """
    return tokens if k == 1 else zip(*(tokens[start:] for start in range(min(k, len(tokens) + 1))), strict=False)


def gram_text(gram: Gram) -> str:
    """Format a k-gram for results.

    Example:
        >>> gram_text(("tasti", "soup"))
        'tasti soup'
    """
    return gram if isinstance(gram, str) else " ".join(gram)


def ngram_matches(source_tokens: Sequence[list[str]], summary_tokens: list[str], k: int = 1) -> list[list[Gram]]:
    """Return the k-grams shared by the summary and each group's sources, repeats included.

    A k-gram may count for several values. Time is linear in the tokens.

    Source: Zhang et al. 2024, section 3.2, N-gram Matching.

    Example:
        >>> ngram_matches([["good", "food"], ["cold", "food"]], ["good", "food", "food"])
        [['good', 'food', 'food'], ['food', 'food']]
    """
    grams = list(ngrams(summary_tokens, k))
    known = (set(ngrams(tokens, k)) for tokens in source_tokens)
    return [[gram for gram in grams if gram in source] for source in known]


def check_weights(module: str, index: int, weights: object, n_values: int) -> list[float]:
    """Check the weights returned by a custom matcher.

    Example:
        >>> check_weights("bur", 0, [2, 1.5], 2)
        [2.0, 1.5]
    """
    if not isinstance(weights, (Sequence, np.ndarray)) or isinstance(weights, (str, bytes)) or len(weights) != n_values:
        raise InputError(
            f"{module}: sample {index}: the matcher must return {n_values} numbers, one per group, "
            f"found {describe(weights)}"
        )
    checked = list(map(as_float, weights))
    for weight, number in zip(weights, checked, strict=True):
        if not 0 <= number < math.inf:
            raise InputError(
                f"{module}: sample {index}: the matcher returned {describe(weight)}, but weights must be finite and at "
                "least 0; convert log-likelihoods first, for example with a softmax"
            )
    if math.isinf(sum(checked)):
        raise InputError(f"{module}: sample {index}: the sum of the matcher's weights overflows; scale them down")
    return checked


def softmax_weights(scores: Sequence[float], temperature: float) -> list[float]:
    """Return exp(score / temperature), normalized to sum to 1.

    Source: Zhang et al. 2024, section 3.2, Neural Matching.

    Example:
        >>> softmax_weights([-1000.0, -1000.0], temperature=0.1)
        [0.5, 0.5]
    """
    largest = max(scores)
    weights = [math.exp((score - largest) / temperature) for score in scores]
    total = math.fsum(weights)
    return [weight / total for weight in weights]
