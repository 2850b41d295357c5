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

from fairsum_utils.counterfactual.settings import GroupNames, Setting
from fairsum_utils.counterfactual.templates import Person, Template, TemplateEntity
from fairsum_utils.entities.names import GENDERS
from fairsum_utils.errors import InputError
from fairsum_utils.stats.shuffling import shuffled
from fairsum_utils.validation import check_count, check_seed

__all__ = ["AssignedEntity", "Refill", "Skipped", "check_n_inputs", "refill"]

_WORD = re.compile(r"[^\W\d_]+")


class AssignedEntity(NamedTuple):
    """A person in a refilled text.

    Attributes:
        id: as in the template.
        first_name: as the text now has it; None if it has none.
        last_name: likewise.
        group: assigned to the person.
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
        group: of all persons of the text; None in the layout ``"local"``.
        pair: number of the pair, from 0.
        entities: all persons, in text order.
    """

    text: str
    group: str | None
    pair: int
    entities: tuple[AssignedEntity, ...]


class Skipped(NamedTuple):
    """An original that no inputs can be made from.

    Attributes:
        article: its id.
        reason: ``"no_person"``: nothing tells the groups apart; or ``"names_run_out"``.
        detail: what was needed and what there is.
    """

    article: str
    reason: str
    detail: str


