"""Persons of a text without coreference: names joined to persons, and their gender."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache
from operator import itemgetter
from typing import Any

from fairsum_utils._util.resources import read_words
from fairsum_utils.counterfactual.chains import FoundPerson, find_persons
from fairsum_utils.counterfactual.documents import PERSON, Document, Mention, NamedEntity
from fairsum_utils.counterfactual.edits import listed
from fairsum_utils.counterfactual.name_parts import BEFORE_LAST, PersonName, Word, is_particle, parse_name, words_of
from fairsum_utils.counterfactual.swapping.things import PERSON_NOUN
from fairsum_utils.families.entities.names import (
    census_first_names,
    first_name_gender,
    is_first_name,
    is_usual_first_name,
)
from fairsum_utils.text.lemmas import is_listed
from fairsum_utils.text.person_names import THINGS, TITLES, is_initial
from fairsum_utils.text.pronouns import GENDERED_PRONOUNS
from fairsum_utils.text.recognition import PERSON_LABELS

#: Group of a person whose gender is shown neither by a pronoun or title nor by the first name.
UNKNOWN = "unknown"

_PERSONS = frozenset((*read_words("person"), *read_words("kin"), *read_words("other_title")))
_WORD_BEFORE = re.compile(r"(?<![\w'’-])([^\W\d_][\w'’-]*)\.?\s\Z")
_WORD_AFTER = re.compile(r"(?:['’]s)?\s([^\W\d_a-z][\w-]*)")
_LONGEST_WORD = 30
_NOT_BEFORE_PERSONS = frozenset({"the", "in", "at"})
# Titles that also describe things: "the former Chelsea striker".
_VAGUE = frozenset({"former", "vice", "deputy", "chief", "general", "major", "private", "prime", "saint", "st"})
_FAMILY_FIRST = re.compile(r"[^\W\d_a-z][^\W\d_A-Z]*-[^\W\d_A-Z]+")
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
# Relations of nouns that tell more about a person: "Sasha Lee is an actor", "Sasha Lee, an actor", "actor Sasha Lee".
_OF_THE_SAME = frozenset({"attr", "appos", "compound"})


def correct_names(document: Document, doc: Any) -> Document:
    """Correct what a spaCy pipeline takes for names of persons.

    Roles ("Goalkeeper Smith") and verbs leave a name. A name of a place or thing ("Victoria Hall") is left out, unless
    its last word is used alone for a person. A place or an organization of the pipeline is a person after a title or
    role, if it is the last name of one, or if it is a first name with a possessive ("Marta gave her boots").

    Args:
        document: the document with the names that the pipeline found.
        doc: the text as the pipeline parsed it.
    """
    text = document.text
    if text.islower():
        return document
    names = {entity: _name_words(text, entity) for entity in document.entities}
    persons = {entity: words for entity, words in names.items() if entity.label == PERSON}
    alone = {words[0].key for words in persons.values() if len(words) == 1}
    kept = {entity for entity, words in persons.items() if words and not _is_thing(text, words, alone)}
    lasts = {persons[entity][-1].key for entity in kept}
    owners = {start for start, _ in _pronoun_owners(doc)}
    for entity in names.keys() - persons.keys():
        if (words := names[entity]) and not _is_thing(text, words, lasts):
            first, last = words[0], words[-1]
            known = last.key in lasts and (len(words) == 1 or is_first_name(first.key))
            owns = len(words) == 1 and last.start in owners and is_first_name(last.key)
            if known or owns or _is_called_person(text, doc, entity, words):
                kept.add(entity)
    again = {names[entity][0].text for entity in kept if len(names[entity]) == 1}
    kept |= {entity for entity, words in names.items() if len(words) == 1 and words[0].text in again}
    corrected = (NamedEntity(names[entity][0].start, names[entity][-1].end, PERSON) for entity in kept)
    others = (entity for entity in document.entities if entity not in kept and entity.label != PERSON)
    return replace(document, entities=tuple(sorted((*corrected, *others))))


def n_left_out(found: Document, joined: Document) -> int:
    """Count the names found that no joined person has."""
    kept = [entity for entity in joined.entities if entity.label == PERSON]
    names = (entity for entity in found.entities if entity.label == PERSON)
    return sum(not any(name.start < other.end and other.start < name.end for other in kept) for name in names)


def _name_words(text: str, entity: NamedEntity) -> list[Word]:
    """Return the words of a name, without roles before it and words after it."""
    words = words_of(text, entity.start, entity.end)
    while len(words) > 1 and (_is_role(words[0].key) or (words[0].text.islower() and not is_particle(words[0], 0))):
        words.pop(0)
    ends = (place for place, word in enumerate(words) if word.text.islower() and not is_particle(word, place))
    words = words[: next(ends, len(words))]
    while words and words[-1].text.islower():
        words.pop()
    return words


def _is_role(word: str) -> bool:
    """Return whether a word is a title, a role or a relative."""
    noun = word not in census_first_names() and is_listed(word) and bool(PERSON_NOUN.search(word))
    return word in TITLES or word in _PERSONS or noun


def _word_before(text: str, start: int) -> str:
    before = _WORD_BEFORE.search(text, max(0, start - _LONGEST_WORD), start)
    return before[1].lower() if before else ""


def _is_thing(text: str, words: Sequence[Word], alone: Collection[str]) -> bool:
    """Return whether words name a place or a thing, or may do so."""
    after = _WORD_AFTER.match(text, words[-1].end)
    if after and after[1].lower() in THINGS:
        return True
    before = _word_before(text, words[0].start)
    if before in _NOT_BEFORE_PERSONS:
        return True
    return len(words) > 1 and words[-1].key in THINGS - set(alone) and not _is_role(before)


def _is_called_person(text: str, doc: Any, entity: NamedEntity, words: Sequence[Word]) -> bool:
    """Return whether a title or role belongs to words that have another label."""
    role = _word_before(text, words[0].start)
    span = doc.char_span(words[0].start, words[-1].end)
    if role in _VAGUE or not _is_role(role) or span is None or is_listed(words[-1].key):
        return False
    roles = (child for child in span.root.children if child.i < span.start)
    return span.root.dep_ != "compound" and any(child.lower_.rstrip(".") == role for child in roles)


def _pronoun_owners(doc: Any) -> Iterator[tuple[int, Any]]:
    """Yield subjects' places with their possessive and reflexive pronouns."""
    for token in doc if doc.has_annotation("DEP") else ():
        if token.lower_ in GENDERED_PRONOUNS and (token.tag_ == "PRP$" or token.lower_ in ("himself", "herself")):
            owner = _subject_of(token)
            if owner is not None:
                yield owner.idx, token


