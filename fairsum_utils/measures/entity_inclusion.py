"""Entity Inclusion: the difference between groups in the odds of being mentioned."""

from __future__ import annotations

from math import inf

import numpy as np

from fairsum_utils.measures import About, Figures
from fairsum_utils.measures._entities import AlignedMeasure
from fairsum_utils.settings import Draws, Positive, setting
from fairsum_utils.stats.arrays import Floats

__all__ = [
    "ABOUT",
    "EntityInclusion",
    "direction",
    "entity_inclusion",
    "inclusion_shares",
    "largest_log_odds_ratio",
    "log_odds_ratio",
    "odds",
]


class EntityInclusion(AlignedMeasure):
    """The difference between groups in the odds of being mentioned."""

    name = "entity_inclusion"
    title = "Entity Inclusion"
    high = inf
    place = 2
    unit = "odds ratio minus 1"
    needs = ("predictions", "entities")
    takes = ("mentions", "article_ids", "pair_ids")
    figures = (
        Figures(
            columns=(("share included", "entity_inclusion_by_group"),),
            title="Entity Inclusion by group",
            axis="Fraction of a group's persons that are mentioned; fair: equal for all groups",
            counts=(("", "counts_by_group"),),
        ),
        Figures(
            columns=(("log odds ratio", "log_odds_ratio"),),
            title="Odds of being named",
            axis="Log odds ratio; right of 0: persons of the first group are named more",
            rows="log_odds_ratios",
            named="{group_a} over {group_b}",
            heading="groups",
            counts=(),
            fair="equal odds",
        ),
    )

    continuity: Positive | None = setting(
        None,
        "number to add to the included and the other people of each group, such as 0.5, to keep odds finite; None to "
        "add nothing",
        key="continuity",
        stage="results",
        space=(0.0, 1.0),
    )
    n_permutations: Draws = setting(
        1000,
        "number of random assignments in the permutation test",
        key="perms",
        stage="results",
    )


def inclusion_shares(included: Floats, entities: Floats, continuity: float = 0.0) -> Floats:
    """Compute p_g, the share of a group's source persons that summaries mention.

    Args:
        included: mentioned persons of each group, shape (..., G), from 0 to `entities`.
        entities: source persons of each group, same shape.
        continuity: number, at least 0, added to both mentioned and other persons; 0.5 makes all odds finite.

    Returns:
        Same shape, in [0, 1]; NaN for a group without persons.

    Source: Steen and Markert 2024, section 3.2; the paper adds nothing.

    Example:
        >>> inclusion_shares(np.array([1.0, 0.0]), np.array([4.0, 0.0])).tolist()
        [0.25, nan]
        >>> inclusion_shares(np.array([0.0]), np.array([4.0]), continuity=0.5).tolist()
        [0.1]
    """
    present = np.where(entities > 0, entities + 2 * continuity, np.nan)
    return np.asarray((included + continuity) / present)


def odds(p: Floats) -> Floats:
    """Compute p / (1 - p), infinite for 1.

    Args:
        p: shares, any shape, in [0, 1].

    Example:
        >>> odds(np.array([0.75, 0.0, 1.0])).tolist()
        [3.0, 0.0, inf]
    """
    return np.asarray(np.divide(p, 1 - p, out=np.full(np.shape(p), np.inf), where=p != 1))


def _odds_ratio(p_a: Floats, p_b: Floats) -> Floats:
    """Divide the odds of two shares; equal odds give 1, also infinite ones."""
    a, b = odds(p_a), odds(p_b)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(a == b, 1.0, a / b)


def entity_inclusion(included: Floats, entities: Floats, continuity: float = 0.0) -> Floats:
    """Compute the largest odds ratio of two groups, minus 1.

    Args:
        included: mentioned persons of each group, shape (..., G), from 0 to `entities`.
        entities: source persons of each group, same shape.
        continuity: number, at least 0, added to both mentioned and other persons; 0.5 makes all odds finite.

    Returns:
        Shape (...), in [0, inf]; exactly 0 if all shares are equal, also if all are 0 or 1, and infinite if only some
        are. NaN if a group has no persons, or with fewer than two groups.

    Source: Steen and Markert 2024, section 3.2, equation 2.

    Example:
        >>> float(entity_inclusion(np.array([2.0, 1.0]), np.array([4.0, 4.0])))
        2.0
        >>> [float(entity_inclusion(np.array([0.0, included]), np.array([3.0, 3.0]))) for included in (0, 3)]
        [0.0, inf]
    """
    p = inclusion_shares(included, entities, continuity)
    if p.shape[-1] < 2:
        return np.full(p.shape[:-1], np.nan)
    return np.asarray(_odds_ratio(p.max(axis=-1), p.min(axis=-1)) - 1)


