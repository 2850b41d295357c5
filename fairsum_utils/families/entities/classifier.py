"""Groups of names, and a table of known people by their pronouns.

A table is a file of UTF-8 text, ``.tsv`` or ``.tsv.gz``: a header line ``title<TAB>male<TAB>female``, and a line for
each person with the name and the number of male and of female pronouns. ``tools/build_known_people.py`` makes one from
a Wikipedia dump or a Wikidata export.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.names import GENDERS, census_groups, no_names
from fairsum_utils.io.names import with_packing
from fairsum_utils.io.reading import check_input
from fairsum_utils.io.stores import as_path
from fairsum_utils.io.tables import read_table
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
        people: title -> group or None, from `read_people`, with the groups of
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


COLUMNS = ("title", "male", "female")
# Endings of the name of a table.
ENDINGS = with_packing([".tsv"])
# Digits of a number of pronouns; Python makes no number of thousands of them.
_LONGEST = 18
_MAKER = "tools/build_known_people.py"


def agreed(pairs: Iterable[tuple[str, str | None]]) -> dict[str, str | None]:
    """Return the group of each name, or None if its people differ.

    Source: Steen and Markert 2024, appendix F.

    Example:
        >>> agreed([("A. Lee", "male"), ("A. Lee", None), ("B. Lee", "male"), ("B. Lee", "female"), ("C. Lee", None)])
        {'A. Lee': 'male', 'B. Lee': None, 'C. Lee': None}
    """
    groups: dict[str, str | None] = {}
    differing = set()
    for name, group in pairs:
        known = groups.get(name)
        if known is None:
            groups[name] = group
        elif group not in (None, known):
            differing.add(name)
    return groups | dict.fromkeys(differing)


def read_people(path: str | Path) -> Mapping[str, str | None]:
    """Read a known-people table.

    Args:
        path: file name ending in ``.tsv`` or ``.tsv.gz``.

    Returns:
        Title -> the gender with more pronouns, ``"male"`` or ``"female"``; None for as many of both, none among them,
        and for people of the same title whose genders differ.

    Raises:
        InputError: the file is missing, its header differs or a line is malformed.
        FileError: the file cannot be unpacked.

    Source: Steen and Markert 2024, appendix F.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "people.tsv"
        >>> _ = path.write_text("title\\tmale\\tfemale\\nPat Nixon\\t3\\t41\\nFarai Sevenzo\\t0\\t0\\n")
        >>> read_people(path)
        {'Pat Nixon': 'female', 'Farai Sevenzo': None}
    """
    path = as_path(path, "people")
    check_input(path, ENDINGS, remedy=f"make it with {_MAKER}")
    people = agreed(_genders(path))
    if not people:
        raise InputError(f"{path}: the table has no people; make it again with {_MAKER}")
    return people


def _genders(path: Path) -> Iterator[tuple[str, str | None]]:
    for where, record in read_table(
        path, COLUMNS, what=f"a table made with {_MAKER}", delimiter="\t", quoting=csv.QUOTE_NONE
    ):
        title, *counts = fields = [record[name] for name in COLUMNS]
        if not title or not all(_is_number(count) for count in counts):
            raise InputError(
                f"{where}: expected a title and two whole numbers, found {describe(fields)}; make the table again with "
                f"{_MAKER}"
            )
        male, female = map(int, counts)
        yield title, None if male == female else "male" if male > female else "female"


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _LONGEST