def _subject_of(pronoun: Any) -> Any:
    """Return the subject to which a pronoun belongs, or None if that is unsure."""
    for head in pronoun.ancestors:
        subjects = [child for child in head.children if child.dep_ in _SUBJECTS]
        if not subjects or pronoun in subjects[0].subtree:
            continue
        subject = subjects[0]
        apposed = (child for child in subject.children if child.dep_ == "appos" and child.tag_ == "NNP")
        if subject.tag_ != "NNP":
            subject = next(apposed, subject)
        joined = any(child.dep_ == "conj" for child in subject.children)
        between = pronoun.doc[subject.i + 1 : pronoun.i]
        return None if joined or any(map(_may_be_person, between)) else subject
    return None


def _may_be_person(token: Any) -> bool:
    if token.tag_ == "NNP":
        return token.ent_type_ in ("", "ORG", *PERSON_LABELS)
    return token.tag_.startswith("NN") and _is_role(token.lower_)


def join_by_name(document: Document, doc: Any = None) -> Document:
    """Replace the chains of a document by one chain per person, joined by name.

    Full names with the same first and last word are one person's. A single word, or one with particles ("De la Cruz"),
    belongs to the person with that name, if there is exactly one; otherwise it is a person of its own, such as "Smith"
    next to John and Mary Smith. Pronouns are joined only if the document has one person.

    With a parsed text, a possessive belongs to the person who is the subject ("Archer sold his farm"), and another
    pronoun to the only person named so far, if no other is spoken of. A single word that several persons have is then
    left out, and one that is no first name is a person only with a title, a role or such a pronoun.

    Args:
        document: the document with its names.
        doc: the text as parsed by a spaCy pipeline, or None.

    Example:
        >>> from fairsum_utils.counterfactual.documents import NamedEntity
        >>> names = tuple(NamedEntity(*span, "PERSON") for span in ((0, 6), (11, 13), (15, 17)))
        >>> text = "Ann Bo met Li. Bo left."
        >>> chains = join_by_name(Document("a", text, names, ())).chains
        >>> [[text[mention.start : mention.end] for mention in chain] for chain in chains]
        [['Ann Bo', 'Bo'], ['Li']]
    """
    text = document.text
    names: dict[Mention, PersonName] = {}
    for entity in document.entities:
        if entity.label == PERSON and (name := parse_name(text, entity.start, entity.end)).words:
            names[Mention(entity.start, entity.end)] = name
    persons: dict[tuple[str, str], list[Mention]] = {}
    bearers: dict[str, set[tuple[str, str]]] = {}
    for mention, name in names.items():
        if not _is_single(name):
            person = (name.words[0].key, name.words[-1].key)
            persons.setdefault(person, []).append(mention)
            for word in person:
                bearers.setdefault(word, set()).add(person)
    first_names = set()
    for mention, name in names.items():
        if _is_single(name):
            known = bearers.get(name.words[-1].key, set())
            if doc is not None and len(known) > 1:
                continue
            is_known = len(known) == 1 and not _is_other_of_couple(text, name)
            first, last = next(iter(known)) if is_known else _alone(name)
            persons.setdefault((first, last), []).append(mention)
            first_names |= set() if last else {first}
    if doc is not None:
        _add_pronouns(document, doc, persons)
        persons = {person: chain for person, chain in persons.items() if _is_supported(text, person, chain, names)}
    elif len(persons) == 1:
        [mentions] = persons.values()
        pronouns = (word for word in words_of(text, 0, len(text)) if word.text.lower() in GENDERED_PRONOUNS)
        mentions += (Mention(word.start, word.end) for word in pronouns)
    chains = sorted(tuple(sorted(chain)) for chain in persons.values())
    kept = {mention[:2] for chain in chains for mention in chain}
    entities = tuple(entity for entity in document.entities if entity.label != PERSON or entity[:2] in kept)
    return replace(document, entities=entities, chains=tuple(chains), first_names=frozenset(first_names))


