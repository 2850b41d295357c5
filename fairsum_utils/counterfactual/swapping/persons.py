"""Swaps of gender and of race: names, pronouns, titles and gendered words.

Source: Steen and Markert 2024, section 5.1 and appendix D, for annotated texts.
"""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from fairsum_utils._util.resources import read_words
from fairsum_utils.counterfactual.assignment import GroupNames, Refill, Setting, Skipped, make_setting, refill
from fairsum_utils.counterfactual.chains import cover, find_persons
from fairsum_utils.counterfactual.documents import PERSON, Document, Mention, NamedEntity
from fairsum_utils.counterfactual.edits import ALSO_WORDS, Edit, Original, Unswappable, Variants, any_of, listed
from fairsum_utils.counterfactual.name_parts import parse_name
from fairsum_utils.counterfactual.templates import Template, make_template
from fairsum_utils.families.entities.names import (
    GENDERS,
    bbq_names,
    first_name_gender,
    is_first_name,
    is_usual_first_name,
    popular_first_names,
)
from fairsum_utils.text.lemmas import is_listed
from fairsum_utils.text.person_names import TITLES, is_capitals
from fairsum_utils.text.pronouns import CLOSED_CLASS


def swap_gender(original: Original, generator: random.Random) -> Variants:
    """Make everybody male or female: first names, pronouns, titles and gendered words."""
    _check_couples(original.document)
    return _refilled(original, _with_first_names(original.document), make_setting("gender", "global"), generator)


#: Words of `listed("gendered")` for a member of a couple without a gender.
_PARTNERS = frozenset(
    ("spouse", "spouses", "former spouse", "partner", "partners", "former partner", "survivor", "survivors")
)
_LADY = re.compile(r"\bLady [^\W\d_a-z]")
# "Carol and Clarence Bell", but not "Ann Kelly and Bo Lee"
_TWO_OF_A_NAME = re.compile(
    r"\b([^\W\d_a-z]\w+ )?([^\W\d_a-z]\w+) (?:and|&) ([^\W\d_a-z]\w+) (?:[A-Z]\.? )?[^\W\d_a-z]"
)


@cache
def _couple_words() -> re.Pattern[str]:
    partners = (word for *words, neutral in listed("gendered") if neutral in _PARTNERS for word in words)
    return any_of([*partners, *(word for (word,) in listed("couple"))])


def _check_couples(document: Document) -> None:
    """Refuse couples, whom one gender for all would change, and offices of one gender."""
    text = document.text
    if any_of(word for (word,) in listed("office")).search(text) or _LADY.search(text):
        raise Unswappable("office")
    if _couple_words().search(text) or any(map(_are_first_names, _TWO_OF_A_NAME.finditer(text))):
        raise Unswappable("couple")
    words = set(re.findall(r"[a-z]+", text.lower()))
    for kind in ("parent", "grandparent"):
        rows = [row for row in listed("gendered") if row[2].removesuffix("s") == kind]
        if all(words.intersection(forms) for forms in list(zip(*rows, strict=True))[:2]):
            raise Unswappable("couple")
    firsts: dict[str, str] = {}
    for person in find_persons(document)[0]:
        if person.last and person.first and firsts.setdefault(person.last, person.first) != person.first:
            raise Unswappable("couple")


def _are_first_names(match: re.Match[str]) -> bool:
    return match[1] is None and is_first_name(match[2].lower()) and is_first_name(match[3].lower())


def swap_race(original: Original, generator: random.Random) -> Variants:
    """Replace names by names of black and of white persons, with the same gender."""
    document = _with_first_names(original.document)
    if not original.guessed:
        return _refilled(original, document, make_setting("race", "global"), generator)
    # Without known pronouns no gender may change, so these texts are left out.
    document = replace(document, chains=_named_chains(document), content_words=())
    parts = _by_gender(document, _gender_of_all(original.document))
    variants: dict[str, tuple[Edit, ...]] = {}
    taken: set[str] = set()
    setting = None
    for gender, part in parts.items():
        groups = {
            race: GroupNames(
                {gender: bbq_names(race, "first", gender)},
                tuple(name for name in bbq_names(race, "last") if name not in taken),
            )
            for race in ("black", "white")
        }
        setting = Setting(groups, "global", "both")
        made = _differing(document.text, _refill(part, setting, generator)[1])
        taken.update(edit.after for edits in made.values() for edit in edits)
        variants = {race: tuple(sorted([*variants.get(race, ()), *edits])) for race, edits in made.items()}
    variants = {race: tuple(_with_family_names(document.text, edits)) for race, edits in variants.items()}
    if setting is None:
        raise Unswappable("no_person")
    _check_names_gone(make_template(document), document, setting, variants)
    return variants


