"""Templates, worked by hand; the small language of the documents is explained in conftest.py."""

import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.counterfactual.documents import Document
from fairsum_utils.counterfactual.mini_news import mini_news
from fairsum_utils.counterfactual.templates import Person, Template, make_template
from fairsum_utils.errors import InputError

Marked = Callable[..., Document]
TOM = Person("male", "Tom", "Roe")
EVE = Person("female", "Eve", "Roe")


def filled(document: Document, *people: Person) -> str:
    """The text with e0, e1, ... being these persons."""
    return make_template(document).fill({f"e{place}": person for place, person in enumerate(people)})


def names(document: Document) -> list[tuple[str | None, str | None]]:
    return [(entity.first, entity.last) for entity in make_template(document).entities]


def slots(template: Template) -> list[tuple[str, str]]:
    return [(slot.kind, slot.text) for slot in template.slots]


def test_a_chain_with_every_class_of_mention(marked: Marked) -> None:
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


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # a single word after a title is the last name at once, however often the other one stands last
        ("{1:<Lee Ann>} {1:<Lee Ann>} {1:Ms. <Lee>}", (None, "Lee")),
        ("{1:<Ann Lee>} {1:Ms. <Lee>}", ("Ann", "Lee")),
        ("{1:<Mr. Lee>}", (None, "Lee")),  # a title inside of the name
        # the most frequent candidates: last Lee 2, Roe 1; first Ann 2, Eve 1
        ("{1:<Eve Roe>} {1:<Ann Lee>} {1:<Ann Lee>}", ("Ann", "Lee")),
        ("{1:<Eve Roe>} {1:<Ann Lee>}", ("Eve", "Roe")),  # as frequent: the first in the text
        ("{1:<Ann Lee>} {1:<Ann>} {1:<Ann>} {1:<Ann>}", ("Ann", "Lee")),  # Ann stands before Lee once
        ("{1:<Sir Alec>} {1:<Alec Roe>}", ("Alec", "Roe")),
        ("{1:Sir <Alec>} {1:<Roe>}", ("Alec", "Roe")),
        ("{1:<Lee>} {1:<Ann Lee>}", ("Ann", "Lee")),
        ("{1:<Lee>}", (None, "Lee")),
        ("{1:<LEE>} {1:<ANN LEE>} {1:<Lee>}", ("ANN", "Lee")),  # as written where it is not in capitals
        # titles, suffixes, initials, particles
        ("{1:<Dr. Martin L. King Jr.>}", ("Martin", "King")),
        ("{1:<Ann B. Lee III>}", ("Ann", "Lee")),
        ("{1:<J. Lee>}", (None, "Lee")),
        ("{1:<E. Gerald Roe>}", ("Gerald", "Roe")),
        ("{1:<Charles de Gaulle>} {1:<de Gaulle>}", ("Charles", "Gaulle")),
        ("{1:<Van Johnson>}", ("Van", "Johnson")),
        ("{1:<Al Gore>}", ("Al", "Gore")),
        ("{1:<King>}", (None, "King")),
        # whole tokens
        ("{1:<Shaquille O'Neil's>}", ("Shaquille", "O'Neil")),
        ("{1:<Jean-Luc Roe-Lee>}", ("Jean-Luc", "Roe-Lee")),
        ("{1:<Ann Lee 's>}", ("Ann", "Lee")),
    ],
)
def test_first_and_last_names(marked: Marked, line: str, expected: tuple[str | None, str | None]) -> None:
    assert names(marked(line)) == [expected]


