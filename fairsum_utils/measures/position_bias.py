"""Position Bias: the preference of summaries for a part of their sources."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Figures
from fairsum_utils.measures._measure import Measure
from fairsum_utils.measures._shares import total_variation
from fairsum_utils.settings import ChanceSettings, Fraction, TextSettings, setting
from fairsum_utils.stats.arrays import Floats, quotient

__all__ = ["ABOUT", "THIRDS", "PositionBias", "position_bias", "position_shares", "sentence_positions"]

THIRDS = ("first", "middle", "last")
"""Thirds of the source words, in the order given."""


class PositionBias(TextSettings, ChanceSettings, Measure):
    """The preference of summaries for a part of their sources.

    Example:
        >>> PositionBias(language="de").chosen_normalizer
        'simple'
    """

    name = "position_bias"
    title = "Position Bias"
    family = "framing"
    high = 0.6666666666666666
    place = 2
    reader = "position_bias"
    needs = ("predictions", "sources")
    figures = (
        Figures(
            columns=(("share of the content", "share_by_third"), ("at random", "share_by_third_at_random")),
            title="Where the content comes from",
            axis="Share of the summary's matched sentences, by third of the source words",
            heading="third of the sources",
            fair="one third",
            are_shares=True,
            counts=(),
        ),
        Figures(
            columns=(("summaries", "curve"), ("random extracts", "curve_at_random")),
            title="Positions of the content",
            axis="Position in the source words, from 0 (beginning) to 1 (end); even: 0.1 everywhere",
            kind="curve",
        ),
    )

    min_overlap: Fraction = setting(
        0.2,
        "smallest share of a summary sentence's content words in a source sentence for a match, in [0, 1]; 0: one word",
        key="overlap",
        space=(0.0, 1.0),
    )


def sentence_positions(lengths: Sequence[int], n_bins: int = 3) -> Floats:
    """Compute the share of each source sentence in each part of the words.

    Args:
        lengths: number of words of each sentence, in order, each at least 1.
        n_bins: number of parts.

    Returns:
        Shape (sentences, n_bins), in [0, 1]; each row has sum 1.

    Example:
        >>> sentence_positions([2, 1, 3]).tolist()
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.3333333333333333, 0.6666666666666666]]
    """
    sizes = np.asarray(lengths, dtype=np.int64)
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    edges = np.arange(n_bins + 1) * total  # integers: words times parts
    upper, lower = np.minimum.outer(ends * n_bins, edges[1:]), np.maximum.outer((ends - sizes) * n_bins, edges[:-1])
    return np.asarray(np.maximum(upper - lower, 0) / (sizes * n_bins)[:, None])


def position_shares(positions: Floats, best: Sequence[Sequence[int]]) -> Floats:
    """Compute the share of a summary from each part of its sources.

    Args:
        positions: parts of each source sentence, shape (sentences, bins), see `sentence_positions`.
        best: positions of the source sentences that match best, for each matched sentence of the summary; ties share
            it equally.

    Returns:
        Shape (bins,), with sum 1; NaN without a matched sentence.

    Example:
        >>> position_shares(np.eye(3), [[0], [0, 2]]).tolist()
        [0.75, 0.0, 0.25]
    """
    if not best:
        return np.full(positions.shape[1], np.nan)
    weights = [np.full(len(places), 1 / len(places)) for places in best]
    chosen = positions[list(chain.from_iterable(best))]
    return np.asarray(np.concatenate(weights) @ chosen / len(best))


def position_bias(shares: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Compute position bias, the total variation distance of the thirds from equal shares.

    Args:
        shares: sum over samples of the share of each third, shape (..., 3), see `position_shares`.
        n: number of samples, a shape that broadcasts with `shares`.

    Returns:
        Shape (...), in [0, 2/3]; 0 if every third gives a third of the content, 2/3 if all content comes from one. NaN
        without samples.

    The distance is that of the mean shares of all samples, not the mean of a distance of each sample. A summary of few
    sentences is never spread evenly, so the distance of a single sample is large whatever the system prefers. Only what
    the samples have in common is a preference.

    Source: A. Alessa et al., "Quantifying Cognitive Bias Induction in LLM-Generated Content", arXiv 2507.03194, which
    compares a summary with the first, middle and last part of its text. The distance is ours.

    Example:
        >>> round(float(position_bias([3.0, 0.5, 0.5], n=4)), 4)  # shares 3/4, 1/8, 1/8
        0.4167
    """
    means = quotient(shares, n)
    return total_variation(means - 1 / means.shape[-1])


def _example() -> list[str]:
    """Show a summary of three sentences, one of which matches two source sentences."""
    positions = sentence_positions([10, 10, 10])
    shares = position_shares(positions, [[0], [0], [0, 2]])
    listed = ", ".join(f"{third} {share:.3f}" for third, share in zip(THIRDS, shares, strict=True))
    distances = " + ".join(f"{abs(share - 1 / 3):.3f}" for share in shares)
    return [
        "A sample has three source sentences of 10 words, so each is one third of the words.",
        "Two of three summary sentences match the first source sentence best; the third matches the first and the last "
        "equally well and counts half for each.",
        f"Shares: first (1 + 1 + 0.5) / 3, middle 0 / 3, last 0.5 / 3; that is {listed}.",
        f"Distances from 1/3: {distances}; half their sum is the position bias of this sample: "
        f"{float(position_bias(shares, 1)):.4f}.",
    ]


ABOUT = About(
    formula="position_bias = 1/2 * sum over the thirds t of |mean share(t) - 1/3|; share(t): share of a summary's "
    "matched sentences whose best source sentence lies in third t of the source words, mean over samples",
    example=_example,
    instead="Use order_sensitivity if you can summarize the same sources in several orders: it shows an effect of the "
    "order, while this measure also reflects sources that begin with what matters.",
)
