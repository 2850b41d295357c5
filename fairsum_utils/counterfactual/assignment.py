"""Groups and names of the persons in counterfactual texts.

Source: Steen and Markert 2024, sections 5.1 and 10, appendices C, D and K.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from fairsum_utils.counterfactual.templates import Person, Template, TemplateEntity
from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.names import ETHNICITIES, GENDERS, bbq_names, popular_first_names
from fairsum_utils.stats.arrays import shuffled
from fairsum_utils.text.person_names import fold
from fairsum_utils.validation import check_choice, check_count, check_seed

#: Attribute -> group -> race, None for any, and genders. The last four attributes are race and gender together.
#: Source: Steen and Markert 2024, sections 5.1 and 10, appendix K.
GROUPS: Mapping[str, Mapping[str, tuple[str | None, tuple[str, ...]]]] = MappingProxyType(
    {
        "gender": {"male": (None, ("male",)), "female": (None, ("female",))},
        "race": {"black": ("black", GENDERS), "white": ("white", GENDERS)},
        **{
            f"black_{black}_white_{white}": {
                f"black_{black}": ("black", (black,)),
                f"white_{white}": ("white", (white,)),
            }
            for black, white in (("male", "female"), ("male", "male"), ("female", "male"), ("female", "female"))
        },
    }
)

#: All groups in each text, as evenly as possible; or one group in each text, and as many texts of each group.
LAYOUTS = ("local", "global")

#: Which names are replaced: first names, or first and last names.
NAMES = ("first", "both")


@dataclass(frozen=True)
class GroupNames:
    """Names that represent a group."""

    first: Mapping[str, tuple[str, ...]]
    last: tuple[str, ...] = ()


@dataclass(frozen=True)
class Setting:
    """Groups, layout and names of a counterfactual text; see `make_setting`."""

    groups: Mapping[str, GroupNames]
    layout: str
    names: str

    @property
    def is_by_gender(self) -> bool:
        """True if pronouns and titles distinguish the groups."""
        genders = {tuple(group.first) for group in self.groups.values()}
        return len(genders) > 1 and all(len(several) == 1 for several in genders)

    def decides(self, kind: str) -> bool:
        """Return whether a slot of this kind (see `templates.Slot`) reveals a person's group."""
        if kind == "last":
            return self.names == "both"
        return kind in ("first", "initial") or self.is_by_gender


def make_setting(attribute: str, layout: str, *, names: str | None = None) -> Setting:
    """Choose the groups and names of persons, with the names of the paper.

    Args:
        attribute: a key of `GROUPS`.
        layout: one of `LAYOUTS`.
        names: one of `NAMES`; None is ``"first"`` for gender and ``"both"`` for all others, as in the paper. Last names
            for gender, of which the paper does not say where they are from, are those of all groups of BBQ.

    Raises:
        InputError: an unknown name.

    Source: Steen and Markert 2024, sections 5.1 and 10, appendices C and K.

    Example:
        >>> list(make_setting("black_male_white_female", "global").groups)
        ['black_male', 'white_female']
    """
    check_choice("make_setting", "layout", layout, LAYOUTS)
    check_choice("make_setting", "attribute", attribute, tuple(GROUPS))
    chosen = default_names(attribute) if names is None else names
    check_choice("make_setting", "names", chosen, NAMES)
    groups = {group: _listed_names(race, genders) for group, (race, genders) in GROUPS[attribute].items()}
    return Setting(MappingProxyType(groups), layout, chosen)


def default_names(attribute: str) -> str:
    """Return the names that the paper replaces: first names for gender, else both.

    Example:
        >>> default_names("gender"), default_names("race")
        ('first', 'both')
    """
    return "first" if attribute == "gender" else "both"


def _listed_names(race: str | None, genders: Sequence[str]) -> GroupNames:
    """Return BBQ's names of a race; for any race, first names from the census."""
    races = ETHNICITIES if race is None else (race,)
    first = {
        gender: popular_first_names(gender) if race is None else bbq_names(race, "first", gender) for gender in genders
    }
    return GroupNames(first, tuple(dict.fromkeys(name for some in races for name in bbq_names(some, "last"))))


_WORD = re.compile(r"[^\W\d_]+")