@pytest.mark.parametrize(
    ("line", "female"),
    [
        ("{1:<John F. Roe>}", "Eve F. Roe"),  # the middle initial stays
        ("{1:<John Paul Roe>}", "Eve Roe"),  # further given names go
        ("{1:<John Roe>} {1:<J. Roe>} {1:<T.J. Roe>}", "Eve Roe E. Roe T.J. Roe"),  # only the initial of the first name
        ("{1:<John Roe Jr.>} {1:<Roe Jr.>}", "Eve Roe Jr. Roe Jr."),
        ("{1:<John Roe>}'s {1:<John>}'s", "Eve Roe's Eve's"),
        ("{1:<John Roe's>} {1:<John’s>}", "Eve Roe's Eve’s"),
        ("{1:<JOHN ROE>} {1:<John Roe>}", "EVE ROE Eve Roe"),
        ("{1:<John McRoe>}", "Eve McRoe"),
        ("{1:<William Roe>} {1:<William Roe>} {1:<Bill Roe>}", "Eve Roe Eve Roe Eve Roe"),  # any given name before it
        ("{1:<Wm. Roe>}", "Eve Roe"),
        ("{1:<John de la Roe>}", "Eve de la Roe"),
        ("{1:<Dr. John Roe>}", "Dr. Eve Roe"),
        ("{1:<Lord John Roe>}", "Lady Eve Roe"),
        ("{1:MR. <ROE>}", "MS. ROE"),
        ("Mr. {1:<Roe>}", "Ms. Roe"),  # the mention leaves the title out
        ("{1:Sir <John>} {1:<John Roe>}", "Lady Eve Eve Roe"),
        ("{1:<John Roe>}: {1:He} and {1:HIS}.", "Eve Roe: She and HERS."),
    ],
)
def test_forms_for_a_woman(marked: Marked, line: str, female: str) -> None:
    document = marked(line)
    assert filled(document, Person("female", "Eve", None)) == female
    [entity] = make_template(document).entities
    assert filled(document, entity.person) == document.text


@pytest.mark.parametrize(
    ("line", "male"),
    [
        ("{1:Mrs. <Roe>} and {1:Ms. <Roe>}", "Mr. Roe and Mr. Roe"),
        ("{1:Lady <Ann>} {1:<Ann Roe>}", "Sir Tom Tom Roe"),
        ("It is {1:hers}. {1:<Ann Roe>} saw {1:her} and {1:her} car.", "It is his. Tom Roe saw him and his car."),
        ("{1:Miss <Roe>} did miss it, and Ann's miss did not.", "Mr Roe did miss it, and Ann's miss did not."),
    ],
)
def test_forms_for_a_man(marked: Marked, line: str, male: str) -> None:
    document = marked(line)
    assert filled(document, Person("male", "Tom", None)) == male
    assert filled(document, make_template(document).entities[0].person) == document.text


def test_the_predicative_his(marked: Marked) -> None:
    document = marked("{1:<Roe>} said the car was {1:his}. {1:His} was red, says a friend of {1:his}.")
    # "His was": before a verb of the closed class it stands alone
    assert (
        filled(document, EVE._replace(last=None)) == "Roe said the car was hers. Hers was red, says a friend of hers."
    )


def test_last_names_take_their_particles_along(marked: Marked) -> None:
    assert filled(marked("{1:<Charles de Gaulle>} met {2:<Ann Lee>}; {1:<Gaulle>} won."), TOM) == (
        "Tom Roe met Ann Lee; Roe won."
    )


def test_names_are_whole_tokens(marked: Marked) -> None:
    document = marked("{1:<Mark Li>} is in Marks and Lincoln; {1:Mr. <Li>}, a Li-led man, will mark Markets. MARK!")
    assert filled(document, EVE) == ("Eve Roe is in Marks and Lincoln; Ms. Roe, a Li-led man, will mark Markets. MARK!")
    assert make_template(document).notes == {"first_name_elsewhere": 1}  # MARK


def test_a_name_belongs_to_the_deepest_ordinary_mention(marked: Marked) -> None:
    document = marked("{1:{2:{3!:<John Roe>}}, the boss of [Acme],} left. {2:He} sang. {1:She} knew.")
    template = make_template(document)
    assert [(e.first, e.gender) for e in template.entities] == [("John", "male"), (None, "female")]
    assert template.fill({"e0": EVE}) == "Eve Roe, the boss of Acme, left. She sang. She knew."


