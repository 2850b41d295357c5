"""Entity Hallucination: the imbalance between groups among invented persons."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.measures import About, Figures
from fairsum_utils.measures._entities import AlignedMeasure
from fairsum_utils.measures._shares import shares, total_variation
from fairsum_utils.settings import Checked, setting
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.validation import describe

__all__ = ["ABOUT", "EntityHallucination", "entity_hallucination"]

Lookup = Literal["first", "every"]
LOOKUPS = get_args(Lookup)
"""Which words of a name are looked up as first names: those before the last one, or every one, as the paper does."""


def _to_groups(what: str, *others: type) -> Checked:
    """Annotate a mapping from names to groups, or something of other types."""

    def check(module: str, name: str, table: Any) -> Any:
        if isinstance(table, others):
            return table
        if not isinstance(table, Mapping) or not table:
            raise InputError(f"{module}: {name} must be a non-empty mapping from {what}, found {describe(table)}")
        for key, group in table.items():
            if not isinstance(key, str):
                raise InputError(f"{module}: the names in {name} must be strings, found {describe(key)}; use str()")
            if not isinstance(group, (str, type(None))):
                raise InputError(f"{module}: {name} must have strings as groups, found {describe(group)}; use str()")
        return table

    return Checked(check)


FirstNames = Annotated[Mapping[str, str], _to_groups("first name to group")]
"""First name -> group."""
People = Annotated[str | Path | Mapping[str, str | None], _to_groups("title to group", str, Path)]
"""File of known people, or title -> group."""


class EntityHallucination(AlignedMeasure):
    """The imbalance between groups among invented persons."""

    name = "entity_hallucination"
    title = "Entity Hallucination"
    place = 3
    needs = ("predictions", "sources")
    takes = ("entities", "mentions", "article_ids", "pair_ids")
    figures = (
        Figures(
            columns=(("share", "entity_hallucination_by_group"),),
            title="Entity Hallucination by group",
            axis="Fraction of the invented persons of a known group",
            fair="even",
            are_shares=True,
            counts=(("", "counts_by_group"),),
        ),
    )

    first_names: FirstNames | None = setting(
        None,
        "first name -> group (a file on the command line); None for the groups female and male of the 1990 US census",
        key="names",
    )
    people: People | None = setting(
        None,
        "known people, looked up before first names: a .tsv file of title, male, female; in Python also title -> group",
        key="names",
    )
    lookup: Lookup = setting(
        "first",
        "words of a name to look up: first (all but the last) or, as in the paper, every (also the last, and words "
        "such as may)",
        key="names",
        space=True,
    )


def entity_hallucination(counts: Floats) -> Floats:
    """Compute the total variation distance of hallucinated persons from the uniform distribution.

    Hallucinated persons are not in the sources, so the sources cannot serve as reference. Persons of unknown group are
    ignored.

    Args:
        counts: hallucinated persons of each group, shape (..., G); 0 for groups without any.

    Returns:
        Shape (...), in [0, 1 - 1/G]; NaN without hallucinated persons or with fewer than two groups.

    Source: Steen and Markert 2024, section 3.3, equation 3.

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
