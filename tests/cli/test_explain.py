"""fairsum explain: every measure, and what is scored; tests/measures has each example by hand."""

import json
import re

import pytest

import fairsum_utils
from fairsum_utils.cli import explain as module
from fairsum_utils.cli.demo import load_demo
from fairsum_utils.cli.explain import explained
from fairsum_utils.cli.glossary import GLOSSARY, OTHER_NAMES
from fairsum_utils.families import all_measures, family_of
from fairsum_utils.measures import get_about, get_measure
from fairsum_utils.measures.bur import BUR


@pytest.mark.parametrize("name", all_measures())
def test_everything_is_said_of_every_measure(fairsum, name):
    status, printed, err = fairsum("explain", name)
    assert (status, err) == (0, "")
    for message in (
        *("needs: ", "formula: ", "An example:\n1. ", "Range: ", "How it can be gamed: ", "Alternatives: "),
        *(
            f"example: fairsum score FILE --metrics {name} --set NAME=VALUE",
            f"metrics/{name}/README.md",
            f"measures/{name}.py",
        ),
        family_of(name).urls[0],
        family_of(name).citation.partition("{")[0],
    ):
        assert message in printed
    others = re.findall(
        r"\b[a-z]+(?:_[a-z]+)+\b|\b(?:bur|uer|auc|sof|toxicity|regard|sentiment)\b", explained(name)["instead"]
    )
    assert others
    assert {*others} <= {*all_measures()}
    assert name not in others


def test_settings_are_listed_with_their_defaults(fairsum):
    printed = fairsum("explain", "bur")[1]
    listed = printed.split("\nSettings of BUR, with their defaults:\n")[1].split("\n\n")[0].splitlines()
    assert listed[0] == "tau (0.8): a group is underrepresented below tau times its desired share, in [0, 1]"
    assert [line.split(" (")[0] for line in listed] == [*BUR.infos()]
    assert "k (1): length of the n-grams" in listed
    assert "k" in explained("uer")["settings"]
    assert "tau" not in explained("uer")["settings"]


@pytest.mark.parametrize("name", all_measures())
def test_scores_lie_in_the_range(name):
    scores = explained(name)["scores"].values()
    measure = get_measure(name)
    assert all(measure.low <= score <= measure.high for score in scores)
    assert min(scores, default=0.0) == pytest.approx(0, abs=0.05)


def test_scores_on_the_shipped_samples_are_the_library_s():
    demo = load_demo()
    scores = explained("uer")["scores"]
    for system in ("a", "b"):
        expected = fairsum_utils.score(demo[f"system_{system}"], demo["sources"], demo["values"], metrics=["uer"])
        assert scores[f"system {system.upper()} of fairsum demo"] == expected["uer"]["uer"]
    assert scores["all source texts, one after the other"] == pytest.approx(0)


def test_chance_alone_is_near_what_theory_says():
    # Two groups of 100, a label of probability 1/3: differences have a standard deviation of sqrt(2 * 2/9 / 100) =
    # 0.0667; the largest of three that sum to 0 is, on average, a little above one of them, and below twice it.
    [chance] = [score for what, score in explained("sentiment")["scores"].items() if what.startswith("chance")]
    assert 0.0667 < chance < 0.1333
    # |X/50 - 1/2| of a fair coin: sqrt(2 / pi) * 0.5 / sqrt(50).
    [chance] = [
        score for what, score in explained("word_list_inclusion")["scores"].items() if what.startswith("chance")
    ]
    assert chance == pytest.approx(0.0564, abs=0.003)


def test_a_list_of_all(fairsum):
    status, printed, _ = fairsum("explain")
    assert status == 0
    names = [*all_measures()]
    assert [line.split()[0] for line in printed.splitlines()[: len(names)]] == names


def test_words_of_the_reports(fairsum):
    for word in (*GLOSSARY, *OTHER_NAMES, "CI"):
        status, printed, _ = fairsum("explain", word)
        text = GLOSSARY[OTHER_NAMES.get(word.lower(), word)]
        assert (status, printed.split()) == (0, f"{word}: {text}".split())
    assert set(explained("bur")["words"]) == {"tau", "ratio"}
    assert set(explained("uer")["words"]) == {"ratio"}
    assert explained("sentiment")["words"] == {}


def test_json_has_no_infinity(fairsum):
    _, printed, _ = fairsum("explain", "entity_inclusion", "--format", "json")
    assert json.loads(printed)["range"] == [0.0, None]


def test_an_unknown_one(fairsum):
    assert fairsum("explain", "burr") == (
        2, "", "fairsum explain: error: unknown measure or word 'burr'; did you mean bur?\n",
    )  # fmt: skip


@pytest.mark.parametrize("name", ["gender_polarity", "distinguishability"])
def test_a_family_of_other_columns_without_a_chance_level(monkeypatch, name):
    about = get_about(name)._replace(at_random=None)
    monkeypatch.setattr(module, "get_about", lambda name: about)
    document = explained(name)
    assert document["scores"] == {}
    assert [part for part in module.parts_of(document) if str(part).startswith("['Range: ")]