def test_a_name_in_a_mention_of_somebody_else(marked: Marked) -> None:
    for line in (
        "{1:<John Roe>'s lawyer} said {1:she} won.",
        "{1:<John Roe> 's lawyer} said {1:she} won.",
        "{1:<John Roe's> lawyer} said {1:she} won.",
        "{1:the lawyer of the late President <John Roe>} said {1:she} won.",
        "{1:Mrs. Lee and Mr. <John Roe>} said {1:she} won.",
    ):
        template = make_template(marked(line))
        by_gender = {entity.gender: entity for entity in template.entities if entity.first != "Lee"}
        assert by_gender["female"].first is None, line
        text = template.fill({e.id: Person("female", "Eve") for e in template.entities if e.first == "John"})
        assert "Eve Roe" in text, line
        assert text.endswith(" said she won."), line
    # but titles and professions before a name, and what follows it, are about the one it names
    for line in (
        "{1:Secretary of State <John Roe>} said {1:he} won.",
        "{1:the boss of [Acme], <John Roe>,} said {1:he} won.",
        "{1:<John Roe>, a friend of <Ann Lee>,} said {1:he} won.",
        "{1:<John Roe> of [Acme]} said {1:he} won.",
    ):
        assert filled(marked(line), EVE).endswith(" said she won."), line


def test_a_mention_of_several_people(marked: Marked) -> None:
    document = marked("{1:{2:<John Roe>} and <Ann Lee>} came. {1:They} sang, {2:he} well.")
    assert filled(document, EVE, TOM) == "Eve Roe and Tom Roe came. They sang, she well."


def test_names_in_no_chain_are_persons_of_their_own(marked: Marked) -> None:
    document = marked("<John Roe> met <Ann Lee> and [Acme].")
    assert names(document) == [("John", "Roe"), ("Ann", "Lee")]
    assert filled(document, EVE._replace(last=None)) == "Eve Roe met Ann Lee and Acme."
    assert [entity.chain for entity in make_template(document).entities] == [None, None]


def test_pronouns_without_a_name(marked: Marked) -> None:
    document = marked("{1:She} who laughs, {2:he and {3:his} wife}, {4:his wife}, her cat. {5:It} is {1:hers}.")
    template = make_template(document)
    # chain 1 opens a mention; chain 2 is two people, chain 4 is the wife; chain 5 is a thing; "her cat" is in no chain
    assert [(e.id, e.gender, e.first, e.last) for e in template.entities] == [
        ("e0", "female", None, None),
        ("e1", "male", None, None),
    ]
    assert template.notes == {"pronoun_in_no_chain": 3}  # he, his (wife), her
    assert template.usable
    assert template.fill({"e0": TOM, "e1": EVE}) == ("He who laughs, he and her wife, his wife, her cat. It is his.")
    assert filled(marked("{1:he who laughs} sings."), EVE) == "she who laughs sings."


def test_a_pronoun_that_is_a_name(marked: Marked) -> None:
    template = make_template(marked("{1:<He Luli>} said {1:she} won."))
    assert slots(template) == [("first", "He"), ("last", "Luli"), ("pronoun", "she")]
    assert template.notes == {}


def test_the_tag_of_a_pronoun_decides(marked: Marked) -> None:
    plain = marked("{1:<Ann Lee>} told {1:her} today.")
    name, pronoun = plain.chains[0]
    for pos, expected in (("PRP", "Tom Lee told him today."), ("PRP$", "Tom Lee told his today.")):
        document = Document("a", plain.text, plain.entities, ((name, pronoun._replace(pos=pos)),))
        assert filled(document, TOM._replace(last=None)) == expected


def test_titles(marked: Marked) -> None:
    # without a PERSON, a title makes the mention a person; Mr. and Mrs. have one name, and the last Mr. none
    document = marked("{1:Mrs. Ann Lee} left. {1:Lee} sang. Mr. and Mrs. <Roe> and Mr. Hill. {2:Mr. President} came.")
    template = make_template(document)
    assert [(e.first, e.last, e.gender) for e in template.entities] == [("Ann", "Lee", "female"), (None, "Roe", None)]
    assert template.notes == {"title_without_name": 4}
    assert template.fill({"e0": TOM, "e1": TOM._replace(last=None)}) == (
        "Mr. Tom Roe left. Roe sang. Mr. and Mrs. Roe and Mr. Hill. Mr. President came."
    )


