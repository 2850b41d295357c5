"""Sequence classification: labels of texts, and of pairs such as a premise and a hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fairsum_utils.errors import InputError
from fairsum_utils.inference.runner import Runner
from fairsum_utils.inference.settings import InferenceSettings


class SequenceClassifier(Runner):
    """Probabilities of a classification model's labels for texts or pairs of texts.

    A model whose configuration names no padding token reads one input at a time: one that looks at the last token only,
    as GPT-2 does, would take padding for it.

    Args:
        model: id on the Hub, or a folder.
        revision: branch, tag or commit on the Hub.
        multi_label: labels are independent of each other (a sigmoid each) instead of exclusive (softmax).
        settings: how to run it.
        offline: what works without a model, for the message when this one cannot be had.

    Attributes:
        labels: names of the model's labels, in the order of the columns.

    Raises:
        InputError: the model cannot be had, or has a single label that excludes no other.
    """

    task = "classify"
    kind = "classifier"

    def __init__(
        self,
        model: str | Path,
        *,
        revision: str | None = None,
        multi_label: bool = False,
        settings: InferenceSettings | None = None,
        offline: str = "a lexical method",
    ) -> None:
        super().__init__(model, revision=revision, settings=settings, offline=offline)
        self.multi_label = multi_label
        if self.loaded.model.config.pad_token_id is None:
            self._budget = 1
        names = self.loaded.model.config.id2label
        self.labels: tuple[str, ...] = tuple(str(names[place]) for place in sorted(names))
        if len(self.labels) == 1 and not multi_label:
            raise InputError(
                f"{self.settings.module}: {self.name} has one label, {self.labels[0]!r}, whose share among all labels "
                "is always 1; use multi_label=True for its probability"
            )

    def fingerprint(self) -> str:
        """Everything but the text that a result depends on."""
        return f"{super().fingerprint()}|multi_label:{self.multi_label}"

    def forward(self, inputs: Sequence[dict[str, list[int]]]) -> npt.NDArray[np.float32]:
        """Probabilities, shape (b, labels)."""
        logits = self.loaded.model(**self.pad(inputs)).logits.float()
        return self.numbers(logits.sigmoid() if self.multi_label else logits.softmax(dim=-1))
