"""Groups of names."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.names import GENDERS, census_groups, no_names
from fairsum_utils.families.entities.people import agreed
from fairsum_utils.text.person_names import core_tokens, name_tokens
from fairsum_utils.validation import describe

# Titles after which a single word is a first name; after others it is a last name.
_BEFORE_FIRST_NAMES = frozenset(
    {"brother", "emperor", "empress", "king", "mother", "pope", "prince", "princess", "queen", "saint", "sir", "sister"}
)

# Census names that begin a last name, unless they stand first: Al Gore, but Anna van Dyke.
_PARTICLES = frozenset({"al", "del", "della", "le", "van", "von"})


def groups_of_names(first_names: Mapping[str, str] | None) -> list[str]:
    """List the groups that names can have.

    Args:
        first_names: first name -> group; None for the 1990 US census.

    Example:
        >>> groups_of_names(None), groups_of_names({"Ann": "a", "Bob": "b", "Bo": "b"})
        (['female', 'male'], ['a', 'b'])
    """
    return sorted(set(GENDERS if first_names is None else first_names.values()))


class NameClassifier:
    """Classifier of a person's group by name.

    Known people come first: a name that is the title of one has that person's group, or none if the table gives none or
    people of that title differ. Names of one word are not looked up there.

    Otherwise the first names decide: all words but the last one, or the only one. Titles and suffixes are no part of a
    name; a single word after a title is a last name (Mr. Thomas), except after some (Queen Mary). The parts of a
    hyphenated word count if the whole is not listed; words such as "van" count only at the beginning of a name. A name
    with first names of several groups has none. Case, accents, periods, commas and possessive endings do not matter.

    The census's first names belong to the gender that bears them at least twice as often as the other, or to none. A
    word of `no_names` is one of them only at the beginning of a name that has other words: April Jones, not April.

    Args:
        first_names: first name -> group, each one word; None for the 1990 US census, with `GENDERS`. Words of this
            mapping are looked up in every position, except as titles before a name.
        people: title -> group or None, from `fairsum_utils.families.entities.people.read_people`, with the groups of
            `first_names`.
        module: name used in messages.
        every_word: look up every word and hyphenated part of a name as a first name, including the last name, titles
            and the words of `no_names`.

    Attributes:
        groups: all groups a name can have, sorted.

    Raises:
        InputError: a first name has several words or groups, or a person a group that no first name has.

    Source: Steen and Markert 2024, section 5.3 and appendix F, which looks up every token of a name. The last
    one is left out by default: last names are often first names of the other gender.

    Example:
        >>> classifier = NameClassifier(people={"Pat Nixon": "female", "Farai Sevenzo": None})
        >>> [classifier.classify(name) for name in ("Bob Greene", "Greene", "PAT NIXON'S", "Pat Smith", "April Jones")]
        ['male', None, 'female', None, 'female']
        >>> paper = NameClassifier(every_word=True)
        >>> [paper.classify(name) for name in ("Bob Greene", "Mr. Nelson", "James Kelly", "May Kelly")]
        ['male', 'male', None, 'female']
    """

    def __init__(
        self,
        first_names: Mapping[str, str] | None = None,
        people: Mapping[str, str | None] | None = None,
        module: str = "entity_hallucination",
        *,
        every_word: bool = False,
    ) -> None:
        self._every_word = every_word
        self._given = None if first_names is None else _checked_first_names(module, first_names)
        self._groups = census_groups() if self._given is None else self._given
        self._no_names = no_names() if self._given is None else frozenset[str]()
        self.groups = tuple(groups_of_names(self._given))
        self._people = None if people is None else _checked_people(module, people, self.groups)

    def classify(self, name: str) -> str | None:
        """Return the group of a name, or None if unknown."""
        words = name_tokens(name)
        title = " ".join(words)
        if self._people is not None and len(words) > 1 and title in self._people:
            return self._people[title]
        looked_up = words if self._every_word else _first_names(words, self._no_names)
        groups = {group for word in looked_up for group in self._groups_of(word)}
        return groups.pop() if len(groups) == 1 else None

    def _groups_of(self, word: str) -> set[str]:
        if word in self._groups:
            return {self._groups[word]}
        parts = self._groups.keys() & word.split("-")
        if not self._every_word:
            parts = parts - _PARTICLES - self._no_names
        return {self._groups[part] for part in parts}

    def signature(self) -> str:
        """Identify the tables in a signature, custom ones by a digest.

        Example:
            >>> NameClassifier().signature()
            'census1990'
        """
        tables = [] if self._people is None else [f"people@{_digest(self._people)}"]
        tables.append("census1990" if self._given is None else f"given@{_digest(self._given)}")
        return "+".join(tables + ["every word"] * self._every_word)


def _first_names(words: tuple[str, ...], no_names: frozenset[str]) -> list[str]:
    """Return the words of a name that may be first names."""
    core = core_tokens(words)
    is_last_name = len(core) == 1 and core != words[:1] and _BEFORE_FIRST_NAMES.isdisjoint(words)  # after a title
    if is_last_name or no_names.issuperset(core):
        return []
    first, *later = core[:-1] or core
    return [first, *(word for word in later if word not in _PARTICLES and word not in no_names)]


def _checked_first_names(module: str, first_names: Mapping[str, str]) -> Mapping[str, str]:
    checked: dict[str, str] = {}
    for name, group in first_names.items():
        words = name_tokens(name)
        if len(words) != 1 or not group:
            raise InputError(
                f"{module}: first_names must map names of one word to groups, found {describe(name)} with the group "
                f"{describe(group)}"
            )
        if checked.setdefault(words[0], group) != group:
            raise InputError(
                f"{module}: first_names has {words[0]!r} in two groups, {checked[words[0]]!r} and {group!r} (case and "
                "accents are ignored); keep one of them, or remove the ambiguous name"
            )
    return checked


def _checked_people(module: str, people: Mapping[str, str | None], groups: Sequence[str]) -> Mapping[str, str | None]:
    pairs = []
    for title, group in people.items():
        if group is not None and group not in groups:
            raise InputError(
                f"{module}: people has {title!r} in the group {describe(group)}, but first_names has only the groups "
                f"{', '.join(groups)}; use one of these, or None if the group is unknown"
            )
        pairs.append((" ".join(name_tokens(title)), group))
    return agreed(pairs)


def _digest(table: Mapping[str, str | None]) -> str:
    # repr, so that the group None is not the group "None"
    lines = (f"{name}\t{group!r}\n" for name, group in sorted(table.items()))
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:8]