def _with_family_names(text: str, edits: Sequence[Edit]) -> Iterator[Edit]:
    """Give persons with the same last name the same new one."""
    new: dict[str, str] = {}
    for edit in edits:
        if edit.kind == "last":
            yield edit._replace(after=new.setdefault(text[edit.start : edit.end], edit.after))
        else:
            yield edit


def _named_chains(document: Document) -> tuple[tuple[Mention, ...], ...]:
    """Return the persons of a guessed document without their pronouns."""
    names = {entity[:2] for entity in document.entities}
    chains = (tuple(mention for mention in chain if mention[:2] in names) for chain in document.chains)
    return tuple(chain for chain in chains if chain)


def _gender_of_all(document: Document) -> str | None:
    """Return the document's gender by pronouns, titles and nouns; None if not unique."""
    persons, _ = find_persons(document)
    genders = {slot.gender for person in persons for slot in person.slots if slot.gender is not None}
    for word in document.content_words:
        written = document.text[word.start : word.end]
        genders |= {gender for gender in GENDERS if written == getattr(word, gender)}
    return next(iter(genders)) if len(genders) == 1 else None


def _by_gender(document: Document, of_all: str | None) -> dict[str, Document]:
    """Split the document by gender, as titles and first names show."""
    parts: dict[str, list[tuple[Mention, ...]]] = {}
    everybody, _ = find_persons(document)
    lasts = Counter(person.last for person in everybody)
    for person in everybody:
        if person.first is None and lasts[person.last] > 1:
            raise Unswappable("ambiguous_name")
    by_names = {first_name_gender(person.first) for person in everybody if person.first}
    by_chain = {person.key: person for person in everybody}
    for place, chain in enumerate(document.chains):
        person = by_chain[place]
        genders = {slot.gender for slot in person.slots if slot.kind == "title"}
        if len(genders) > 1:
            raise Unswappable("ambiguous_name")
        by_name = first_name_gender(person.first) if person.first else None
        is_other = not genders and person.first is not None and of_all is not None and by_name != of_all
        # Pronouns of one gender may all be those of another person, whose first name has it.
        if is_other and (person is everybody[0] or of_all not in by_names if by_name else of_all in by_names):
            raise Unswappable("several_genders")
        if is_other and by_name:
            if not is_usual_first_name(person.first or ""):  # "Mao"; a usual name overrules the pronouns of a text
                raise Unswappable("several_genders")
            genders = {by_name}
        gender = next(iter(genders), None) or of_all or by_name
        if gender is None and person.first is None:
            gender = GENDERS[0]  # a last name alone, which tells none
        if gender is None:
            raise Unswappable("several_genders")
        parts.setdefault(gender, []).append(chain)
    return {
        gender: replace(document, chains=tuple(chains), entities=_entities_of(document, chains))
        for gender, chains in sorted(parts.items())
    }


def _entities_of(document: Document, chains: Sequence[Sequence[Mention]]) -> tuple[NamedEntity, ...]:
    spans = {mention[:2] for chain in chains for mention in chain}
    return tuple(entity for entity in document.entities if entity.label != PERSON or entity[:2] in spans)


def _with_first_names(document: Document) -> Document:
    """Mark single names in the census as first names."""
    spans = [entity[:2] for entity in document.entities if entity.label == PERSON]
    names = [parse_name(document.text, *span) for span in spans]
    borne = {word.key for name in names if len(name.words) > 1 or name.titles for word in name.words}
    alone = {name.words[0].key for name in names if len(name.words) == 1} - borne
    listed = set(filter(is_first_name, alone))
    return replace(document, first_names=document.first_names | listed)


