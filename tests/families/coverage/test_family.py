"""The family by the calls of the library, with a model and without, and settings that are refused."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.inference.tasks import SequenceClassifier
from fairsum_utils.measures import measures_of
from fairsum_utils.measures._coverage import CoverageMeasure
from tests import _together

METRICS = measures_of("coverage")
score, compare = (partial(call, metrics=METRICS) for call in (_together.score, _together.compare))

PREDICTIONS = ["Great soup. Slow service.", "Cold bread."]
SOURCES = [["Great soup!", "Slow service.", "Cold."], ["Warm bread.", "The bread was cold."]]
VALUES = [["pos", "neg", "neg"], ["pos", "neg"]]


def test_a_model_end_to_end_and_warm(nli_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = (PREDICTIONS, SOURCES, VALUES)
    options: dict[str, Any] = {"entailer": nli_model, "cache": str(tmp_path), "return_samples": True}
    cold = score(*columns, **options)
    assert 0 < cold["equal_coverage"]["equal_coverage"] < 1
    assert f"entailer:{nli_model.name}@" in cold["equal_coverage"]["signature"]
    for sample, sources in zip(cold["equal_coverage"]["samples"], SOURCES, strict=True):
        assert len(sample["evidence"]) == len(sample["units"])
        assert all(unit["text"] == sources[unit["document"]] for unit in sample["evidence"])

    def forward(self: object, inputs: object) -> None:
        raise AssertionError("a warm run does no forward pass")

    monkeypatch.setattr(SequenceClassifier, "forward", forward)
    assert repr(score(*columns, **options)) == repr(cold)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"chunk": "sentence", "chunk_words": 50}, "chunk_words applies only to chunk='words', found int 50; leave"),
        ({"chunk": "sentence", "protocol": "released"}, "chunk applies only to protocol='paper', found str 'sentence'"),
        ({"entailer": "lexical", "entailment_label": "yes"}, "entailment_label applies only to an entailer that is a "),
        (
            {"entailer": max, "revision": "main"},
            "revision applies only to an entailer that is a model, found str 'main'",
        ),
        ({"entailer": 3}, 'entailer must be "lexical", "embeddings", a model id or folder, or a function (premises, '),
        ({"splitter": "clause"}, 'splitter must be "sentence", "llm" or a function summary -> units, found str '),
        ({"splitter": "llm"}, "splitter='llm' needs chat_model; give the name of the model at chat_url, or the id or "),
        (
            {"chat_model": "tiny"},
            "chat_model applies only to splitter='llm', found str 'tiny'; leave it out, or choose ",
        ),
        ({"splitter": str.split, "chat_url": "http://x"}, "chat_url applies only to splitter='llm', found str 'http"),
    ],
)
def test_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        CoverageMeasure(module="coverage_parity", **settings)
    assert str(error.value).startswith(f"coverage_parity: {message}")
