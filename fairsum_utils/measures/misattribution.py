"""Misattribution: claims of summaries that another speaker made."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from fairsum_utils.errors import InputError
from fairsum_utils.measures import About, Figures
from fairsum_utils.measures._measure import Measure
from fairsum_utils.settings import Fraction, Threshold, setting
from fairsum_utils.settings.models import Entailer, EntailerSettings
from fairsum_utils.stats.arrays import Bools, Floats, quotient
from fairsum_utils.validation import describe

__all__ = ["ABOUT", "Misattribution", "is_misattributed", "is_supported", "misattribution"]

_ROUNDING = 1e-9


class Misattribution(EntailerSettings, Measure):
    """Claims of summaries that another speaker made.

    Example:
        >>> Misattribution(language="de", module="misattribution")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: misattribution: language must be english, found str 'german'; reporting verbs
        are known in English only
    """

    name = "misattribution"
    title = "Misattribution"
    family = "misattribution"
    needs = ("predictions", "sources", "values")
    takes = ("aliases", "speaker_groups")
    figures = (
        Figures(
            columns=(("misattributed", "misattribution_by_group"), ("named", "inclusion_by_group")),
            title="Claims and speakers by group",
            axis="Fraction of the claims attributed to a group's speakers that only another speaker made",
            counts=(("claims", "n_claims_by_group"), ("speakers", "n_speakers_by_group")),
        ),
        Figures(
            columns=(("named", "inclusion_by_third"),),
            title="Speakers named",
            axis="Fraction of the speakers of a part of the meeting whom the summary names; fair: all parts alike",
            heading="part of the meeting",
            counts=(),
        ),
    )

    entailer: Entailer = setting(
        "lexical",
        "judge of whether a turn supports a claim: lexical, the share of the claim's content words in the turn; "
        "embeddings; or id or folder of an NLI model; in Python also a function (premises, hypotheses) -> one "
        "probability per pair",
        key="entailer",
    )
    threshold: Threshold = setting(
        0.6, "least probability that a turn supports a claim, above 0 and at most 1", key="threshold"
    )
    margin: Fraction = setting(
        0.2, "another speaker must support a claim by this much more than the named one, in [0, 1]", key="margin"
    )

    def check_together(self) -> None:
        """Check the language and that every setting applies to the chosen entailer."""
        super().check_together()
        if self.language != "english":
            raise InputError(
                f"{self.module}: language must be english, found {describe(self.language)}; reporting verbs are known "
                "in English only"
            )

    def uses_model(self, given: Collection[str]) -> bool:
        """Check whether a model judges the claims."""
        return self.is_model


def is_supported(named: Floats, threshold: float) -> Bools:
    """Check which claims the turns of the named speaker support.

    Args:
        named: highest probability that a turn of the named speaker entails the claim, shape (n,).
        threshold: least probability of support, in (0, 1].

    Example:
        >>> is_supported(np.array([0.7, 0.5]), 0.6).tolist()
        [True, False]
    """
    return np.asarray(named >= threshold - _ROUNDING)


def is_misattributed(named: Floats, other: Floats, threshold: float, margin: float) -> Bools:
    """Check which claims only another speaker's turns support.

    Args:
        named: highest probability that a turn of the named speaker entails the claim, shape (n,).
        other: highest probability over the turns of all other speakers, same shape.
        threshold: least probability of support, in (0, 1].
        margin: least difference between the other speaker and the named one, in [0, 1].

    Source: written for this project; arXiv 2507.14221 separates inclusion from misrepresentation.

    Example:
        >>> is_misattributed(np.array([0.7, 0.5, 0.25]), np.array([1.0, 0.65, 0.75]), 0.6, 0.2).tolist()
        [False, False, True]
    """
    is_clear = (other >= threshold - _ROUNDING) & (other - named >= margin - _ROUNDING)
    return np.asarray(is_clear & ~is_supported(named, threshold))


def misattribution(misattributed: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Compute the share of attributed claims that only another speaker's turns support.

    Args:
        misattributed: number of claims that `is_misattributed`, summed over summaries, shape (...).
        n: number of claims attributed to a speaker, unsupported ones included, a shape that broadcasts.

    Returns:
        Shape (...), in [0, 1]; NaN without claims.

    Source: written for this project.

    Example:
        >>> float(misattribution(1, n=4))
        0.25
    """
    return quotient(misattributed, n)


def _example() -> list[str]:
    """Show four claims, one of them misattributed."""
    named, other = np.array([1.0, 0.25, 0.5, 0.0]), np.array([0.0, 1.0, 0.65, 0.25])
    moved = is_misattributed(named, other, 0.6, 0.2)
    n_unsupported = int((~moved & ~is_supported(named, 0.6)).sum())
    return [
        "A summary attributes four claims to speakers. Support by the named speaker's turns: 1.00, 0.25, 0.50, 0.00; "
        "by the turns of the others: 0.00, 1.00, 0.65, 0.25.",
        "Claim 1 reaches the threshold 0.60 with its own speaker: supported.",
        "Claim 2 reaches it only with another speaker, 1.00 - 0.25 = 0.75 above its own (margin 0.20): misattributed.",
        "Claim 3: the other speaker is only 0.65 - 0.50 = 0.15 above, so it stays open. Claim 4: no speaker reaches "
        f"the threshold. Both are unsupported: {n_unsupported}.",
        f"Misattribution is misattributed claims / all claims: {int(moved.sum())}/4 = "
        f"{float(misattribution(moved.sum(), 4)):.4f}.",
    ]


ABOUT = About(
    formula="misattributed claims / all claims attributed to a speaker; misattributed: support by the named speaker < "
    "threshold, by another >= threshold and >= named + margin",
    example=_example,
    instead="Use equal_coverage to see whose turns a summary covers without names.",
)
