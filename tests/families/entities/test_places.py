"""Where names stand in texts: what a summary was found to name, and whom of the sources a text names."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.entities.places import find_mentions, find_persons
from fairsum_utils.text.tokens import Name

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
