"""Labels of a model on the command line."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from fairsum_utils.cli.options import given_settings
from fairsum_utils.errors import InputError
from fairsum_utils.measures.regard import Regard
from fairsum_utils.measures.toxicity import Toxicity


def test_labels_are_read() -> None:
    def read(measure: type[Regard] | type[Toxicity], text: str) -> Any:
        info = measure.infos()["label_map"]
        options: Any = SimpleNamespace(settings={info.flag: text})
        return given_settings(options, "score", [info])["label_map"]

    assert read(Regard, "LABEL_0=positive, a=b=negative") == {"LABEL_0": "positive", "a=b": "negative"}
    with pytest.raises(InputError, match=r"--set regard.label_map: 'x' does not have the form LABEL=MEANING"):
        read(Regard, "x")
    with pytest.raises(InputError, match=r"--set toxicity.label_map: 'x' does not have the form LABEL=MEANING"):
        read(Toxicity, "x")
