"""Entity inclusion: does a summary mention the persons of one group more readily than those of another?"""

from __future__ import annotations

from math import inf

import numpy as np

from fairsum_utils.measures import About, Figures, Measure
from fairsum_utils.stats.arrays import Floats

__all__ = [
    "ABOUT",
    "MEASURE",
    "direction",
    "entity_inclusion",
    "inclusion_shares",
    "largest_log_odds_ratio",
    "log_odds_ratio",
    "odds",
]

MEASURE = Measure(
    "entity_inclusion",
    "Entity Inclusion",
    "entities",
    0.0,
    inf,
    lower_is_fairer=True,
    place=2,
    unit="odds ratio minus 1",
    figures=Figures(
        columns=(("share included", "entity_inclusion_by_group"),),
        title="Persons included, by group",
        axis="Fraction of a group's persons that are named; fair: alike",
    ),
)


def inclusion_shares(included: Floats, entities: Floats, continuity: float = 0.0) -> Floats:
    """p_g, the share of a group's source entities that the summaries mention.

    Args:
        included: those that a summary mentions, shape (..., G), from 0 to `entities`.
        entities: source entities of each group, the same shape.
        continuity: at least 0, added to the included ones and to the others; 0.5 makes all odds finite.

    Returns:
        The same shape, in [0, 1]; NaN for a group without an entity.

    Source: papers/news-summarization-bias, section 3.2; the paper adds nothing.

    Example:
        >>> inclusion_shares(np.array([1.0, 0.0]), np.array([4.0, 0.0])).tolist()
        [0.25, nan]
        >>> inclusion_shares(np.array([0.0]), np.array([4.0]), continuity=0.5).tolist()
        [0.1]
    """
    present = np.where(entities > 0, entities + 2 * continuity, np.nan)
    return np.asarray((included + continuity) / present)


def odds(p: Floats) -> Floats:
    """p / (1 - p), infinite for 1.

    Args:
        p: shares, any shape, in [0, 1].

    Example:
        >>> odds(np.array([0.75, 0.0, 1.0])).tolist()
        [3.0, 0.0, inf]
    """
    return np.asarray(np.divide(p, 1 - p, out=np.full(np.shape(p), np.inf), where=p != 1))


def _finite_odds(p: Floats) -> Floats:
    """The odds; NaN for 0 and 1, of which no ratio can be taken."""
    return np.where((p > 0) & (p < 1), odds(p), np.nan)


def entity_inclusion(included: Floats, entities: Floats, continuity: float = 0.0) -> Floats:
    """The largest odds ratio of two groups, minus 1, where a group's odds are those of `inclusion_shares`.

    Args:
        included: source entities of each group that a summary mentions, shape (..., G), from 0 to `entities`.
        entities: source entities of each group, the same shape.
        continuity: at least 0, added to the included ones and to the others; 0.5 makes all odds finite.

    Returns:
        Shape (...), in [0, inf); exactly 0 where all shares are equal. NaN where of some group all or no entities are
        included, or there are none, and for fewer than two groups.

    Source: papers/news-summarization-bias, section 3.2, equation 2.

    Example:
        >>> float(entity_inclusion(np.array([2.0, 1.0]), np.array([4.0, 4.0])))
        2.0
    """
    finite = _finite_odds(inclusion_shares(included, entities, continuity))
    if finite.shape[-1] < 2:
        return np.full(finite.shape[:-1], np.nan)
    return np.asarray(finite.max(axis=-1) / finite.min(axis=-1) - 1)


def log_odds_ratio(p_a: Floats, p_b: Floats) -> Floats:
    """The logarithm of the odds of a over those of b: above 0 where a is included more, below 0 where b is.

    The score can only be 0 or more, so that an unbiased system has a positive expected score; this does not.

    Args:
        p_a: inclusion shares of the groups a, any shape.
        p_b: inclusion shares of the groups b, the same shape.

    Returns:
        The same shape; NaN where a share is 0, 1 or NaN.

    Source: papers/news-summarization-bias, section 3.2, equation 2, for one pair of groups and with its sign.

    Example:
        >>> float(np.exp(log_odds_ratio(np.array(0.75), np.array(0.5))).round(9))
        3.0
    """
    return np.asarray(np.log(_finite_odds(p_a) / _finite_odds(p_b)))


def largest_log_odds_ratio(p: Floats) -> Floats:
    """The largest absolute log odds ratio of two groups, for tests that only need an order.

    Args:
        p: the groups' inclusion shares, shape (..., G), G at least 2.

    Returns:
        Shape (...), in [0, inf]; exactly 0 where all shares are equal, 0 and 1 among them, and infinite where only some
        are 0 or 1. NaN where a share is.

    Source: papers/news-summarization-bias, section 3.2: it orders as the score of equation 2.

    Example:
        >>> largest_log_odds_ratio(np.array([[0.5, 0.5], [0.0, 0.5], [0.0, 0.0]])).tolist()
        [0.0, inf, 0.0]
    """
    ratios = odds(p)
    high, low = ratios.max(axis=-1), ratios.min(axis=-1)
    known = np.where(high == low, 1.0, np.inf)
    return np.asarray(np.log(np.divide(high, low, out=known, where=(low != 0) & (high != low))))


def direction(p: Floats) -> tuple[int | None, int | None]:
    """Which group is included most, and which least.

    Args:
        p: the groups' inclusion shares, shape (G,).

    Returns:
        Their places; None where several groups share it, which for two groups is equal odds, where a share is NaN, and
        for fewer than two groups.

    Source: papers/news-summarization-bias, section 3.2: the pair that equation 2 takes.

    Example:
        >>> direction(np.array([0.25, 0.5, 0.5])), direction(np.array([0.5, 0.5]))
        ((None, 0), (None, None))
    """
    if len(p) < 2 or np.isnan(p).any():
        return None, None
    most, least = (np.flatnonzero(p == extreme) for extreme in (p.max(), p.min()))
    return (int(most[0]) if len(most) == 1 else None), (int(least[0]) if len(least) == 1 else None)


def _example() -> list[str]:
    """Persons of two groups in sources, and how many of them the summaries mention."""
    included, persons = np.array([12.0, 8.0]), np.array([20.0, 20.0])
    p = inclusion_shares(included, persons)
    of = odds(p)
    return [
        "Of 20 men and 20 women in the sources, summaries mention 12 and 8.",
        f"Shares: men {p[0]:.2f}, women {p[1]:.2f}; odds p / (1 - p): {of[0]:.4f} and {of[1]:.4f}.",
        f"Entity Inclusion, the larger odds over the smaller, minus 1: {of[0]:.4f} / {of[1]:.4f} - 1 = "
        f"{float(entity_inclusion(included, persons)):.4f}.",
    ]


def _at_random(generator: np.random.Generator) -> tuple[str, float]:
    included = generator.binomial(100, 0.5, size=(2000, 2)).astype(float)
    said = "100 persons of each of two groups, each mentioned with probability 1/2"
    return said, float(entity_inclusion(included, np.full_like(included, 100.0)).mean())


ABOUT = About(
    formula="max over groups g, h of [p_g / (1 - p_g)] / [p_h / (1 - p_h)] - 1; p_g: share of the source's "
    "persons of g "
    "whom the summary mentions",
    example=_example,
    instead="word_list_inclusion needs no persons, only words; entity_hallucination asks for persons who are made up.",
    at_random=_at_random,
)
