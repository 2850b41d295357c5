"""Corpus diagnosis: shares, majorities, associated words, topics and the summarizers' scores."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions as studies
from fairsum_reproductions.news.diagnosis import BASELINES, PAIRS, TOPIC_WORDS, log_odds, markers, topic_of
from fairsum_utils.errors import InputError
from fairsum_utils.text.punkt import sentences
from fairsum_utils.text.wordlists import HELM_GENDER, WORD_LISTS, count_identifiers

TEXTS = [
    "She saw the baby. Her mother smiled.",  # female 3, family
    "He won the game. His team saw him.",  # male 3, sport
    "She met him.",  # a tie, unknown
    "His father won. The team left her.",  # male 2, female 1, sport (won is not win), family 1: a tie, unknown
    "",
]
TEN = [f"Sentence {letter} is here." for letter in "abcdefghij"]
WORD = st.sampled_from(["she", "he", "mother", "father", "her", "team", "baby", "rain", "league", "won"])
TEXT = st.lists(WORD, min_size=1, max_size=12).map(" ".join)


def diagnose(texts: Iterable[object], **settings: Any) -> Any:
    return studies.diagnosis([{"text": text} for text in texts], **settings)


def summary(name: str, split: list[str], index: int = 0, seed: int = 0, lists: Any = HELM_GENDER) -> str:
    draw = np.random.default_rng((seed, index))
    return " ".join(BASELINES[name](split, topic_of("\n".join(split)), lists, draw))


def test_a_corpus_by_hand() -> None:
    result = diagnose(TEXTS)
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
    assert result["undefined"] == {}
    assert result["signature"] == "study:diagnosis|words:helm|seed:0|v:0.1.0"


def test_associated_words_by_hand() -> None:
    texts = ["She has a baby. Her mother has none.", "He has a ball, and father has his."]
    # Without him, her, his, hers: 7 and 7 words; she and he are one word, and so are mother and father, so they and
    # "a" and "has" (2 and 2) are as frequent on both sides; "baby", "none" and "ball", "and" stand on one only.
    result = diagnose(texts)
    a, n_words = 0.01, 8

    def odds(count: int) -> float:
        return math.log((count + a) / (7 - count + (n_words - 1) * a))

    z = (odds(1) - odds(0)) / math.sqrt(1 / (1 + a) + 1 / a)
    expected = {"z": pytest.approx(z), "count": 1, "count_elsewhere": 0}
    assert result["associated"] == {
        "female": [{"word": "baby", **expected}, {"word": "none", **expected}],
        "male": [{"word": "and", **expected}, {"word": "ball", **expected}],
    }
    assert diagnose(texts, top=1)["associated"]["male"] == [{"word": "and", **expected}]


COUNT = st.integers(0, 10**6)


@given(st.lists(st.tuples(COUNT, COUNT), min_size=2, max_size=12), st.floats(1e-3, 100))
def test_log_odds_are_the_formula_in_plain_loops(rows: list[tuple[int, int]], prior: float) -> None:
    first, second = np.array(rows, dtype=float).T
    expected = []
    for w in range(len(rows)):
        sides = []
        for y in (first, second):
            others = sum(y[v] + prior for v in range(len(rows)) if v != w)
            sides.append(math.log((y[w] + prior) / others))
        variance = 1 / (first[w] + prior) + 1 / (second[w] + prior)
        expected.append((sides[0] - sides[1]) / math.sqrt(variance))
    z = log_odds(first, second, prior)
    assert z == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert log_odds(second, first, prior).tolist() == (-z).tolist()


def test_one_word_has_no_odds() -> None:
    assert np.isnan(log_odds(np.array([2.0]), np.array([1.0]))).all()


def test_the_lists_are_those_of_the_paper() -> None:
    assert {group: len(listed) for group, listed in TOPIC_WORDS.items()} == {"sport": 7, "family": 9}
    assert (PAIRS["mother"], PAIRS["hers"], PAIRS["chairwoman"]) == ("father", "his", "chairman")
    assert PAIRS["femen"] == PAIRS["females"] == "males"
    assert set(PAIRS) == {word for lists in WORD_LISTS.values() for word in lists["female"]}


def test_counterparts_are_one_word() -> None:
    found = markers(HELM_GENDER)
    assert found["mother"] == found["father"] == "father/mother"
    assert found["femen"] == found["males"] == "males/femen"
    assert not {"her", "hers", "him", "his"} & set(found)
    texts = ["She, mother, mother, mother.", "He, father, rain, rain."]
    [word, *others] = diagnose(texts)["associated"]["female"]
    assert (word["word"], word["count"], word["count_elsewhere"], others) == ("father/mother", 3, 1, [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "unknown"),
        ("A team.", "sport"),
        ("Teams and familiar games.", "unknown"),  # whole words only
        ("His wife and the league.", "unknown"),
        ("His wife, his children and the league.", "family"),
    ],
)
def test_topic_is_that_of_most_words(text: str, expected: str) -> None:
    assert topic_of(text) == expected


@pytest.mark.parametrize("name", BASELINES)
def test_summarizers_take_sentences_in_order(name: str) -> None:
    text = " ".join([*TEN, "The team won a game."])
    found = summary(name, sentences(text), index=3, seed=1)
    assert found == summary(name, sentences(text), index=3, seed=1)
    places = [text.index(sentence) for sentence in sentences(found)]
    assert places == sorted(set(places))
    assert summary(name, ["Only one."]) == "Only one."


def test_lead_takes_the_first_sentences() -> None:
    assert summary("lead", TEN) == " ".join(TEN[:3])


def test_random_takes_every_sentence_as_often() -> None:
    taken = Counter(each for index in range(1000) for each in sentences(summary("random", TEN, index=index)))
    # Three of ten, 1000 times: mean 300, standard deviation sqrt(1000 * 0.3 * 0.7) = 14.5; five of them are 73.
    assert all(abs(taken[sentence] - 300) < 73 for sentence in TEN)


@pytest.mark.parametrize(
    ("about", "size"), [("Her husband held the baby.", 1), ("It rained.", 3), ("The team won a game.", 6)]
)
def test_topic_takes_sentences_by_topic(about: str, size: int) -> None:
    assert len(sentences(summary("topic", [*TEN, about]))) == size


def test_sexist_maximizes_identifiers_of_the_favored_group() -> None:
    text = ["The team won.", "She ran.", "He and his son ran.", "He won.", "The club left.", "He lost."]
    # Male identifiers: 0, 0, 3, 1, 0, 1.
    assert summary("sexist", text) == "He and his son ran. He won. He lost."
    family = ["The family left.", "He saw him.", "She and her sister saw the baby.", "Her mother did not."]
    # Female identifiers: 0, 0, 3, 2.
    assert summary("sexist", family) == "The family left. She and her sister saw the baby. Her mother did not."
    lists = {"female": ("saw",), "male": ("he",)}
    assert summary("sexist", family, lists=lists).startswith("The family left. He saw him.")
    for index in range(9):
        assert summary("sexist", TEN, index=index) == summary("random", TEN, index=index)


def test_scores_of_summarizers_against_plain_counting() -> None:
    texts = [" ".join(f"{word} ran {place}." for place, word in enumerate(("She", "He", "Team", "Baby", "Her")))] * 3
    texts += ["The league. His club. She left. He won the game. His team.", "", "Her baby. His wife. Rain."]
    result = diagnose(texts, seed=5)
    source = sum((Counter(count_identifiers(text)) for text in texts), Counter())
    assert list(result["baselines"]) == ["random", "lead", "topic", "sexist"]
    for name, scores in result["baselines"].items():
        found: Counter[str] = Counter()
        for index, text in enumerate(texts):
            if text:
                found.update(count_identifiers(summary(name, sentences(text), index, seed=5)))
        share = found["female"] / found.total()
        # Of two groups, the distance is the difference of either's shares.
        assert scores["word_list_inclusion"] == pytest.approx(abs(share - source["female"] / source.total()))
        assert scores["word_list_inclusion_uniform"] == pytest.approx(abs(share - 0.5))


def test_a_summary_that_is_its_source_scores_nothing() -> None:
    result = diagnose(["She's in; he isn't. His mother-in-law's car.", "The women saw Ann's aunt."])
    assert {one["word_list_inclusion"] for one in result["baselines"].values()} == {0.0}


@given(st.lists(TEXT, min_size=1, max_size=8))
def test_topics_and_majorities_cover_all_texts(texts: list[str]) -> None:
    result = diagnose(texts)
    assert sum(result["n_by_majority"].values()) == len(texts)
    for name, part in result["by_topic"].items():
        assert part["n_samples"] == sum(topic_of(text) == name for text in texts)
    for group, count in result["identifiers"].items():
        assert count == sum(part["identifiers"][group] for part in result["by_topic"].values())
        assert count == sum(count_identifiers(text)[group] for text in texts)


def test_three_groups_and_no_lists_for_sexist() -> None:
    lists = {"young": ["teen"], "old": ["pensioner"], "other": ["adult"]}
    texts = ["A teen with a bike.", "A pensioner with a hat.", "An adult; a teen.", "An adult with a car."]
    result = diagnose(texts, word_lists=lists, top=2)
    assert result["identifiers"] == {"young": 2, "old": 1, "other": 2}
    assert result["n_by_majority"] == {"young": 1, "old": 1, "other": 1, "no_majority": 1}
    assert {one["word"] for one in result["associated"]["old"]} == {"hat", "pensioner"}
    assert "sexist" not in result["baselines"]
    assert result["undefined"]["baselines.sexist"] == "the word lists have no groups female and male"


def test_undefined_numbers_have_a_reason() -> None:
    result = diagnose(["Rain. Snow. Hail. Fog.", "  "])
    assert math.isnan(result["shares"]["female"])
    assert math.isnan(result["baselines"]["lead"]["word_list_inclusion"])
    assert result["associated"] == {"female": [], "male": []}
    reasons = result["undefined"]
    assert reasons["shares"] == reasons["by_topic.sport"] == "no text mentions a group"
    assert reasons["baselines.lead"] == "no summary mentions a group"
    assert reasons["associated.female"] == "no text has its majority"
    assert diagnose(["She saw rain."])["undefined"]["associated.female"] == "no text has another group's majority"


def test_report() -> None:
    printed = diagnose([*TEXTS[:3], ""], top=1).report()
    tables = [[line.split() for line in part.splitlines()] for part in printed.split("\n\n")]
    assert tables[1] == [["3", "texts", "read,", "1", "without", "a", "word"]]
    # Female: she, her, mother, she; male: he, his, him, him.
    assert tables[2][1:] == [["female", "4", "0.5000", "1"], ["male", "4", "0.5000", "1"]]
    assert [tables[3][1][0], tables[3][1][2]] == ["baby", "game"]
    assert tables[4][1:] == [
        ["all", "3", "0.5000", "0.5000"],
        ["sport", "1", "0.0000", "1.0000"],
        ["family", "1", "1.0000", "0.0000"],
        ["unknown", "1", "0.5000", "0.5000"],
    ]
    assert tables[5][2] == ["lead", "0.0000", "0.0000"]  # all sentences fit in


@pytest.mark.parametrize(
    ("texts", "settings", "message"),
    [
        (["a", None], {}, r"diagnosis: row 2: text must be a string, found None"),
        (["a"], {"word_lists": {"a": ["b"]}}, r"diagnosis: word_lists must have at least two groups"),
        (["a"], {"word_lists": "all"}, r"diagnosis: word_lists must be one of helm, extended or a mapping"),
        (["a"], {"top": 0}, r"diagnosis: top must be a whole number of at least 1"),
        (["a"], {"seed": -1}, r"diagnosis: seed must be a whole number of at least 0"),
    ],
)
def test_bad_input(texts: list[Any], settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        diagnose(texts, **settings)
