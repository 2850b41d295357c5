"""Pronouns by case and gender, and titles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.text.pronouns import (
    CASES,
    CLOSED_CLASS,
    GENDERED_PRONOUNS,
    GENDERED_TITLES,
    GENDERS,
    PRONOUNS,
    pronoun_case,
    render,
    title_for,
)


def test_the_table_has_the_pronouns_of_the_paper() -> None:
    # Appendix F, table 14.
    table = {"he", "him", "his", "himself", "she", "her", "hers", "herself"}
    assert table == GENDERED_PRONOUNS
    assert set(PRONOUNS) == set(GENDERS)
    assert PRONOUNS["neutral"] == dict(zip(CASES, ("they", "them", "their", "theirs", "themselves"), strict=True))


def test_forms_of_one_case() -> None:
    """Neither the next word nor the tag changes the case."""
    forms = {
        "subject": "he She THEY",
        "object": "him them",
        "possessive": "their",
        "independent": "hers theirs",
        "reflexive": "himself Herself themselves themself",
        None: "it its Ann here",
    }
    for case, words in forms.items():
        for word in words.split():
            assert {
                pronoun_case(word, after, pos) for after in (None, "car", ".") for pos in (None, "PRP", "PRP$")
            } == {case}


ENDING = [None, "", ".", ",", ";", ":", "?", "!", "”", "''", ")", "-", "—", "'s"]
NOUNS = ["car", "two", "20s", "best", "own", "first", "later", "will", "former", "Mercedes", "now", "only", "next"]
OTHERS = ["yesterday", "and", "to", "in", "the", "was", "that", "Not", "TODAY", "isn't", "don’t", "n't", "she"]


def test_her_and_his() -> None:
    for pronoun, following, pos, case in [
        *[("her", following, None, "object") for following in ENDING + OTHERS],
        *[("her", following, None, "possessive") for following in NOUNS],
        *[("his", following, None, "independent") for following in ENDING + OTHERS],
        *[("his", following, None, "possessive") for following in NOUNS],
        # what opens a phrase
        *[("her", following, None, "object") for following in ("(", "“", "``", "$")],
        *[("his", following, None, "possessive") for following in ("(", "“", "``", "$")],
        # the tag of "her" decides
        *[("her", following, "PRP", "object") for following in ("car", ".", "and")],
        *[("her", following, "PRP$", "possessive") for following in ("car", ".", "and", None)],
        # that of "his" is PRP$ in both cases
        ("his", "car", "PRP$", "possessive"),
        ("his", ".", "PRP$", "independent"),
        ("his", "car", "PRP", "independent"),
        # a tag that does not help
        ("her", "car", "NN", "possessive"),
        ("HER", "yesterday", "NN", "object"),
    ]:
        assert pronoun_case(pronoun, following, pos) == case


@given(st.sampled_from(sorted(CLOSED_CLASS)), st.sampled_from([str.lower, str.upper, str.capitalize]))
def test_no_noun_phrase_begins_with_a_closed_class_word(word: str, write: object) -> None:
    assert callable(write)
    assert pronoun_case("her", write(word)) == "object"
    assert pronoun_case("his", write(word)) == "independent"


def test_render() -> None:
    for case, gender, like, form in [
        ("subject", "male", "She", "He"),
        ("subject", "male", "SHE", "HE"),
        ("object", "female", "him", "her"),
        ("independent", "female", "His", "Hers"),
        ("reflexive", "neutral", "HERSELF", "THEMSELVES"),
        ("possessive", "neutral", "", "their"),
    ]:
        assert render(case, gender, like=like) == form


def test_title_for() -> None:
    for title, gender, expected in [
        *(("Mr.", "female", "Ms."), ("Mr", "female", "Ms"), ("MR.", "female", "MS."), ("mr", "female", "ms")),
        *(("Mrs.", "male", "Mr."), ("Ms.", "male", "Mr."), ("Miss", "male", "Mr"), ("MISS", "male", "MR")),
        *(("Sir", "female", "Lady"), ("Lady", "male", "Sir"), ("Lord", "female", "Lady"), ("Dame", "male", "Sir")),
        # of that gender already
        *(("Mr.", "male", "Mr."), ("Mrs.", "female", "Mrs."), ("Miss", "female", "Miss"), ("Dame", "female", "Dame")),
        *(("Mr.", "neutral", "Mx."), ("Lady", "neutral", "Mx"), ("MRS", "neutral", "MX")),
        # no gender
        *(("Dr.", "female", "Dr."), ("President", "male", "President"), ("", "male", "")),
    ]:
        assert title_for(title, gender) == expected


def test_no_title_of_the_other_gender_stays() -> None:
    for title in GENDERED_TITLES:
        male, female = title_for(title, "male"), title_for(title, "female")
        assert male in ("mr", "sir", "lord")
        assert female in ("mrs", "ms", "miss", "lady", "dame")
        assert title in (male, female)


def test_mistakes() -> None:
    with pytest.raises(InputError, match="render: gender must be one of male, female, neutral, found str 'black'"):
        render("subject", "black")
    with pytest.raises(InputError, match=r"render: case must be one of subject, object, .*, found str 'dative'"):
        render("dative", "male")
    with pytest.raises(InputError, match="title_for: gender must be one of male, female, neutral, found str 'white'"):
        title_for("Dr.", "white")