def test_names_that_are_not_annotated(marked: Marked) -> None:
    document = marked("{1:<John Roe>} left. {1:John} and {2:the John [Roe Corp.] fund} and {3:John's wife}; JOHN.")
    template = make_template(document)
    # in a mention of its chain John is replaced; in the fund's and the wife's it is not, and noted as is JOHN
    assert template.fill({"e0": EVE}) == "Eve Roe left. Eve and the John Roe Corp. fund and John's wife; JOHN."
    assert template.notes == {"first_name_elsewhere": 3}


def test_content_words(marked: Marked) -> None:
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


def test_of_slots_that_overlap_the_first_and_shortest_is_kept(marked: Marked) -> None:
    document = marked("{1:<John Roe>} sang.", words=[("John Roe sang", [1], "he sang/she sang/they sang")])
    assert slots(make_template(document)) == [("first", "John"), ("last", "Roe")]
    assert filled(document, EVE) == "Eve Roe sang."


def test_ids_follow_the_text(marked: Marked) -> None:
    document = marked("{9:{2:<Zoe Roe>}'s friend} met <Bo Lee>. {9:She} and {5:he}, {2:she} and {1:<Al Hill>}.")
    template = make_template(document)
    assert [(e.id, e.first) for e in template.entities] == [
        *(("e0", "Zoe"), ("e1", "Bo"), ("e2", None), ("e3", None), ("e4", "Al")),
    ]


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
def test_usable_documents(marked: Marked, line: str, usable: bool) -> None:
    assert make_template(marked(line)).usable is usable


def test_bad_assignments(marked: Marked) -> None:
    template = make_template(marked("<Ann Lee> left."))
    with pytest.raises(InputError, match=r"template 'a': there is no entity str 'e1'; it has e0"):
        template.fill({"e1": TOM})
    with pytest.raises(InputError, match=r"entity 'e0': gender must be one of male, female, found str 'x'"):
        template.fill({"e0": Person("x")})


GIVEN = ("Ann", "Bo", "J.", "Mary Ellen", "Al")
FAMILY = ("Lee", "McCoy", "O'Neil", "Roe-Lee", "de Gaulle", "Li")


@st.composite
def lines(draw: st.DrawFn) -> str:
    """Documents of up to four persons, named fully, by one name, by title or by pronoun."""
    parts = []
    count = draw(st.integers(1, 4))
    people = draw(st.lists(st.tuples(st.sampled_from(GIVEN), st.sampled_from(FAMILY)), min_size=count, max_size=count))
    for _ in range(draw(st.integers(1, 12))):
        who = draw(st.integers(0, count - 1))
        first, last = people[who]
        female = who % 2
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
        parts.append(f"{filler} {{{who}:{mention}}}" + draw(st.sampled_from(["", "'s dog", "."])))
    return " ".join(parts)


@given(lines())
def test_the_original_persons_give_the_original_text(marked: Marked, line: str) -> None:
    document = marked(line)
    template = make_template(document)
    assert template.fill({}) == document.text
    assert template.fill({entity.id: entity.person for entity in template.entities}) == document.text
    assert "".join(
        map("".join, itertools.zip_longest(template.pieces, [s.text for s in template.slots], fillvalue=""))
    ) == (document.text)


@given(lines(), st.sampled_from(["male", "female"]))
def test_nothing_but_slots_changes(marked: Marked, line: str, gender: str) -> None:
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


def test_the_miniature_corpus_comes_back() -> None:
    for document in mini_news():
        template = make_template(document)
        assert template.usable
        assert template.fill({entity.id: entity.person for entity in template.entities}) == document.text
        other = {"male": "female", "female": "male"}
        swapped = {e.id: Person(other.get(e.gender or ""), None, None) for e in template.entities}
        back = {e.id: Person(e.gender, None, None) for e in template.entities}
        assert template.fill(swapped) != document.text
        assert template.fill(back) == document.text
