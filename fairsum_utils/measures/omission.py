"""Omission: serious matters in the sources that leave no trace in the summary."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Figures, Measure
from fairsum_utils.stats.arrays import Bools, Floats, quotient

__all__ = ["ABOUT", "MEASURE", "is_traced", "omission", "sample_omission"]

MEASURE = Measure(
    "omission",
    "Omission of Serious Matters",
    "omission",
    0.0,
    1.0,
    lower_is_fairer=True,
    place=1,
    averages="scores",
    figures=Figures(
        columns=(("omitted", "omission_by_value"),),
        title="Omitted matters of each group",
        axis="Share of the serious matters in its texts that the summary omits, mean of its samples",
    ),
)


def is_traced(probability: Floats, contradicts: Bools, names: Bools, threshold: float) -> bool:
    """Check whether a summary leaves a trace of a matter.

    Args:
        probability: probability that each sentence of the summary entails each unit of the matter, shape (sentences,
            units), in [0, 1]; NaN where a unit has no content.
        contradicts: the sentence denies what the unit affirms, or the reverse; same shape.
        names: the sentence names an entry of the matter and does not negate it, shape (sentences,).
        threshold: probability from which on a sentence entails a unit, in (0, 1].

    Returns:
        True if a sentence names the matter, or entails one of its units without contradicting it.

    Example:
        >>> entails, denies, names = np.array([[0.7, 0.2]]), np.array([[False, False]]), np.array([False])
        >>> is_traced(entails, denies, names, 0.6), is_traced(entails, ~denies, names, 0.6)
        (True, False)
    """
    return bool(names.any() or ((probability >= threshold) & ~contradicts).any())


def sample_omission(omitted: Bools) -> float:
    """Compute the share of a sample's matters that the summary omits.

    Args:
        omitted: shape (matters,).

    Returns:
        Share in [0, 1]; NaN without matters.

    Example:
        >>> sample_omission(np.array([True, False, True, True]))
        0.75
    """
    return float(np.count_nonzero(omitted) / len(omitted)) if len(omitted) else float("nan")


def omission(shares: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Compute the mean share of omitted matters over the samples that have a matter.

    Args:
        shares: sum of `sample_omission` over these samples, shape (...).
        n: number of these samples, a shape that broadcasts with `shares`.

    Returns:
        Shape (...), in [0, 1]: 0 if every matter leaves a trace, 1 if none does. NaN without samples.

    Source: ours.

    Example:
        >>> float(omission(0.75 + 0.25, n=2))
        0.5
    """
    return quotient(shares, n)


def _example() -> list[str]:
    nothing = np.zeros((1, 1))
    denies, quiet = np.zeros((1, 1), dtype=np.bool_), np.zeros(1, dtype=np.bool_)
    omitted = np.array(
        [
            not is_traced(nothing, denies, quiet, 0.5),
            not is_traced(nothing, denies, ~quiet, 0.5),
            not is_traced(np.array([[0.75]]), denies, quiet, 0.5),
            not is_traced(np.array([[0.02]]), denies, quiet, 0.5),
        ]
    )
    share = sample_omission(omitted)
    return [
        "The reviews of a hotel raise four serious matters. Two guests write of food poisoning: one matter.",
        "No sentence of the summary mentions the food poisoning: omitted.",
        'The summary says "one guest found bed bugs", which names the second matter: traced.',
        "A sentence tells the third matter in other words: an NLI model gives 0.75, and 0.75 >= 0.5: traced.",
        'The fourth matter is "the staff stole my ring", the summary says "the staff never stole". The model gives '
        "0.02: omitted.",
        f"Omission of this summary: {np.count_nonzero(omitted)}/{len(omitted)} = {share:.4f}.",
        f"If another summary omits none of its matters: ({share:.2f} + 0) / 2 = {float(omission(share, 2)):.4f}.",
    ]


ABOUT = About(
    formula="mean over the samples that have a serious matter of (matters without a trace in the summary / matters)",
    example=_example,
    instead="Without an entailer that reads meaning there is no score: read the sentences that the result lists. "
    "Use equal_coverage or uer to see whether a summary gives each group its share. They do not react if one "
    "review of 400 disappears, even if it reports a poisoning.",
)