def _refilled(original: Original, document: Document, setting: Setting, generator: random.Random) -> Variants:
    template, edits = _refill(document, setting, generator)
    variants = _differing(document.text, edits)
    if original.guessed:
        _check_names_gone(template, document, setting, variants)
    return variants


def _refill(document: Document, setting: Setting, generator: random.Random) -> tuple[Template, Variants]:
    template = make_template(document)
    for note in template.notes:
        if setting.is_by_gender or note == "first_name_elsewhere":  # a name tells more than a gender
            raise Unswappable(note)
    made = refill(template, setting, n_inputs=len(setting.groups), seed=int(generator.random() * 2**31))
    if isinstance(made, Skipped):
        raise Unswappable(made.reason)
    return template, {str(refilled.group): tuple(_edits(template, refilled)) for refilled in made}


def _edits(template: Template, refilled: Refill) -> Iterator[Edit]:
    end = 0
    for slot, piece, words in zip(template.slots, template.pieces, refilled.fillings, strict=False):
        start = end + len(piece)
        end = start + len(slot.text)
        yield Edit(start, end, words, slot.kind)


def _differing(text: str, variants: Variants) -> Variants:
    """Return the edits at positions where any variant differs from the original."""
    rows = list(zip(*variants.values(), strict=True))
    differ = [len({text[row[0].start : row[0].end], *(edit.after for edit in row)}) > 1 for row in rows]
    if not any(differ):
        raise Unswappable("no_person")
    return {
        variant: tuple(edit for edit, differs in zip(edits, differ, strict=True) if differs)
        for variant, edits in variants.items()
    }


def _check_names_gone(template: Template, document: Document, setting: Setting, variants: Variants) -> None:
    """Refuse a text with a remaining name, so that no swap is partial.

    These are replaced names that occur elsewhere too, and apparent first names without a person.
    """
    edits = next(iter(variants.values()))
    replaced = {
        name
        for entity in template.entities
        for name in (entity.first, entity.last if setting.names == "both" else None)
        if name is not None
    }
    text = template.text
    edited = cover(text, (edit[:2] for edit in edits))
    named = cover(text, _surely_named(document))
    persons = (start for start, _, label in document.entities if label == PERSON)
    beside = (_BESIDE.search(text, max(0, start - _LONGEST_BESIDE), start) for start in persons)
    introduced = (match for match in _INTRODUCED.finditer(text) if not is_listed(match[1].split()[0].lower()))
    for match in itertools.chain(_RELATIVES.finditer(text), filter(None, beside), introduced):
        if not any(edited[slice(*match.span(1))]) and not any(named[slice(*match.span(1))]):
            raise Unswappable("name_elsewhere")
    kept = {entity.last for entity in template.entities}
    for match in _CAPITALIZED.finditer(text):
        start = match.start()
        remains = not edited[start] and not replaced.isdisjoint((match[0], match[0].removesuffix("s")))
        given = match[0] in kept and _GIVEN_BEFORE.search(text, max(0, start - _LONGEST_BESIDE), start)
        is_named = given and not edited[given.start(1)] and _is_given(text, given)
        is_other = not (edited[start] or named[start] or match[0] in kept) and _may_be_person(text, match)
        if remains or is_named or is_other:
            raise Unswappable("name_elsewhere")


def _is_given(text: str, match: re.Match[str]) -> bool:
    """Return whether the word before a last name is a first name."""
    word = match[1].lower()
    if word in TITLES or word in _NO_GIVEN or _PERSON_NOUN.search(word):
        return False
    opens = _OPENS_SENTENCE.search(text, max(0, match.start() - 8), match.start())
    return not opens or not (is_listed(word) or word in CLOSED_CLASS)


