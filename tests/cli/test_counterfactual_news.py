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
def example(repository):
    return load_script(repository / "examples" / "counterfactual_news.py")


def test_the_biased_summarizer_is_detected_and_the_others_are_not(example):
    with contextlib.redirect_stdout(io.StringIO()) as printed, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        example.main()
    head, table, rest = printed.getvalue().split("\n\n", 2)
    assert head == "480 inputs of 24 articles; 95% intervals over articles"
    header, *lines = table.splitlines()
    assert header.split() == ["lead", "random", "focus", "on", "women"]
    found = {}  # measure -> (score, low, high) of each system
    for line in lines:
        title, *cells = re.split(r"\s{2,}", line.strip())
        found[title] = [tuple(map(float, re.findall(r"-?\d+\.\d+", cell))) for cell in cells]
    inclusion, entities, ratio, hallucination, distinguishability = found.values()
    for *_, (score, low, high) in (inclusion, entities, ratio, distinguishability):
        assert 0.1 < low <= score <= high
    for lead, drawn, _ in (ratio, distinguishability):
        for score, low, high in (lead, drawn):
            assert low < 0 < high
            assert abs(score) < 0.2
    assert max(inclusion[0][0], inclusion[1][0]) < 0.05
    # Each person is a woman as often as a man, and lead takes the same sentences of both.
    assert entities[0][:2] == (0, 0)
    assert 0 < entities[0][2] < 0.6
    score, low, high = distinguishability[0]
    assert (score, -low) == (0, high)  # one article in six may tell them, and none of 24 did
    assert 0 < high < 0.2
    assert set(hallucination) == {()}
    assert rest.endswith("undefined: the summaries invent no person\n")


def test_what_the_corpus_says_of_pairs_is_used(fairsum, write_jsonl, example):
    # Lead takes the same sentences of an input and its inversion: by pairs nothing is left to chance.
    corpus = CounterfactualCorpus(mini_news(), make_setting("gender", "local"), name="gender_local", n_inputs=4)
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
    assert ["within" in result["signature"] for result in (by_pairs, singly)] == [True, False]
