"""Templates, worked by hand; lines.py explains the documents' notation."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.counterfactual.templates import Person, Template, make_template
from tests.counterfactual.lines import EVE, TOM, filled, marked


def slots(template: Template) -> list[tuple[str, str]]:
    return [(slot.kind, slot.text) for slot in template.slots]


def test_a_chain_with_every_class_of_mention() -> None:
    document = marked(
        "{1:Mr. <John Smith>} met {2:<Ann Lee>}. {1:<Smith>} said {1:he} knew {2:her}. {1:<John>} told {2:Ms. <Lee>} "
        "of {1:his} book and hurt {1:himself}."
    )
    template = make_template(document)
    assert slots(template) == [
        *(("title", "Mr."), ("first", "John"), ("last", "Smith"), ("first", "Ann"), ("last", "Lee"), ("last", "Smith")),
        *(("pronoun", "he"), ("pronoun", "her"), ("first", "John"), ("title", "Ms."), ("last", "Lee")),
        *(("pronoun", "his"), ("pronoun", "himself")),
    ]
    assert [(e.id, e.first, e.last, e.gender) for e in template.entities] == [
        ("e0", "John", "Smith", "male"),
        ("e1", "Ann", "Lee", "female"),
    ]
    assert template.fill({"e0": EVE._replace(last=None), "e1": TOM._replace(last=None)}) == (
        "Ms. Eve Smith met Tom Lee. Smith said she knew him. Eve told Mr. Lee of her book and hurt herself."
    )
    assert template.fill({"e0": Person(last="Roe")}) == (
        "Mr. John Roe met Ann Lee. Roe said he knew her. John told Ms. Lee of his book and hurt himself."
    )
    assert template.notes == {}


def test_content_words() -> None:
    document = marked(
        "Chairman {1:<John Roe>} and {2:<Ann Lee>} are siblings, ACTOR and {3:spouse}. {1:He} sang.",
        words=[
            ("Chairman", [1], "chairman/chairwoman/chair"),
            ("siblings", [1, 2], "brothers/sisters/siblings"),
            ("ACTOR", [1], "actor/actress/actor"),
            ("spouse", [3], "husband/wife/spouse"),
        ],
    )
    template = make_template(document)
    john, ann = (Person(gender) for gender in ("male", "female"))
    assert template.notes == {"content_word_of_no_person": 1}
    for e0, e1, expected in (
        (john, john, "Chairman John Roe and Ann Lee are brothers, ACTOR and spouse. He sang."),
        (ann, ann, "Chairwoman John Roe and Ann Lee are sisters, ACTRESS and spouse. She sang."),
        (ann, john, "Chairwoman John Roe and Ann Lee are siblings, ACTRESS and spouse. She sang."),
        (john, Person(), "Chairman John Roe and Ann Lee are siblings, ACTOR and spouse. He sang."),
    ):
        assert template.fill({"e0": e0, "e1": e1}) == expected
    assert template.entities[1].kinds == {"first", "last", "content"}


@pytest.mark.parametrize(
    ("line", "usable"),
    [
        ("{1:<Ann Lee>} left.", True),
        ("{1:<Lee>} left, {1:she} said.", True),
        ("Ms. <Lee> left.", True),
        ("{1:<Lee>} left, {1:they} said.", False),
        ("<Lee> left.", False),
        ("{1:The boss} left {1:it}.", False),
    ],
)
def test_usable_documents(line: str, usable: bool) -> None:
    assert make_template(marked(line)).usable is usable


GIVEN = ("Ann", "Bo", "J.", "Mary Ellen", "Al")
FAMILY = ("Lee", "McCoy", "O'Neil", "Roe-Lee", "de Gaulle", "Li")


@st.composite
def lines(draw: st.DrawFn) -> str:
    """Documents of up to four persons by full name, name, title or pronoun."""
    parts = []
    count = draw(st.integers(1, 4))
    people = draw(st.lists(st.tuples(st.sampled_from(GIVEN), st.sampled_from(FAMILY)), min_size=count, max_size=count))
    for _ in range(draw(st.integers(1, 12))):
        person = draw(st.integers(0, count - 1))
        first, last = people[person]
        female = person % 2
        title, *pronouns = (("Mr.", "he", "him", "his"), ("Mrs.", "she", "her", "hers"))[female]
        mention = draw(
            st.sampled_from(
                [
                    *(
                        f"<{first} {last}>",
                        f"<{last}>",
                        f"<{first}>",
                        f"{title} <{last}>",
                        f"<{title} {first} {last} Jr.>",
                    ),
                    *(f"<{first.upper()} {last.upper()}>", *pronouns),
                ]
            )
        )
        filler = draw(st.sampled_from(["met", "Markets", "lincoln, and", "McCoys", "so Li-led", "-", "«x»"]))
        parts.append(f"{filler} {{{person}:{mention}}}" + draw(st.sampled_from(["", "'s dog", "."])))
    return " ".join(parts)


@given(lines())
def test_the_original_persons_give_the_original_text(line: str) -> None:
    document = marked(line)
    template = make_template(document)
    assert template.fill({}) == document.text
    assert template.fill({entity.id: entity.person for entity in template.entities}) == document.text
    assert "".join(
        map("".join, itertools.zip_longest(template.pieces, [s.text for s in template.slots], fillvalue=""))
    ) == (document.text)


@given(lines(), st.sampled_from(["male", "female"]))
def test_nothing_but_slots_changes(line: str, gender: str) -> None:
    template = make_template(marked(line))
    people = {e.id: Person(gender, f"First{e.id}", f"Last{e.id}") for e in template.entities}
    text = template.fill(people)
    # what stands between slots stands between them still, in this order
    pattern = "(.*?)".join(map(re.escape, template.pieces))
    match = re.fullmatch(pattern, text, re.DOTALL)
    assert match is not None
    for slot, new in zip(template.slots, match.groups(), strict=True):
        wanted: Any = {"first": people[slot.entities[0]].first, "last": people[slot.entities[0]].last}.get(slot.kind)
        if wanted is not None:
            assert new in (wanted, wanted.upper()), slot
    assert template.fill(people) == text
    # all pronouns are those of the gender, as whole words
    other = {"male": {"she", "her", "hers", "mrs"}, "female": {"he", "him", "his", "mr"}}[gender]
    assert not other & set(re.findall(r"\w+", text.casefold()))


def test_of_slots_that_overlap_the_first_and_shortest_is_kept() -> None:
    document = marked("{1:<John Roe>} sang.", words=[("John Roe sang", [1], "he sang/she sang/they sang")])
    assert slots(make_template(document)) == [("first", "John"), ("last", "Roe")]
    assert filled(document, EVE) == "Eve Roe sang."
