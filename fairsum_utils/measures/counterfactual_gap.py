"""Counterfactual Gap: the change in a summary with the person, beyond normal variation."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Figures
from fairsum_utils.measures._measure import P_VALUES, Reads
from fairsum_utils.measures._sensitivity import MaskedMeasure
from fairsum_utils.settings import Location, setting
from fairsum_utils.settings.models import SENTENCE_MODEL
from fairsum_utils.stats.arrays import Floats, quotient

__all__ = [
    "ABOUT",
    "CounterfactualGap",
    "counterfactual_gap",
    "input_pairs",
    "mean_distances",
    "mean_of_pairs",
    "pulls",
    "spreads",
]

Distance = Literal["words", "rouge_l", "bleu", "embedding"]
DISTANCES = get_args(Distance)
"""How far apart two summaries are; the last asks a model."""


class CounterfactualGap(MaskedMeasure):
    """The change in a summary with the person, beyond normal variation."""

    name = "counterfactual_gap"
    title = "Counterfactual Gap"
    low = -1.0
    averages = "scores"
    figures = (
        Figures(
            columns=(("mean distance", "distance"),),
            title="What the gap consists of",
            axis="Mean distance of two summaries",
            rows="distances",
            heading="summaries",
            counts=(),
        ),
        Figures(
            columns=(("gap", "gap"), *P_VALUES),
            title="Gap by pair of variants",
            axis="Distance between the summaries of two variants beyond the noise floor; closer to 0 is fairer",
            rows="pairs",
            named="{variant_a}, {variant_b}",
            heading="variants",
            counts=(("originals", "n_articles"),),
            fair="no gap",
        ),
    )

    distance: Distance = setting(
        "words",
        "distance between two summaries: words, rouge_l, bleu or embedding, which needs a model",
        key="distance",
        space=True,
    )
    model: Location | None = setting(
        None,
        f"id or folder of the model for embedding ({SENTENCE_MODEL} if None)",
    )
    revision: str | None = setting(None, "branch, tag or commit of the model")

    def check_together(self) -> None:
        """Check that model settings come with a model."""
        super().check_together()
        embeds = "distance='embedding'"
        self.only_with(self.distance == "embedding", ("model", "revision"), embeds, f"leave it out, or choose {embeds}")

    def uses_model(self, given: Collection[str]) -> bool:
        """Check whether a neural model compares the summaries."""
        return self.distance == "embedding"

    @property
    def reads(self) -> Reads:
        """Words between spaces, unless a model compares; English ones if pronouns become neutral."""
        return Reads(words=self.distance != "embedding", english=self.neutral)


def input_pairs(n: int) -> npt.NDArray[np.intp]:
    """Return all pairs of n inputs.

    Returns:
        Shape (2, n (n - 1) / 2), the smaller position first.

    Example:
        >>> input_pairs(3).tolist()
        [[0, 0, 1], [1, 2, 2]]
    """
    return np.array(np.triu_indices(n, 1))


def _member(inputs: Sequence[int]) -> Floats:
    """Return a matrix of summaries by inputs, shape (n, k)."""
    return np.eye(max(inputs) + 1)[list(inputs)]


def mean_distances(distances: Floats, inputs: Sequence[int]) -> tuple[Floats, Floats]:
    """Average the distances between and within inputs.

    Args:
        distances: distances between the n summaries of an original, shape (..., n, n), 0 on the diagonal.
        inputs: input of each summary, shape (n,): 0 ... k-1, each at least once.

    Returns:
        Mean distances between inputs, ordered as by `input_pairs`, shape (..., k (k - 1) / 2); and between the
        summaries of each input, shape (..., k), NaN for a single summary.

    Example:
        >>> distances = np.array([[0.0, 0.2, 0.6], [0.2, 0.0, 0.8], [0.6, 0.8, 0.0]])
        >>> between, alone = mean_distances(distances, [0, 0, 1])
        >>> between.round(9).tolist(), alone.round(9).tolist()
        ([0.7], [0.2, nan])
    """
    member = _member(inputs)
    counts = member.sum(0)
    sums = member.T @ distances @ member
    first, second = input_pairs(len(counts))
    pairs = sums[..., first, second] / (counts[first] * counts[second])
    return pairs, quotient(np.diagonal(sums, axis1=-2, axis2=-1), counts * (counts - 1))


def mean_of_pairs(pairs: Floats, variants: Sequence[int]) -> tuple[Floats, Floats]:
    """Average over pairs of inputs of different variants, and of one variant.

    Args:
        pairs: distances of the pairs of k inputs, shape (..., k (k - 1) / 2), ordered as by `input_pairs`.
        variants: variant of each input, shape (k,).

    Returns:
        Two arrays of shape (...); NaN without such pairs.

    Example:
        >>> between, within = mean_of_pairs(np.array([0.1, 0.5, 0.75]), [0, 0, 1])
        >>> float(between), float(within)
        (0.625, 0.1)
    """
    codes = np.asarray(variants)
    first, second = input_pairs(len(codes))
    same = codes[first] == codes[second]
    return (quotient(pairs[..., chosen].sum(-1), chosen.sum()) for chosen in (~same, same))  # type: ignore[return-value]


def pulls(distances: Floats, inputs: Sequence[int], variants: Sequence[int]) -> tuple[Floats, Floats]:
    """Compute each summary's first-order effect on the gap of its original.

    The gap is a mean over pairs of summaries; redrawing summaries changes it by the sum of their pulls.

    Args:
        distances: see `mean_distances`.
        inputs: see `mean_distances`.
        variants: variant of each input, shape (k,).

    Returns:
        Pulls on the gap above control edits and on the gap above replicates, each of shape (..., n). They sum to 0 over
        the summaries of an input; NaN if the original has no such gap.

    Source: W. Hoeffding, "A class of statistics with asymptotically normal distribution", 1948 (projection).

    Example:
        >>> distances = np.array([[0.0, 0.2, 0.6], [0.2, 0.0, 0.8], [0.6, 0.8, 0.0]])
        >>> pulls(distances, [0, 0, 1], [0, 1])[1].round(9).tolist()
        [-0.05, 0.05, 0.0]
    """
    member, codes = _member(inputs), np.asarray(variants)
    counts, own = member.sum(0), np.asarray(inputs)
    to_inputs = distances @ member / counts  # mean distance of each summary to those of each input
    of_inputs = member.T @ to_inputs / counts[:, None]
    moved = (to_inputs - of_inputs[..., own, :]) / counts[own][:, None]
    same = codes[:, None] == codes
    np.fill_diagonal(same, False)
    n_same, n_other = same.sum() / 2, (codes[:, None] != codes).sum() / 2
    other = (moved * (codes[:, None] != codes)[own]).sum(-1)
    between = quotient(other, n_other)
    controls = between - quotient((moved * same[own]).sum(-1), n_same)
    several = counts > 1
    alone = np.take_along_axis(moved, np.broadcast_to(own[:, None], (*moved.shape[:-1], 1)), -1)[..., 0]
    # The mean over the other summaries of the input is that over all of them times m / (m - 1); each stands in two.
    noise = 2 * np.where(several[own], alone * counts[own] / np.maximum(counts[own] - 1, 1), 0.0)
    return controls, between - quotient(noise, several.sum())


def spreads(distances: Floats, inputs: Sequence[int], variants: Sequence[int]) -> tuple[Floats, Floats]:
    """Compute the gap's variance from pulls, and the part counted twice.

    An effect specific to a pair of summaries is part of the pulls of both but changes the gap only once. If pulls
    consist of nothing else, as with very noisy summaries, their variance is twice the correct one.

    Args:
        distances: see `mean_distances`.
        inputs: see `mean_distances`.
        variants: variant of each input, shape (k,).

    Returns:
        Variance of the sum of redrawn pulls (k - 1 of the k of each input, times k / (k - 1)), and an unbiased estimate
        of the part counted twice, each of shape (...). NaN without such a gap.

    Source: B. Efron and C. Stein, "The Jackknife Estimate of Variance", 1981 (what it adds to the variance of a
    statistic of the second order).

    Example:
        >>> distances = np.ones((6, 6)) - np.eye(6)
        >>> distances[0, 2] = distances[2, 0] = 0.0
        >>> drawn, twice = spreads(distances, [0, 0, 1, 1, 2, 2], [0, 0, 1])
        >>> float(drawn), float(twice)
        (0.125, 0.0625)
    """
    member, codes, own = _member(inputs), np.asarray(variants), np.asarray(inputs)
    counts = member.sum(0)
    pulled = pulls(distances, inputs, variants)[0]
    drawn = (pulled**2 * (counts / np.maximum(counts - 1, 1))[own]).sum(-1)
    to_inputs = distances @ member / counts
    of_inputs = member.T @ to_inputs / counts[:, None]
    of_summaries = to_inputs[..., own]
    peculiar = distances - of_summaries - of_summaries.swapaxes(-1, -2) + of_inputs[..., own[:, None], own]
    first, second = input_pairs(len(counts))
    squares = (member.T @ peculiar**2 @ member)[..., first, second]
    freely = ((counts - 1)[first] * (counts - 1)[second]) * counts[first] * counts[second]
    same = codes[first] == codes[second]
    weights = np.where(same, same.sum(), (~same).sum()).astype(np.float64) ** -2.0
    twice = np.where(freely > 0, squares / np.maximum(freely, 1), 0.0)
    return drawn, (twice * weights).sum(-1) + 0 * drawn


def counterfactual_gap(gaps: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Compute the mean gap over originals.

    Args:
        gaps: sum over the originals with a gap, shape (...).
        n: number of these originals, a shape that broadcasts with `gaps`.

    Returns:
        Shape (...), in [-1, 1]; NaN without originals.

    Source: ours; comparing distances between groups with those within a group follows W. Xu et al., "Quantifying
    Fairness in LLMs Beyond Tokens: A Semantic and Statistical Perspective", 2025.

    Example:
        >>> float(counterfactual_gap(0.5 - 0.25, n=2))
        0.125
    """
    return quotient(gaps, n)


