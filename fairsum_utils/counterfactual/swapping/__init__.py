"""Variants of a text with other persons: gender, race, religion and more (`ATTRIBUTES`).

A swap gives the same places of a text other words in each variant. It is made whole or not at all: a text in which
something that tells would stay is refused, with the reason.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from fairsum_utils.counterfactual.edits import Edit, Original, Unswappable, Variants, any_of
from fairsum_utils.counterfactual.swapping.groups import SINCE, swap_group
from fairsum_utils.counterfactual.swapping.persons import swap_gender, swap_race
from fairsum_utils.errors import InputError
from fairsum_utils.text.pronouns import capitalize_like
from fairsum_utils.validation import describe

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


def swap_terms(original: Original, lexicon: Mapping[str, Mapping[str, str]]) -> Variants:
    """Replace every term of the lexicon by that of each variant."""
    text = original.document.text
    found = list(any_of(lexicon).finditer(text))
    if not found:
        raise Unswappable("no_term")
    by_term = {term.lower(): forms for term, forms in lexicon.items()}
    others = {form for forms in by_term.values() for form in forms.values()} - set(lexicon)
    if others and any_of(others, 0).search(text):
        raise Unswappable("term_elsewhere")
    return {
        variant: tuple(
            Edit(*match.span(), capitalize_like(by_term[match[0].lower()][variant], match[0]), "term")
            for match in found
        )
        for variant in next(iter(by_term.values()))
    }


def check_lexicon(where: str, lexicon: Any) -> dict[str, dict[str, str]]:
    """Check a user's lexicon: term -> variant -> replacement.

    Example:
        >>> check_lexicon("words.json", {"nurse": {"a": "nurse"}})
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: words.json: 'nurse' has one variant, a; give each term at least two
    """
    if not isinstance(lexicon, Mapping) or not lexicon:
        raise InputError(f"{where}: a lexicon must map terms to their variants, found {describe(lexicon)}")
    names: Sequence[str] | None = None
    for term, forms in lexicon.items():
        texts = [term, *forms, *forms.values()] if isinstance(forms, Mapping) else [None]
        if not all(isinstance(each, str) and each.strip() for each in texts):
            raise InputError(f"{where}: {describe(term)} must map variants to terms, found {describe(forms)}")
        if len(forms) < 2:
            raise InputError(f"{where}: {term!r} has one variant, {', '.join(forms)}; give each term at least two")
        if names is not None and set(forms) != set(names):
            raise InputError(
                f"{where}: {term!r} has the variants {', '.join(forms)}, but the first term has {', '.join(names)}; "
                "give every term the same variants"
            )
        names = names or list(forms)
    return {term: {variant: forms[variant] for variant in names or ()} for term, forms in lexicon.items()}