def log_odds_ratio(p_a: Floats, p_b: Floats) -> Floats:
    """Compute the log odds ratio; positive if a is included more than b.

    The score is never negative, so its expectation is positive even for an unbiased system; the log odds ratio does not
    have this problem.

    Args:
        p_a: inclusion shares of groups a, any shape.
        p_b: inclusion shares of groups b, same shape.

    Returns:
        Same shape, in [-inf, inf]: infinite if one of two different shares is 0 or 1, 0 if both are 0, or both 1. NaN
        if a share is.

    Source: Steen and Markert 2024, section 3.2, equation 2, for one pair of groups and with its sign.

    Example:
        >>> float(np.exp(log_odds_ratio(np.array(0.75), np.array(0.5))).round(9))
        3.0
    """
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(_odds_ratio(p_a, p_b)))


def largest_log_odds_ratio(p: Floats) -> Floats:
    """Compute the largest absolute log odds ratio of two groups.

    Args:
        p: inclusion shares of the groups, shape (..., G), G at least 2.

    Returns:
        Shape (...), in [0, inf]; exactly 0 if all shares are equal, also if all are 0 or 1, and infinite if only some
        are. NaN if a share is NaN.

    Source: Steen and Markert 2024, section 3.2: it orders as the score of equation 2.

    Example:
        >>> largest_log_odds_ratio(np.array([[0.5, 0.5], [0.0, 0.5], [0.0, 0.0]])).tolist()
        [0.0, inf, 0.0]
    """
    return log_odds_ratio(p.max(axis=-1), p.min(axis=-1))


def direction(p: Floats) -> tuple[int | None, int | None]:
    """Return the groups included most and least.

    Args:
        p: inclusion shares of the groups, shape (G,).

    Returns:
        Their positions; None if several groups tie (with two groups: equal odds), if a share is NaN, or with fewer than
        two groups.

    Source: Steen and Markert 2024, section 3.2: the pair that equation 2 takes.

    Example:
        >>> direction(np.array([0.25, 0.5, 0.5])), direction(np.array([0.5, 0.5]))
        ((None, 0), (None, None))
    """
    if len(p) < 2 or np.isnan(p).any():
        return None, None
    most, least = (np.flatnonzero(p == extreme) for extreme in (p.max(), p.min()))
    return (int(most[0]) if len(most) == 1 else None), (int(least[0]) if len(least) == 1 else None)


def _example() -> list[str]:
    """Show source persons of two groups, and those mentioned."""
    included, persons = np.array([12.0, 8.0]), np.array([20.0, 20.0])
    p = inclusion_shares(included, persons)
    of = odds(p)
    return [
        "Of 20 men and 20 women in the sources, summaries mention 12 men and 8 women.",
        f"Shares: men {p[0]:.2f}, women {p[1]:.2f}; odds p / (1 - p): {of[0]:.4f} and {of[1]:.4f}.",
        f"Entity Inclusion is the larger odds divided by the smaller, minus 1: {of[0]:.4f} / {of[1]:.4f} - 1 = "
        f"{float(entity_inclusion(included, persons)):.4f}.",
    ]


def _at_random(generator: np.random.Generator) -> tuple[str, float]:
    included = generator.binomial(100, 0.5, size=(2000, 2)).astype(float)
    drawn = "100 persons in each of two groups, each mentioned with probability 1/2"
    return drawn, float(entity_inclusion(included, np.full_like(included, 100.0)).mean())


ABOUT = About(
    formula="max over groups g, h of [p_g / (1 - p_g)] / [p_h / (1 - p_h)] - 1; p_g: share of g's source persons "
    "that the summaries mention",
    example=_example,
    instead="Use word_list_inclusion if you have no list of persons, and entity_hallucination to measure invented "
    "persons.",
    at_random=_at_random,
)
