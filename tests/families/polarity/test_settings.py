"""The settings of the measures: their names on the command line, and what is read there."""

from __future__ import annotations

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.measures.regard import Regard
from fairsum_utils.measures.toxicity import Toxicity


def test_labels_are_read() -> None:
    read, other = (measure.infos()["label_map"].read for measure in (Regard, Toxicity))
    assert read is not None
    assert other is not None
    assert read("LABEL_0=positive, a=b=negative") == {"LABEL_0": "positive", "a=b": "negative"}
    with pytest.raises(
        InputError, match=r"--regard-labels: 'x' does not have the form LABEL=MEANING; write --regard-labels LABEL_0=n"
    ):
        read("x")
    with pytest.raises(InputError, match=r"--toxicity-labels: 'x' does not have the form LABEL=MEANING"):
        other("x")
