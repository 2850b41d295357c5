"""Persons by name: which names are one person's, whatever the order of the annotations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.counterfactual.documents import Document, Mention, NamedEntity
from fairsum_utils.counterfactual.persons import join_by_name, persons_of

NAMES = ("Ann Bo", "Ann", "Bo", "Mr. Bo", "Cy Bo", "Dee Li", "Li")


def joined(*names: str, text: str | None = None) -> list[list[str]]:
    """The names of each person of a text that lists them."""
    text = " met ".join(names) if text is None else text
    places, start = [], 0
    for name in names:
        start = text.index(name, start)
        places.append(NamedEntity(start, start + len(name), "PERSON"))
        start += len(name)
    document = join_by_name(Document("a", text, tuple(places), ((Mention(0, 1),),)))
    return [[text[mention.start : mention.end] for mention in chain] for chain in document.chains]


@pytest.mark.parametrize(
    ("names", "persons"),
    [
        (("Ann Bo", "Bo", "Ann"), [["Ann Bo", "Bo", "Ann"]]),
        (("Ann Bo", "Cy Bo", "Bo"), [["Ann Bo"], ["Cy Bo"], ["Bo"]]),
        (("Li", "Li"), [["Li", "Li"]]),
        (("Cy Bo", "De la Bo", "Bo"), [["Cy Bo", "De la Bo", "Bo"]]),
        (("Ann Bo", "Mr. Li"), [["Ann Bo"], ["Mr. Li"]]),
        ((), []),
    ],
)
def test_names_of_one_person(names: tuple[str, ...], persons: list[list[str]]) -> None:
    assert joined(*names) == persons


@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=6))
def test_every_name_has_one_person(names: list[str]) -> None:
    assert sorted(name for person in joined(*names) for name in person) == sorted(names)


def test_one_of_a_couple_has_the_title() -> None:
    text = "Cy Bo and Mrs. Bo met Mr. Bo."
    assert joined("Cy Bo", "Bo", "Bo", text=text) == [["Cy Bo", "Bo"], ["Bo"]]


def test_other_names_and_nameless_chains_are_no_persons() -> None:
    document = Document("a", "Leeds saw him.", (NamedEntity(0, 5, "GPE"),), ((Mention(10, 13),),))
    assert join_by_name(document).chains == ()
    assert persons_of(document) == []


def test_particles_are_those_of_the_full_name() -> None:
    text, names = "Ana left. De la Cruz and Ana de la Cruz won.", ((0, 3), (10, 20), (25, 39))
    document = Document("a", text, tuple(NamedEntity(*span, "PERSON") for span in names), ())
    [person] = persons_of(join_by_name(document))
    assert (person["first_name"], person["last_name"]) == ("Ana", "de la Cruz")


@pytest.mark.parametrize(
    ("text", "first", "last", "group"),
    [
        ("Joey Adams is an American actress.", "Joey", "Adams", "female"),  # rather than the census
        ("Mary Lee is an actor.", "Mary", "Lee", "unknown"),  # also used for women
        ("Tom Bo was a coach of women.", "Tom", "Bo", "male"),
        ("Kim Jong-un spoke.", "Jong-un", "Kim", "unknown"),
        ("J. K. Rowan wrote.", "J. K.", "Rowan", "unknown"),
        ("Ana de la Cruz won.", "Ana", "de la Cruz", "female"),
    ],
)
def test_gender_and_parts_of_a_name(text: str, first: str, last: str, group: str) -> None:
    end = text.index(last.split()[-1]) + len(last.split()[-1]) if last != "Kim" else text.index(" spoke")
    document = join_by_name(Document("a", text, (NamedEntity(0, end, "PERSON"),), ()))
    assert [tuple(person.values())[:3] for person in persons_of(document)] == [(first, last, group)]
