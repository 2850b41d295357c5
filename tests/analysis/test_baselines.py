"""Simple summarizers: what they take, what decides their draws, and the names in what they took."""

from collections import Counter

import pytest

from fairsum_utils.analysis.diagnosis import (
    BASELINES,
    focus,
    lead,
    names_in,
    random,
    sexist,
    topic,
    topic_of,
)
from fairsum_utils.text.punkt import sentences

TEN = [f"Sentence {letter} is here." for letter in "abcdefghij"]
SPORT, FAMILY = "The team won a game.", "Her husband held the baby."
ANN = {"first_name": "Ann", "last_name": "Lee", "group": "female"}
BO = {"first_name": "Bo", "last_name": "Ray", "group": "male"}
CY = {"first_name": "Cy", "last_name": "Lee", "group": "male"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "unknown"),
        ("A team.", "sport"),
        ("Teams and familiar games.", "unknown"),  # whole words only
        ("His wife and the league.", "unknown"),
        ("His wife, his children and the league.", "family"),
        (["The league.", "The club.", "His wife."], "sport"),
    ],
)
def test_topic_is_that_of_most_words(text, expected):
    assert topic_of(text) == expected


def test_lead_takes_the_first_sentences():
    assert lead(" ".join(TEN)) == " ".join(TEN[:3])
    assert lead(TEN, 1) == TEN[0]
    assert lead("Just one.", 3) == "Just one."


@pytest.mark.parametrize("name", BASELINES)
def test_all_are_called_alike_and_take_sentences_in_order(name):
    text = " ".join([*TEN, SPORT])
    summary = BASELINES[name](text, index=3, seed=1)
    assert summary == BASELINES[name](sentences(text), index=3, seed=1)
    places = [text.index(sentence) for sentence in sentences(summary)]
    assert places == sorted(set(places))
    assert BASELINES[name]("", index=0, seed=0) == ""
    assert BASELINES[name]("Only one.", index=0, seed=0) == "Only one."


def test_random_takes_every_sentence_as_often():
    times = 1000
    taken = Counter(s for index in range(times) for s in sentences(random(TEN, index=index)))
    # Three of ten, 1000 times: mean 300, standard deviation sqrt(1000 * 0.3 * 0.7) = 14.5; five of them are 73.
    assert all(abs(taken[sentence] - 300) < 73 for sentence in TEN)


@pytest.mark.parametrize(("about", "size"), [(FAMILY, 1), ("It rained.", 3), (SPORT, 6)])
def test_topic_takes_sentences_by_topic(about, size):
    assert len(sentences(topic([*TEN, about]))) == size


def test_sexist_maximizes_identifiers_of_the_favoured_group():
    text = ["The team won.", "She ran.", "He and his son ran.", "He won.", "The club left.", "He lost."]
    # Male identifiers: 0, 0, 3, 1, 0, 1.
    assert sexist(text, 2) == "He and his son ran. He won."
    assert sexist(text, 4) == "The team won. He and his son ran. He won. He lost."
    family = ["The family left.", "He saw him.", "She and her sister saw the baby.", "Her mother did not."]
    # Female identifiers: 0, 0, 3, 2.
    assert sexist(family, 2) == "She and her sister saw the baby. Her mother did not."
    assert sexist(family, 1, word_lists={"female": ("family",), "male": ("he",)}) == "The family left."


def test_sexist_is_random_about_anything_else():
    assert [sexist(TEN, index=index) for index in range(9)] == [random(TEN, index=index) for index in range(9)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann Lee's team; Mr. Lee’s car, LEE and Ann.", ["Ann Lee", "Lee", "Ann"]),
        ("Leeway, Annette Lee-Potter, O'Lee, Ann-Marie, anLee, half-Lee", []),
        ("Bo\nRay", ["Bo", "Ray"]),
        ("Lee-- and (Lee), 'Lee'", ["Lee", "Lee", "Lee"]),
        ("", []),
    ],
)
def test_names_are_whole_words(text, expected):
    assert names_in(text, [ANN, BO]) == expected


def test_focus_prefers_one_group():
    text = ["It rained.", "Ray won.", "Ann Lee and Ray lost.", "Ann Lee left.", "Cy Lee stayed."]
    entities = [ANN, BO, CY]
    # Female persons named: 0, 0, 1, 1, 0; others: 0, 1, 1, 0, 1.
    assert focus(text, 1, entities=entities, group="female") == "Ann Lee left."
    assert focus(text, 2, entities=entities, group="female") == "Ann Lee and Ray lost. Ann Lee left."
    assert focus(text, 3, entities=entities, group="female") == "It rained. Ann Lee and Ray lost. Ann Lee left."
    assert focus(text, 2, entities=entities, group="male") == "Ray won. Cy Lee stayed."
    # "Lee" alone may be either of two.
    assert focus(["Lee won.", "Ann Lee lost."], 1, entities=entities, group="female") == "Ann Lee lost."