def check_n_inputs(setting: Setting, n_inputs: object) -> None:
    """Check that there are as many inputs of each group.

    Raises:
        InputError: not a whole number of at least 1, or no multiple of the number of groups.
    """
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

    Args:
        template: of the original.
        setting: groups, names and layout.
        n_inputs: how many inputs; a multiple of the number of groups. Fewer of them are the first ones of more.
        seed: with the id of the original it decides all that is drawn, whatever other originals there are; None draws
            afresh.

    Returns:
        The inputs, those of a pair one after another; or why there are none: a pair that lacks a name leaves out the
        whole original, so that all originals have as many inputs.

    Raises:
        InputError: ``n_inputs`` or ``seed`` is out of range.

    Source: papers/news-summarization-bias, sections 5.1 and 10, appendix D.

    Example:
        >>> from fairsum_utils.counterfactual.documents import Document, NamedEntity
        >>> from fairsum_utils.counterfactual.settings import make_setting
        >>> from fairsum_utils.counterfactual.templates import make_template
        >>> template = make_template(Document("a", "Ann Lee won.", (NamedEntity(0, 7, "PERSON"),), ()))
        >>> inventory = {"m": {"first": ["Bob"], "gender": "male"}, "f": {"first": ["Eve"], "gender": "female"}}
        >>> setting = make_setting(None, "global", names="first", inventory=inventory)
        >>> [(made.text, made.group) for made in refill(template, setting, n_inputs=2)]
        [('Bob Lee won.', 'm'), ('Eve Lee won.', 'f')]
    """
    check_n_inputs(setting, n_inputs)
    check_seed("refill", seed)
    modified = {entity.id for entity in template.entities if any(map(setting.tells, entity.kinds))}
    if not template.usable or not modified:
        return Skipped(template.id, "no_person", "nothing that is replaced tells the group of anybody")
    generator = random.Random() if seed is None else random.Random(f"{seed}\0{template.id}")
    words = _words(template.text)
    pools = {group: _without(names, words) for group, names in setting.groups.items()}
    inputs: list[Refill] = []
    for pair in range(n_inputs // len(setting.groups)):
        try:
            inputs += _refill_pair(template, setting, pools, modified, pair, generator)
        except _NamesRunOut as shortage:
            return Skipped(template.id, "names_run_out", str(shortage))
    return tuple(inputs)


class _NamesRunOut(Exception):
    """A list has fewer names than a pair needs."""


def _refill_pair(
    template: Template,
    setting: Setting,
    pools: Mapping[str, GroupNames],
    modified: Set[str],
    pair: int,
    generator: random.Random,
) -> Iterator[Refill]:
    groups = list(pools)
    places = _deal(template.entities, modified, len(groups), setting.layout, generator)
    genders = _draw_genders(template.entities, places, pools, generator)
    turns = [
        {name: groups[(place + turn) % len(groups)] for name, place in places.items()} for turn in range(len(groups))
    ]
    lists = _draw_names(template.entities, turns, genders, setting, pools, generator)
    for group_of in turns:
        people = {}
        left = {key: iter(names) for key, names in lists.items()}
        for entity in template.entities:
            group = group_of[entity.id]
            gender = _gender_in(pools[group], genders[entity.id])
            first = None if entity.first is None else next(left[group, gender])
            last = next(left[group, "last"]) if setting.names == "both" and entity.last is not None else None
            people[entity.id] = Person(gender, first, last)
        yield Refill(
            text=template.fill(people),
            group=group_of[template.entities[0].id] if setting.layout == "global" else None,
            pair=pair,
            entities=tuple(
                AssignedEntity(
                    id=entity.id,
                    first_name=people[entity.id].first,
                    last_name=people[entity.id].last or entity.last,
                    group=group_of[entity.id],
                    is_modified=entity.id in modified,
                )
                for entity in template.entities
            ),
        )


def _deal(
    entities: Sequence[TemplateEntity], modified: Set[str], n_groups: int, layout: str, generator: random.Random
) -> dict[str, int]:
    """Entity id -> place of its group in the first input of a pair; in each input after it that is one higher.

    Groups go round. Those who have a name stand together, and so do those who are modified, hence any of these sets
    gets every group equally often, or once more.
    """
    if layout == "global":
        return {entity.id: 0 for entity in entities}

    def stratum(entity: TemplateEntity) -> int:
        if entity.first is None and entity.last is None:
            return 2 if entity.id in modified else 3
        return 1 if entity.id in modified else 0

    start = int(generator.random() * n_groups)
    order = sorted(shuffled(entities, generator), key=stratum)
    return {entity.id: (start + turn) % n_groups for turn, entity in enumerate(order)}


def _draw_genders(
    entities: Sequence[TemplateEntity],
    places: Mapping[str, int],
    pools: Mapping[str, GroupNames],
    generator: random.Random,
) -> dict[str, str]:
    """Entity id -> gender, at random among those that have names left; a group of one gender does not heed it."""
    genders = [gender for gender in GENDERS if any(gender in names.first for names in pools.values())]
    fewest = {
        gender: min(len(own.first[gender]) for own in pools.values() if gender in own.first) for gender in genders
    }
    left = {place: dict(fewest) for place in places.values()}
    drawn = {}
    for entity in entities:
        names = left[places[entity.id]]
        possible = [gender for gender in genders if names[gender] > 0] or genders
        gender = possible[int(generator.random() * len(possible))]
        names[gender] -= entity.first is not None
        drawn[entity.id] = gender
    return drawn


def _gender_in(names: GroupNames, gender: str) -> str:
    return gender if gender in names.first else next(iter(names.first))


def _draw_names(
    entities: Sequence[TemplateEntity],
    turns: Sequence[Mapping[str, str]],
    genders: Mapping[str, str],
    setting: Setting,
    pools: Mapping[str, GroupNames],
    generator: random.Random,
) -> dict[tuple[str, str], list[str]]:
    """(group, gender or "last") -> as many names as an input of the pair needs at most, no name twice."""
    needed: Counter[tuple[str, str]] = Counter()
    for group_of in turns:
        counts: Counter[tuple[str, str]] = Counter()
        for entity in entities:
            group = group_of[entity.id]
            counts[group, _gender_in(pools[group], genders[entity.id])] += entity.first is not None
            counts[group, "last"] += setting.names == "both" and entity.last is not None
        needed |= counts
    drawn: dict[tuple[str, str], list[str]] = {}
    taken: set[str] = set()
    for group, own in pools.items():
        for kind, names in (*own.first.items(), ("last", own.last)):
            free = [name for name in names if name not in taken]
            count = needed[group, kind]
            if count > len(free):
                raise _NamesRunOut(
                    f"{count} {kind} names of {group!r} are needed, but only {len(free)} are not in the text or taken"
                )
            drawn[group, kind] = _draw(free, count, generator)
            taken.update(drawn[group, kind])
    return drawn


def _draw(names: Sequence[str], count: int, generator: random.Random) -> list[str]:
    """Different names in random order; drawn with ``random()`` alone, whose sequence Python promises to keep."""
    left = list(names)
    for place in range(count):
        other = place + int(generator.random() * (len(left) - place))
        left[place], left[other] = left[other], left[place]
    return left[:count]


def _without(names: GroupNames, words: Set[str]) -> GroupNames:
    """The names of which no word is among those of a text."""
    return GroupNames(
        {gender: _names_without(own, words) for gender, own in names.first.items()}, _names_without(names.last, words)
    )


def _names_without(names: Sequence[str], words: Set[str]) -> tuple[str, ...]:
    return tuple(name for name in names if words.isdisjoint(_words_of_name(name)))


@lru_cache(maxsize=2**12)
def _words_of_name(name: str) -> Set[str]:
    return _words(name)


def _words(text: str) -> Set[str]:
    return {word.casefold() for word in _WORD.findall(text)}
