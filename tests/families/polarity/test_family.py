"""The family in the calls of the library."""

from __future__ import annotations

from typing import Any

import pytest

from fairsum_utils import compute
from fairsum_utils.errors import InputError
from fairsum_utils.inference.tasks import SequenceClassifier
from fairsum_utils.measures.toxicity import KINDS

GROUPS = ["a", "b", "b", "a", "a", "b"]
OFFLINE = ["sentiment", "gender_polarity"]
HERE = {"device": "cpu", "dtype": "float32", "cache": "none"}


def test_groups_are_checked_before_a_model_runs(tiny_model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("a model ran in vain")

    monkeypatch.setattr(SequenceClassifier, "run", never)
    options = {"model": tiny_model("classifier", labels=KINDS), **HERE}
    with pytest.raises(InputError, match="toxicity: the group 'c' has only one text"):
        compute("toxicity", predictions=["x"] * 3, groups=["a", "a", "c"], **options)
    with pytest.raises(InputError, match="toxicity: sample 9999: prediction must be a string, found None"):
        compute("toxicity", predictions=["x"] * 9999 + [None], **options)
