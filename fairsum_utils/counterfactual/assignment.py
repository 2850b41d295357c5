"""Groups and names for the persons of a template: the counterfactual inputs made from one original.

Inputs come in pairs. Both inputs of a pair draw on the same lists of names, one a group, and the groups change places;
with more than two groups a "pair" has as many inputs as there are groups, and each person goes through all of them.

Source: papers/news-summarization-bias, sections 5.1 and 10, appendices D and K.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from fairsum_utils.counterfactual.groups import GroupNames, Setting
from fairsum_utils.counterfactual.templates import Person, Template, TemplateEntity
from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.names import GENDERS
from fairsum_utils.stats.arrays import shuffled
from fairsum_utils.text.tokens import fold
from fairsum_utils.validation import check_count, check_seed

_WORD = re.compile(r"[^\W\d_]+")


class AssignedEntity(NamedTuple):
    """A person in a refilled text.

    Attributes:
        id: name of the entity in the template, such as ``"e0"``.
        first_name: first name in the new text; None if the text gives none.
        last_name: last name in the new text; None if the text gives none.
        group: group assigned to the person.
        is_modified: whether the text has anything of the person that is replaced; of others it cannot tell the group.
    """

    id: str
    first_name: str | None
    last_name: str | None
    group: str
    is_modified: bool


class Refill(NamedTuple):
    """One input made from an original.

    Attributes:
        text: the original with other persons.
        group: group of all persons of the text; None in the layout ``"local"``.
        pair: number of the pair, from 0.
        entities: all persons, in text order.
        fillings: what stands in each slot of the template.
    """

    text: str
    group: str | None
    pair: int
    entities: tuple[AssignedEntity, ...]
    fillings: tuple[str, ...] = ()


class Skipped(NamedTuple):
    """An original that no inputs can be made from.

    Attributes:
        article: id of the original.
        reason: ``"no_person"``: nothing tells the groups apart; or ``"names_run_out"``.
        detail: what was needed and what there is.
    """

    article: str
    reason: str
    detail: str


def check_n_inputs(setting: Setting, n_inputs: object) -> None:
    """Check that there are as many inputs of each group."""
    groups = len(setting.groups)
    if check_count("refill", "n_inputs", n_inputs) % groups:
        raise InputError(f"refill: n_inputs must be a multiple of {groups}, one input a group, found {n_inputs}")


def refill(
    template: Template, setting: Setting, *, n_inputs: int = 20, seed: int | None = 42
) -> tuple[Refill, ...] | Skipped:
    """Make the inputs of one original.

    Groups are dealt to the persons in random order. In the layout ``"local"`` those who have a name, those who are
    modified, and all of them, are each split as evenly as possible; where one group has one more, the other one has it
    in the other input of the pair. Where a group leaves the gender open, that of a person is drawn for the pair.

    Names are drawn in random order, each at most once in a pair. A name that the original holds as a word anywhere is
    not drawn, in whatever case: no new name is mistaken for another person, a place ("Georgia") or a word ("Mark"), and
    whoever is renamed has another name than before. Persons who share a last name get different ones if last names are
    replaced.

    Source: papers/news-summarization-bias, sections 5.1 and 10, appendix D.

    Example:
        >>> from fairsum_utils.counterfactual.documents import Document, NamedEntity
        >>> from fairsum_utils.counterfactual.groups import make_setting
        >>> from fairsum_utils.counterfactual.templates import make_template
        >>> template = make_template(Document("a", "Ann Lee won.", (NamedEntity(0, 7, "PERSON"),), ()))
        >>> inventory = {"m": {"first": ["Bob"], "gender": "male"}, "f": {"first": ["Eve"], "gender": "female"}}
        >>> setting = make_setting(None, "global", names="first", inventory=inventory)
        >>> [(made.text, made.group) for made in refill(template, setting, n_inputs=2)]
        [('Bob Lee won.', 'm'), ('Eve Lee won.', 'f')]
    """
    check_n_inputs(setting, n_inputs)
    check_seed("refill", seed)
    generator = random.Random() if seed is None else random.Random(f"{seed}\0{template.id}")
    drawing = _Drawing(template, setting, generator)
    if not template.usable or not drawing.modified:
        return Skipped(template.id, "no_person", "nothing that is replaced tells the group of anybody")
    try:
        return tuple(refilled for pair in range(n_inputs // len(setting.groups)) for refilled in drawing.pair(pair))
    except _NamesRunOut as shortage:
        return Skipped(template.id, "names_run_out", str(shortage))


class _NamesRunOut(Exception):
    """A list has fewer names than a pair needs."""


class _Role(NamedTuple):
    """Group and name of an entity in an input.

    Attributes:
        group: assigned to the entity.
        gender: one that the group has.
        names: group and kind (a gender, or ``"last"``) of the lists that the first and the last name are from; None for
            a name that the entity does not have, or keeps.
    """

    group: str
    gender: str
    names: tuple[tuple[str, str] | None, tuple[str, str] | None]


class _Drawing:
    """The groups and names that the entities of an original get, drawn pair after pair."""

    def __init__(self, template: Template, setting: Setting, generator: random.Random) -> None:
        self.template, self.setting, self.generator = template, setting, generator
        self.entities = template.entities
        self.modified = {entity.id for entity in self.entities if any(map(setting.tells, entity.kinds))}
        words = _words(template.text)

        def free(names: Sequence[str]) -> tuple[str, ...]:
            return tuple(name for name in names if words.isdisjoint(_words_of_name(name)))

        self.pools = {
            group: GroupNames({gender: free(first) for gender, first in names.first.items()}, free(names.last))
            for group, names in setting.groups.items()
        }

    def pair(self, number: int) -> Iterator[Refill]:
        """The inputs of a pair: in each that follows, everybody has the next group."""
        places = self._deal()
        genders = self._draw_genders(places)
        turns = [
            {entity.id: self._role(entity, places[entity.id] + turn, genders[entity.id]) for entity in self.entities}
            for turn in range(len(self.pools))
        ]
        lists = self._draw_names(turns)
        for roles in turns:
            left = {key: iter(names) for key, names in lists.items()}
            people = {
                name: Person(role.gender, *(None if key is None else next(left[key]) for key in role.names))
                for name, role in roles.items()
            }
            fillings = self.template.fillings(people)
            yield Refill(
                text=self.template.join(fillings),
                group=roles[self.entities[0].id].group if self.setting.layout == "global" else None,
                pair=number,
                entities=tuple(
                    AssignedEntity(
                        id=entity.id,
                        first_name=people[entity.id].first,
                        last_name=people[entity.id].last or entity.last,
                        group=roles[entity.id].group,
                        is_modified=entity.id in self.modified,
                    )
                    for entity in self.entities
                ),
                fillings=fillings,
            )

    def _deal(self) -> dict[str, int]:
        """Entity id -> place of its group in the first input of a pair.

        Groups go round. Those who have a name stand together, and so do those who are modified, hence any of these sets
        gets every group equally often, or once more.
        """
        if self.setting.layout == "global":
            return {entity.id: 0 for entity in self.entities}

        def stratum(entity: TemplateEntity) -> int:
            if entity.first is None and entity.last is None:
                return 2 if entity.id in self.modified else 3
            return 1 if entity.id in self.modified else 0

        n_groups = len(self.pools)
        start = int(self.generator.random() * n_groups)
        order = sorted(shuffled(self.entities, self.generator), key=stratum)
        return {entity.id: (start + turn) % n_groups for turn, entity in enumerate(order)}

    def _draw_genders(self, places: Mapping[str, int]) -> dict[str, str]:
        """Entity id -> gender, at random among those that have names left; a group of one gender does not heed it."""
        genders = [gender for gender in GENDERS if any(gender in names.first for names in self.pools.values())]
        fewest = {
            gender: min(len(names.first[gender]) for names in self.pools.values() if gender in names.first)
            for gender in genders
        }
        left = {place: dict(fewest) for place in places.values()}
        drawn = {}
        for entity in self.entities:
            names = left[places[entity.id]]
            possible = [gender for gender in genders if names[gender] > 0] or genders
            gender = possible[int(self.generator.random() * len(possible))]
            names[gender] -= entity.first is not None
            drawn[entity.id] = gender
        return drawn

    def _role(self, entity: TemplateEntity, place: int, gender: str) -> _Role:
        groups = list(self.pools)
        group = groups[place % len(groups)]
        genders = self.pools[group].first
        gender = gender if gender in genders else next(iter(genders))
        first = None if entity.first is None else (group, gender)
        last = (group, "last") if self.setting.names == "both" and entity.last is not None else None
        return _Role(group, gender, (first, last))

    def _draw_names(self, turns: Sequence[Mapping[str, _Role]]) -> dict[tuple[str, str], list[str]]:
        """List -> as many of its names as an input of the pair needs at most, no name twice."""
        needed: Counter[tuple[str, str]] = Counter()
        for roles in turns:
            needed |= Counter(key for role in roles.values() for key in role.names if key is not None)
        drawn: dict[tuple[str, str], list[str]] = {}
        taken: set[str] = set()
        for group, pool in self.pools.items():
            for kind, names in (*pool.first.items(), ("last", pool.last)):
                free = [name for name in names if name not in taken]
                count = needed[group, kind]
                if count > len(free):
                    raise _NamesRunOut(
                        f"{count} {kind} names of {group!r} are needed, but only {len(free)} are not in the text or "
                        "taken"
                    )
                drawn[group, kind] = _draw(free, count, self.generator)
                taken.update(drawn[group, kind])
        return drawn


def _draw(names: Sequence[str], count: int, generator: random.Random) -> list[str]:
    """Different names in random order; drawn with ``random()`` alone, whose sequence Python promises to keep."""
    left = list(names)
    for place in range(count):
        other = place + int(generator.random() * (len(left) - place))
        left[place], left[other] = left[other], left[place]
    return left[:count]


def _words(text: str) -> Set[str]:
    return set(map(fold, set(_WORD.findall(text))))


_words_of_name = lru_cache(maxsize=2**12)(_words)
