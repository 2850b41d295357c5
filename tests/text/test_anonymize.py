"""Summaries without names, gendered pronouns and titles."""

from __future__ import annotations

import re
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.text.anonymize import FIRST_NAME, LAST_NAME, TITLE, anonymize
from fairsum_utils.text.person_names import Name
from fairsum_utils.text.pronouns import CASES, render, title_for

NAMES = [
    Name("Melissa", "Levin"),
    Name("Mark", "Smith"),
    Name("Mary Ann", "van der Berg"),
    Name("An", "Li"),
    Name(None, "O'Neil"),
    Name("Kim", "So"),
]


def shown(text: str, *mentions: str) -> str:
    """Return the anonymized text, abbreviated."""
    anonymized = anonymize(text, NAMES, mentions)
    return anonymized.replace(FIRST_NAME, "F").replace(LAST_NAME, "L").replace(TITLE, "T")


def test_names() -> None:
    for text, anonymized in [
        # whole tokens only
        ("Melissa Levin met Smith.", "F L met L."),
        ("Markets and Levinson; Li, Lincoln", "Markets and Levinson; L, Lincoln"),
        ("Smith-Jones, Levin-led, pro-Levin, O'Levin", "Smith-Jones, L-led, pro-L, O'Levin"),
        ("Mary‑Ann‑led _Levin_ (Smith)", "F‑F‑led _L_ (L)"),
        ("O'Neil O’Neil's", "L's"),
        # possessive endings stay
        ("Levin's Mark’s LEVIN'S Smiths'", "L's F’s L'S Smiths'"),
        # letter case
        ("MELISSA LEVIN, melissa Levin", "F L, F L"),
        ("a mark of Mark, levin", "a mark of F, levin"),
        ("a mark of mark", "a F of F"),
        # names of several tokens
        ("Mary Ann van der Berg, Van Der Berg, Berg", "F L, L, L"),
        ("Mary, Ann, Mary Berg and a van", "F, F, F L and a van"),
        # names that are function words count beside a name only
        ("An Li saw An. An egg.", "F L saw An. An egg."),
        ("Kim So left. So did Kim.", "F L left. So did F."),
        # initials
        ("M. Levin and M Levin; Mark F. Smith; Mark F Smith; M.A. van der Berg", "F L and F L; F L; F L; F L"),
        ("In the U.S. Levin said; A. Li; A Li aide", "In the U.S. L said; F L; A L aide"),
        ("Melissa's M. Levin", "F's F L"),
        # suffixes, whose period may end the sentence
        ("Mark Smith Jr. said Smith, Jr., said Smith III left Smith Jr.", "F L said L, said L left L."),
        ("I met Smith Jr. He ran. Jr. ran.", "I met L. They ran. Jr. ran."),
        # new lines and marks keep names apart
        ("Smith\nSmith, Levin / Melissa-\n", "L\nL, L / F-\n"),
        ("", ""),
        ("...", "..."),
        ("Jose\u0301 is Levin", "Jos\u00e9 is L"),
    ]:
        assert shown(text) == anonymized


def test_mentions() -> None:
    for text, anonymized in [
        ("Barack Obama and Mr. Obama's aide, Barack", "F L and T L's aide, F"),
        ("B. Obama met Barack H. Obama Jr. in", "F L met F L in"),
        ("Smith's friend obama", "L's friend obama"),
        ("Melissa Jones", "F L"),  # the source's Melissa, and an invented name
        ("The Beebes left. The cat", "The L left. The cat"),
        ("Sir", "T"),
    ]:
        found = shown(text, "Barack H. Obama", "President Barack Obama Jr.", "Melissa Jones", "The Beebes", "Sir", "12")
        assert found == anonymized


def test_pronouns() -> None:
    for text, anonymized in [
        ("He saw him with his dog; HE hurt himself.", "They saw them with their dog; THEY hurt themselves."),
        ("She saw her with her dog; SHE hurt herself.", "They saw them with their dog; THEY hurt themselves."),
        ("The car is his. A car of hers, his and hers", "The car is theirs. A car of theirs, theirs and theirs"),
        ("I told her yesterday. Her aide asked her", "I told them yesterday. Their aide asked them"),
        ("it was his, he said", "it was theirs, they said"),
        ('his "best" friend; the "best" is his"', 'their "best" friend; the "best" is theirs"'),
        ("She's late; he’d; He'll; s/he", "They's late; they’d; They'll; s/they"),
        ("they hurt themselves, themself; It is its", "they hurt themselves, themselves; It is its"),
        ("here, hero, the, sheet, Hershey, she-wolf", "here, hero, the, sheet, Hershey, she-wolf"),
        ("Her Majesty", "Their Majesty"),
    ]:
        assert shown(text) == anonymized


def test_titles() -> None:
    for text, anonymized in [
        ("I miss Melissa. They miss the bus.", "I miss F. They miss the bus."),
        ("Yes, Miss. Levin and the lady Levin met", "Yes, Miss. L and the lady L met"),
        ("A lady and a sir. Miss", "A lady and a sir. Miss"),
        ("Mr. and Mrs. Levin; Mr and Mrs Levin", "T and T L; T and T L"),
        (
            "Sir and Lady Levin; Dame and others; Ms or Mr Levin; MS and others",
            "T and T L; Dame and others; T or T L; MS and others",
        ),
        ("Mr. de Bono; mr. Levin; mr. de Bono", "T de Bono; T L; mr. de Bono"),
        ("5 ms. later MS was there; Ms. Smith", "5 ms. later MS was there; T L"),
        ("Mr.Levin and Mr.\nLevin", "T L and Mr.\nL"),
        ("Dr. Levin, President Levin", "Dr. L, President L"),
        ("First Lady Melissa Levin", "First T F L"),
        # a text without capitals
        (
            "mr. levin told miss levin, sir mark and lady li that ms. x is ill",
            "T L told T L, T F and T L that T x is ill",
        ),
        ("they miss the bus in 5 ms and", "they miss the bus in 5 ms and"),
    ]:
        assert shown(text) == anonymized


