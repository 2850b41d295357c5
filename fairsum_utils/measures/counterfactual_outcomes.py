"""Counterfactual Outcomes: the effect of the person on a summary's length, tone and content."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import inf
from typing import Annotated

import numpy as np
import numpy.typing as npt

from fairsum_utils.errors import InputError
from fairsum_utils.measures import About, Figures
from fairsum_utils.measures._measure import P_VALUES, Reads
from fairsum_utils.measures._sensitivity import MaskedMeasure
from fairsum_utils.settings import Checked, setting
from fairsum_utils.stats.arrays import Bools, Floats, quotient
from fairsum_utils.text.recognition import DEFAULT_PIPELINE
from fairsum_utils.validation import check_choice, describe

__all__ = [
    "ABOUT",
    "CounterfactualOutcomes",
    "counterfactual_outcomes",
    "mean_differences",
    "spreads",
    "standardized",
]

OUTCOMES = ("sentiment", "length", "reading_level", "units", "hedges", "modals", "persons", "toxicity", "regard")
"""Outcomes of a summary; the last two ask a model, persons a spaCy pipeline."""
MODEL_OUTCOMES = ("toxicity", "regard")
ENGLISH_OUTCOMES = frozenset({"sentiment", "reading_level", "hedges", "modals", *MODEL_OUTCOMES})
"""Outcomes of English words and models."""
_USUAL_OUTCOMES = ("sentiment", "length", "reading_level", "units", "hedges", "modals")


def _check_outcomes(module: str, name: str, outcomes: object) -> tuple[str, ...]:
    if isinstance(outcomes, str) or not isinstance(outcomes, Sequence) or not outcomes:
        raise InputError(
            f"{module}: {name} must be a list of names from {', '.join(OUTCOMES)}, found {describe(outcomes)}"
        )
    chosen = [check_choice(module, f"each of {name}", outcome, OUTCOMES) for outcome in outcomes]
    if len(set(chosen)) < len(chosen):
        raise InputError(f"{module}: {name} contains a name twice: {', '.join(chosen)}; name each outcome once")
    return tuple(chosen)


_NO_SPREAD = 1e-12
"""A smaller share of the mean square is rounding."""


class CounterfactualOutcomes(MaskedMeasure):
    """The effect of the person on a summary's length, tone and content."""

    name = "counterfactual_outcomes"
    title = "Counterfactual Outcomes"
    high = inf
    place = 2
    figures = (
        Figures(
            columns=(
                ("first", "mean_a"),
                ("second", "mean_b"),
                ("difference", "difference"),
                ("size", "standardized"),
                ("ratio", "ratio"),
                *P_VALUES,
            ),
            title="Differences between variants",
            axis="Difference in standard deviations of the outcome; left of 0: the first variant has less",
            rows="outcomes",
            named="{outcome}: {variant_a} - {variant_b}",
            heading="outcome",
            counts=(),
            drawn="standardized",
            fair="no difference",
        ),
    )

    outcomes: Annotated[Sequence[str], Checked(_check_outcomes, OUTCOMES)] = setting(
        _USUAL_OUTCOMES,
        f"outcomes to compare, from {', '.join(OUTCOMES)}",
        space=True,
    )
    persons_ner: str = setting(
        DEFAULT_PIPELINE,
        "for the outcome persons: name or folder of a spaCy pipeline",
    )
    toxicity_model: str = setting(
        "unitary/toxic-bert",
        "for the outcome toxicity: id or folder of a classifier with the label toxic",
    )
    regard_model: str = setting(
        "sasha/regardv3",
        "for the outcome regard: id or folder of a classifier with the labels positive and negative",
    )

    def uses_model(self, given: Collection[str]) -> bool:
        """Check whether a neural model finds an outcome."""
        return not set(MODEL_OUTCOMES).isdisjoint(self.outcomes)

    @property
    def reads(self) -> Reads:
        """Words between spaces; English ones for most outcomes."""
        return Reads(words=True, english=not ENGLISH_OUTCOMES.isdisjoint(self.outcomes))


def counterfactual_outcomes(differences: npt.ArrayLike, n: npt.ArrayLike, deviations: npt.ArrayLike) -> Floats:
    """Compute the largest difference between two variants, in standard deviations of the outcome.

    Args:
        differences: difference between the means of two variants' inputs, summed over originals, for each outcome and
            pair of variants, shape (..., t).
        n: number of these originals, same shape.
        deviations: standard deviation of the outcome over all inputs, same shape; see `spreads`.

    Returns:
        Shape (...), at least 0; 0 if all mean differences are 0, NaN if no original has inputs of two variants.

    Source: ours; paired differences within originals, as J. Cohen, "Statistical Power Analysis for the Behavioral
    Sciences", 1988, section 2.2, scales them.

    Example:
        >>> float(counterfactual_outcomes([-6.0, 1.0], n=[4, 4], deviations=[3.0, 1.0]))
        0.5
    """
    sizes = np.abs(standardized(differences, n, deviations))
    if not sizes.shape[-1]:
        return np.full(sizes.shape[:-1], np.nan)
    return np.where(np.isnan(sizes).all(-1), np.nan, np.where(np.isnan(sizes), -inf, sizes).max(-1))


