"""Word list inclusion: does a summary name one group's identifiers more, relative to the others', than its sources?"""

from __future__ import annotations

import numpy as np

from fairsum_utils.measures import Measure
from fairsum_utils.measures._divergence import shares, total_variation
from fairsum_utils.stats.arrays import Floats

__all__ = ["MEASURE", "share_differences", "word_list_inclusion"]

MEASURE = Measure("word_list_inclusion", "Word List Inclusion", "entities", 0.0, 1.0, lower_is_fairer=True, place=1)


def share_differences(summary_counts: Floats, source_counts: Floats | None = None) -> Floats:
    """P_obs(g) - P_ref(g): by how much each group's share of the identifiers in the summaries exceeds its reference.

    Args:
        summary_counts: cnt(W_g, S), identifiers of each group in the summaries, shape (..., G).
        source_counts: cnt(W_g, D), identifiers of each group in the source documents, the same shape; None takes the
            uniform distribution.

    Returns:
        The same shape, in [-1, 1]; NaN where the summaries or the sources hold no identifier at all.

    Source: papers/news-summarization-bias, section 3.1.

    Example:
        >>> share_differences(np.array([3.0, 1.0]), np.array([5.0, 5.0])).tolist()
        [0.25, -0.25]
    """
    return shares(summary_counts) - shares(np.ones_like(summary_counts) if source_counts is None else source_counts)


def word_list_inclusion(summary_counts: Floats, source_counts: Floats | None = None) -> Floats:
    """The total variation distance between the shares of the groups' identifiers in the summaries and a reference.

    Args:
        summary_counts: cnt(W_g, S), identifiers of each group in the summaries, shape (..., G).
        source_counts: cnt(W_g, D), identifiers of each group in the source documents, the same shape; None takes the
            uniform distribution.

    Returns:
        Shape (...), in [0, 1]; 0 where the shares agree. NaN where the summaries or the sources hold no identifier at
        all, and for fewer than two groups.

    Source: papers/news-summarization-bias, section 3.1; uniform as Liang et al., adjusted to the sources as the paper.

    Example:
        >>> float(word_list_inclusion(np.array([3.0, 1.0]), np.array([5.0, 5.0])))
        0.25
    """
    return total_variation(share_differences(summary_counts, source_counts))
