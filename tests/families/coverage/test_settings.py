"""Settings of the coverage family: what is refused, and with which words."""

from __future__ import annotations

from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.measures._coverage import CoverageMeasure


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"chunk": "sentence", "chunk_words": 50},
            "chunk_words applies only to chunk='words', found int 50; leave it out, or choose chunk='words'",
        ),
        (
            {"chunk": "sentence", "protocol": "released"},
            "chunk applies only to protocol='paper', found str 'sentence'; leave it out, or choose protocol='paper'",
        ),
        (
            {"entailer": "lexical", "entailment_label": "yes"},
            "entailment_label applies only to an entailer that is a model, found str 'yes'; leave it out, or "
            "name a model as entailer",
        ),
        (
            {"entailer": lambda premises, hypotheses: [0.5] * len(premises), "revision": "main"},
            "revision applies only to an entailer that is a model, found str 'main'; leave it out, or "
            "name a model as entailer",
        ),
        (
            {"entailer": 3},
            'entailer must be "lexical", "embeddings", a model id or folder, or a function (premises, hypotheses) -> '
            "probabilities, found int 3",
        ),
        (
            {"splitter": "clause"},
            'splitter must be "sentence", "llm" or a function summary -> units, found str \'clause\'',
        ),
        (
            {"splitter": "llm"},
            "splitter='llm' needs chat_model; give the name of the model at chat_url, or the id or folder "
            "of a local model",
        ),
        (
            {"chat_model": "tiny"},
            "chat_model applies only to splitter='llm', found str 'tiny'; leave it out, or choose splitter='llm'",
        ),
        (
            {"splitter": str.split, "chat_url": "http://localhost"},
            "chat_url applies only to splitter='llm', found str 'http://localhost'; leave it out, or choose "
            "splitter='llm'",
        ),
    ],
)
def test_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        CoverageMeasure(module="coverage_parity", **settings)
    assert str(error.value) == f"coverage_parity: {message}"
