"""Templates: an annotated document cut into what stays and what depends on who its persons are.

Source: papers/news-summarization-bias, section 5.1, appendices D and J.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from fairsum_utils.counterfactual.chains import FoundPerson, FoundSlot, find_persons
from fairsum_utils.counterfactual.documents import Document
from fairsum_utils.counterfactual.name_parts import is_capitals
from fairsum_utils.entities.names import GENDERS
from fairsum_utils.entities.pronouns import render, title_for
from fairsum_utils.errors import InputError
from fairsum_utils.validation import check_choice, describe

__all__ = ["Person", "Slot", "Template", "TemplateEntity", "make_template"]


class Person(NamedTuple):
    """Who an entity is to be; None keeps what the original has.

    Attributes:
        gender: ``"male"`` or ``"female"``.
        first: first name.
        last: last name.
    """

    gender: str | None = None
    first: str | None = None
    last: str | None = None


@dataclass(frozen=True)
class TemplateEntity:
    """A person of the original.

    Attributes:
        id: ``"e0"``, ``"e1"``, ... in text order.
        first: first name, or None if the text gives none.
        last: last name, likewise.
        gender: that most pronouns and titles have; None if there are none, or as many of each.
        kinds: kinds of the slots that depend on the person.
        chain: place of the chain in the document's `chains`; None for a name in no chain.
    """

    id: str
    first: str | None
    last: str | None
    gender: str | None
    kinds: frozenset[str]
    chain: int | None

    @property
    def person(self) -> Person:
        """Who the entity is in the original."""
        return Person(self.gender, self.first, self.last)


_NO_FORMS: Mapping[str, str] = MappingProxyType({})


class Slot(NamedTuple):
    """A place in the text that depends on entities.

    Attributes:
        kind: ``"first"``, ``"initial"`` (of the first name), ``"last"``, ``"pronoun"``, ``"title"`` or ``"content"``.
        text: what the original has there.
        entities: ids of the entities it depends on; several only for a content word.
        forms: of a pronoun, title or content word: gender, of a content word also ``"neutral"`` -> what it becomes.
    """

    kind: str
    text: str
    entities: tuple[str, ...]
    forms: Mapping[str, str] = _NO_FORMS


@dataclass(frozen=True)
class Template:
    """A text with slots.

    Attributes:
        id: of the document.
        text: the original.
        pieces: what stands before, between and after the slots; one more than there are slots.
        slots: in text order.
        entities: in text order.
        notes: what stays although it may tell a gender, and how often: ``pronoun_in_no_chain``, ``title_without_name``
            (of nobody that is known; "Mr. and Mrs." are two), ``first_name_elsewhere`` (not in a name or mention of the
            person, as in the name of a company), ``content_word_of_no_person``.
    """

    id: str
    text: str
    pieces: tuple[str, ...]
    slots: tuple[Slot, ...]
    entities: tuple[TemplateEntity, ...]
    notes: Mapping[str, int] = field(default_factory=dict)

    @property
    def usable(self) -> bool:
        """Whether anybody has a first name, a gendered pronoun or a title.

        Source: papers/news-summarization-bias, appendix D.
        """
        return any(not entity.kinds.isdisjoint(("first", "pronoun", "title")) for entity in self.entities)

    def fill(self, assignment: Mapping[str, Person]) -> str:
        """The text with its persons being others.

        A name that is None or that of the original leaves the original's letters. What was in capitals stays so. A
        content word takes the form of the gender of its entities, or the neutral one if they are of different genders;
        it stays as it is if the gender of one of them is None.

        Args:
            assignment: entity id -> who it is; entities that are not named stay as they are.

        Raises:
            InputError: an id that the template does not have, or a gender there is no form for.

        Example:
            >>> from fairsum_utils.counterfactual.documents import Mention, NamedEntity
            >>> names, chain = (NamedEntity(0, 6, "PERSON"),), (Mention(0, 6), Mention(12, 15))
            >>> template = make_template(Document("a", "Ann Bo said she won.", names, (chain,)))
            >>> template.fill({"e0": Person("male", "Tom", None)})
            'Tom Bo said he won.'
        """
        people = {entity.id: entity.person for entity in self.entities}
        for name, person in assignment.items():
            if name not in people:
                raise InputError(
                    f"template {self.id!r}: there is no entity {describe(name)}; it has {', '.join(people) or 'none'}"
                )
            if person.gender is not None:
                check_choice(f"template {self.id!r}: entity {name!r}", "gender", person.gender, GENDERS)
        new = {name: assignment.get(name, _SAME) for name in people}
        text = [self.pieces[0]]
        for slot, piece in zip(self.slots, self.pieces[1:], strict=True):
            owner = slot.entities[0]
            if slot.forms:
                text.append(_form(slot, [new[name].gender for name in slot.entities]))
            elif slot.kind == "last":
                text.append(_name(slot.text, people[owner].last, new[owner].last))
            elif slot.kind == "first":
                text.append(_name(slot.text, people[owner].first, new[owner].first))
            else:
                text.append(slot.text if new[owner].first is None else (new[owner].first or "")[:1].upper())
            text.append(piece)
        return "".join(text)


def make_template(document: Document) -> Template:
    """Find the persons of a document and everything in it that depends on who they are.

    `chains.find_persons` says who is a person and `name_parts` which word is the first and the last name. Slots are
    names, initials, gendered pronouns and titles of these persons, and the content words annotated for them. Where
    two would overlap, the one that starts first is kept.

    Args:
        document: with names, chains and content words.

    Returns:
        The template. `Template.usable` says whether it is worth filling.

    Source: papers/news-summarization-bias, appendices D and J. Beyond it: initials, suffixes, Miss, hers and the
    predicative his, titles outside of mentions, ids in text order.

    Example:
        >>> from fairsum_utils.counterfactual.documents import Mention, NamedEntity
        >>> names = (NamedEntity(0, 6, "PERSON"), NamedEntity(21, 23, "PERSON"))
        >>> chain = (Mention(0, 6), Mention(12, 15), Mention(17, 23))
        >>> template = make_template(Document("a", "Ann Bo said she, Ms. Bo, won.", names, (chain,)))
        >>> [(slot.kind, slot.text) for slot in template.slots]
        [('first', 'Ann'), ('last', 'Bo'), ('pronoun', 'she'), ('title', 'Ms.'), ('last', 'Bo')]
    """
    found, notes = find_persons(document)
    ids = {person.key: f"e{place}" for place, person in enumerate(found)}
    slots = [
        (slot.start, slot.end, _slot(document.text[slot.start : slot.end], slot, ids[person.key]))
        for person in found
        for slot in person.slots
    ]
    for word in document.content_words:
        owners = tuple(ids[chain] for chain in word.chains if chain in ids)
        if len(owners) == len(word.chains):
            text = document.text[word.start : word.end]
            forms = {gender: _cased_like(text, getattr(word, gender)) for gender in (*GENDERS, _NEUTRAL)}
            slots.append((word.start, word.end, Slot("content", text, owners, forms)))
        else:
            notes["content_word_of_no_person"] += 1
    pieces, kept, end = [], [], 0
    for start, stop, slot in sorted(slots, key=lambda item: item[:2]):
        if start >= end:
            pieces.append(document.text[end:start])
            kept.append(slot)
            end = stop
    pieces.append(document.text[end:])
    kinds: dict[str, set[str]] = {}
    for slot in kept:
        for owner in slot.entities:
            kinds.setdefault(owner, set()).add(slot.kind)
    return Template(
        id=document.id,
        text=document.text,
        pieces=tuple(pieces),
        slots=tuple(kept),
        entities=tuple(_entity(person, ids[person.key], kinds) for person in found),
        notes=dict(sorted(notes.items())),
    )


def _entity(person: FoundPerson, name: str, kinds: Mapping[str, Iterable[str]]) -> TemplateEntity:
    genders = Counter(slot.gender for slot in person.slots if slot.gender is not None)
    (gender, count), *others = [*genders.most_common(), (None, 0)]
    tied = any(other == count for _, other in others)
    return TemplateEntity(
        id=name,
        first=person.first,
        last=person.last,
        gender=None if tied else gender,
        kinds=frozenset(kinds.get(name, ())),
        chain=person.key if person.key >= 0 else None,
    )


def _slot(text: str, found: FoundSlot, owner: str) -> Slot:
    if found.case is not None:
        return Slot(found.kind, text, (owner,), {gender: render(found.case, gender, like=text) for gender in GENDERS})
    if found.kind == "title":
        return Slot(found.kind, text, (owner,), {gender: title_for(text, gender) for gender in GENDERS})
    return Slot(found.kind, text, (owner,))


def _form(slot: Slot, genders: Sequence[str | None]) -> str:
    gender = genders[0]
    if len(genders) > 1 and len(set(genders)) > 1:
        gender = None if None in genders else _NEUTRAL
    return slot.text if gender is None else slot.forms[gender]


def _name(text: str, old: str | None, new: str | None) -> str:
    if new is None or new == old:
        return text
    return new.upper() if is_capitals(text) else new


def _cased_like(text: str, word: str) -> str:
    """A content word in capitals, capitalized or as it is, as the original's is."""
    if is_capitals(text):
        return word.upper()
    return word[0].upper() + word[1:] if text[0].isupper() else word


_SAME = Person()
_NEUTRAL = "neutral"