def test_forms_of_address_need_no_name() -> None:
    for form in ("{}", "Yes, {}.", "{}, we met Levin's aide", "I told {} so", "“No, {}!”", "{}’s"):
        expected = shown(form.format("Q")).replace("Q", "T")
        for address in ("sir", "sirs", "ma'am", "ma’am", "madam", "madams"):
            for word in (address, address.capitalize(), address.upper()):
                assert shown(form.format(word)) == expected


def test_other_titles() -> None:
    for text, anonymized in [
        ("Sir Mark, Madam Levin and Ma'am Levin", "T F, T L and T L"),
        ("Sirs Mark and Levin; Sirs", "T F and L; T"),
        ("Madam Speaker and Madam Secretary left", "T Speaker and T Secretary left"),
        ("Dear Sir or Madam, I", "Dear T or T, I"),
        ("a sir, the madam and an old sir", "a sir, the madam and an old T"),  # after an article no address
        ("Messrs. Levin and Smith; Messrs Levin; Mesdames Levin and Li", "T L and L; T L; T L and L"),
        ("Madame Levin, Mme. Levin, Monsieur Smith, Mister Smith", "T L, T L, T L, T L"),
        ("the mister and a madame; his mesdames", "the mister and a madame; his mesdames".replace("his", "their")),
        # content words and other words stay
        ("ladies and gentlemen, lords and dames", "ladies and gentlemen, lords and dames"),
        ("They miss the bus and missed the sirens; a madman", "They miss the bus and missed the sirens; a madman"),
    ]:
        assert shown(text) == anonymized


class Person(NamedTuple):
    """One who can be of either gender."""

    names: dict[str, str]
    last: str


PEOPLE = [
    Person({"male": "Mark", "female": "Melissa"}, "Levin"),
    Person({"male": "Al", "female": "Mary Ann"}, "O'Hara"),
]

# Cases are those of which what follows tells "her" and "his" apart.
TEMPLATES = [
    "{title} {last} said on Monday that {subject} would leave {possessive} post.",
    "{title} {first} {last}'s aide met {object}, and the car was {independent}.",
    "{First} hurt {reflexive} yesterday: a friend of {independent} was here, and told {object} so.",
    "{Subject} saw {object} in {possessive} two cars; {possessive} Mercedes is {independent}.",
    'The Levin-led firm paid {object} a lot; "it is {independent}", said {first} {last} Jr. in {possessive} office.',
    "{SUBJECT} WON, {first} Q. {last} told {reflexive} not to miss {possessive} bus. {subject}'s here.",
    "{title} and {title2} {last} left; markets like {object}. {Subject}’d know what {possessive} will is.",
    "{initial} {last} and {object}: is the mark {independent}? {Possessive} aide told {object} that.",
]


def fill(template: str, person: Person, gender: str, title: str) -> str:
    words = {case: render(case, gender) for case in CASES}
    words |= {case.capitalize(): form.capitalize() for case, form in words.items()} | {
        "SUBJECT": words["subject"].upper()
    }
    first = person.names[gender]
    other = title_for(title_for(title, "female" if gender == "male" else "male"), gender)
    return template.format(
        **words,
        first=first,
        First=first,
        last=person.last,
        initial=f"{first[0]}.",
        title=title_for(title, gender),
        title2=other,
    )


@given(
    st.lists(
        st.tuples(
            st.sampled_from(TEMPLATES),
            st.sampled_from(PEOPLE),
            st.sampled_from(["male", "female"]),
            st.sampled_from(["Mr.", "Ms", "Mrs.", "Miss", "Sir", "Dame"]),
        ),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from([str, str.upper, str.lower]),
)
def test_a_text_and_its_counterfactual_become_the_same(
    sentences: list[tuple[str, Person, str, str]], write: type[str]
) -> None:
    """Genders, names and titles are swapped, and no gendered word remains."""
    swap = {"male": "female", "female": "male"}
    texts = [
        write(" ".join(fill(template, person, genders[gender], title) for template, person, gender, title in sentences))
        for genders in ({gender: gender for gender in swap}, swap)
    ]
    names = [[Name(person.names[gender], person.last) for person in PEOPLE] for gender in swap]
    # Each name belongs to one gender, so that both lists together serve both texts.
    one, other = (anonymize(text, names[0] + names[1]) for text in texts)
    assert one == other
    left = r"he|him|his|himself|she|her|hers|herself|mr|mrs|ms|sir|dame|lady|mark levin|melissa|mary|ann|al"
    assert not re.search(rf"\b({left})\b", one, re.IGNORECASE)


@given(st.lists(st.sampled_from(["the", "Markets", "fell", "in", "miss", "Reid's", "x-ray", "it", ","])))
def test_what_is_no_name_stays(words: list[str]) -> None:
    text = " ".join(words)
    assert anonymize(text, NAMES, ["Barack Obama"]) == text


@given(st.text("Levin Markhsr.'-MsSmith\n", max_size=30))
def test_nothing_is_left_to_replace(text: str) -> None:
    once = anonymize(text, NAMES)
    tokens = re.findall(r"[^\W_]+(?:['-][^\W_]+)*", once.replace(FIRST_NAME, "").replace(LAST_NAME, ""))
    assert {"Levin", "Mark", "Smith"}.isdisjoint(tokens)
