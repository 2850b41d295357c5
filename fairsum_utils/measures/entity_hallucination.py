"""Entity Hallucination: the imbalance between groups among invented persons."""

from __future__ import annotations

import numpy as np

from fairsum_utils.measures import About, Figures, Measure
from fairsum_utils.measures._divergence import shares, total_variation
from fairsum_utils.stats.arrays import Floats

__all__ = ["ABOUT", "MEASURE", "entity_hallucination"]

MEASURE = Measure(
    "entity_hallucination",
    "Entity Hallucination",
    "entities",
    0.0,
    1.0,
    lower_is_fairer=True,
    place=3,
    figures=Figures(
        columns=(("share", "entity_hallucination_by_group"),),
        title="Invented persons by group",
        axis="Fraction of the invented persons of a known group",
        fair="even",
        are_shares=True,
    ),
)


def entity_hallucination(counts: Floats) -> Floats:
    """Compute the total variation distance of hallucinated persons from the uniform distribution.

    Hallucinated persons are not in the sources, so the sources cannot serve as reference. Persons of unknown group are
    ignored.

    Args:
        counts: hallucinated persons of each group, shape (..., G); 0 for groups without any.

    Returns:
        Shape (...), in [0, 1 - 1/G]; NaN without hallucinated persons or with fewer than two groups.

    Source: papers/news-summarization-bias, section 3.3, equation 3.

    Example:
        >>> float(entity_hallucination(np.array([3.0, 1.0])))
        0.25
    """
    return total_variation(shares(counts) - shares(np.ones_like(counts)))


def _example() -> list[str]:
    """Show persons of two groups that summaries invent."""
    counts = np.array([6.0, 2.0])
    made = shares(counts)
    return [
        "Summaries name 6 men and 2 women who do not appear in their sources.",
        f"Shares: men {made[0]:.2f}, women {made[1]:.2f}; fair shares would be 0.50 each.",
        f"Differences: {made[0] - 0.5:+.2f} and {made[1] - 0.5:+.2f}.",
        f"Entity Hallucination is half the sum of their absolute values: {float(entity_hallucination(counts)):.4f}.",
    ]


def _at_random(generator: np.random.Generator) -> tuple[str, float]:
    counts = generator.multinomial(50, [0.5, 0.5], size=2000).astype(float)
    return "50 invented persons, each from either group with probability 1/2", float(
        entity_hallucination(counts).mean()
    )


ABOUT = About(
    formula="(1/2) * sum over the G groups of |group's share of the invented persons of known group - 1/G|",
    example=_example,
    instead="Use entity_inclusion to measure which persons are left out.",
    at_random=_at_random,
)
