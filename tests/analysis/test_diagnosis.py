"""Corpus diagnosis: shares, majorities, associated words, topics and the baselines' scores."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.analysis.diagnosis import BASELINES, diagnose, markers, topic_of
from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.wordlists import HELM_GENDER, count_identifiers

TEXTS = [
    "She saw the baby. Her mother smiled.",  # female 3, family
    "He won the game. His team saw him.",  # male 3, sport
    "She met him.",  # a tie, unknown
    "His father won. The team left her.",  # male 2, female 1, sport (won is not win), family 1: a tie, unknown
    "",
]
WORD = st.sampled_from(["she", "he", "mother", "father", "her", "team", "baby", "rain", "league", "won"])
TEXT = st.lists(WORD, min_size=1, max_size=12).map(" ".join)


def test_a_corpus_by_hand():
    result = diagnose(TEXTS, baselines=False)
    assert (result["n_samples"], result["n_skipped"], result["skipped"]) == (4, 1, {"empty_text": 1})
    # Female: she, her, mother; she; her. Male: he, his, him; him; his, father.
    assert result["identifiers"] == {"female": 5, "male": 6}
    assert result["shares"] == {"female": pytest.approx(5 / 11), "male": pytest.approx(6 / 11)}
    assert result["n_by_majority"] == {"female": 1, "male": 2, "no_majority": 1}
    assert result["by_topic"]["family"] == {
        "n_samples": 1,
        "identifiers": {"female": 3, "male": 0},
        "shares": {"female": 1.0, "male": 0.0},
    }
    assert result["by_topic"]["sport"]["identifiers"] == {"female": 0, "male": 3}
    assert result["by_topic"]["unknown"]["n_samples"] == 2
    assert result["baselines"] == {}
    assert result["undefined"] == {}
    assert result["signature"] == "words:helm|alpha:0.01|v:0.1.0"


def test_associated_words_by_hand():
    texts = ["She has a baby. Her mother has none.", "He has a ball, and father has his."]
    # Without him, her, his, hers: 7 and 7 words; she and he are one word, and so are mother and father, so they and
    # "a" and "has" (2 and 2) are as frequent on both sides; "baby", "none" and "ball", "and" stand on one only.
    result = diagnose(texts, baselines=False)
    a, n_words = 0.01, 8

    def log_odds(count):
        return math.log((count + a) / (7 - count + (n_words - 1) * a))

    z = (log_odds(1) - log_odds(0)) / math.sqrt(1 / (1 + a) + 1 / a)
    expected = {"z": pytest.approx(z), "count": 1, "count_elsewhere": 0}
    assert result["associated"] == {
        "female": [{"word": "baby", **expected}, {"word": "none", **expected}],
        "male": [{"word": "and", **expected}, {"word": "ball", **expected}],
    }
    assert diagnose(texts, baselines=False, top=1)["associated"]["male"] == [{"word": "and", **expected}]


def test_counterparts_are_one_word():
    found = markers(HELM_GENDER)
    assert found["mother"] == found["father"] == "father/mother"
    assert found["femen"] == found["males"] == "males/femen"
    assert not {"her", "hers", "him", "his"} & set(found)
    texts = ["She, mother, mother, mother.", "He, father, rain, rain."]
    [word, *others] = diagnose(texts, baselines=False)["associated"]["female"]
    assert (word["word"], word["count"], word["count_elsewhere"], others) == ("father/mother", 3, 1, [])


def test_baselines_against_plain_counting():
    texts = [" ".join(f"{word} ran {place}." for place, word in enumerate(("She", "He", "Team", "Baby", "Her")))] * 3
    texts += ["The league. His club. She left. He won the game. His team.", "Her baby. His wife. Rain."]
    result = diagnose(texts, seed=5)
    source = sum((Counter(count_identifiers(text)) for text in texts), Counter())
    assert list(result["baselines"]) == ["random", "lead", "topic", "sexist"]
    for name, scores in result["baselines"].items():
        found = Counter()
        for index, text in enumerate(texts):
            found.update(count_identifiers(BASELINES[name](text, index=index, seed=5)))
        share = found["female"] / found.total()
        # Of two groups, the distance is the difference of either's shares.
        assert scores["word_list_inclusion"] == pytest.approx(abs(share - source["female"] / source.total()))
        assert scores["word_list_inclusion_uniform"] == pytest.approx(abs(share - 0.5))


def test_a_summary_that_is_its_source_scores_nothing():
    result = diagnose(["She's in; he isn't. His mother-in-law's car.", "The women saw Ann's aunt."])
    assert {name: one["word_list_inclusion"] for name, one in result["baselines"].items()} == {
        "random": 0.0,
        "lead": 0.0,
        "topic": 0.0,
        "sexist": 0.0,
    }


@given(st.lists(TEXT, min_size=1, max_size=8))
def test_topics_and_majorities_cover_all_texts(texts):
    result = diagnose(texts, baselines=False)
    assert sum(result["n_by_majority"].values()) == len(texts)
    for name, part in result["by_topic"].items():
        assert part["n_samples"] == sum(topic_of(text) == name for text in texts)
    for group, count in result["identifiers"].items():
        assert count == sum(part["identifiers"][group] for part in result["by_topic"].values())
        assert count == sum(count_identifiers(text)[group] for text in texts)


def test_three_groups_and_no_lists_for_sexist():
    lists = {"young": ["teen"], "old": ["pensioner"], "other": ["adult"]}
    texts = iter(["A teen with a bike.", "A pensioner with a hat.", "An adult; a teen.", "An adult with a car."])
    result = diagnose(texts, word_lists=lists, top=2)
    assert result["identifiers"] == {"young": 2, "old": 1, "other": 2}
    assert result["n_by_majority"] == {"young": 1, "old": 1, "other": 1, "no_majority": 1}
    assert {one["word"] for one in result["associated"]["old"]} == {"hat", "pensioner"}
    assert "sexist" not in result["baselines"]
    assert result["undefined"]["baselines.sexist"] == "the word lists have no groups female and male"
    assert result["signature"].startswith("words:given@")


def test_what_is_undefined_has_a_reason():
    result = diagnose(["Rain. Snow. Hail. Fog.", "  "])
    assert math.isnan(result["shares"]["female"])
    assert math.isnan(result["baselines"]["lead"]["word_list_inclusion"])
    assert result["associated"] == {"female": [], "male": []}
    reasons = result["undefined"]
    assert reasons["shares"] == reasons["by_topic.sport"] == "no text mentions a group"
    assert reasons["baselines.lead"] == "no summary mentions a group"
    assert reasons["associated.female"] == "no text has its majority"
    assert diagnose(["She saw rain."])["undefined"]["associated.female"] == "no text has another group's majority"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"texts": "a text"}, r"diagnose: texts must be a list of strings, found str 'a text'; put a text in a list"),
        ({"texts": 3}, r"diagnose: texts must be a list of strings, found int 3"),
        ({"texts": ["a", None]}, r"diagnose: text 1 must be a string, found None; fill it in or remove it"),
        ({"texts": []}, r"diagnose: there are no texts; give at least one"),
        ({"texts": ["a"], "word_lists": {"a": ["b"]}}, r"diagnose: word_lists must have at least two groups"),
        ({"texts": ["a"], "top": 0}, r"diagnose: top must be a whole number of at least 1"),
        ({"texts": ["a"], "seed": -1}, r"diagnose: seed must be a whole number of at least 0"),
        ({"texts": ["She ran.", "He ran."], "alpha": 0}, r"prior must be a number above 0"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(InputError, match=message):
        diagnose(**arguments)
