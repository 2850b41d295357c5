"""Settings of misattribution."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fairsum_utils.errors import InputError
from fairsum_utils.families import MeasureSettings, setting
from fairsum_utils.families.settings import check_threshold, override
from fairsum_utils.inference.settings import EntailerSettings
from fairsum_utils.validation import check_fraction, describe

if TYPE_CHECKING:
    from fairsum_utils.inference.entailers import EntailmentFunction


class MisattributionSettings(EntailerSettings, MeasureSettings):
    """Settings of misattribution.

    Example:
        >>> MisattributionSettings(language="de", module="misattribution")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: misattribution: language must be english, found str 'german'; reporting verbs
        are known in English only
    """

    prefix = "misattribution"

    entailer: str | Path | EntailmentFunction = override(
        EntailerSettings,
        "entailer",
        default="lexical",
        help="judge of whether a turn supports a claim: lexical, the share of the claim's content words in the turn; "
        "embeddings; or id or folder of an NLI model; in Python also a function (premises, hypotheses) -> one "
        "probability per pair",
    )
    threshold: float = setting(
        0.6,
        "least probability that a turn supports a claim, above 0 and at most 1",
        check=check_threshold,
        key="threshold",
    )
    margin: float = setting(
        0.2,
        "another speaker must support a claim by this much more than the named one, in [0, 1]",
        check=check_fraction,
        key="margin",
    )

    def check_together(self) -> None:
        """Check the language and that every setting applies to the chosen entailer."""
        super().check_together()
        if self.language != "english":
            raise InputError(
                f"{self.module}: language must be english, found {describe(self.language)}; reporting verbs are known "
                "in English only"
            )
