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


@pytest.mark.parametrize("name", all_measures())
def test_every_measure_is_explained(fairsum, name):
    status, printed, err = fairsum("explain", name)
    assert (status, err) == (0, "")
    parts = ("needs: ", "formula: ", "An example:\n1. ", "Range: ", "How it can be gamed: ", "Alternatives: ")
    paths = (f"metrics/{name}/README.md", f"measures/{name}.py", family_of(name).urls[0])
    for part in (*parts, *paths, f"--metrics {name} --set NAME=VALUE", family_of(name).citation.partition("{")[0]):
        assert part in printed
    measure, document = get_measure(name), explained(name)
    others = {*re.findall(r"\w+", document["instead"])} & {*all_measures()}
    assert others
    assert name not in others
    assert [*document["settings"]] == [*measure.infos()]
    scores = document["scores"].values()
    assert all(measure.low <= score <= measure.high for score in scores)
    assert min(scores, default=0.0) == pytest.approx(0, abs=0.05)


def test_scores_on_the_shipped_samples_are_the_library_s():
    demo, scores = load_demo(), explained("uer")["scores"]
    for system in ("a", "b"):
        expected = fairsum_utils.score(demo[f"system_{system}"], demo["sources"], demo["values"], metrics=["uer"])
        assert scores[f"system {system.upper()} of fairsum demo"] == expected["uer"]["uer"]
    assert scores["all source texts, one after the other"] == pytest.approx(0)


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        # Two groups of 100, a label of probability 1/3: differences have a standard deviation of sqrt(2 * 2/9 / 100) =
        # 0.0667; the largest of three that sum to 0 is, on average, a little above one of them, and below twice it.
        ("sentiment", 0.0667, 0.1333),
        # |X/50 - 1/2| of a fair coin: sqrt(2 / pi) * 0.5 / sqrt(50) = 0.0564.
        ("word_list_inclusion", 0.0534, 0.0594),
    ],
)
def test_chance_alone_is_near_what_theory_says(name, low, high):
    [chance] = [score for what, score in explained(name)["scores"].items() if what.startswith("chance")]
    assert low < chance < high


def test_words_of_the_reports(fairsum):
    for word in (*GLOSSARY, *OTHER_NAMES, "CI"):
        status, printed, _ = fairsum("explain", word)
        text = GLOSSARY[OTHER_NAMES.get(word.lower(), word)]
        assert (status, printed.split()) == (0, f"{word}: {text}".split())
    words = {name: set(explained(name)["words"]) for name in ("bur", "uer", "sentiment")}
    assert words == {"bur": {"tau", "ratio"}, "uer": {"ratio"}, "sentiment": set()}


def test_json_has_no_infinity(fairsum):
    _, printed, _ = fairsum("explain", "entity_inclusion", "--format", "json")
    assert json.loads(printed)["range"] == [0.0, None]


@pytest.mark.parametrize("name", ["gender_polarity", "distinguishability"])
def test_a_family_of_other_columns_without_a_chance_level(monkeypatch, name):
    about = get_about(name)._replace(at_random=None)
    monkeypatch.setattr(module, "get_about", lambda name: about)
    document = explained(name)
    assert document["scores"] == {}
    assert [part for part in module.parts_of(document) if str(part).startswith("['Range: ")]
