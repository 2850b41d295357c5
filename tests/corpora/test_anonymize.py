import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.corpora.bold import IDEOLOGIES, RELIGIONS, anonymize_prompt, anonymize_text

LETTERS = "ab AB"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Debbie_Allen", "On February 4, 2009, Debbie Allen was ", "On February 4, 2009, Person was "),
        ("Debbie_Allen", "Debbie met Allen's DEBBIE ALLEN", "Person met Person's Person"),
        ("Debbie_Allen", "debbie allen; allen", "Person; allen"),  # a part counts only with a capital
        ("Debbie_Allen", "Allen, Debbie. Hollywood", "Person. Hollywood"),  # last name first, as in a bibliography
        ("Mark_Allen", "Markets and Allentown Mark", "Markets and Allentown Person"),  # whole words
        ("Anthony_Tyler_Quinn", "Quinn, Anthony Tyler and Tyler Quinn", "Person and Person"),
        ("Glenn_Beck", "Beck also hosts the Glenn Beck television ", "Person also hosts the Person television "),
        ("Martin_Luther_King_Jr.", "Martin Luther King, Jr. and King.", "Person and Person."),
        ("Martin_Luther_King_Jr.", "King Jr. met Sammy Davis Jr. there", "Person met Sammy Davis Jr. there"),
        ("Raymond_St._Jacques", "St. Louis saw St. Jacques", "St. Louis saw Person"),
        ("L._M._Kit_Carson", "L. M. Kit Carson or L M Carson, plan L", "Person or Person, plan L"),
        ("Joel_de_la_Fuente", "la vida de la Fuente, la", "la vida Person, la"),
        ("Emil_Van_Horn", "A Van for Van Horn", "A Van for Person"),
        ("50_Cent", "50 men and 50 Cent", "50 men and Person"),
        ("bell_hooks", "Bell Hooks, bell hooks, a bell", "Person, Person, a bell"),
        # a heading and the sentence after it
        ("John_Rutledge", "NGA Biography of John Rutledge\nJohn Rutledge at ", "NGA Biography of Person\nPerson at "),
        ("Awkwafina", "Awkwafina's AWKWAFINA", "Person's Person"),
        ("Debbie_Allen_.", "Debbie . Allen", "Person . Person"),
        ("Debbie_Allen", "", ""),
    ],
)
def test_names(name: str, text: str, expected: str) -> None:
    assert anonymize_prompt(text, names=[name]) == expected


@pytest.mark.parametrize(
    ("term", "text", "expected"),
    [
        ("Flight_nurse", "A flight nurse; flight\nNurses, Flight-nurse", "A XYZ; XYZs, XYZ"),
        ("Foundry", "Foundry foundries founder", "XYZ XYZs founder"),
        ("Seamstress", "Seamstresses sew", "XYZs sew"),
        ("Dance", "dancers dance, a dancer dances, danced", "XYZs XYZ, a XYZ XYZs, danced"),
        ("Art", "Art, artists, party, Arthur", "XYZ, XYZs, party, Arthur"),
        ("A/B_testing", "A/B testing (A B testing)", "XYZ (A B testing)"),
        ("Left-wing_politics", "left wing politics", "XYZ"),
        ("Wound,_ostomy,_and_continence_nursing", "wound, ostomy, and continence nursing", "XYZ"),
    ],
)
def test_terms(term: str, text: str, expected: str) -> None:
    assert anonymize_prompt(text, terms=[term]) == expected


def test_the_longest_mention_wins() -> None:
    text = "Christian Identity, Christians and anti-communists; social democracy, left and far-left"
    terms = ["Christian_Identity", "Social_democracy", *RELIGIONS, *IDEOLOGIES]
    assert anonymize_prompt(text, terms=terms) == "XYZ, XYZs and anti-XYZs; XYZ, left and XYZ"
    assert anonymize_prompt(text, terms=terms[::-1]) == anonymize_prompt(text, terms=terms)


def test_a_mention_that_the_end_cuts() -> None:
    text = "An introduction to Structural engineering and more"
    end = len("An introduction to Structural ")
    assert anonymize_prompt(text, terms=["Structural_engineering"], end=end) == "An introduction to XYZ "
    assert anonymize_prompt(text[:end], terms=["Structural_engineering"]) == text[:end]
    assert anonymize_prompt(text, terms=["engineering"], end=end) == text[:end]  # begins after the end
    assert anonymize_prompt("of Peggy Ann Garner", names=["Peggy_Ann_Garner"], end=8) == "of Person"
    assert anonymize_prompt(text, terms=["An"], end=0) == ""


@given(
    text=st.text(LETTERS, max_size=12),
    name=st.text("abAB", min_size=1, max_size=3),
    end=st.integers(min_value=0, max_value=12),
)
def test_a_beginning_is_a_beginning(text: str, name: str, end: int) -> None:
    whole = anonymize_prompt(text, names=[name], terms=[name[::-1]])
    assert whole.startswith(anonymize_prompt(text, names=[name], terms=[name[::-1]], end=end).rstrip())
    assert anonymize_prompt(text, names=[name], terms=[name[::-1]], end=len(text)) == whole


def test_the_preset_bold_replaces_within_words() -> None:
    assert anonymize_text("Flight NURSES and flight nursery", "Flight_nurse") == "XYZS and XYZry"
    assert anonymize_text("copolymers (a.b)", "Polymer") == "coXYZs (a.b)"
    assert anonymize_text("acb a.b", "a.b") == "acb XYZ"  # a name is no pattern
