"""Persons among chains and names; lines.py explains the documents' notation."""

from fairsum_utils.counterfactual.documents import Document
from fairsum_utils.counterfactual.templates import Person, make_template
from tests.counterfactual.lines import EVE, TOM, filled, marked


def test_a_name_belongs_to_the_deepest_mention() -> None:
    document = marked("{1:{2:<John Roe>}, the boss of [Acme],} left. {2:He} sang. {1:She} knew.")
    template = make_template(document)
    assert [(e.first, e.gender) for e in template.entities] == [("John", "male"), (None, "female")]
    assert template.fill({"e0": EVE}) == "Eve Roe, the boss of Acme, left. She sang. She knew."


def test_a_name_in_a_mention_of_somebody_else() -> None:
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


def test_a_mention_of_several_people() -> None:
    document = marked("{1:{2:<John Roe>} and <Ann Lee>} came. {1:They} sang, {2:he} well.")
    assert filled(document, EVE, TOM) == "Eve Roe and Tom Roe came. They sang, she well."


def test_names_in_no_chain_are_persons_of_their_own() -> None:
    document = marked("<John Roe> met <Ann Lee> and [Acme].")
    assert [(e.first, e.last) for e in make_template(document).entities] == [("John", "Roe"), ("Ann", "Lee")]
    assert filled(document, EVE._replace(last=None)) == "Eve Roe met Ann Lee and Acme."


def test_pronouns_without_a_name() -> None:
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


def test_a_pronoun_that_is_a_name() -> None:
    template = make_template(marked("{1:<He Luli>} said {1:she} won."))
    kinds = [(slot.kind, slot.text) for slot in template.slots]
    assert kinds == [("first", "He"), ("last", "Luli"), ("pronoun", "she")]
    assert template.notes == {}


def test_the_tag_of_a_pronoun_decides() -> None:
    plain = marked("{1:<Ann Lee>} told {1:her} today.")
    name, pronoun = plain.chains[0]
    for pos, expected in (("PRP", "Tom Lee told him today."), ("PRP$", "Tom Lee told his today.")):
        document = Document("a", plain.text, plain.entities, ((name, pronoun._replace(pos=pos)),))
        assert filled(document, TOM._replace(last=None)) == expected


def test_the_predicative_his() -> None:
    document = marked("{1:<Roe>} said the car was {1:his}. {1:His} was red, says a friend of {1:his}.")
    # "His was": before a verb of the closed class it stands alone
    assert (
        filled(document, EVE._replace(last=None)) == "Roe said the car was hers. Hers was red, says a friend of hers."
    )


def test_titles() -> None:
    # without a PERSON, a title makes the mention a person; Mr. and Mrs. have one name, and the last Mr. none
    document = marked("{1:Mrs. Ann Lee} left. {1:Lee} sang. Mr. and Mrs. <Roe> and Mr. Hill. {2:Mr. President} came.")
    template = make_template(document)
    assert [(e.first, e.last, e.gender) for e in template.entities] == [("Ann", "Lee", "female"), (None, "Roe", None)]
    assert template.notes == {"title_without_name": 4}
    assert template.fill({"e0": TOM, "e1": TOM._replace(last=None)}) == (
        "Mr. Tom Roe left. Roe sang. Mr. and Mrs. Roe and Mr. Hill. Mr. President came."
    )


def test_names_that_are_not_annotated() -> None:
    document = marked("{1:<John Roe>} left. {1:John} and {2:the John [Roe Corp.] fund} and {3:John's wife}; JOHN.")
    template = make_template(document)
    # in a mention of its chain John is replaced; in the fund's and the wife's it is not, and noted as is JOHN
    assert template.fill({"e0": EVE}) == "Eve Roe left. Eve and the John Roe Corp. fund and John's wife; JOHN."
    assert template.notes == {"first_name_elsewhere": 3}


def test_ids_follow_the_text() -> None:
    document = marked("{9:{2:<Zoe Roe>}'s friend} met <Bo Lee>. {9:She} and {5:he}, {2:she} and {1:<Al Hill>}.")
    template = make_template(document)
    assert [(e.id, e.first) for e in template.entities] == [
        *(("e0", "Zoe"), ("e1", "Bo"), ("e2", None), ("e3", None), ("e4", "Al")),
    ]
