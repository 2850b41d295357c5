"""Which person a name means, and where texts name persons."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.entities.alignment import Aligner, Alignment, hallucinated
from fairsum_utils.families.entities.mentions import find_mentions, find_persons
from fairsum_utils.text.person_names import Name, text_tokens
from tests._steps import growth

LEVIN = Name("Melissa", "Levin")
NONE = Alignment(None, False)


def aligned(mention: str, *names: Name) -> int | str | None:
    entity, ambiguous = Aligner(names).align(mention)
    assert not (ambiguous and entity is not None)
    return "ambiguous" if ambiguous else entity


@pytest.mark.parametrize(
    "mention",
    [
        *("Levin", "Melissa Levin", "LEVIN", "melissa levin", "Levin's", "Melissa Levin’s", "Levin'"),
        *("Mrs. Levin", "Ms Levin", "Dr. Melissa Levin", "Prime Minister Levin", "Sen. Levin", "Mr. Levin"),
        *("M. Levin", "M Levin", "Melissa J. Levin", "M. J. Levin", "Melissa J.R. Levin"),
        *("Levin Jr.", "Melissa Levin III", "Levin, Melissa", '"Levin"', "Melissa Levin, 45"),
        *("Levin 's", "Melissa Levin ’s", "M. Levin 's", "Levin '", "Mélissa LEVÎN"),
    ],
)
def test_fits(mention: str) -> None:
    assert Aligner([LEVIN]).align(mention) == Alignment(0, False)


@pytest.mark.parametrize(
    "mention",
    [
        *("Melissa", "Ms. Melissa", "Mark Levin", "Melissa Mark Levin", "Levine", "Melevin", "Smith", "", "45", "Mr."),
        *("J. Levin", "J. Melissa Levin", "Levin-Smith", "O'Levin", "Levin King", "Melissa King Levin"),
        *("Melissas Levin", "the Levins", "Levin and Smith", "Melissa Melissa Levin"),
    ],
)
def test_does_not_fit(mention: str) -> None:
    assert Aligner([LEVIN]).align(mention) == NONE


@pytest.mark.parametrize(
    ("mention", "name", "fits"),
    [
        # never within a longer word
        ("Lincoln", Name("Wei", "Li"), False),
        ("O'Adlersen", Name("Ann", "Adler"), False),
        ("Smith-Jones", Name("Ann", "Smith"), False),
        ("Ann Smith-Jones", Name("Ann", "Smith-Jones"), True),
        # last names of several tokens
        ("Mr. van der Berg", Name("Jan", "van der Berg"), True),
        ("Mr. Berg", Name("Jan", "van der Berg"), False),
        # first names of several tokens
        ("Mary Ann Lee", Name("Mary Ann", "Lee"), True),
        ("Mary A. Lee", Name("Mary Ann", "Lee"), True),
        ("M. Ann Lee", Name("Mary Ann", "Lee"), True),
        ("J. P. Sartre", Name("Jean-Paul", "Sartre"), True),
        # no last name: the first name alone
        ("Queen Melissa II", Name("Melissa", ""), True),
        ("Melissa Levin", Name("Melissa", None), False),
        # no first name: titles, initials and suffixes
        ("Mr. Levin", Name(None, "Levin"), True),
        ("J. Q. Levin Sr.", Name("", "Levin"), True),
        # the last name is also a title, a suffix or the first name
        ("Mr. King", Name("Stephen", "King"), True),
        ("Major Major", Name("Major", "Major"), True),
        ("Mr. Thomas", Name("Thomas", "Thomas"), True),
        ("Sammy Davis", Name("Sammy", "Davis Jr."), True),
        ("Davis Jr.", Name("Sammy", "Davis Jr."), True),
        # no name at all fits nothing
        ("", LEVIN, False),
    ],
)
def test_rules(mention: str, name: Name, fits: bool) -> None:
    assert aligned(mention, name) == (0 if fits else None)


JOHN, JAMES, MARY = Name("John", "Smith"), Name("James", "Smith"), Name("Mary", "Smith")
SHARED = [
    ("John Smith", (JOHN, MARY), 0),
    ("Smith", (JOHN, MARY), "ambiguous"),
    ("M. Smith", (JOHN, MARY), 1),
    ("J. Smith", (JOHN, JAMES, MARY), "ambiguous"),
    # the whole first name before a part of one, a part before none
    ("Ann Smith", (Name("Ann", "Smith"), Name("Ann Mary", "Smith")), 0),
    ("J. Smith", (Name(None, "Smith"), JOHN), 1),
    ("Smith", (Name(None, "Smith"), JOHN), "ambiguous"),
    # the full name as it is before one with something left
    ("Mary A. Smith", (MARY, Name("Mary A.", "Smith")), 1),
    ("John Smith Jr.", (JOHN, Name("John", "Smith Jr.")), 1),
    # a last name, and a person known by the first name only
    ("Thomas", (Name("Dylan", "Thomas"), Name("Thomas", None)), 1),
    # two entities of one name
    ("John Smith", (JOHN, JOHN), "ambiguous"),
    ("Levin", (JOHN, LEVIN, MARY), 1),
]


@pytest.mark.parametrize(("mention", "names", "found"), SHARED)
def test_several_entities(mention: str, names: tuple[Name, ...], found: int | str | None) -> None:
    assert aligned(mention, *names) == found


def slow_fit(mention: list[str], name: Name) -> int:
    """The rules as patterns of all the forms of a name, from the best fit to the worst."""

    def one_of(*tokens: str) -> str:
        return f"(?:{'|'.join(f'{token} ' for token in tokens)})*"

    def phrase(tokens: Iterable[str]) -> str:
        return "".join(f"{token} " for token in tokens)

    first, last = (name.first or "").split(), (name.last or "").split()
    core = last[:-1] if last[-1:] == ["jr"] and len(last) > 1 else last
    titles, later, free = one_of("mr", "jr"), one_of("[a-z]", "jr"), one_of("mr", "jr", "[a-z]")
    family = phrase(core)

    def forms(given: list[str]) -> list[str]:
        front = [
            titles + phrase(given) + later + family + later,
            titles + family + one_of("jr") + phrase(given) + later,
        ]
        # The last name may even stand amid the first.
        return front + [titles + phrase(given[:i]) + family + phrase(given[i:]) + later for i in range(1, len(given))]

    spelled = [
        list(form)
        for n in range(1, len(first) + 1)
        for form in product(*((part, part[0]) for part in first[:n]))
        if list(form) != first
    ]
    fits: list[tuple[int, list[str]]] = []
    if last:
        fits = [
            (4, [phrase(first + last)] if first else []),
            (3, forms(first) if first else []),
            (2, [form for given in spelled for form in forms(given)]),
            (1, [titles + family + one_of("jr")] if first else [free + family + later]),
        ]
    elif first:
        fits = [(4, [phrase(first)]), (3, [titles + phrase(first) + later])]
    return next((fit for fit, patterns in fits if any(re.fullmatch(one, phrase(mention)) for one in patterns)), 0)


parts = st.sampled_from(["ann", "bea", "lee", "van"])
given_names = st.lists(parts, min_size=1, max_size=2, unique=True).map(" ".join)
surnames = st.lists(st.sampled_from(["lee", "van", "ox", "jr"]), min_size=1, max_size=2).map(" ".join)
entities = st.builds(Name, st.none() | given_names, st.none() | surnames)
mentions = st.lists(st.sampled_from(["ann", "bea", "lee", "van", "ox", "mr", "a", "b", "jr"]), max_size=4)


@given(mentions, st.lists(entities, max_size=6))
def test_against_patterns(mention: list[str], names: list[Name]) -> None:
    fits = [slow_fit(mention, name) for name in names]
    best = max(fits, default=0)
    expected = [i for i, fit in enumerate(fits) if fit == best and fit]
    found = Aligner(names).align(" ".join(mention))
    assert found == Alignment(expected[0] if len(expected) == 1 else None, len(expected) > 1)


SMITHS, JOHNS = ([Name(*parts) for parts in zip(*each, strict=True)] for each in (
    (["John", "James", "Zoë"], ["Smith"] * 3), (["John", "John", "Ann"], ["Smith", "Lee", "John"])
))  # fmt: skip


@pytest.mark.parametrize(
    ("mention", "names", "found"),
    [
        ("John", SMITHS, 0),
        ("Zoe", SMITHS, 2),
        ("John Lee", SMITHS, None),
        ("John", JOHNS[:2], "ambiguous"),  # not unique
        ("John", JOHNS, 2),  # a last name comes first
        ("John", [*SMITHS, Name("John", None)], 3),  # and so does one who has no other name
        ("Mary", [Name("Mary Ann", "Lee")], None),
    ],
)
def test_a_first_name_alone(mention: str, names: list[Name], found: int | str | None) -> None:
    entity, ambiguous = Aligner(names, first_name_only=True).align(mention)
    assert ("ambiguous" if ambiguous else entity) == found


NUMBERED = [f"{first}{second}{third}" for first, second, third in product("bcdfghjklm", repeat=3)]
"""A thousand words that are no titles."""
CROWDS = {
    "different names": ([Name("Ann", f"Lee{word}") for word in NUMBERED], "Ms. Lee{}"),
    "strangers": ([Name("Ann", f"Lee{word}") for word in NUMBERED], "Xu{} Yo{}"),
    "one last name": ([Name(f"A{word}", "Lee") for word in NUMBERED], "Dr. A{} Lee"),
    "one last name, all of them": ([Name(f"A{word}", "Lee") for word in NUMBERED], "Lee"),
    "one last name, another first name": ([Name(f"A{word}", "Lee") for word in NUMBERED], "B{} Lee"),
    "one last name, an initial and another": ([Name(f"A{word}", "Lee") for word in NUMBERED], "A. B{} Lee"),
    "one last name and beginning": ([Name(f"Ann B{word}", "Lee") for word in NUMBERED], "Dr. Ann B{} Lee"),
    "first names alone": ([Name(f"A{word}", "Lee") for word in NUMBERED], "A{}"),
}


@pytest.mark.parametrize(("names", "form"), CROWDS.values(), ids=CROWDS)
def test_a_crowd_costs_as_much_as_its_names(names: list[Name], form: str) -> None:
    """Few persons are looked at for each mention, whatever they are called."""

    def align_all(n: int) -> None:
        aligner = Aligner(names[:n], first_name_only=True)
        for word in NUMBERED[:n]:
            aligner.align(form.replace("{}", word))

    assert growth(align_all, 100) < 6


@pytest.mark.parametrize(
    ("mention", "source", "is_hallucinated"),
    [
        ("Barack Obama", "Mr. Obama spoke.", True),
        ("Obama", "Barack Obama spoke.", False),
        ("Li", "Lincoln spoke.", True),
        ("Mr. Obama", "Obama spoke.", False),  # titles,
        ("Obama Jr.", "Obama spoke.", False),  # and suffixes aside
        ("Mr. King", "Mr. Lee spoke.", True),
        ("Stephen King", "Stephen spoke.", True),  # no title there
        ("J. R.", "J. Lee of R. spoke.", False),
        ("Levin's", "the Levin-led firm", False),
        ("Smith-Jones", "Smith met Jones", True),
        ("45", "Lee spoke.", False),
    ],
)
def test_hallucinated(mention: str, source: str, is_hallucinated: bool) -> None:
    assert hallucinated(mention, text_tokens(source)) is is_hallucinated


LEVIN, HILL, VAN = Name("Melissa", "Levin"), Name("Tom", "Hill"), Name("Anna", "van der Berg")


@pytest.mark.parametrize(
    ("text", "mentions", "starts"),
    [
        ("Lee met Lee.", ["Lee", "Lee"], [0, 8]),
        ("Lee met Lee.", ["Lee", "Lee", "Lee"], [0, 8, None]),
        ("Ann Lee met Lee.", ["Lee", "Ann Lee"], [12, 0]),  # out of order: the longer one first
        ("Leeds, said Lee.", ["Lee"], [12]),  # whole words
        ("Mr. J.R. Lee", ["J. R. Lee"], [4]),  # as tokens
        ("MARÍA won.", ["Maria"], [0]),
        ("MARÍA won, Maria said.", ["Maria"], [11]),  # rather as written
        ("MARÍA won, Maria said.", ["Maria", "Maria"], [11, 0]),
        ("李明说", ["李明"], [0]),  # a script without blanks
        ("50 Cent sang.", ["50 Cent"], [0]),
        ("", ["Ann"], [None]),
        ("Lee met Ann.", [], []),
    ],
)
def test_mentions_by_hand(text: str, mentions: list[str], starts: list[int | None]) -> None:
    assert [place and place.start for place in find_mentions(text, mentions)] == starts


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=8).filter(str.strip), max_size=4))
def test_places_are_in_any_text_and_apart(text: str, mentions: list[str]) -> None:
    places = [place for place in find_mentions(text, mentions) if place]
    assert all(0 <= start < end <= len(text) for start, end in places)
    ordered = sorted(places)
    assert all(one.end <= other.start for one, other in pairwise(ordered))


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        ("Ms. Levin met Mr. Hill on the hill.", [LEVIN, HILL], [("Levin", 0), ("Hill", 1)]),
        ("Sarah Levin and Melissa Levin", [LEVIN], [("Melissa Levin", 0)]),
        ("They met Sarah Levin; Levin Street is long.", [LEVIN], []),
        ("Yesterday Levin came.", [LEVIN], [("Levin", 0)]),
        ("The Coach Tom Hill said", [HILL], [("Tom Hill", 0)]),
        ("M. Levin, Melissa A. Levin", [LEVIN], [("M. Levin", 0), ("Melissa A. Levin", 0)]),
        ("Levin, Jr.", [LEVIN], [("Levin, Jr", 0)]),
        ("Anna van der Berg and van der Berg's son", [VAN], [("Anna van der Berg", 0), ("van der Berg", 0)]),
        ("Levin said", [LEVIN, Name("Mark", "Levin")], []),  # which one?
        ("Mark Levin said", [LEVIN, Name("Mark", "Levin")], [("Mark Levin", 1)]),
        ("Cher sang; Melissa too", [Name("Cher", None), LEVIN], [("Cher", 0)]),
        ("melissa levin said", [LEVIN], [("melissa levin", 0)]),  # a text without capitals
        ("Young people sang. Young sang.", [Name("Will", "Young")], [("Young", 0)]),
        ("It rained. Young people sang.", [Name("Will", "Young")], []),
        ("LEVIN WINS", [LEVIN], []),  # in a headline nobody can tell names apart
        ("Lévin", [LEVIN], [("Lévin", 0)]),
    ],
)  # fmt: skip
def test_persons_of_the_sources_by_hand(text: str, names: list[Name], found: list[tuple[str, int]]) -> None:
    assert [(text[start:end], entity) for start, end, entity in find_persons(text, names)] == found
