"""Shares of records, and the measures that follow from them, beside the results of scoring."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from fairsum_reproductions.shares import MEASURES, data_set_scores, read_shares, sample_scores
from fairsum_utils import score
from fairsum_utils.measures import get_measure

RECORDS: list[dict[str, Any]] = [
    {"index": 4, "skipped": None, "values": ["a", "b"], "summary_share": [0.25, 0.75], "desired_share": [0.5, 0.5]},
    {"index": 5, "skipped": "empty_prediction", "values": [], "summary_share": [], "desired_share": []},
    {"index": 7, "skipped": None, "values": ["b"], "summary_share": [1.0], "desired_share": [1.0]},
]


def test_by_hand() -> None:
    shares = read_shares("m", "samples", RECORDS)
    assert (shares.places, shares.values, shares.n_skipped) == ([4, 7], [["a", "b"], ["b"]], 1)
    assert shares.is_multi.tolist() == [True, False]
    assert {value: [column.tolist() for column in pair] for value, pair in shares.by_value().items()} == {
        "a": [[0.25], [0.5]],
        "b": [[0.75, 1.0], [0.5, 1.0]],
    }
    scores = sample_scores(shares, 0.8)
    assert {name: column.tolist() for name, column in scores.items()} == {
        "bur": [1.0, 0.0],
        "uer": [0.125, 0.0],
        "auc": [0.5, 0.0],
        "sof": [0.125, 0.0],
    }
    # Mean shortfalls: a 1/4, b 0; their mean 1/8, from which both are 1/8 away.
    assert data_set_scores(shares, scores) == {"bur": 0.5, "uer": 0.0625, "auc": 0.25, "sof": 0.125}
    assert shares.only(shares.is_multi).places == [4]


@pytest.mark.parametrize("settings", [{}, {"target": "equal"}, {"unmatched": "unfair"}, {"tau": 0.5, "n_points": 10}])
def test_they_are_the_scores_of_the_data(settings: dict[str, Any], examples: ModuleType) -> None:
    chosen = {"unmatched": "uniform", **settings}
    kinds = {name: get_measure(name) for name in MEASURES}
    metrics = [kind(**{each: chosen[each] for each in chosen if each in kind.infos()}) for kind in kinds.values()]
    texts = ["Nothing of this.", *examples.A[1:]]
    results = score(texts, **examples.SUMMARIES, metrics=metrics, return_samples=True)
    for name in MEASURES:  # records of any of them serve
        shares = read_shares("m", "samples", results[name]["samples"])
        scores = sample_scores(shares, settings.get("tau", 0.8), settings.get("n_points"))
        found = data_set_scores(shares, scores)
        assert found == pytest.approx({measure: results[measure][measure] for measure in MEASURES}, abs=1e-15)
        for measure in ("bur", "uer", "auc"):
            expected = [record[measure] for record in results[measure]["samples"] if record["skipped"] is None]
            assert scores[measure].tolist() == expected


def test_what_is_refused(refusal: Callable[..., str]) -> None:
    assert refusal(read_shares, "m", "samples", [{"index": 0}]).startswith("m: samples[0] has no 'skipped'")
    cut = [RECORDS[0], {**RECORDS[2], "summary_share": [0.5, 0.5]}]
    assert refusal(read_shares, "m", "gpt4", cut) == "m: gpt4[1] needs one share for each of its values"
    assert "gpt4[0] needs" in refusal(read_shares, "m", "gpt4", [{**RECORDS[0], "values": []}])
