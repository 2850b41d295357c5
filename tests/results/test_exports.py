"""Exports of results: what a consumer reads back, direction and interval included."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import yaml
from huggingface_hub import parse_eval_result_entries
from huggingface_hub.repocard_data import model_index_to_eval_results
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils import score
from fairsum_utils.errors import InputError
from fairsum_utils.measures import get_measure, measure_names
from fairsum_utils.results import ScoreResults
from fairsum_utils.results.exports import task_of

ROWS = [
    {"id": "a", "prediction": "Tasty.", "sources": ["Tasty.", "Awful."], "values": ["pos", "neg"]},
    {"id": "b", "prediction": "Tasty, awful.", "sources": ["Tasty.", "Awful."], "values": ["pos", "neg"]},
]


@pytest.fixture(scope="module")
def scored() -> ScoreResults:
    """Results of two samples, one of them unfair."""
    return score(ROWS, metrics=["bur", "sof"])


ABOUT = {"model": "me/model", "dataset": "fairsum/soups", "config": "cold"}


def test_the_hub_reads_the_inverted_score(scored: ScoreResults, tmp_path: Path) -> None:
    path = scored.export("hf-eval", tmp_path / "bur.yaml", **ABOUT)
    bur, sof = parse_eval_result_entries(yaml.safe_load(path.read_text(encoding="utf-8")))
    assert (bur.dataset_id, bur.task_id, bur.value) == ("fairsum/soups", "cold_one_minus_bur", 0.5)
    assert bur.notes is not None
    # Mid-P for 1 of 2: P(X > 1) + P(X = 1) / 2 = p^2 + p (1 - p) = p, so the ends are 0.025 and 0.975.
    assert bur.notes.startswith("bur 0.5000 (lower is fairer), 95% CI 0.0250 to 0.9750, ")
    assert "2 samples, matcher:ngram" in bur.notes
    assert (sof.task_id, "95% CI" in str(sof.notes)) == ("cold_one_minus_sof", False)


def test_model_index(scored: ScoreResults, tmp_path: Path) -> None:
    path = scored.export("model-index", tmp_path / "card.yaml", **ABOUT, split="test")
    _, results = model_index_to_eval_results(yaml.safe_load(path.read_text(encoding="utf-8"))["model-index"])
    places = {(result.metric_type, result.dataset_config, result.dataset_split) for result in results}
    assert places == {("fairsum/bur", "cold", "test"), ("fairsum/sof", "cold", "test")}
    assert results[0].metric_args is not None
    assert len(results[0].metric_args["confidence_interval"]) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"to": "csv"}, "to must be one of hf-eval, model-index"),
        ({"to": "hf-eval", "path": "card.json"}, "card.json: unknown format"),
        ({"to": "hf-eval", "model": " "}, "model is empty"),
    ],
)
def test_bad_arguments(scored: ScoreResults, tmp_path: Path, arguments: dict[str, Any], message: str) -> None:
    path = tmp_path / arguments.pop("path", "out.yaml")
    with pytest.raises(InputError, match=message):
        scored.export(**{"path": path, "model": "me/model", **arguments})
    assert not path.exists()


@given(st.sampled_from(measure_names()), st.floats(0, 1))
def test_higher_is_better_in_a_task(name: str, share: float) -> None:
    """The fairest score is the largest value, and a worse score is a lower value."""
    measure = get_measure(name)
    worst = min(measure.high, 3.0)
    fairest, found = task_of(measure, 0.0), task_of(measure, share * worst)
    assert found.value <= fairest.value
    assert math.isclose(fairest.value - found.value, share * worst, abs_tol=1e-12)
    assert found.id.endswith(name)
    if measure.is_signed:
        assert task_of(measure, -share * worst) == found