def _example() -> list[str]:
    pairs = np.array([0.25, 0.5, 0.75, 0.5, 0.75, 0.25])
    between, within = map(float, mean_of_pairs(pairs, [0, 0, 1, 1]))
    score = float(counterfactual_gap(between - within, 1))
    return [
        "An original has four inputs: two about a woman and two about a man. In one of each pair, another city is "
        "named.",
        "Distances between their summaries: woman and woman 0.25; man and man 0.25; woman and man 0.50, 0.75, 0.50, "
        "0.75.",
        f"Different variants: (0.50 + 0.75 + 0.50 + 0.75) / 4 = {between:.4f}.",
        f"Same variant, another city: (0.25 + 0.25) / 2 = {within:.4f}.",
        f"Counterfactual Gap: {between:.4f} - {within:.4f} = {score:.4f}.",
    ]


def _at_random(generator: np.random.Generator) -> tuple[str, float]:
    vectors = generator.random((200, 6, 20))
    vectors /= np.linalg.norm(vectors, axis=-1, keepdims=True)
    pairs, _ = mean_distances(1 - vectors @ vectors.swapaxes(1, 2), range(6))
    between, within = mean_of_pairs(pairs, [0, 0, 0, 1, 1, 1])
    drawn = "200 originals, two variants with three inputs each, random summaries"
    return drawn, float(counterfactual_gap((between - within).sum(), 200))


ABOUT = About(
    formula="mean over originals of (mean distance between summaries of different variants - mean distance between "
    "summaries of the same variant). The same variant means inputs with different control edits or, without these, "
    "repeated summaries of one input",
    example=_example,
    instead="Use counterfactual_outcomes to see what changes, in which direction, and whether single claims are "
    "dropped. Use distinguishability to see whether summaries reveal their group; it needs several inputs of each "
    "group.",
    at_random=_at_random,
)
