"""Swaps of age: ages in figures, and words such as "elderly" before persons."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from fairsum_utils.counterfactual.edits import Edit
from fairsum_utils.counterfactual.swapping.variants import Original, Unswappable, Variants
from fairsum_utils.counterfactual.swapping.words import any_of, listed
from fairsum_utils.families.entities.names import census_first_names, no_names
from fairsum_utils.stats.arrays import shuffled
from fairsum_utils.text.pronouns import GENDERED_TITLES, capitalize_like

_OF_PERSONS = (
    "man|woman|men|women|person|people|couple|patient|patients|resident|residents|voter|voters|worker|workers|adult|adults|"
    "lady|gentleman|mother|father|driver|drivers|student|students|player|players|actor|actress|singer|lawyer|teacher|"
    "nurse|doctor|employee|employees|soldier|officer|striker|midfielder|goalkeeper|defender|suspect|victim|defendant|carer|"
    "builder|farmer|engineer|accountant|electrician|widow|widower|wife|husband|sister|brother|aunt|uncle|son|daughter|"
    "female|male|client|resident|cyclist|pedestrian|tourist|artist|writer|scientist"
)
_BETWEEN = (
    r"(?:(?:former|single|married|divorced|widowed|unemployed|white|black|local|unnamed|known|frail|\w+ese|\w+ian|\w+ish)"
    r"\s+)?"
)
"""What may stand between an age and the person."""
_CLOSED = (
    "and|or|but|who|whose|whom|was|is|has|had|said|says|told|from|of|in|at|on|with|to|for|by|as|will|would|died|lives|lived|"
    "came|went|won|suffered|began|started|also|then|now|after|before"
)
_YEAR_OLD = re.compile(
    rf"(?<![\w.,-])(\d{{1,3}})(?=[- ]years?[- ]old"
    rf"(?:s?\s+(?:{_BETWEEN}(?:{_OF_PERSONS})|{_CLOSED})\b|s?\s*(?:[.,;:)]|\Z)))"
)
_NOW = re.compile(
    r"\b(?:[Hh]e|[Ss]he)(?: is| was| turned| turns|['’]s)(?: now| almost| nearly| only)? (\d{2,3})"
    r"(?=\s*(?:[;:)]|[.,](?!\d)|\Z)|\s+(?:and|but)\b)"
)
"""After a pronoun: "She is 85 and lives"."""
_BEHIND_NAME = re.compile(
    r"(?P<name>[^\W\d_a-z][\w'’.-]*) (?:[^\W\d_a-z][\w'’-]* )?"
    r"(?:\((?P<in>\d{2,3})\)|is (?P<is>\d{2,3})(?=\s*[.,;](?!\d)|\s+and\b))"
)
"""After a title or a first name: "Joan Turner (76)", "Mrs Begum is 68."."""
_AGED = re.compile(r"(?<=\baged )(\d{1,3})\b|(?<=\bage )(\d{1,3})\b|(?<=\bage of )(\d{1,3})\b")
_COMMA = re.compile(
    r"\b(?!January|February|March|April|May|June|July|August|September|October|November|December)"
    r"[^\W\d_a-z][\w'’.-]*, (\d{2})(?=,\s)"
)
"""After a name: "Ann Lee, 34, said"."""
_ANY_AGE = re.compile(
    r"\d+[- ](?:years?|yrs?|months?)[- ]old|\b(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?[- ]"
    r"years?[- ]old|\b\d{4} ?[–-] ?\d{2,4}\b|\bborn (?:in|on)\b|\bcentenarian|\b\d{2}s\b|\by/?o\b|"
    r"\b(?:is|was|are|were|turned|turns|now|nearly|almost|at|aged)\s\d{2}(?=\s*(?:[;:)]|[.,](?!\d)|\Z)|\s+(?:and|but)\b)|"
    r"\b(?-i:[^\W\d_a-z])\w+ \(\d{2}\)|\b(?:1[89]\d\d)\b|\b(?:1[5-9]|[2-9]\d) years\b(?! old)|"
    r"\b(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?(?: years\b|(?=,))|\bdecades\b",
    re.IGNORECASE,
)
_SEVERAL_AGES = re.compile(
    r"\bage[ds]?(?: of)? \d+\s*(?:[-–]|to|or|and)\s*\d|\b\d{2,3}-?\s*(?:–|to|or|and)\s*\d+[- ]years?[- ]old",
    re.IGNORECASE,
)
"""Of which one would be swapped, and the other stay."""
_AGE_BEFORE = re.compile(rf"\b(young|younger|elderly|older)(?=\s+(?:{_OF_PERSONS})\b)", re.IGNORECASE)
_AGE_WORD = re.compile(
    r"(?<![\w-])(?:young|younger|elderly|(?<!years )(?<!year )old|older|aged(?! \d))(?![\w-])", re.IGNORECASE
)
_ADULT, _LONGEST_LIFE = 18, 105
_YOUNG, _LATER = range(22, 40), 45
"""Ages of the young variant, and how many years later the old one is."""


def _figures(text: str) -> Iterator[tuple[int, int]]:
    """Where ages stand in figures."""
    for kind in (_YEAR_OLD, _NOW, _AGED, _COMMA):
        for match in kind.finditer(text):
            yield match.span(match.lastindex or 0)
    for match in _BEHIND_NAME.finditer(text):
        word = match["name"].rstrip(".").lower()
        if word in GENDERED_TITLES or (word in census_first_names() and word not in no_names()):
            yield match.span("in" if match["in"] else "is")


def swap_age(original: Original, generator: random.Random) -> Variants:
    """Everybody young, everybody old: ages in figures, and words such as "elderly" before persons.

    Different ages stay different and in their order; between the variants lie 45 years.
    """
    text = original.document.text
    told = any_of(word for (word,) in listed("age_told")).search(text)
    if told:
        raise Unswappable("age_told_otherwise", f"{told[0]!r} tells an age, too")
    if several := _SEVERAL_AGES.search(text):
        raise Unswappable("age_told_otherwise", f"{several[0]!r} tells two ages together")
    figures = sorted(set(_figures(text)))
    words = [(match.span(1), match[1]) for match in _AGE_BEFORE.finditer(text)]
    if not figures and not words:
        raise Unswappable("no_age", "no age in figures, and no young or elderly person")
    ages = sorted({int(text[start:end]) for start, end in figures})
    if ages and not (ages[0] >= _ADULT and ages[-1] <= _LONGEST_LIFE):
        raise Unswappable("minor", f"the ages are {', '.join(map(str, ages))}; only those of adults are swapped")
    if len(ages) > len(_YOUNG):
        raise Unswappable("many_ages", f"there are {len(ages)} ages")
    spans = [*figures, *(span for span, _ in words)]
    for other in (_ANY_AGE, _AGE_WORD):
        for match in other.finditer(text):
            if not any(match.start() <= start < match.end() or start <= match.start() < end for start, end in spans):
                raise Unswappable("age_told_otherwise", f"{match[0]!r} may tell an age, too")
    drawn = dict(zip(ages, sorted(shuffled(_YOUNG, generator)[: len(ages)]), strict=True))
    forms = {word: entry for entry in listed("age") for word in entry}
    return {
        variant: tuple(
            sorted(
                [
                    *(Edit(*span, str(drawn[int(text[slice(*span)])] + later), "age") for span in figures),
                    *(Edit(*span, capitalize_like(forms[word.lower()][place], word), "age") for span, word in words),
                ]
            )
        )
        for place, (variant, later) in enumerate((("young", 0), ("old", _LATER)))
    }
