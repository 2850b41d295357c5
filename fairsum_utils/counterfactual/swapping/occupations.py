"""Swaps of occupation: those of a list, by the share of women in them."""

from __future__ import annotations

import random
import re

from fairsum_utils.counterfactual.edits import Edit
from fairsum_utils.counterfactual.swapping.variants import Original, Unswappable, Variants
from fairsum_utils.counterfactual.swapping.words import any_of, listed
from fairsum_utils.stats.arrays import shuffled
from fairsum_utils.text.pronouns import capitalize_like

_MANY, _FEW = 60, 40
"""Percent of women in the occupations of the two variants: at least, and at most."""

_DETERMINER = re.compile(
    r"(?<![\w'’-])(?:an?|the|his|her|their|its|our|my|this|that|another|as|by)\s+"
    r"(?:(?:former|retired|young|old|elderly|local|new|experienced|unemployed|\d+-year-old)\s+){0,2}\Z|\bformer\s+\Z",
    re.IGNORECASE,
)
_LONGEST_BEFORE = 48
_COMPOUND_BEFORE = re.compile(
    r"(?<![\w'’-])(?:student|staff|district|charge|senior|junior|head|school|primary|community|psychiatric|practice|agency|"
    r"night|ward|trainee|supply|dance|music|ghost|defen[cs]e|defending|family|construction|medical|legal|private|home|press|"
    r"chief|assistant|deputy|sports?|news|managing)\s+\Z",
    re.IGNORECASE,
)
"""With these it is another occupation: "a student nurse", "district nurses"."""


def swap_occupation(original: Original, generator: random.Random) -> Variants:
    """All occupations of the list become ones with few women, or ones with many."""
    text = original.document.text
    entries = listed("occupation")
    forms = {form: (entry, place) for entry in entries for place, form in enumerate(entry[1:])}
    pattern = any_of(forms)
    found = []
    for match in pattern.finditer(text):
        entry, is_plural = forms[match[0].lower()]
        if not is_plural and not _DETERMINER.search(text, max(0, match.start() - _LONGEST_BEFORE), match.start()):
            raise Unswappable(
                "occupation_elsewhere", f"{match[0]!r} stands without an article, so may be no occupation"
            )
        if _COMPOUND_BEFORE.search(text, max(0, match.start() - _LONGEST_BEFORE), match.start()):
            raise Unswappable("occupation_elsewhere", f"{match[0]!r} is part of another occupation")
        if match[0][0].isupper() and text[match.end() : match.end() + 2].strip()[:1].isupper():
            raise Unswappable("occupation_elsewhere", f"{match[0]!r} seems to be part of a name")
        found.append((match, entry, is_plural))
    if not found:
        raise Unswappable("no_occupation", "no occupation of the list")
    present = list(dict.fromkeys(entry for _, entry, _ in found))
    variants = {}
    for variant, listed_ones in (
        ("few_women", [entry for entry in entries if int(entry[0]) <= _FEW]),
        ("many_women", [entry for entry in entries if int(entry[0]) >= _MANY]),
    ):
        free = [entry for entry in listed_ones if entry not in present]
        if len(free) < len(present):
            raise Unswappable("occupations_run_out", f"{len(present)} are needed, {len(free)} are not in the text")
        drawn = dict(zip(present, shuffled(free, generator)[: len(present)], strict=True))
        variants[variant] = tuple(
            Edit(*match.span(), capitalize_like(drawn[entry][1 + is_plural], match[0]), "occupation")
            for match, entry, is_plural in found
        )
    return variants