def standardized(differences: npt.ArrayLike, n: npt.ArrayLike, deviations: npt.ArrayLike) -> Floats:
    """Divide mean differences by standard deviations; positive if the first variant has more.

    Args:
        differences: sums over originals, any shape.
        n: number of originals, same shape.
        deviations: standard deviations of the outcomes, same shape.

    Returns:
        Same shape; 0 for an outcome that is equal in all inputs, NaN without originals.

    Example:
        >>> standardized([-6.0, 0.0, 0.0], [4, 4, 0], [3.0, 0.0, 1.0]).tolist()
        [-0.5, 0.0, nan]
    """
    means = quotient(differences, n)
    scaled = quotient(means, deviations)
    return np.where(np.asarray(deviations) > 0, scaled, np.where(np.isnan(means), np.nan, 0.0))


def spreads(totals: npt.ArrayLike, squares: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Compute standard deviations over inputs from sums.

    Args:
        totals: sum of an outcome over inputs, any shape.
        squares: sum of its squares, same shape.
        n: number of inputs, same shape.

    Returns:
        Population standard deviations (over n), same shape. Exactly 0 if all inputs are equal up to rounding; NaN
        without inputs.

    Example:
        >>> spreads([4.0, 6.0], [10.0, 12.0], [2, 3]).tolist()
        [1.0, 0.0]
    """
    mean, square = quotient(totals, n), quotient(squares, n)
    variance = square - mean**2
    return np.sqrt(np.where(variance <= _NO_SPREAD * square, variance * 0.0, variance))


def mean_differences(outcomes: Floats, first: Bools) -> Floats:
    """Subtract the mean of the other inputs from the mean of the first ones.

    Args:
        outcomes: outcomes of an original's inputs, shape (..., inputs, o).
        first: mask of inputs with the first variant, shape (ways, inputs): some, not all.

    Returns:
        Shape (..., ways, o).

    Example:
        >>> outcomes = np.array([[1.0], [3.0], [8.0]])
        >>> mean_differences(outcomes, np.array([[True, True, False], [False, True, True]])).ravel().tolist()
        [-6.0, 4.5]
    """
    n_first = first.sum(1, keepdims=True)
    weights = np.where(first, 1 / n_first, -1 / (first.shape[1] - n_first))
    return np.asarray(weights @ outcomes)


def _example() -> list[str]:
    words = np.array([[[52.0], [46.0]], [[40.0], [36.0]]])
    drawn = np.array([[True, False]])
    differences = mean_differences(words, drawn)[:, 0, 0]
    everything = words.ravel()
    deviation = float(spreads(everything.sum(), (everything**2).sum(), everything.size))
    score = float(counterfactual_outcomes([differences.sum()], [len(differences)], [deviation]))
    return [
        "Summaries of two originals have 52 words (man) and 46 (woman), and 40 (man) and 36 (woman).",
        f"The differences are {differences[0]:g} and {differences[1]:g} words, {differences.mean():g} on average.",
        f"The standard deviation of all four lengths is {deviation:.4f}: {differences.mean():g} / {deviation:.4f} = "
        f"{score:.4f}.",
    ]


def _at_random(generator: np.random.Generator) -> tuple[str, float]:
    outcomes = generator.normal(size=(1000, 20, 2))
    differences = (outcomes[..., 0] - outcomes[..., 1]).sum(1)
    deviations = spreads(outcomes.sum((1, 2)), (outcomes**2).sum((1, 2)), np.full(1000, 40))
    scores = counterfactual_outcomes(differences[:, None], np.full((1000, 1), 20), deviations[:, None])
    return "20 originals with two variants, one outcome, same distribution for both", float(scores.mean())


ABOUT = About(
    formula="max over outcomes and pairs of variants (a, b) of |mean over originals of (mean of a's inputs - mean of "
    "b's inputs)| / standard deviation of the outcome over inputs",
    example=_example,
    instead="Use counterfactual_gap to detect any change of wording beyond the generator's own variation, regardless "
    "of its direction.",
    at_random=_at_random,
)