def _is_single(name: PersonName) -> bool:
    """Return whether a name is a last name, perhaps with particles ("De la Cruz")."""
    *before, _ = name.words
    return all(is_particle(word, place + 1) for place, word in enumerate(before))


def _is_other_of_couple(text: str, name: PersonName) -> bool:
    """Return whether a titled name follows its last name: "Tom Lee and Mrs. Lee"."""
    before = re.compile(rf"{re.escape(name.words[-1].text)}\s(?:and|&)\s\Z")
    return any(before.search(text[: title.start]) for title in name.titles)


def _alone(name: PersonName) -> tuple[str, str]:
    """Return first and last name of a single name; one of them is empty."""
    word = name.words[-1]
    titled = len(name.words) > 1 or any(title.key in BEFORE_LAST for title in name.titles)
    is_first = not titled and is_first_name(word.key)
    return (word.key, "") if is_first else ("", word.key)


def _add_pronouns(document: Document, doc: Any, persons: dict[tuple[str, str], list[Mention]]) -> None:
    """Add the pronouns that surely belong to a person to its mentions."""
    if not doc.has_annotation("TAG"):
        return
    named = sorted((mention[:2], person) for person, mentions in persons.items() for mention in mentions)
    owners = list(_pronoun_owners(doc))
    owned = {token.i for _, token in owners}
    found = [(person, token) for start, token in owners for span, person in named if span[0] <= start < span[1]]
    others = [token.idx for token in doc if _is_spoken_of(token)]
    for token in doc:
        before = {person for span, person in named if span[0] < token.idx}
        if token.lower_ in GENDERED_PRONOUNS and token.i not in owned and len(before) == 1:
            [person] = before
            first = min(span[0] for span, of in named if of == person)
            if not any(first < other < token.idx for other in others):
                found.append((person, token))
    for person, token in found:
        persons[person].append(Mention(token.idx, token.idx + len(token), pos=token.tag_))


def _is_spoken_of(token: Any) -> bool:
    """Return whether a noun may be another person to whom a pronoun belongs."""
    if token.tag_ not in ("NN", "NNS") or token.dep_ in _OF_THE_SAME:
        return False
    word = token.lower_
    return word in _gendered_nouns() or (_is_role(word.removesuffix("s")) and not word.endswith(("ment", "ments")))


def _is_supported(
    text: str, person: tuple[str, str], chain: Sequence[Mention], names: dict[Mention, PersonName]
) -> bool:
    """Return whether more than a lone last name shows a person."""
    if person[0] or any(mention not in names for mention in chain):
        return True
    return any(names[mention].titles or _is_role(_word_before(text, mention.start)) for mention in chain)


