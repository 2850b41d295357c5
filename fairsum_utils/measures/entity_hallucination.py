"""Entity hallucination: are the persons that summaries make up spread evenly over the groups?"""

from __future__ import annotations

import numpy as np

from fairsum_utils.measures import Measure
from fairsum_utils.measures._divergence import shares, total_variation
from fairsum_utils.measures._shares import Floats

__all__ = ["MEASURE", "entity_hallucination"]

MEASURE = Measure("entity_hallucination", "Entity Hallucination", "entities", 0.0, 1.0, lower_is_fairer=True, place=3)


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
