"""Persons of a text without coreference: names joined to persons, and their gender."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fairsum_utils.counterfactual.documents import PERSON, Document, Mention
from fairsum_utils.counterfactual.name_parts import BEFORE_LAST, PersonName, parse_name, words_of
from fairsum_utils.counterfactual.templates import make_template
from fairsum_utils.families.entities.names import first_name_gender, is_first_name
from fairsum_utils.text.pronouns import GENDERED_PRONOUNS

#: Group of a person whose gender is shown neither by a pronoun or title nor by the first name.
UNKNOWN = "unknown"


def join_by_name(document: Document) -> Document:
    """Replace the chains of a document by one chain per person, joined by name.

    Full names with the same first and last word are one person's. A single word belongs to the person with that name,
    if there is exactly one; otherwise it is a person of its own, such as "Smith" next to John and Mary Smith. Pronouns
    are joined only if the document has one person.

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
        if len(name.words) > 1:
            person = (name.words[0].key, name.words[-1].key)
            persons.setdefault(person, []).append(mention)
            for word in person:
                bearers.setdefault(word, set()).add(person)
    first_names = set()
    for mention, name in names.items():
        if len(name.words) == 1:
            known = bearers.get(name.words[0].key, set())
            first, last = next(iter(known)) if len(known) == 1 else _alone(name)
            persons.setdefault((first, last), []).append(mention)
            first_names |= set() if last else {first}
    if len(persons) == 1:
        [mentions] = persons.values()
        pronouns = (word for word in words_of(text, 0, len(text)) if word.text.lower() in GENDERED_PRONOUNS)
        mentions += (Mention(word.start, word.end) for word in pronouns)
    chains = sorted(tuple(sorted(chain)) for chain in persons.values())
    return replace(document, chains=tuple(chains), first_names=frozenset(first_names))


def _alone(name: PersonName) -> tuple[str, str]:
    """Return first and last name of a single name; one of them is empty."""
    [word] = name.words
    titled = any(title.key in BEFORE_LAST for title in name.titles)
    is_first = not titled and is_first_name(word.key)
    return (word.key, "") if is_first else ("", word.key)


def persons_of(document: Document) -> list[dict[str, Any]]:
    """Return the named persons of a document, for the entity measures.

    The gender is that of most pronouns and titles, otherwise the usual gender of the first name (US census 1990).

    Returns:
        One dict per person: ``first_name``, ``last_name``, ``group`` (``"female"``, ``"male"`` or ``"unknown"``) and
        ``is_modified``, False if the group is unknown, so that the person is not counted.

    Example:
        >>> from fairsum_utils.counterfactual.documents import NamedEntity
        >>> persons_of(Document("a", "Ann Bo won.", (NamedEntity(0, 6, "PERSON"),), ((Mention(0, 6),),)))
        [{'first_name': 'Ann', 'last_name': 'Bo', 'group': 'female', 'is_modified': True}]
    """
    people = []
    for entity in make_template(document).entities:
        if entity.first or entity.last:
            gender = entity.gender or (first_name_gender(entity.first) if entity.first else None)
            names = {"first_name": entity.first, "last_name": entity.last}
            people.append({**names, "group": gender or UNKNOWN, "is_modified": gender is not None})
    return people
