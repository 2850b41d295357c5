"""A session that a training loop keeps, and its results as numbers by name."""

from __future__ import annotations

import math

import pytest

from fairsum_utils import compute
from fairsum_utils.errors import InputError
from fairsum_utils.training.metrics import flat, open_session

COLUMNS = {
    "predictions": ["Tasty.", "", "Tram.", "..."],
    "sources": [["Tasty soup.", "Awful bread."]] * 4,
    "values": [["pos", "neg"]] * 4,
}


def test_measures_of_two_families_in_one_session():
    settings = {"k": 2, "entailer": "lexical", "seed": 3}
    with open_session("test", ["uer", "equal_coverage"], settings) as session:
        found = flat(session.score(COLUMNS))
        assert repr(found) == repr(flat(session.score(COLUMNS)))  # with what was kept
    uer = compute("uer", **COLUMNS, k=2, seed=3, empty="uniform", unmatched="unfair")
    coverage = compute("equal_coverage", **COLUMNS, entailer="lexical", seed=3)
    # No summary has a pair of words of its sources, so that there is nothing to choose a checkpoint by.
    assert math.isnan(found["uer"])
    assert (uer["uer"], uer["n_unmatched"]) == (0.5, 4)
    assert found["equal_coverage"] == coverage["equal_coverage"]
    assert found["uer_by_value/neg"] == uer["uer_by_value"]["neg"]
    assert found["equal_coverage_by_value/pos"] == coverage["equal_coverage_by_value"]["pos"]
    # Three dots are a summary whose words match nothing, but no unit that could be covered.
    assert (uer["n_skipped"], coverage["n_skipped"]) == (0, 2)
    assert (found["n_skipped"], found["n_unmatched"]) == (2, uer["n_unmatched"])


def test_the_chance_level_is_there_if_it_is_asked_for():
    for settings, keys in (({}, []), ({"at_random": True}, ["uer_at_random", "equal_coverage_at_random"])):
        with open_session("test", ["uer", "equal_coverage"], {"entailer": "lexical", **settings}) as session:
            found = flat(session.score(COLUMNS))
        assert [key for key in found if "random" in key] == keys


@pytest.mark.parametrize(
    ("metrics", "settings", "message"),
    [
        (["sentiment"], {}, "test: metrics must be one of bur, uer, auc, sof, "),
        ([], {}, "test: metrics must be a non-empty list of names from bur, uer, auc, sof, "),
        (["uer"], {"tau": 0.9}, "test: tau is for bur, and only uer is asked for; leave it out, or ask for bur"),
        (["bur"], {"taux": 0.9}, "test: unknown setting 'taux'; did you mean tau"),
        (["bur"], {"tau": 2}, "test: tau must be a number in"),
    ],
)
def test_refused(metrics, settings, message):
    with pytest.raises(InputError, match=message):
        open_session("test", metrics, settings)