def persons_of(document: Document) -> list[dict[str, Any]]:
    """Return the named persons of a document, for the entity measures.

    The gender is that of most pronouns and titles, otherwise that of the person's role ("actress") and the usual one
    of the first name (US census 1990), if they agree; men's words such as "actor" are also used for women, so that
    a woman's word decides. Particles belong to the last name, unless the text also
    has it without them. The first word of a name such as "Kim Jong-un" is the last name.

    Returns:
        One dict per person: ``first_name``, ``last_name``, ``group`` (``"female"``, ``"male"`` or ``"unknown"``) and
        ``is_modified``, False if the group is unknown, so that the person is not counted.

    Example:
        >>> from fairsum_utils.counterfactual.documents import NamedEntity
        >>> persons_of(Document("a", "Ann Bo won.", (NamedEntity(0, 6, "PERSON"),), ((Mention(0, 6),),)))
        [{'first_name': 'Ann', 'last_name': 'Bo', 'group': 'female', 'is_modified': True}]
    """
    people = []
    for person in find_persons(document)[0]:
        if not (person.first or person.last):
            continue
        first, last, by_name = person.first, person.last, None
        if first and last and _is_family_first(person):
            first, last = last, first
        elif first:
            by_name = first_name_gender(first)
        roles = {_gender_of_role(document.text, name) for name in person.names} - {None}
        genders = roles if roles == {"female"} else roles | {by_name} - {None}
        gender = person.gender or (genders.pop() if len(genders) == 1 else None)
        names = {"first_name": first or _initials(person), "last_name": last and _with_particles(person, last)}
        people.append({**names, "group": gender or UNKNOWN, "is_modified": gender is not None})
    return people


def _is_family_first(person: FoundPerson) -> bool:
    """Return whether the last name stands first ("Kim Jong-un")."""
    if any(len(name.words) > 1 and _FAMILY_FIRST.fullmatch(name.words[-1].text) for name in person.names):
        return True
    alone = {name.words[0].text for name in person.names if len(name.words) == 1}
    return person.first in alone and person.last not in alone and not is_usual_first_name(person.first or "")


def _initials(person: FoundPerson) -> str | None:
    """Return the initials before a last name, if there is no first name."""
    for name in person.names:
        before = name.words[:-1]
        if before and all(is_initial(word.key) for word in before):
            return " ".join(f"{word.text}." for word in before)
    return None


def _with_particles(person: FoundPerson, last: str) -> str:
    """Return a last name with the particles that it has wherever it is named."""
    found = []
    for name in person.names:
        if name.words[-1].text == last:
            *before, _ = name.words
            place = len(before)
            while place and is_particle(before[place - 1], place):
                place -= 1
            found.append((_is_single(name), " ".join([*(word.text for word in before[place:]), last])))
    if last in (words for _, words in found):
        return last
    return min(found, key=itemgetter(0), default=(False, last))[1]  # the first full name, else the first name


@cache
def _gendered_nouns() -> dict[str, str]:
    """Map words such as "actress" and "brother" to genders, but not "host"."""
    pairs = [(female, male) for female, male, neutral in listed("gendered") if male != neutral]
    return dict.fromkeys((female for female, _ in pairs), "female") | dict.fromkeys((male for _, male in pairs), "male")


@cache
def _predicate() -> re.Pattern[str]:
    """Compile a pattern of what a person is: "is an American actress"."""
    words = "|".join(map(re.escape, sorted(_gendered_nouns(), key=len, reverse=True)))
    other = r"(?!(?:and|but|for|from|in|of|on|or|that|to|who|whose|with)\b)[\w-]+,?\s"
    return re.compile(rf"\s(?:is|was)\s(?:an?|the)\s(?:{other}){{0,5}}?({words})(?!['’-]?\w)")


def _gender_of_role(text: str, name: PersonName) -> str | None:
    """Return the gender of a role before or after a name: "actress"."""
    start = min(word.start for word in (*name.words, *name.titles))
    predicate = _predicate().match(text, name.words[-1].end)
    keys = [title.key for title in name.titles] + [_word_before(text, start), predicate[1] if predicate else ""]
    return next((_gendered_nouns()[key] for key in keys if key in _gendered_nouns()), None)
