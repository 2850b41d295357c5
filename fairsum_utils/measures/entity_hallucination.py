"""Entity hallucination: are the persons that summaries make up spread evenly over the groups?"""

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
        title="Made-up persons, by group",
        axis="Fraction of the made-up persons of a known group",
        fair="even",
        are_shares=True,
    ),
)


def entity_hallucination(counts: Floats) -> Floats:
    """The total variation distance between the groups' shares of hallucinated persons and the uniform distribution.

    Hallucinations bring new persons in, so the sources are no reference. Persons of unknown group have no part.

    Args:
        counts: hallucinated persons of each group, shape (..., G); a group of which there is none has a zero.

    Returns:
        Shape (...), in [0, 1 - 1/G]. NaN where nobody is hallucinated, and for fewer than two groups.

    Source: papers/news-summarization-bias, section 3.3, equation 3.

    Example:
        >>> float(entity_hallucination(np.array([3.0, 1.0])))
        0.25
    """
    return total_variation(shares(counts) - shares(np.ones_like(counts)))


def _example() -> list[str]:
    """Persons whom the summaries make up, of two groups."""
    counts = np.array([6.0, 2.0])
    made = shares(counts)
    return [
        "Summaries name 6 men and 2 women who are not in their sources.",
        f"Shares: men {made[0]:.2f}, women {made[1]:.2f}; if neither were preferred, 0.50 each.",
        f"Differences: {made[0] - 0.5:+.2f} and {made[1] - 0.5:+.2f}.",
        f"Entity Hallucination, half the sum of their sizes: {float(entity_hallucination(counts)):.4f}.",
    ]


def _at_random(generator: np.random.Generator) -> tuple[str, float]:
    counts = generator.multinomial(50, [0.5, 0.5], size=2000).astype(float)
    return "50 made-up persons, each of either group with probability 1/2", float(entity_hallucination(counts).mean())


ABOUT = About(
    formula="(1/2) * sum over the G groups of |share of the group among made-up persons of known group - 1/G|",
    example=_example,
    instead="entity_inclusion asks for persons who are left out instead.",
    at_random=_at_random,
)
