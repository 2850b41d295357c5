"""The example on counterfactual news, run as a user does."""

from __future__ import annotations

import contextlib
import io
import json
import re
import warnings

import pytest

from fairsum_utils.corpora.counterfactual_ontonotes import CounterfactualCorpus
from fairsum_utils.counterfactual.assignment import make_setting
from fairsum_utils.counterfactual.documents import mini_news
from tests.conftest import load_script


@pytest.fixture(scope="module")
def table(repository):
    """Title -> system -> (score, low, high)."""
    example, printed = load_script(repository / "examples" / "counterfactual_news.py"), io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        example.main()
    text = printed.getvalue()
    assert text.startswith("480 inputs of 24 articles; 95% intervals over articles\n")
    header, *lines = text.split("\n\n")[1].splitlines()
    assert header.split() == ["lead", "random", "focus", "on", "women"]
    found = {}
    for line in lines:
        title, *cells = re.split(r"\s{2,}", line.strip())
        numbers = (map(float, re.findall(r"-?\d+\.\d+", cell)) for cell in cells)
        found[title] = dict(zip(("lead", "random", "focus"), map(tuple, numbers), strict=True))
    return found, text


def test_the_biased_summarizer_is_detected(table):
    found, _ = table
    for title in ("word list inclusion", "entity inclusion", "log odds ratio (female : male)", "distinguishability"):
        score, low, high = found[title]["focus"]
        assert 0.1 < low <= score <= high, title


@pytest.mark.parametrize("system", ["lead", "random"])
def test_intervals_of_unbiased_ones_include_zero(table, system):
    found, _ = table
    for title in ("log odds ratio (female : male)", "distinguishability"):
        score, low, high = found[title][system]
        assert low < 0 < high, title
        assert abs(score) < 0.2
    assert found["word list inclusion"][system][0] < 0.05


def test_lead_names_both_alike(table):
    # Each person is a woman as often as a man, and lead takes the same sentences of both.
    found, _ = table
    score, low, high = found["entity inclusion"]["lead"]
    assert (score, low) == (0, 0)
    assert 0 < high < 0.6
    score, low, high = found["distinguishability"]["lead"]
    assert score == 0
    assert 0 < -low == high < 0.2  # one article in six may tell them, and none of 24 did


def test_what_is_undefined_is_explained(table):
    found, printed = table
    assert set(found["entity hallucination"].values()) == {()}
    assert "undefined: the summaries invent no person\n" in printed


def test_what_the_corpus_says_of_pairs_is_used(fairsum, write_jsonl, repository):
    # Lead takes the same sentences of an input and its inversion: by pairs nothing is left to chance.
    corpus = CounterfactualCorpus(mini_news(), make_setting("gender", "local"), name="gender_local", n_inputs=4)
    example = load_script(repository / "examples" / "counterfactual_news.py")
    rows = [{**row, "prediction": example.lead(0, row)} for row in corpus.rows()]
    path = write_jsonl([{**row, "names": example.names_in(row["prediction"], row["entities"])} for row in rows])
    arguments = ("score", path, "--metrics", "entity_inclusion", "--column", "mentions=names", "--format", "json")
    by_pairs, singly = (
        json.loads(fairsum(*arguments, *more)[1])["metrics"]["entity_inclusion"]
        for more in ((), ("--column", "pair_id=none"))
    )
    assert by_pairs["entity_inclusion_ci_within"] == [0, 0]
    assert singly["entity_inclusion_ci_within"][1] > 0.1
    assert (by_pairs["n_unpaired"], singly["n_unpaired"]) == (0, 96)
    assert "within:pairs" in by_pairs["signature"]
    assert "within" not in singly["signature"]
