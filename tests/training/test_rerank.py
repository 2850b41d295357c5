"""Best of n."""

from __future__ import annotations

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.training import rerank

SOURCES, VALUES = ["Tasty soup.", "Awful bread."], ["pos", "neg"]
# Fairness by UER: 3/4, 1, 0 (empty), 11/12, 1.
CANDIDATES = ["Tasty.", "Tasty bread.", "", "Tasty soup, awful.", "Soup, bread."]


def test_ranking():
    [ranking] = rerank([CANDIDATES], [SOURCES], [VALUES])
    assert ranking.best == 1  # the first of two
    assert ranking.fairness == pytest.approx([3 / 4, 1, 0, 11 / 12, 1])


def test_the_former_name_of_fairness_reads_and_warns():
    [ranking] = rerank([CANDIDATES], [SOURCES], [VALUES])
    with pytest.warns(DeprecationWarning, match="'scores' is now called 'fairness'"):
        assert ranking.scores == ranking.fairness


def test_samples_of_several_sizes_do_not_mix():
    candidates = [["", "Tasty."], ["Tasty bread."], ["Tasty.", "Awful.", "Soup, bread."]]
    rankings = rerank(candidates, [SOURCES] * 3, [VALUES] * 3, metric="auc")
    assert rankings == [(0, [0.0, 0.0]), (0, [1.0]), (2, [0.0, 0.0, 1.0])]


def test_nothing_to_compare_keeps_the_first():
    assert rerank([CANDIDATES], [SOURCES], [["pos", "pos"]]) == [(0, [None] * 5)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"candidates": [["a"], []]}, "sample 1: candidates must be a list of at least one summary, found list []"),
        ({"candidates": [["a"], "b"]}, "sample 1: candidates must be a list of at least one summary, found str 'b'"),
        ({"candidates": [["a"], ["b", None]]}, "sample 1: completion 1 must be a text or a list of messages"),
        ({"values": [["pos", "neg"], ["pos"]]}, "sample 1: sources has 2 texts but values has 1 label"),
        ({"sources": [SOURCES]}, "candidates has 2 samples but sources has 1"),
        (
            {"metric": "coverage_parity"},
            "coverage_parity compares values over a whole data set, so that one",
        ),
    ],
)
def test_refused(arguments, message):
    with pytest.raises(InputError) as error:
        rerank(**{"candidates": [["a"], ["b"]], "sources": [SOURCES] * 2, "values": [VALUES] * 2, **arguments})
    assert message in str(error.value)