_CAPITALIZED = re.compile(r"(?<![\w-])[^\W\d_a-z][\w’'-]*\w")
_OPENS_SENTENCE = re.compile(r"(?:\A|[.!?:;\n])[\s\"“”‘(]*\Z")
_BEFORE_PLACE = re.compile(
    r"(?:\b(?:in|from|near|at|to|across|outside|around|via|leaves?|left|[A-Z]\w+ of)|,)\s+(?:the\s+)?\Z"
)
_LONGEST_BEFORE = 14
# Institutions named after a person: "St Mary's Hospital".
_INSTITUTION = re.compile(
    r"\b(?:St\.? )?[^\W\d_a-z][\w’'-]*(?: [^\W\d_a-z][\w’'-]*)* (?:Hospital|Infirmary|Hospice|Ward|House|Church|School|"
    r"College|University|Street|Road|Lane|Avenue|Square|Park|Centre|Center|Court)\b"
)
# Followers that show a sentence-initial rare name to be a name, not a word.
_ABOUT_PERSON = re.compile(
    r", (?:\d|who\b)|['’]s\b|\s(?:who|is|was|has|had|said|says|reports|lives|lived|needs|and|"
    r"came|did|gave|got|helped|made|took|went)\b"
)
# Words before a person: "thanks to Jakob".
_BEFORE_PERSON = re.compile(r"\b(?:and|ask|by|for|from|love|met|saw|see|thanks?|to|watching|with)\s\Z")
# Names next to a word for a relation.
_RELATIVES = re.compile(rf"\b(?:{'|'.join(read_words('kin'))}),? ([^\W\d_a-z][^\W\d_A-Z]\w*)")
# Names of persons by what follows: "Oleg Cassini was an American designer".
_INTRODUCED = re.compile(
    r"(?<![\w'’-])([^\W\d_a-z][^\W\d_A-Z]+ [^\W\d_a-z][\w’'-]+)(?:,| is| was) (?:an?|the) (?:[\w-]+ ){0,4}"
    r"(?:[a-z]+(?:er|or|ist|ian|man|woman|ress))\b"
)
# A capitalized word before a last name.
_GIVEN_BEFORE = re.compile(r"(?<![\w'’-])([^\W\d_a-z][^\W\d_A-Z]+)\s\Z")
_NO_GIVEN = frozenset((*read_words("other_title"), *read_words("particle")))
_PERSON_NOUN = re.compile(r"(?:er|or|ist|man|woman|ian|ant|ent|eer)\Z")
_LONGEST_BESIDE = 60
# A name before a person's name: "Ines Ruiz and Ann Lee".
_BESIDE = re.compile(r"(?<![\w'’-])([^\W\d_a-z][^\W\d_A-Z]+ [^\W\d_a-z][\w’'-]+)(?: and| with|,) \Z")
# Countries that are also first names: persons, unless a preceding word marks a place.
_PERSONS_AS_PLACES = frozenset({"chad", "georgia", "jordan"})


def _surely_named(document: Document) -> Iterator[tuple[int, int]]:
    """Yield names that need no replacement: examined names, places and institutions."""
    for start, end, label in document.entities:
        if label in (PERSON, "NORP") or _BEFORE_PLACE.search(document.text, max(0, start - _LONGEST_BEFORE), start):
            yield start, end
    for match in _INSTITUTION.finditer(document.text):
        yield match.span()


def _may_be_person(text: str, match: re.Match[str]) -> bool:
    """Return whether a capitalized word may be a person's name, not just sentence-initial."""
    word = re.sub(r"['’]s?$", "", match[0]).lower()
    if word in _PERSONS_AS_PLACES:
        return True
    opens = _OPENS_SENTENCE.search(text, max(0, match.start() - 8), match.start())
    introduced = bool(_ABOUT_PERSON.match(text, match.end()))
    if not is_first_name(word):
        shown = introduced or _BEFORE_PERSON.search(text, max(0, match.start() - 12), match.start())
        return bool(shown) and not (is_capitals(match[0]) or is_listed(word) or word in CLOSED_CLASS)
    if not opens or re.match(r"\s[^\W\d_a-z]", text[match.end() : match.end() + 2]):
        return True
    popular = any(word.capitalize() in popular_first_names(gender) for gender in GENDERS)
    return introduced or (word not in ALSO_WORDS if popular else not is_listed(word))
