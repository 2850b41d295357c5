"""BARTScore of a summary given the texts of a value: how likely an encoder-decoder model is to write it."""

from __future__ import annotations

from fairsum_utils.inference.tasks import SequenceLikelihood

DEFAULT_MODEL = "facebook/bart-large-cnn"


class BARTScore(SequenceLikelihood):
    """Mean log-likelihood of the tokens of the summary given the texts; inputs are pairs (texts, summary).

    Source: papers/fairsumm-v2, section 3.2, Neural Matching.
    """

    @property
    def signature(self) -> dict[str, object]:
        """What changes a score."""
        return {"model": self.name}
