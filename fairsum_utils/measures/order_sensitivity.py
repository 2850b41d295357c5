"""Order Sensitivity: the preference of a summary for sources that come first."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Figures
from fairsum_utils.measures._measure import Reads
from fairsum_utils.measures._sensitivity import SensitivityMeasure
from fairsum_utils.settings import Location, setting
from fairsum_utils.settings.models import NLI_MODEL
from fairsum_utils.stats.arrays import Bools, Floats, Integers, quotient

__all__ = [
    "ABOUT",
    "OrderSensitivity",
    "forwardness",
    "gain_weights",
    "order_sensitivity",
    "own_minus_others",
    "place_weights",
    "value_gain",
]


class OrderSensitivity(SensitivityMeasure):
    """The preference of a summary for sources that come first."""

    name = "order_sensitivity"
    title = "Order Sensitivity"
    low = -1.0
    place = 3
    averages = "scores"
    needs = ("predictions", "article_ids", "variants", "sources", "values")
    figures = (
        Figures(
            columns=(("primacy", "primacy"), ("p", "p_value")),
            title="By matcher",
            kind="",
            rows="by_matcher",
            heading="matcher",
            counts=(("originals", "n_articles"),),
        ),
        Figures(
            columns=(("share", "ratio"),),
            title="Share of each place in the set",
            axis="Share of the summary over an even share, by {matcher}; right of 1: more than even",
            rows="parts",
            named="{part} third",
            heading="place",
            counts=(),
            fair="even",
            base=1.0,
        ),
        Figures(
            columns=(
                ("gain", "gain"),
                ("share if it comes first", "first"),
                ("if not", "later"),
                ("p (Holm)", "p_value_corrected"),
            ),
            title="What a group gains by coming first",
            axis="Share of the summary if the group comes first minus its share if not",
            rows="first_values",
            named="{value}",
            counts=(),
            fair="no gain",
        ),
        Figures(
            columns=(("", "by_variant"), ("spread", "spread"), ("p", "p_value")),
            title="Fairness scores by order",
            kind="",
            rows="scores_by_order",
            heading="score",
            counts=(),
        ),
    )

    matcher: Literal["lexical", "ngram", "nli"] = setting(
        "lexical",
        "matcher of the score: lexical, ngram or nli (needs a model); results always show the first two",
        key="matcher",
        space=True,
    )
    model: Location | None = setting(
        None,
        f"id or folder of the model for nli ({NLI_MODEL} if None)",
    )
    revision: str | None = setting(None, "branch, tag or commit of the model")
    entailment_label: str | None = setting(
        None,
        "for nli: label for entailment; None to read it from the model's configuration",
    )

    def check_together(self) -> None:
        """Check that model settings come with a model."""
        super().check_together()
        nli = "matcher='nli'"
        names = ("model", "revision", "entailment_label")
        self.only_with(self.matcher == "nli", names, nli, f"leave it out, or choose {nli}")

    def uses_model(self, given: Collection[str]) -> bool:
        """Check whether a neural model judges the summaries."""
        return self.matcher == "nli"

    @property
    def reads(self) -> Reads:
        """Words between spaces, of summaries and sources."""
        return Reads(words=True, sources=True)


def place_weights(places: Integers) -> Floats:
    """Weight positions linearly from 1 (first) to 0 (last).

    Args:
        places: positions of the n sources of a set, from 0, shape (..., n), n at least 2.

    Example:
        >>> place_weights(np.array([2, 0, 1])).tolist()
        [0.0, 1.0, 0.5]
    """
    return np.asarray(1 - places / (places.shape[-1] - 1))


def forwardness(shares: Floats, places: Integers) -> Floats:
    """Compute the mean position weight of each summary's sources in each order.

    Args:
        shares: shares of n sources in the summaries of k orders, shape (k, n); rows have sum 1.
        places: position of each source in each order, shape (k, n).

    Returns:
        Shape (k, k), in [0, 1]: rows are summaries by their order, columns the orders that define positions.

    Example:
        >>> forwardness(np.array([[1.0, 0.0], [0.25, 0.75]]), np.array([[0, 1], [1, 0]])).tolist()
        [[1.0, 0.0], [0.25, 0.75]]
    """
    return np.asarray(shares @ place_weights(places).T)


def own_minus_others(matrix: Floats) -> Floats:
    """Compute the primacy contribution of each summary matched with each order.

    Args:
        matrix: `forwardness`, shape (k, k), k at least 2.

    Returns:
        Shape (k, k). The diagonal sums to the mean over summaries of the forwardness in their own order minus that in
        the other orders. With summaries assigned to orders at random, this sum is 0 on average.

    Example:
        >>> float(np.trace(own_minus_others(np.array([[1.0, 0.0], [0.25, 0.75]]))))
        0.75
    """
    return np.asarray((matrix - matrix.mean()) / (len(matrix) - 1))


def gain_weights(first: Bools) -> Floats:
    """Weight the orders for the gain of a group that comes first in some.

    Args:
        first: mask of the orders in which the group comes first, shape (k,): some, not all.

    Returns:
        Shape (k,), with sum 0.

    Example:
        >>> gain_weights(np.array([True, False, False])).tolist()
        [1.0, -0.5, -0.5]
    """
    return np.asarray(np.where(first, 1 / first.sum(), -1 / (~first).sum()))


def value_gain(shares: Floats, first: Bools) -> float:
    """Compute how much larger a group's share is in orders where it comes first.

    Args:
        shares: share of the group in the summary of each order, shape (k,).
        first: mask of the orders in which it comes first, shape (k,).

    Returns:
        Difference in [-1, 1].

    Example:
        >>> value_gain(np.array([0.75, 0.5, 0.25]), np.array([True, False, False]))
        0.375
    """
    return float(shares @ gain_weights(first))


def order_sensitivity(primacies: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Compute the mean primacy over sets.

    The primacy of a set compares the position weight of a summary's sources in its own order with their weight in the
    other orders, averaged over the orders. The content of the sources cancels out.

    Args:
        primacies: sum over sets, shape (...).
        n: number of sets, a shape that broadcasts with `primacies`.

    Returns:
        Shape (...), in [-1, 1]: positive if summaries prefer early sources, negative for late ones, 0 on average if the
        order does not matter. NaN without sets.

    Source: ours. The effect of position on news summaries is known as lead bias (M. Grenander et al., "Countering the
    Effects of Lead Bias in News Summarization via Multi-Stage Training and Auxiliary Losses", 2019).

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
        "Two sources, X and Y, are summarized in the orders X Y and Y X. The first position counts 1, the last 0.",
        f"The summary of X Y uses only X: {matrix[0, 0]:.2f} in its own order, {matrix[0, 1]:.2f} in the other.",
        f"Of the summary of Y X, 3/4 come from Y: {matrix[1, 1]:.2f} in its own order, {matrix[1, 0]:.2f} in the "
        "other.",
        f"Order Sensitivity: ((1.00 - 0.00) + (0.75 - 0.25)) / 2 = {score:.4f}.",
    ]


def _at_random(generator: np.random.Generator) -> tuple[str, float]:
    """Simulate summaries of random sources."""
    n_sets, k, n = 200, 6, 8
    total = 0.0
    for _ in range(n_sets):
        places = np.stack([generator.permutation(n) for _ in range(k)])
        shares = np.zeros((k, n))
        for row in shares:
            row[generator.choice(n, 3, replace=False)] = 1 / 3
        total += float(np.trace(own_minus_others(forwardness(shares, places))))
    drawn = f"{n_sets} sets of {n} sources in {k} orders, each summary from three random sources"
    return drawn, float(order_sensitivity(total, n_sets))


ABOUT = About(
    formula="mean over sets and orders of (position weight of a summary's sources in its own order - their position "
    "weight in the set's other orders); position weight: 1 for the first source, 0 for the last",
    example=_example,
    instead="Use counterfactual_gap to see whether summaries differ between orders at all, and uer or equal_coverage "
    "to see which groups a summary represents in one order.",
    at_random=_at_random,
)
