"""Swaps of age, of occupation, and of a user's own words."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fairsum_utils._util.resources import read_words
from fairsum_utils.counterfactual.edits import Edit, Original, Unswappable, Variants, any_of, listed
from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.names import is_first_name
from fairsum_utils.stats.arrays import shuffled
from fairsum_utils.text.pronouns import CLOSED_CLASS, GENDERED_TITLES, capitalize_like
from fairsum_utils.validation import describe

_OF_PERSONS = "|".join(read_words("person"))
# Words allowed between an age and the person.
_BETWEEN = (
    r"(?:(?:former|single|married|divorced|widowed|unemployed|white|black|local|unnamed|known|frail|\w+ese|\w+ian|\w+ish)"
    r"\s+)?"
)
_CLOSED = "|".join(read_words("after_age"))
_YEAR_OLD = re.compile(
    rf"(?<![\w.,-])(\d{{1,3}})(?=[- ]years?[- ]old"
    rf"(?:s?\s+(?:{_BETWEEN}(?:{_OF_PERSONS})|{_CLOSED})\b|s?\s*(?:[.,;:)]|\Z)))"
)
# After a pronoun: "She is 85 and lives".
_NOW = re.compile(
    r"\b(?:[Hh]e|[Ss]he)(?: is| was| turned| turns|['’]s)(?: now| almost| nearly| only)? (\d{2,3})"
    r"(?=\s*(?:[;:)]|[.,](?!\d)|\Z)|\s+(?:and|but)\b)"
)
# After a title or a first name: "Joan Turner (76)", "Mrs Begum is 68.".
_BEHIND_NAME = re.compile(
    r"(?P<name>[^\W\d_a-z][\w'’.-]*) (?:[^\W\d_a-z][\w'’-]* )?"
    r"(?:\((?P<in>\d{2,3})\)|is (?P<is>\d{2,3})(?=\s*[.,;](?!\d)|\s+and\b))"
)
_AGED = re.compile(r"(?<=\baged )(\d{1,3})\b|(?<=\bage )(\d{1,3})\b|(?<=\bage of )(\d{1,3})\b")
# After a name: "Ann Lee, 34, said".
_COMMA = re.compile(
    r"\b(?!January|February|March|April|May|June|July|August|September|October|November|December)"
    r"[^\W\d_a-z][\w'’.-]*, (\d{2})(?=,\s)"
)
_ANY_AGE = re.compile(
    r"\d+[- ](?:years?|yrs?|months?)[- ]old|\b(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?[- ]"
    r"years?[- ]old|\b\d{4} ?[–-] ?\d{2,4}\b|\bborn (?:in|on)\b|\bcentenarian|\b\d{2}s\b|\by/?o\b|"
    r"\b(?:is|was|are|were|turned|turns|now|nearly|almost|at|aged)\s\d{2}(?=\s*(?:[;:)]|[.,](?!\d)|\Z)|\s+(?:and|but)\b)|"
    r"\b(?-i:[^\W\d_a-z])\w+ \(\d{2}\)|\b(?:1[89]\d\d)\b|\b(?:1[5-9]|[2-9]\d) years\b(?! old)|"
    r"\b(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?(?: years\b|(?=,))|\bdecades\b",
    re.IGNORECASE,
)
# Pairs of which a swap would change only one.
_SEVERAL_AGES = re.compile(
    r"\bage[ds]?(?: of)? \d+\s*(?:[-–]|to|or|and)\s*\d|\b\d{2,3}-?\s*(?:–|to|or|and)\s*\d+[- ]years?[- ]old",
    re.IGNORECASE,
)
_AGE_BEFORE = re.compile(rf"\b(young|younger|elderly|older)(?=\s+(?:{_OF_PERSONS})\b)", re.IGNORECASE)
_AGE_WORD = re.compile(
    r"(?<![\w-])(?:young|younger|elderly|(?<!years )(?<!year )old|older|aged(?! \d))(?![\w-])", re.IGNORECASE
)
_ADULT, _LONGEST_LIFE = 18, 105
# Ages of the young variant, and years added for the old one.
_YOUNG, _LATER = range(22, 40), 45


def _figures(text: str) -> Iterator[tuple[int, int]]:
    """Find ages in figures."""
    for kind in (_YEAR_OLD, _NOW, _AGED, _COMMA):
        for match in kind.finditer(text):
            yield match.span(match.lastindex or 0)
    for match in _BEHIND_NAME.finditer(text):
        word = match["name"].rstrip(".").lower()
        if word in GENDERED_TITLES or is_first_name(word):
            yield match.span("in" if match["in"] else "is")


def swap_age(original: Original, generator: random.Random) -> Variants:
    """Make all persons young or old: ages in figures, and words such as "elderly".

    Different ages stay different and in their order; between the variants lie 45 years.
    """
    text = original.document.text
    told = any_of(word for (word,) in listed("age_told")).search(text)
    if told:
        raise Unswappable("age_told_otherwise", f"{told[0]!r} also reveals an age")
    if several := _SEVERAL_AGES.search(text):
        raise Unswappable("age_told_otherwise", f"{several[0]!r} states two ages at once")
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
                raise Unswappable("age_told_otherwise", f"{match[0]!r} may also reveal an age")
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


# Bounds on the percentage of women in the occupations of the two variants.
_MANY, _FEW = 60, 40

_DETERMINER = re.compile(
    r"(?<![\w'’-])(?:an?|the|his|her|their|its|our|my|this|that|another|as|by)\s+"
    r"(?:(?:former|retired|young|old|elderly|local|new|experienced|unemployed|\d+-year-old)\s+){0,2}\Z|\bformer\s+\Z",
    re.IGNORECASE,
)
_LONGEST_BEFORE = 48
# Words that make it another occupation: "a student nurse", "district nurses".
_COMPOUND_BEFORE = re.compile(rf"(?<![\w'’-])(?:{'|'.join(read_words('before_occupation'))})\s+\Z", re.IGNORECASE)


# Words that continue an occupation: "the nurse midwife", "writers of lyrics".
_COMPOUND_AFTER = re.compile(r"\s(?:of\b|[a-z]*(?:wife|ist|man|woman|teacher|manager|assistant)s?\b)")
_WORD_BEFORE = re.compile(r"([\w'’-]+)\s+\Z")
_PLAIN_BEFORE = CLOSED_CLASS.union(read_words("plain_before"))


def _is_modified(text: str, start: int) -> bool:
    """Return whether the word before a plural may be part of the occupation."""
    word = _WORD_BEFORE.search(text, max(0, start - _LONGEST_BEFORE), start)
    return word is not None and not word[1].isdigit() and word[1].lower() not in _PLAIN_BEFORE


def swap_occupation(original: Original, generator: random.Random) -> Variants:
    """Replace all listed occupations by ones with few or with many women."""
    text = original.document.text
    entries = listed("occupation")
    forms = {form: (entry, place) for entry in entries for place, form in enumerate(entry[1:])}
    pattern = any_of(forms)
    found = []
    for match in pattern.finditer(text):
        entry, is_plural = forms[match[0].lower()]
        if not is_plural and not _DETERMINER.search(text, max(0, match.start() - _LONGEST_BEFORE), match.start()):
            raise Unswappable("occupation_elsewhere", f"{match[0]!r} has no article and may be no occupation")
        if (is_plural and _is_modified(text, match.start())) or _COMPOUND_AFTER.match(text, match.end()):
            raise Unswappable("occupation_elsewhere", f"{match[0]!r} may be part of another occupation")
        if _COMPOUND_BEFORE.search(text, max(0, match.start() - _LONGEST_BEFORE), match.start()):
            raise Unswappable("occupation_elsewhere", f"{match[0]!r} is part of another occupation")
        if match[0][0].isupper() and text[match.end() : match.end() + 2].strip()[:1].isupper():
            raise Unswappable("occupation_elsewhere", f"{match[0]!r} seems to be part of a name")
        found.append((match, entry, is_plural))
    if not found:
        raise Unswappable("no_occupation", "no listed occupation")
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


def swap_terms(original: Original, lexicon: Mapping[str, Mapping[str, str]]) -> Variants:
    """Every term of the lexicon as the one of each variant."""
    text = original.document.text
    found = list(any_of(lexicon).finditer(text))
    if not found:
        raise Unswappable("no_term", "no term of the lexicon")
    by_term = {term.lower(): forms for term, forms in lexicon.items()}
    others = {form for forms in by_term.values() for form in forms.values()} - set(lexicon)
    stray = any_of(others, 0).search(text) if others else None
    if stray:
        raise Unswappable("term_elsewhere", f"{stray[0]!r} of a variant is already in the text")
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
