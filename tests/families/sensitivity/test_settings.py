"""The settings of the family: who takes them, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.sensitivity.family import FAMILY
from fairsum_utils.families.sensitivity.settings import SensitivitySettings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"distance": "cosine"}, "distance must be one of words, rouge_l, bleu, embedding, entailment, found str"),
        (
            {"model": "x"},
            "model is for distance='embedding' or distance='entailment' or mode='cosine' or matcher='nli', found",
        ),
        ({"revision": "x", "distance": "bleu"}, "revision is for distance='embedding' or"),
        ({"entailment_label": "x", "distance": "embedding"}, "entailment_label is for distance='entailment' or"),
        ({"neutral": "yes"}, "neutral must be True or False, found str 'yes'"),
        ({"n_permutations": 0}, "n_permutations must be a whole number of at least 1"),
    ],
)
def test_what_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        SensitivitySettings(**settings, module="m")


def test_a_model_is_asked_only_where_a_distance_needs_it() -> None:
    def asks_to_match(matcher: str) -> bool:
        return FAMILY.uses_model(("order_sensitivity",), SensitivitySettings(matcher=matcher), ())

    assert [matcher for matcher in ("lexical", "ngram", "nli") if asks_to_match(matcher)] == ["nli"]

    def asks(distance: str) -> bool:
        return FAMILY.uses_model(("counterfactual_gap",), SensitivitySettings(distance=distance), ())

    assert {name: asks(name) for name in ("words", "rouge_l", "bleu", "embedding", "entailment")} == {
        "words": False, "rouge_l": False, "bleu": False, "embedding": True, "entailment": True,
    }  # fmt: skip
