"""Templates: annotated documents cut into fixed text and slots that depend on persons.

Source: Steen and Markert 2024, section 5.1, appendices D and J.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from fairsum_utils.counterfactual.chains import FoundPerson, FoundSlot, find_persons
from fairsum_utils.counterfactual.documents import Document
from fairsum_utils.families.entities.names import GENDERS
from fairsum_utils.text.person_names import is_capitals
from fairsum_utils.text.pronouns import capitalize_like, render, title_for


class Person(NamedTuple):
    """New identity of an entity; None keeps the original's."""

    gender: str | None = None
    first: str | None = None
    last: str | None = None


@dataclass(frozen=True)
class TemplateEntity:
    """A person of the original.

    Attributes:
        id: ``"e0"``, ``"e1"``, ... in text order.
        first: first name, or None if the text gives none.
        last: last name, or None if the text gives none.
        gender: gender of most pronouns and titles; None without any, or for a tie.
        kinds: kinds of the slots that depend on the person.
    """

    id: str
    first: str | None
    last: str | None
    gender: str | None
    kinds: frozenset[str]

    @property
    def person(self) -> Person:
        """Identity of the entity in the original."""
        return Person(self.gender, self.first, self.last)


_NO_FORMS: Mapping[str, str] = MappingProxyType({})
_NEUTRAL = "neutral"


class Slot(NamedTuple):
    """A place in the text that depends on entities.

    Attributes:
        kind: ``"first"``, ``"initial"`` (of the first name), ``"last"``, ``"pronoun"``, ``"title"`` or ``"content"``.
        text: text in the original.
        entities: ids of the entities it depends on; several only for a content word.
        forms: forms of a pronoun, title or content word by gender; content words also have ``"neutral"``. Empty for
            names.
    """

    kind: str
    text: str
    entities: tuple[str, ...]
    forms: Mapping[str, str] = _NO_FORMS


