"""Order Sensitivity: does a summary draw on whatever happened to come first?"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Measure
from fairsum_utils.stats.arrays import Bools, Floats, Integers, quotient

__all__ = [
    "ABOUT",
    "MEASURE",
    "forwardness",
    "gain_weights",
    "order_sensitivity",
    "own_minus_others",
    "place_weights",
    "value_gain",
]

MEASURE = Measure(
    "order_sensitivity",
    "Order Sensitivity",
    "sensitivity",
    -1.0,
    1.0,
    lower_is_fairer=True,
    place=4,
    averages="scores",
    tests="other",
)


def place_weights(places: Integers) -> Floats:
    """How far forward sources stand: 1 for the first, 0 for the last, evenly between.

    Args:
        places: of the n sources of a set, from 0, shape (..., n), n at least 2.

    Example:
        >>> place_weights(np.array([2, 0, 1])).tolist()
        [0.0, 1.0, 0.5]
    """
    return np.asarray(1 - places / (places.shape[-1] - 1))


def forwardness(shares: Floats, places: Integers) -> Floats:
    """How far forward the sources that each summary draws on stand in each order.

    Args:
        shares: of each of the n sources in the summary of each of k orders, shape (k, n); rows sum to 1.
        places: of each source in each order, shape (k, n).

    Returns:
        Shape (k, k), in [0, 1]; row a is the summary of order a, column b the order that its sources are looked up in.

    Example:
        >>> forwardness(np.array([[1.0, 0.0], [0.25, 0.75]]), np.array([[0, 1], [1, 0]])).tolist()
        [[1.0, 0.0], [0.25, 0.75]]
    """
    return np.asarray(shares @ place_weights(places).T)


def own_minus_others(matrix: Floats) -> Floats:
    """What each summary adds to the primacy of a set if it is matched with each order; see `order_sensitivity`.

    Args:
        matrix: of `forwardness`, shape (k, k), k at least 2.

    Returns:
        Shape (k, k). The diagonal sums to the mean over summaries of the forwardness in their own order minus that in
        the other orders. If summaries are handed to orders at random, the sum over what they are matched with is 0 on
        average.

    Example:
        >>> float(np.trace(own_minus_others(np.array([[1.0, 0.0], [0.25, 0.75]]))))
        0.75
    """
    return np.asarray((matrix - matrix.mean()) / (len(matrix) - 1))


def gain_weights(first: Bools) -> Floats:
    """What the share of a value counts in each order: for the orders that it comes first in, against the others.

    Args:
        first: whether the value comes first, shape (k,); in some orders, not in all.

    Returns:
        Shape (k,), which sums to 0.

    Example:
        >>> gain_weights(np.array([True, False, False])).tolist()
        [1.0, -0.5, -0.5]
    """
    return np.asarray(np.where(first, 1 / first.sum(), -1 / (~first).sum()))


def value_gain(shares: Floats, first: Bools) -> float:
    """The share of a value in the summaries of a set where it comes first, minus that where another comes first.

    Args:
        shares: of the value in the summary of each order, shape (k,).
        first: whether it comes first there, shape (k,).

    Returns:
        In [-1, 1].

    Example:
        >>> value_gain(np.array([0.75, 0.5, 0.25]), np.array([True, False, False]))
        0.375
    """
    return float(shares @ gain_weights(first))


def order_sensitivity(primacies: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """The mean over sets of their primacy.

    The primacy of a set is the mean over its orders of how far forward the sources that the summary draws on stand in
    its own order, minus how far forward the same sources stand in the other orders. What the set holds, and which of it
    is worth telling, cancels.

    Args:
        primacies: sum over sets, shape (...).
        n: number of these sets, a shape that broadcasts with it.

    Returns:
        Shape (...), in [-1, 1]: above 0 where summaries draw on what comes early, below 0 on what comes late; 0 on
        average where they do not depend on the order. NaN without a set.

    Source: ours. That the place in the input decides what a summary holds is known as lead bias in news (M. Grenander
    et al., "Countering the Effects of Lead Bias in News Summarization via Multi-Stage Training and Auxiliary Losses",
    2019).

    Example:
        >>> float(order_sensitivity(0.75 + 0.25, n=2))
        0.5
    """
    return quotient(primacies, n)


def _example() -> list[str]:
    shares, places = np.array([[1.0, 0.0], [0.25, 0.75]]), np.array([[0, 1], [1, 0]])
    matrix = forwardness(shares, places)
    score = float(order_sensitivity(np.trace(own_minus_others(matrix)), 1))
    return [
        "A set of two sources, X and Y, is summarized as X Y and as Y X. The first source counts 1, the last one 0.",
        f"The summary of X Y draws on X alone: {matrix[0, 0]:.2f} in its own order, {matrix[0, 1]:.2f} in the other.",
        f"That of Y X draws on Y for 3/4: {matrix[1, 1]:.2f} in its own order, {matrix[1, 0]:.2f} in the other.",
        f"Order Sensitivity: ((1.00 - 0.00) + (0.75 - 0.25)) / 2 = {score:.4f}.",
    ]


def _at_random(generator: np.random.Generator) -> tuple[str, float]:
    """Summaries that draw on sources at random."""
    n_sets, k, n = 200, 6, 8
    total = 0.0
    for _ in range(n_sets):
        places = np.stack([generator.permutation(n) for _ in range(k)])
        shares = np.zeros((k, n))
        for row in shares:
            row[generator.choice(n, 3, replace=False)] = 1 / 3
        total += float(np.trace(own_minus_others(forwardness(shares, places))))
    said = f"{n_sets} sets of {n} sources in {k} orders, each summary from three sources at random"
    return said, float(order_sensitivity(total, n_sets))


ABOUT = About(
    formula="mean over sets and their orders of (how far forward the sources of a summary stand in its own order - how "
    "far forward they stand in the set's other orders); 1 for the first place, 0 for the last",
    example=_example,
    instead="counterfactual_gap says whether summaries of different orders differ at all, wherever their words are "
    "from; uer and equal_coverage say whom a summary speaks for in one order.",
    at_random=_at_random,
)
