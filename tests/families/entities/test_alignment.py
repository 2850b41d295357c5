"""Which person a name means, and where texts name persons."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from itertools import pairwise, permutations, product
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fairsum_utils.families.entities.alignment import (
    Aligner,
    Alignment,
    align,
    find_mentions,
    find_persons,
    hallucinated,
)
from fairsum_utils.text.tokens import Name, text_tokens
from tests._steps import growth

LEVIN = Name("Melissa", "Levin")
NONE = Alignment(None, False)
AMBIGUOUS = Alignment(None, True)


def aligned(mention: str, *names: Name) -> int | str | None:
    entity, ambiguous = align(mention, names)
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
    assert align(mention, [LEVIN]) == Alignment(0, False)


@pytest.mark.parametrize(
    "mention",
    [
        *("Melissa", "Ms. Melissa", "Mark Levin", "Melissa Mark Levin", "Levine", "Melevin", "Smith", "", "45", "Mr."),
        *(
            "J. Levin",
            "J. Melissa Levin",
            "Levin-Smith",
            "O'Levin",
            "Levin King",
            "Melissa King Levin",
            "Melissas Levin",
        ),
        *("the Levins", "Levin and Smith", "Melissa Melissa Levin"),
    ],
)
def test_does_not_fit(mention: str) -> None:
    assert align(mention, [LEVIN]) == NONE


@pytest.mark.parametrize(
    ("mention", "name", "fits"),
    [
        # never within a longer word
        ("Lincoln", Name("Wei", "Li"), False),
        ("O'Adlersen", Name("Ann", "Adler"), False),
        ("Smith-Jones", Name("Ann", "Smith"), False),
        ("Smith", Name("Ann", "Smith-Jones"), False),
        ("Ann Smith-Jones", Name("Ann", "Smith-Jones"), True),
        ("Mr. O’Neil's", Name("Bob", "O'Neil"), True),
        # last names of several tokens
        ("Mr. van der Berg", Name("Jan", "van der Berg"), True),
        ("Jan Van Der Berg", Name("Jan", "van der Berg"), True),
        ("Mr. Berg", Name("Jan", "van der Berg"), False),
        ("van der Berg", Name("Jan", "Berg"), False),
        ("van Berg", Name("Jan", "van der Berg"), False),
        # first names of several tokens
        ("Mary Ann Lee", Name("Mary Ann", "Lee"), True),
        ("Mary Lee", Name("Mary Ann", "Lee"), True),
        ("Mary A. Lee", Name("Mary Ann", "Lee"), True),
        ("M. A. Lee", Name("Mary Ann", "Lee"), True),
        ("M. Ann Lee", Name("Mary Ann", "Lee"), True),
        ("Ann Lee", Name("Mary Ann", "Lee"), False),
        ("J. P. Sartre", Name("Jean-Paul", "Sartre"), True),
        # no last name: the first name alone
        ("Melissa", Name("Melissa", None), True),
        ("Queen Melissa II", Name("Melissa", ""), True),
        ("Melissa J.", Name("Melissa", None), True),
        ("Melissa Levin", Name("Melissa", None), False),
        ("Melissa King", Name("Melissa", None), False),
        ("M.", Name("Melissa", None), False),
        ("Mary", Name("Mary Ann", None), False),
        # no first name: titles, initials and suffixes
        ("Mr. Levin", Name(None, "Levin"), True),
        ("J. Q. Levin Sr.", Name("", "Levin"), True),
        ("Mark Levin", Name(None, "Levin"), False),
        # the last name is also a title, a suffix or the first name
        ("Mr. King", Name("Stephen", "King"), True),
        ("Stephen King", Name("Stephen", "King"), True),
        ("Major Major", Name("Major", "Major"), True),
        ("Thomas Thomas", Name("Thomas", "Thomas"), True),
        ("Mr. Thomas", Name("Thomas", "Thomas"), True),
        ("Sammy Davis", Name("Sammy", "Davis Jr."), True),
        ("Davis Jr.", Name("Sammy", "Davis Jr."), True),
        # possessive endings as tokenized corpora write them
        ("Adler 's", Name("Ann", "Adler"), True),
        ("Ann Adler ’s", Name("Ann", "Adler"), True),
        ("Adlers '", Name("Ann", "Adlers"), True),
        ("Adlers '", Name("Ann", "Adler"), False),
        ("Sam S. 's", Name("Sam", "S."), True),
        # accents and letter case
        ("Zoe Nunez", Name("Zoë", "Núñez"), True),
        ("ZOË NÚÑEZ", Name("Zoe", "Nunez"), True),
        ("Zoe\u0308", Name("Zoe", None), True),
        ("Z. Núñez", Name("Zoë", "Nunez"), True),
        ("Walesa", Name("Lech", "Wałęsa"), True),
        ("É. Zola", Name("Emile", "Zola"), True),
        ("मोहन राम", Name("मोहन", "राम"), True),
        ("रोम", Name("मोहन", "राम"), False),
        # no name at all fits nothing
        ("Levin", Name(None, None), False),
        ("", Name("", None), False),
        ("", LEVIN, False),
    ],
)
def test_rules(mention: str, name: Name, fits: bool) -> None:
    assert aligned(mention, name) == (0 if fits else None)


JOHN, JAMES, MARY = Name("John", "Smith"), Name("James", "Smith"), Name("Mary", "Smith")
SHARED = [
    ("John Smith", (JOHN, MARY), 0),
    ("Smith", (JOHN, MARY), "ambiguous"),
    ("Mr. Smith", (JOHN, MARY), "ambiguous"),
    ("M. Smith", (JOHN, MARY), 1),
    ("J. Smith", (JOHN, JAMES, MARY), "ambiguous"),
    ("Peter Smith", (JOHN, MARY), None),
    # the whole first name before a part of one, a part before none
    ("Ann Smith", (Name("Ann", "Smith"), Name("Ann Mary", "Smith")), 0),
    ("J. Smith", (Name("J.", "Smith"), JOHN), 0),
    ("J. Smith", (Name(None, "Smith"), JOHN), 1),
    ("Smith", (Name(None, "Smith"), JOHN), "ambiguous"),
    # the full name as it is before one with something left
    ("Dr Ann Smith", (Name("Ann", "Smith"), Name("Dr Ann", "Smith")), 1),
    ("Mary A. Smith", (MARY, Name("Mary A.", "Smith")), 1),
    ("John Smith Jr.", (JOHN, Name("John", "Smith Jr.")), 1),
    # a last name, and a person known by the first name only
    ("Thomas", (Name("Dylan", "Thomas"), Name("Thomas", None)), 1),
    ("Thomas", (Name("Dylan", "Thomas"), Name("Thomas", "Smith")), 0),
    # two entities of one name
    ("John Smith", (JOHN, JOHN), "ambiguous"),
    ("Levin", (JOHN, LEVIN, MARY), 1),
    ("Levin", (), None),
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


@settings(max_examples=200)
@given(mentions, st.lists(entities, max_size=6))
def test_against_patterns(mention: list[str], names: list[Name]) -> None:
    fits = [slow_fit(mention, name) for name in names]
    best = max(fits, default=0)
    expected = [i for i, fit in enumerate(fits) if fit == best and fit]
    found = align(" ".join(mention), names)
    assert found == Alignment(expected[0] if len(expected) == 1 else None, len(expected) > 1)


@settings(max_examples=200)
@given(mentions, st.lists(entities, max_size=4))
def test_a_first_name_alone_adds_to_the_rules(mention: list[str], names: list[Name]) -> None:
    """It finds somebody, or several, only where nobody is found without; none of whom a last name could name."""
    strict = align(" ".join(mention), names)
    found = align(" ".join(mention), names, first_name_only=True)
    namesakes = [i for i, name in enumerate(names) if mention and (name.first or "").split() == mention]
    if strict == NONE and namesakes:
        assert found == Alignment(namesakes[0] if len(namesakes) == 1 else None, len(namesakes) > 1)
    else:
        assert found == strict


@given(st.lists(mentions, max_size=5), st.lists(entities, max_size=4), st.booleans())
def test_one_aligner_for_all_mentions(each: list[list[str]], names: list[Name], first_name_only: bool) -> None:
    aligner = Aligner(names, first_name_only=first_name_only)
    written = [" ".join(mention) for mention in each] * 2
    alone = [align(mention, names, first_name_only=first_name_only) for mention in written]
    assert [aligner.align(mention) for mention in written] == alone


SMITHS, JOHNS = ([Name(*parts) for parts in zip(*each, strict=True)] for each in (
    (["John", "James", "Zoë"], ["Smith"] * 3), (["John", "John", "Ann"], ["Smith", "Lee", "John"])
))  # fmt: skip


@pytest.mark.parametrize(
    ("mention", "names", "found"),
    [
        ("John", SMITHS, 0),
        ("JOHN 's", SMITHS, 0),
        ("Zoe", SMITHS, 2),
        ("J.", SMITHS, None),  # the whole first name,
        ("Mr. John", SMITHS, None),  # and nothing else
        ("John Lee", SMITHS, None),
        ("Smith", SMITHS, "ambiguous"),  # as without
        ("John", JOHNS[:2], "ambiguous"),  # not unique
        ("John", JOHNS, 2),  # a last name comes first
        ("John", [*SMITHS, Name("John", None)], 3),  # and so does one who has no other name
        ("Mary Ann", [Name("Mary Ann", "Lee")], 0),
        ("Mary", [Name("Mary Ann", "Lee")], None),
        ("", SMITHS, None),
    ],
)
def test_a_first_name_alone(mention: str, names: list[Name], found: int | str | None) -> None:
    entity, ambiguous = align(mention, names, first_name_only=True)
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


@given(mentions, st.lists(entities, min_size=2, max_size=4))
def test_order_does_not_matter(mention: list[str], names: list[Name]) -> None:
    def found(order: tuple[Name, ...]) -> tuple[Name | None, bool]:
        entity, ambiguous = align(" ".join(mention), order)
        return (None if entity is None else order[entity]), ambiguous

    assert len({found(order) for order in permutations(names)}) == 1


@given(st.lists(st.builds(Name, given_names, surnames), min_size=1, max_size=5), st.data())
def test_a_full_name_finds_its_entity(names: list[Name], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(names) - 1))
    full = [f"{name.first} {name.last}" for name in names]
    expected = AMBIGUOUS if full.count(full[index]) > 1 else Alignment(index, False)
    assert align(full[index], names) == expected


@given(mentions, st.lists(entities, max_size=3), st.sampled_from(["Mr. {}", "{}'s", "{} III"]))
def test_titles_endings_and_case_do_not_matter(mention: list[str], names: list[Name], form: str) -> None:
    plain = " ".join(mention)
    assume(mention and len(mention[0]) > 1 and mention[0] != "jr")
    entity, ambiguous = align(plain, names)
    found = align(form.format(plain.upper()), names)
    if entity is None and not ambiguous:
        assert found == NONE
    else:
        assert found.entity in (entity, None)  # what was the full name and nothing else may now be another's too
        assert found.ambiguous or found.entity == entity


@pytest.mark.parametrize(
    ("mention", "source", "is_hallucinated"),
    [
        ("Barack Obama", "Mr. Obama spoke.", True),
        ("Obama", "Barack Obama spoke.", False),
        ("Li", "Lincoln spoke.", True),
        ("Adler", "O'Adlersen spoke.", True),
        ("Mr. Obama", "Obama spoke.", False),  # titles,
        ("B. Obama", "Obama spoke.", False),  # initials
        ("Obama Jr.", "Obama spoke.", False),  # and suffixes aside
        ("Mr. King", "Mr. Lee spoke.", True),
        ("Stephen King", "Stephen spoke.", True),  # no title there
        ("Sir", "Lee spoke.", True),  # nothing but a title
        ("J. R.", "Lee spoke.", True),
        ("J. R.", "J. Lee of R. spoke.", False),
        ("Levin's", "the Levin-led firm", False),
        ("Smith-Jones", "Smith met Jones", True),
        ("Adler 's", "Adler spoke.", False),  # the possessive ending is none of its tokens
        ("Adler", "Adler 's speech", False),
        ("Zoë Núñez", "ZOE met Nunez", False),
        ("Zoe", "Zoë spoke.", False),
        ("रोम", "राम", True),
        ("45", "Lee spoke.", False),
        ("", "", False),
    ],
)
def test_hallucinated(mention: str, source: str, is_hallucinated: bool) -> None:
    assert hallucinated(mention, text_tokens(source)) is is_hallucinated


def test_work_does_not_grow_with_the_namesakes() -> None:
    titles = ("Mr", "Dr", "Sir", "Prof", "Sen", "Gen")

    def align_all(n: int) -> None:
        names = [Name(f"Ann {chr(97 + k % 26)}{chr(97 + k // 26 % 26)}{chr(97 + k // 676)}x", "Lee") for k in range(n)]
        aligner = Aligner(names)
        for k in range(n):
            calls = f"{titles[k % 6]} {titles[k // 6 % 6]} {titles[k // 36 % 6]} Ann Lee", f"Ann Lee {'Jr ' * (k % 9)}"
            assert [aligner.align(call).ambiguous for call in calls] == [n > 1] * 2
        assert aligner.align(f"Ms. {names[0].first} Lee") == (0, False)

    assert growth(align_all, 100) < 6


def test_work_grows_as_a_name_does_and_not_as_its_square() -> None:
    def align_one(n: int) -> None:
        name = " ".join(["van"] * n)
        assert Aligner([Name("Ann", name)]).align(f"Ann {name}").entity == 0
        assert Aligner([Name("Ann", name)]).align(f"Mr. {name}").entity == 0

    assert growth(align_one, 200) < 6


LEVIN, HILL, VAN = Name("Melissa", "Levin"), Name("Tom", "Hill"), Name("Anna", "van der Berg")


def stretches(text: str, places: Any) -> list[str | None]:
    return [None if place is None else text[place.start : place.end] for place in places]


@pytest.mark.parametrize(
    ("text", "mentions", "starts"),
    [
        ("Lee met Lee.", ["Lee", "Lee"], [0, 8]),
        ("Lee met Lee.", ["Lee", "Lee", "Lee"], [0, 8, None]),
        ("Ann Lee met Lee.", ["Lee", "Ann Lee"], [12, 0]),  # out of order: the longer one first
        ("Leeds, said Lee.", ["Lee"], [12]),  # whole words
        ("Levin's win", ["Levin's"], [0]),
        ("Mr. J.R. Lee", ["J. R. Lee"], [4]),  # as tokens
        ("MARÍA won.", ["Maria"], [0]),
        ("MARÍA won, Maria said.", ["Maria"], [11]),  # rather as written
        ("MARÍA won, Maria said.", ["Maria", "Maria"], [11, 0]),
        ("李明说", ["李明"], [0]),  # a script without blanks
        ("No one.", ["Ann"], [None]),
        ("50 Cent sang.", ["50 Cent"], [0]),
        ("", ["Ann"], [None]),
        ("Lee met Ann.", [], []),
    ],
)
def test_mentions_by_hand(text: str, mentions: list[str], starts: list[int | None]) -> None:
    assert [place and place.start for place in find_mentions(text, mentions)] == starts


def test_a_mention_covers_what_was_given() -> None:
    text = 'The "Dr. Ann Lee Jr." of Levin\u2019s'
    mentions = ["Dr. Ann Lee Jr.", "Levin\u2019s"]
    assert stretches(text, find_mentions(text, mentions)) == mentions


NAMES = ("Ann", "Ann Lee", "Lee", "O'Neil", "José", "Smith-Jones", "Dr. Ray", "李明")
FILLERS = (" met ", ", and ", "; ", " 's son saw ", "\n", " — İstanbul ")


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(FILLERS)), max_size=8))
def test_every_mention_of_a_text_in_order_has_its_place(pairs: list[tuple[str, str]]) -> None:
    text, mentions, starts = "", [], []
    for name, filler in pairs:
        starts.append(len(text))
        mentions.append(name)
        text += name + filler
    places = find_mentions(text, mentions)
    assert stretches(text, places) == mentions
    assert [place and place.start for place in places] == starts


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
        ("Melissa. Levin said", [LEVIN], [("Levin", 0)]),
        ("Cher sang; Melissa too", [Name("Cher", None), LEVIN], [("Cher", 0)]),
        ("melissa levin said", [LEVIN], [("melissa levin", 0)]),  # a text without capitals
        ("LEVIN WINS", [LEVIN], []),  # in a headline nobody can tell names apart
        ("Levinson and O'Levin", [LEVIN], []),
        ("Lévin", [LEVIN], [("Lévin", 0)]),
        ("", [LEVIN], []),
        ("Levin", [], []),
    ],
)  # fmt: skip
def test_persons_of_the_sources_by_hand(text: str, names: list[Name], found: list[tuple[str, int]]) -> None:
    assert [(text[start:end], entity) for start, end, entity in find_persons(text, names)] == found


def test_a_first_name_alone_if_asked() -> None:
    assert [place.entity for place in find_persons("Melissa won.", [LEVIN], first_name_only=True)] == [0]


@given(st.text(max_size=80), st.lists(st.tuples(st.text(max_size=6), st.text(max_size=6)), max_size=3))
def test_persons_are_in_any_text(text: str, names: list[tuple[str, str]]) -> None:
    places = find_persons(text, [Name(*name) for name in names])
    assert all(0 <= start < end <= len(text) for start, end, _ in places)
    assert all(one.end <= other.start for one, other in pairwise(places))


def test_time_grows_as_the_text() -> None:
    """A run of names is not looked up whole, and then without its last word, and so on."""
    text = "Levin " * 20_000
    start = time.perf_counter()
    assert len(find_persons(text, [LEVIN, HILL])) == 0  # Levin Levin is another name
    assert len(find_persons("Levin, " * 20_000, [LEVIN, HILL])) == 20_000
    assert time.perf_counter() - start < 20


def test_names_in_any_order_are_placed_in_linear_time() -> None:
    """A step that is quadratic would take minutes."""
    n = 30_000
    places = find_mentions("Ray Lee " * n, ["Lee"] * n + ["Ray"] * n)
    assert (places[0], places[n]) == ((4, 7), (0, 3))
    assert None not in places
    distinct = ["".join("abcdefghij"[int(digit)] for digit in f"{number:04}") for number in range(3_000)]
    assert None not in find_mentions(" ".join(distinct), [name.upper() for name in distinct])
