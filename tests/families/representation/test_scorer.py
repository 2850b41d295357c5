"""From texts to rows: counts worked out by hand, and every refusal."""

from __future__ import annotations

import math
from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.representation.rows import DistributionRow
from tests.families.representation.conftest import make_scorer, score_sample

SOURCES, VALUES = ["Tasty soup.", "Awful bread, salty soup."], ["pos", "neg"]


def row(prediction: str = "Tasty soup.", **options: Any) -> DistributionRow:
    return score_sample(make_scorer(**options), 0, prediction, SOURCES, VALUES)


def refusal(
    prediction: Any = "Tasty soup.", sources: Any = SOURCES, values: Any = VALUES, given: Any = (), **options: Any
) -> str:
    distribution = () if given == () else (given,)
    with pytest.raises(InputError) as error:
        score_sample(make_scorer(module="bur", **options), 7, prediction, sources, values, *distribution)
    return str(error.value)


@pytest.mark.parametrize(
    ("k", "weights"),
    [
        # Summary: tasty soup tasty bread lemon cake; sources neg: awful soup salty bread; neu: bread basket;
        # pos: tasty soup tasty bread lemon cake.
        (1, (2, 1, 6)),  # neg: soup, bread; neu: bread; pos: all
        (2, (0, 0, 5)),  # pos: all five pairs; (soup, tasty) crosses the joint of its texts, which keep their order
        (3, (0, 0, 4)),
        (7, (0, 0, 0)),  # the summary has no 7-gram
    ],
)
def test_ngrams(paper: Any, k: int, weights: tuple[int, ...]) -> None:
    found = score_sample(make_scorer(k=k), 0, *(column[0] for column in paper))
    assert found.values == ("neg", "neu", "pos")
    assert found.source_tokens == (4, 2, 6)
    assert found.target_weights == weights
    assert found.unmatched is (k == 7)
    assert found.skipped is None
    assert found.matched is None


def test_evidence() -> None:
    scorer = make_scorer(evidence=True)
    assert score_sample(scorer, 0, "Tasty soups.", SOURCES, VALUES).matched == (("soup",), ("tasti", "soup"))
    pairs = score_sample(make_scorer(evidence=True, k=2), 0, "Tasty soups.", SOURCES, VALUES)
    assert pairs.matched == ((), ("tasti soup",))


def test_empty_summaries() -> None:
    prediction = " \n"
    assert row(prediction) == DistributionRow(0, skipped="empty_prediction")
    uniform = row(prediction, empty="uniform")
    assert (uniform.target_weights, uniform.unmatched, uniform.skipped) == ((0.0, 0.0), True, None)
    assert refusal(prediction, empty="error") == (
        "bur: sample 7: the prediction is empty; remove the sample, or choose empty='skip' or 'uniform'"
    )


def test_sources_without_a_token() -> None:
    found = score_sample(make_scorer(), 3, "soup", ["", "the!"], ["a", "b"])
    assert found == DistributionRow(3, skipped="no_source_tokens")


def test_nothing_desired_of_what_is_there() -> None:
    scorer = make_scorer(target={"pos": 0.0, "neg": 0.0, "neu": 1.0})
    assert score_sample(scorer, 0, "soup", SOURCES, VALUES) == DistributionRow(0, skipped="no_target_share")


def test_a_matcher_is_given_joined_texts_and_a_summary_that_is_not_empty() -> None:
    seen = []

    def matcher(texts: list[str], summary: str) -> list[float]:
        seen.append((texts, summary))
        return [1, 2.5]

    scorer = make_scorer(matcher=matcher, empty="uniform")
    sources, values = ["a1 soup", "b1 soup", "a2"], ["a", "b", "a"]
    assert score_sample(scorer, 0, "S!", sources, values).target_weights == (1.0, 2.5)
    assert score_sample(scorer, 0, " ", sources, values).unmatched
    assert seen == [(["a1 soup || a2", "b1 soup"], "S!")]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1], "the matcher must return 2 numbers, one per group, found list [1]"),
        ([[1, 2]], "the matcher must return 2 numbers"),
        (None, "the matcher must return 2 numbers, one per group, found None"),
        ([1, -1], "the matcher returned int -1, but weights must be finite and at least 0"),
        ([1, math.nan], "the matcher returned NaN, but weights must be finite and at least 0"),
    ],
)
def test_wrong_answers_of_a_matcher(weights: Any, message: str) -> None:
    found = refusal(matcher=lambda texts, summary: weights)
    assert found.startswith("bur: sample 7: ")
    assert message in found


@pytest.mark.parametrize("given", [{"pos": 0.25, "neg": 0.75}, {"pos": 3, "neg": 9}, {"pos": 0, "neg": 0}])
def test_shares_and_whole_counts(given: dict[str, float]) -> None:
    found = score_sample(make_scorer(), 0, "x", SOURCES, VALUES, given)
    assert found.target_weights == (given["neg"], given["pos"])
    assert found.unmatched is not any(given.values())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"pos": 1.0}, "lacks the group 'neg'; give one number for each group of the sample's sources"),
        ({"pos": 0.5, "neg": 0.5, "neu": 0.0}, "has 'neu', which is not in values"),
        ({"pos": 0.5, "neg": 0.4}, "must be shares with a sum of 1, or whole counts; found a sum of 0.9"),
        ({"pos": 1.5, "neg": 2}, "must be shares with a sum of 1, or whole counts; found a sum of 3.5"),
        ({"pos": -1, "neg": 2}, "the share of 'pos' must be a finite number of at least 0, found int -1"),
        ({}, "must be a non-empty mapping from group to share, found dict {}"),
    ],
)
def test_refused_distributions(given: Any, message: str) -> None:
    found = refusal(given=given)
    assert found.startswith("bur: sample 7: target_distributions")
    assert message in found


def test_a_value_that_a_custom_target_does_not_know() -> None:
    assert refusal(target={"pos": 0.5, "neu": 0.5}) == (
        "bur: sample 7: the group 'neg' is not in target (neu, pos); give every group a desired share, which may be 0"
    )


def test_values_without_source_tokens_do_not_take_part() -> None:
    found = score_sample(make_scorer(), 0, "x", ["soup", ""], ["a", "b"], {"a": 1, "b": 3})
    assert (found.values, found.target_weights) == (("a",), (1.0,))


@pytest.mark.parametrize(
    ("sources", "summary", "stopped"),
    [
        (["the soup was"] * 3, "soup bread", False),  # 6 of 10 words; what joins the texts is none
        (["the soup was of"] * 3, "soup bread", True),  # 9 of 13
        (["the soup"] * 3, "the was of soup bread", False),  # 3 of 5 are not more than 60%
        (["the soup"] * 3, "the was of and soup bread", True),  # 4 of 6
    ],
)
def test_more_than_60_percent_stop_words(sources: list[str], summary: str, stopped: bool) -> None:
    found = score_sample(make_scorer(), 0, summary, [*sources, "bread"], ["a", "a", "a", "b"])
    assert found.stopped is stopped
