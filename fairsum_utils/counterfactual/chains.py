"""Persons of an annotated document: their chains, names and dependent words.

Source: Steen and Markert 2024, section 5.1 and appendix D.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fairsum_utils._util.resources import read_words
from fairsum_utils.counterfactual.documents import PERSON, Document, Mention
from fairsum_utils.counterfactual.name_parts import (
    PersonName,
    choose_names,
    name_slots,
    occurrences,
    parse_name,
    same_name,
    words_of,
)
from fairsum_utils.text.person_names import TITLES, fold
from fairsum_utils.text.pronouns import GENDERED_PRONOUNS, GENDERED_TITLES, PRONOUNS, pronoun_case, title_for

Span = tuple[int, int]

_TITLES = "|".join(sorted(GENDERED_TITLES))
_TITLE = re.compile(rf"\b((?i:{_TITLES})\b\.?)\s+(?=[^\W\d_a-z]|and\b|&)")
_COUPLE = re.compile(rf"\b(?:{_TITLES})\b\.?\s+(?:and|&)\s+$", re.IGNORECASE)
_LONGEST_COUPLE = 12  # characters of "Miss and", with a period and blanks
_BETWEEN_NAMES = re.compile(r"\.?\s+|")
_PRONOUN = re.compile(rf"\b(?:{'|'.join(sorted(GENDERED_PRONOUNS))})\b", re.IGNORECASE)
_NEXT = re.compile(r"\s*([^\W_]+(?:['’-][^\W_]+)*|\S)")
_JOINED = re.compile(r"\s*(?:,|and\b|or\b|&)")
# Pronouns that may open a longer mention ("he who laughs"); "his wife" is another person.
_HEADS = frozenset({"he", "him", "himself", "she", "herself"})

_POSSESSOR = re.compile(r"\.?\s?['’]s?\s+\w", re.IGNORECASE)
# A name right after one of these is not the mention's referent: "a friend of Ann Lee".
_OF_PERSONS = frozenset(read_words("of_somebody"))

# Words allowed between such a word and the name: "of the late President Lee", but not "Secretary of State Lee".
_ASIDE = TITLES | {"a", "an", "the", "this", "his", "her", "its", "their", "our", "my", "your", "late", "then"}


class FoundSlot(NamedTuple):
    """A place in the text that depends on a person.

    Attributes:
        kind: ``"first"``, ``"initial"``, ``"last"``, ``"pronoun"`` or ``"title"``.
        start: first character.
        end: the character after the last one.
        case: grammatical case of a pronoun, one of `pronouns.CASES`; None for anything else.
        gender: gender that a pronoun or title tells; None for a name.
    """

    kind: str
    start: int
    end: int
    case: str | None = None
    gender: str | None = None


@dataclass
class FoundPerson:
    """A person of the document.

    Attributes:
        key: place of the chain in the document's `chains`; below 0 for a name in no chain.
        first: first name, None if there is none.
        last: last name, None if there is none.
        names: the person's names as written in the text.
        slots: places that depend on the person, unordered.
    """

    key: int
    first: str | None = None
    last: str | None = None
    names: list[PersonName] = field(default_factory=list)
    slots: list[FoundSlot] = field(default_factory=list)

    @property
    def gender(self) -> str | None:
        """Gender of most pronouns and titles; None without any, or for a tie."""
        genders = Counter(slot.gender for slot in self.slots if slot.gender is not None)
        (gender, count), *others = [*genders.most_common(), (None, 0)]
        return None if any(other == count for _, other in others) else gender


def find_persons(document: Document) -> tuple[list[FoundPerson], Counter[str]]:
    """Find the persons of a document.

    A person is a chain with a name labelled PERSON, a gendered title with a name or a gendered pronoun, or such a name
    outside all chains. A name belongs to the shortest mention around it, unless the mention clearly
    refers to another person: it continues after the possessive ("Mr. Lee's lawyer"), or the name follows a preposition,
    a conjunction or a relative pronoun ("a friend of Ann Lee"), or another such name.

    A pronoun belongs to the mention that it is, or that it opens ("he who laughs"). Unannotated first or last names of
    a chain in its mentions are found too, unless they are inside a shorter mention of another chain or another name.

    Source: Steen and Markert 2024, section 5.1 and appendix D. There, names inside mentions of
    another person count as names of that person.
    """
    finder = _Finder(document)
    return finder.persons(), +finder.notes


class _Finder:
    """One document while its persons are looked for."""

    def __init__(self, document: Document) -> None:
        self.notes: Counter[str] = Counter()
        self._text = document.text
        self._entities = document.entities
        self._first_names = document.first_names
        mentions = ((mention, place) for place, chain in enumerate(document.chains) for mention in chain)
        self._mentions = sorted(mentions, key=lambda item: item[0].end - item[0].start)
        self._places: dict[int, list[tuple[int, int]]] = {}  # length, from the shortest on -> start and rank
        for rank, (mention, _) in enumerate(self._mentions):
            self._places.setdefault(mention.end - mention.start, []).append((mention.start, rank))
        for places in self._places.values():
            places.sort()
        self._exactly = {mention[:2]: (mention.pos, chain) for mention, chain in reversed(self._mentions)}

    def persons(self) -> list[FoundPerson]:
        persons: dict[int, FoundPerson] = {}
        annotated = list(self._annotated())
        names = sorted([*annotated, *self._titled(annotated)])
        for place, (span, chain) in enumerate(zip(names, self._owners(names), strict=True)):
            key = -1 - place if chain is None else chain
            persons.setdefault(key, FoundPerson(key)).names.append(parse_name(self._text, *span))
        for chain, slot in self._pronouns(names):
            persons.setdefault(chain, FoundPerson(chain)).slots.append(slot)
        for person in persons.values():
            person.first, person.last = choose_names(person.names, self._first_names)
            for name in person.names:
                person.slots += (FoundSlot(*part) for part in name_slots(name, self._text, person.first, person.last))
                person.slots += self._titles(name)
        self._find_unannotated(persons.values())
        self._note_titles(persons.values())
        return sorted(persons.values(), key=_place)

    def _annotated(self) -> Iterator[Span]:
        """Yield the outermost names annotated as PERSON, without trailing words."""
        last = 0
        spans = (entity[:2] for entity in self._entities if entity.label == PERSON)
        for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
            words = words_of(self._text, start, end)
            if start >= last and words:
                last = words[-1].end
                yield start, last

    def _titled(self, annotated: Sequence[Span]) -> Iterator[Span]:
        """Find unannotated names after a title at the beginning of a mention."""
        covered = cover(self._text, annotated)
        starts = {mention.start: mention.end for mention, _ in self._mentions}  # the end of the longest one
        for title in _TITLE.finditer(self._text):
            if title.start() not in starts:
                continue
            end = title.end()
            for word in words_of(self._text, title.end(), starts[title.start()]):
                if (
                    not word.text[0].isupper()
                    or word.key in TITLES
                    or not _BETWEEN_NAMES.fullmatch(self._text, end, word.start)
                ):
                    break
                end = word.end
            if end > title.end() and not any(covered[title.end() : end]):
                yield title.end(), end

    def _owners(self, names: Sequence[Span]) -> Iterator[int | None]:
        """Yield the chain of each name, or None."""
        taken: set[Span] = set()
        for span in names:
            mention, chain = self._deepest(span) or (None, None)
            if mention is None or mention[:2] in taken or not self._is_head(span, mention):
                yield None
            else:
                taken.add(mention[:2])
                yield chain

    def _is_head(self, name: Span, mention: Mention) -> bool:
        """Return whether a mention refers to the name's person, by the surrounding words."""
        if _POSSESSOR.match(self._text, name[1], mention.end):
            return False
        before = [word.key for word in words_of(self._text, mention.start, name[0])]
        while before and before[-1] in _ASIDE:
            before.pop()
        return not before or before[-1] not in _OF_PERSONS

    def _deepest(self, span: Span) -> tuple[Mention, int] | None:
        """Return the shortest mention around a span, and its chain."""
        start, end = span
        for length, places in self._places.items():
            if length < end - start:
                continue
            around = places[bisect_left(places, (end - length, 0)) : bisect_left(places, (start + 1, 0))]
            if around:
                return self._mentions[min(rank for _, rank in around)]
        return None

    def _pronouns(self, names: Sequence[Span]) -> Iterator[tuple[int, FoundSlot]]:
        """Collect the gendered pronouns of each chain, and note the others."""
        covered = cover(self._text, names)
        for match in _PRONOUN.finditer(self._text):
            if any(covered[slice(*match.span())]):  # "He" as a Chinese name
                continue
            pos, chain = self._exactly.get(match.span()) or (None, self._opened_by(match))
            if chain is None:
                self.notes["pronoun_in_no_chain"] += 1
                continue
            word = match[0].lower()
            following = _NEXT.match(self._text, match.end())
            case = pronoun_case(word, following and following[1], pos)
            gender = "male" if word in PRONOUNS["male"].values() else "female"
            yield chain, FoundSlot("pronoun", *match.span(), case, gender)

    def _opened_by(self, pronoun: re.Match[str]) -> int | None:
        """Return the chain of the shortest mention that a pronoun opens as its head."""
        if pronoun[0].lower() not in _HEADS or _JOINED.match(self._text, pronoun.end()):
            return None
        deepest = self._deepest(pronoun.span())
        return deepest[1] if deepest and deepest[0].start == pronoun.start() else None

    def _titles(self, name: PersonName) -> Iterator[FoundSlot]:
        """Collect a name's gendered titles, except a joint "Mr. and Mrs."."""
        for title in name.titles:
            couple = _COUPLE.search(self._text, max(0, title.start - _LONGEST_COUPLE), title.start)
            if title.key in GENDERED_TITLES and not couple:
                gender = "male" if fold(title_for(title.text, "male")) == fold(title.text) else "female"
                yield FoundSlot("title", title.start, title.end, gender=gender)

    def _find_unannotated(self, persons: Collection[FoundPerson]) -> None:
        """Find unannotated first and last names, and note the first names that remain."""
        roles: dict[str, list[tuple[str, str, FoundPerson]]] = {}
        for person in persons:
            for kind, name in (("first", person.first), ("last", person.last)):
                if name is not None:
                    roles.setdefault(fold(name), []).append((kind, name, person))
        if not roles:
            return
        taken = cover(self._text, (slot[1:3] for person in persons for slot in person.slots))
        annotated = cover(self._text, (entity[:2] for entity in self._entities))
        end = 0
        for found, start in occurrences(self._text, (name for known in roles.values() for _, name, _ in known)):
            if start < end:
                continue
            end = start + len(found)
            if any(taken[start:end]):
                continue
            word = self._text[start:end]
            bearers = [role for role in roles.get(fold(word), ()) if same_name(word, role[1])]
            deepest = None if any(annotated[start:end]) else self._deepest((start, end))
            for kind, _, person in bearers:
                if deepest is not None and deepest[1] == person.key:
                    person.slots.append(FoundSlot(kind, start, end))
                    person.slots += self._titles(parse_name(self._text, start, end))
                    break
            else:
                self.notes["first_name_elsewhere"] += any(kind == "first" for kind, *_ in bearers)

    def _note_titles(self, persons: Iterable[FoundPerson]) -> None:
        replaced = {slot.start for person in persons for slot in person.slots if slot.kind == "title"}
        for title in _TITLE.finditer(self._text):
            self.notes["title_without_name"] += title[0][0].isupper() and title.start() not in replaced


def cover(text: str, spans: Iterable[Span]) -> bytearray:
    """Mark the characters of a text that any span covers."""
    covered = bytearray(len(text))
    for start, end in spans:
        covered[start:end] = b"\1" * (end - start)
    return covered


def _place(person: FoundPerson) -> int:
    """Place of the first mention of the person."""
    return min([*(name.words[0].start for name in person.names), *(slot.start for slot in person.slots)])
