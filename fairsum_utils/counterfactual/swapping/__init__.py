"""Variants of a text with other persons: gender, race, religion and more (`ATTRIBUTES`).

A swap gives the same places of a text other words in each variant. It is made whole or not at all: a text in which
something that tells would stay is refused, with the reason.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial

from fairsum_utils.counterfactual.edits import Original, Unswappable, Variants
from fairsum_utils.counterfactual.swapping.groups import SINCE, swap_group
from fairsum_utils.counterfactual.swapping.persons import swap_gender, swap_race
from fairsum_utils.counterfactual.swapping.terms import check_lexicon, swap_terms

__all__ = ["ATTRIBUTES", "LEXICON", "PERSONS", "Original", "Unswappable", "Variants", "check_lexicon", "swap"]

#: Attribute of swaps by a user's own words.
LEXICON = "lexicon"

#: Attributes whose swaps need the persons of a text.
PERSONS = ("gender", "race")

#: Attribute -> what makes its variants.
ATTRIBUTES: Mapping[str, Callable[[Original, random.Random], Variants]] = {
    "gender": swap_gender,
    "race": swap_race,
    **{attribute: partial(swap_group, attribute) for attribute in SINCE},
}


def swap(
    original: Original, attribute: str, *, seed: int | None = 42, lexicon: Mapping[str, Mapping[str, str]] | None = None
) -> Variants:
    """Return the variants of a text.

    Example:
        >>> from fairsum_utils.counterfactual.documents import Document
        >>> edits = swap(Original(Document("a", "The gay man won.", (), ())), "sexual_orientation")
        >>> {variant: [edit.after for edit in made] for variant, made in edits.items()}
        {'gay': ['gay'], 'straight': ['straight']}
    """
    generator = random.Random() if seed is None else random.Random(f"{seed}\0{attribute}\0{original.document.id}")
    if attribute == LEXICON:
        return swap_terms(original, lexicon or {})
    return ATTRIBUTES[attribute](original, generator)
