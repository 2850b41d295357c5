"""Settings of the coverage family: what is refused, and with which words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.coverage.settings import CoverageSettings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"significance": "exact"}, "significance must be one of permutation, strict, found str 'exact'"),
        ({"alpha": 1.5}, "alpha must be a number in [0, 1], found float 1.5"),
        ({"max_exact": -1}, "max_exact must be a whole number of at least 0, found int -1"),
        ({"n_permutations": 0}, "n_permutations must be a whole number of at least 1, found int 0"),
        ({"confidence_level": 1}, "confidence_level must lie between 0 and 1, found int 1"),
        ({"n_resamples": 2.5}, "n_resamples must be a whole number of at least 1, found float 2.5"),
        ({"seed": -1}, "seed must be a whole number of at least 0, found int -1"),
        ({"protocol": "draft"}, "protocol must be one of paper, released, found str 'draft'"),
        ({"empty": "uniform"}, "empty must be one of skip, error, found str 'uniform'"),
        ({"chunk_words": 0}, "chunk_words must be a whole number of at least 1, found int 0"),
        ({"chunk": "document"}, "chunk must be one of words, sentence, found str 'document'"),
        (
            {"chunk": "sentence", "chunk_words": 50},
            "chunk_words is for chunk='words', found int 50; leave it out, or choose chunk='words'",
        ),
        (
            {"chunk": "sentence", "protocol": "released"},
            "chunk is for protocol='paper', found str 'sentence'; leave it out, or choose protocol='paper'",
        ),
        ({"dtype": "int8"}, "dtype must be one of auto, float32, bfloat16, float16, found str 'int8'"),
        (
            {"splitter": "clause"},
            'splitter must be "sentence", "llm" or a function summary -> units, found str \'clause\'',
        ),
        (
            {"entailer": 3},
            'entailer must be "lexical", a model id or folder, or a function (premises, hypotheses) -> probabilities, '
            "found int 3",
        ),
        (
            {"entailer": "lexical", "entailment_label": "yes"},
            "entailment_label is for an entailer that is a model, found str 'yes'; leave it out, or name a model",
        ),
        (
            {"entailer": lambda premises, hypotheses: [0.5] * len(premises), "revision": "main"},
            "revision is for an entailer that is a model, found str 'main'; leave it out, or name a model",
        ),
        (
            {"splitter": np.array([1, 2])},
            'splitter must be "sentence", "llm" or a function summary -> units, found ndarray array([1, 2])',
        ),
        (
            {"splitter": "llm"},
            "splitter='llm' needs chat_model, the name of the model at chat_url or a folder",
        ),
        (
            {"chat_model": "tiny"},
            "chat_model is for the splitter llm, found str 'tiny'; leave it out, or choose splitter='llm'",
        ),
        (
            {"splitter": str.split, "chat_url": "http://localhost"},
            "chat_url is for the splitter llm, found str 'http://localhost'; leave it out, or choose splitter='llm'",
        ),
    ],
)
def test_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        CoverageSettings(module="coverage_parity", **settings)
    assert str(error.value) == f"coverage_parity: {message}"


def test_the_test_of_a_sample_is_for_equal_coverage_alone() -> None:
    theirs = CoverageSettings.infos("equal_coverage").keys() - CoverageSettings.infos("coverage_parity").keys()
    assert theirs == {"significance", "alpha", "max_exact", "n_permutations"}


def test_options_of_the_command() -> None:
    flags = {info.flag for info in CoverageSettings.infos().values() if not info.shared}
    assert flags == {
        *("entailer", "entailment-label", "entailer-revision", "splitter", "chat-model", "url", "chunk"),
        *("chunk-words", "protocol", "significance", "alpha", "max-exact", "permutations"),
    }