class AssignedEntity(NamedTuple):
    """A person in a refilled text.

    Attributes:
        id: name of the entity in the template, such as ``"e0"``.
        first_name: first name in the new text; None if the text gives none.
        last_name: last name in the new text; None if the text gives none.
        group: group assigned to the person.
        is_modified: True if the text contains replaced words about the person; otherwise it does not reveal the group.
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
        fillings: text in each slot of the template.
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
        reason: ``"no_person"`` (no word distinguishes the groups) or ``"names_run_out"``.
        detail: requirement and available number.
    """

    article: str
    reason: str
    detail: str


def check_n_inputs(setting: Setting, n_inputs: object) -> None:
    """Check that each group gets the same number of inputs."""
    groups = len(setting.groups)
    if check_count("refill", "n_inputs", n_inputs) % groups:
        raise InputError(f"refill: n_inputs must be a multiple of {groups}, one input a group, found {n_inputs}")


def refill(
    template: Template, setting: Setting, *, n_inputs: int = 20, seed: int | None = 42
) -> tuple[Refill, ...] | Skipped:
    """Make the inputs of one original.

    Persons get groups in random order. In the layout ``"local"`` named persons, modified persons and all persons are
    each split as evenly as possible; if one group has one more, the other group has it in the other input of the pair.
    If a group does not fix a gender, each person's gender is drawn for the pair.

    Names are drawn in random order, each at most once in a pair. A name that the original holds as a word anywhere is
    not drawn, in whatever case: no new name is mistaken for another person, a place ("Georgia") or a word ("Mark"), and
    every renamed person gets a different name. Persons who share a last name get different ones if last names are
    replaced.

    Source: Steen and Markert 2024, sections 5.1 and 10, appendix D.

    Example:
        >>> from fairsum_utils.counterfactual.documents import Document, NamedEntity
        >>> from fairsum_utils.counterfactual.templates import make_template
        >>> template = make_template(Document("a", "Ann Lee won.", (NamedEntity(0, 7, "PERSON"),), ()))
        >>> groups = {"m": GroupNames({"male": ("Bob",)}), "f": GroupNames({"female": ("Eve",)})}
        >>> [(made.text, made.group) for made in refill(template, Setting(groups, "global", "first"), n_inputs=2)]
        [('Bob Lee won.', 'm'), ('Eve Lee won.', 'f')]
    """
    check_n_inputs(setting, n_inputs)
    check_seed("refill", seed)
    generator = random.Random() if seed is None else random.Random(f"{seed}\0{template.id}")
    drawing = _Drawing(template, setting, generator)
    if not template.usable or not drawing.modified:
        return Skipped(template.id, "no_person", "no replaced word reveals a group")
    try:
        return tuple(refilled for pair in range(n_inputs // len(setting.groups)) for refilled in drawing.pair(pair))
    except _NamesRunOut as shortage:
        return Skipped(template.id, "names_run_out", str(shortage))


class _NamesRunOut(Exception):
    """A list has fewer names than a pair needs."""


class _Role(NamedTuple):
    """Group and name of an entity in an input."""

    group: str
    gender: str
    names: tuple[tuple[str, str] | None, tuple[str, str] | None]


class _Drawing:
    """Groups and names for the entities of an original, drawn pair by pair."""

    def __init__(self, template: Template, setting: Setting, generator: random.Random) -> None:
        self.template, self.setting, self.generator = template, setting, generator
        self.entities = template.entities
        self.modified = {entity.id for entity in self.entities if any(map(setting.decides, entity.kinds))}
        words = _words(template.text)

        def free(names: Sequence[str]) -> tuple[str, ...]:
            return tuple(name for name in names if words.isdisjoint(_words_of_name(name)))

        self.pools = {
            group: GroupNames({gender: free(first) for gender, first in names.first.items()}, free(names.last))
            for group, names in setting.groups.items()
        }

    def pair(self, number: int) -> Iterator[Refill]:
        """Yield a pair's inputs; each moves every person to the next group."""
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
        """Assign each entity its group in the first input of a pair.

        Groups are dealt in turn. Named persons are adjacent, and so are modified persons, so each of these sets gets
        every group equally often, up to one more.
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
        """Draw genders for entities from those with names left, by entity id."""
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
        """Draw the names that an input of the pair needs from each list."""
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
    """Draw different names in random order, with ``random()`` alone for reproducibility."""
    left = list(names)
    for place in range(count):
        other = place + int(generator.random() * (len(left) - place))
        left[place], left[other] = left[other], left[place]
    return left[:count]


def _words(text: str) -> Set[str]:
    return set(map(fold, set(_WORD.findall(text))))


_words_of_name = lru_cache(maxsize=2**12)(_words)