@dataclass(frozen=True)
class Template:
    """A text with slots.

    Attributes:
        id: id of the document.
        text: the original.
        pieces: text before, between and after the slots; one more than there are slots.
        slots: places that depend on persons, in text order.
        entities: persons, in text order.
        notes: counts of unchanged text that may reveal a gender: ``pronoun_in_no_chain``, ``title_without_name``
            (for no known person; "Mr. and Mrs." are two), ``first_name_elsewhere`` (not in a name or mention of the
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
        """True if any person has a first name, gendered pronoun or title.

        Source: Steen and Markert 2024, appendix D.
        """
        return any(not entity.kinds.isdisjoint(("first", "pronoun", "title")) for entity in self.entities)

    def fill(self, assignment: Mapping[str, Person]) -> str:
        """Return the text with other persons; unnamed entities stay unchanged.

        A name that is None or equals the original name leaves the text unchanged. Capitals stay. A content word takes
        the gender of its entities, or the neutral form if their genders differ; it stays if any gender is None.

        Example:
            >>> from fairsum_utils.counterfactual.documents import Mention, NamedEntity
            >>> names, chain = (NamedEntity(0, 6, "PERSON"),), (Mention(0, 6), Mention(12, 15))
            >>> template = make_template(Document("a", "Ann Bo said she won.", names, (chain,)))
            >>> template.fill({"e0": Person("male", "Tom", None)})
            'Tom Bo said he won.'
        """
        return self.join(self.fillings(assignment))

    def join(self, fillings: Sequence[str]) -> str:
        """Join the pieces of the text with these words in the slots."""
        return self.pieces[0] + "".join(
            f"{words}{piece}" for words, piece in zip(fillings, self.pieces[1:], strict=True)
        )

    def fillings(self, assignment: Mapping[str, Person]) -> tuple[str, ...]:
        """Choose the words of each slot for new persons; see `fill`."""
        people = {entity.id: entity.person for entity in self.entities}
        new = {name: assignment.get(name, Person()) for name in people}
        return tuple(_filled(slot, people, new) for slot in self.slots)


def _filled(slot: Slot, people: Mapping[str, Person], new: Mapping[str, Person]) -> str:
    """Return the text of a slot for new persons."""
    if slot.forms:
        genders = {new[name].gender for name in slot.entities}
        gender = genders.pop() if len(genders) == 1 else None if None in genders else _NEUTRAL
        return slot.text if gender is None else slot.forms[gender]
    [owner] = slot.entities
    if slot.kind == "initial":
        return slot.text if new[owner].first is None else (new[owner].first or "")[:1].upper()
    before, after = (getattr(person, slot.kind) for person in (people[owner], new[owner]))
    if after is None or after == before:
        return slot.text
    return after.upper() if is_capitals(slot.text) else str(after)


def make_template(document: Document) -> Template:
    """Find a document's persons and everything in it that depends on them.

    `chains.find_persons` says who is a person and `name_parts` which word is the first and the last name. Slots are
    names, initials, gendered pronouns and titles of these persons, and the content words annotated for them. Where
    two would overlap, the one that starts first counts.

    Source: Steen and Markert 2024, appendices D and J. Beyond it: initials, suffixes, Miss, hers and the
    predicative his, titles outside of mentions, ids in text order.

    Example:
        >>> from fairsum_utils.counterfactual.documents import Mention, NamedEntity
        >>> names = (NamedEntity(0, 6, "PERSON"), NamedEntity(21, 23, "PERSON"))
        >>> chain = (Mention(0, 6), Mention(12, 15), Mention(17, 23))
        >>> template = make_template(Document("a", "Ann Bo said she, Ms. Bo, won.", names, (chain,)))
        >>> [(slot.kind, slot.text) for slot in template.slots]
        [('first', 'Ann'), ('last', 'Bo'), ('pronoun', 'she'), ('title', 'Ms.'), ('last', 'Bo')]
    """
    persons, notes = find_persons(document)
    ids = {person.key: f"e{place}" for place, person in enumerate(persons)}
    slots = [
        (slot.start, slot.end, _slot(document.text[slot.start : slot.end], slot, ids[person.key]))
        for person in persons
        for slot in person.slots
    ]
    for word in document.content_words:
        owners = tuple(ids[chain] for chain in word.chains if chain in ids)
        if len(owners) == len(word.chains):
            text = document.text[word.start : word.end]
            forms = {gender: capitalize_like(getattr(word, gender), text) for gender in (*GENDERS, _NEUTRAL)}
            slots.append((word.start, word.end, Slot("content", text, owners, forms)))
        else:
            notes["content_word_of_no_person"] += 1
    pieces: list[str] = []
    apart: list[Slot] = []
    kinds: dict[str, set[str]] = {name: set() for name in ids.values()}
    end = 0
    for start, stop, slot in sorted(slots, key=lambda item: item[:2]):
        if start >= end:
            pieces.append(document.text[end:start])
            apart.append(slot)
            end = stop
            for owner in slot.entities:
                kinds[owner].add(slot.kind)
    return Template(
        id=document.id,
        text=document.text,
        pieces=(*pieces, document.text[end:]),
        slots=tuple(apart),
        entities=tuple(_entity(person, name, kinds[name]) for person, name in zip(persons, ids.values(), strict=True)),
        notes=dict(sorted(notes.items())),
    )


def _slot(text: str, place: FoundSlot, owner: str) -> Slot:
    forms = _NO_FORMS
    if place.case is not None:
        forms = {gender: render(place.case, gender, like=text) for gender in GENDERS}
    elif place.kind == "title":
        forms = {gender: title_for(text, gender) for gender in GENDERS}
    return Slot(place.kind, text, (owner,), forms)


def _entity(person: FoundPerson, name: str, kinds: Iterable[str]) -> TemplateEntity:
    return TemplateEntity(
        id=name,
        first=person.first,
        last=person.last,
        gender=person.gender,
        kinds=frozenset(kinds),
    )
