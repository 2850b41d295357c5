"""First and last names, and dependent text; lines.py explains the documents' notation."""

import pytest

from fairsum_utils.counterfactual.name_parts import occurrences
from fairsum_utils.counterfactual.templates import Person, make_template
from tests.counterfactual.lines import TOM, filled, marked


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
def test_first_and_last_names(line: str, expected: tuple[str | None, str | None]) -> None:
    [entity] = make_template(marked(line)).entities
    assert (entity.first, entity.last) == expected


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
def test_forms_for_a_woman(line: str, female: str) -> None:
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
def test_forms_for_a_man(line: str, male: str) -> None:
    document = marked(line)
    assert filled(document, Person("male", "Tom", None)) == male
    assert filled(document, make_template(document).entities[0].person) == document.text


def test_last_names_take_their_particles_along() -> None:
    assert filled(marked("{1:<Charles de Gaulle>} met {2:<Ann Lee>}; {1:<Gaulle>} won."), TOM) == (
        "Tom Roe met Ann Lee; Roe won."
    )


def test_occurrences_are_whole_words_in_any_case():
    text = "Ann's O'Neil ANN, Ann-Marie Marianne O'NEIL's ann"
    found = [(name, text[start : start + len(name)]) for name, start in occurrences(text, ["O'Neil", "Ann", "Ann"])]
    assert found == [("Ann", "Ann"), ("O'Neil", "O'Neil"), ("Ann", "ANN"), ("O'Neil", "O'NEIL"), ("Ann", "ann")]
