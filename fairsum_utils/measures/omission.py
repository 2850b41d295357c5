"""Omission: serious matters in the sources that leave no trace in the summary."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Figures
from fairsum_utils.measures._measure import Measure
from fairsum_utils.settings import ChanceSettings, Threshold, setting
from fairsum_utils.settings.models import Entailer, EntailerSettings, model_or_function
from fairsum_utils.stats.arrays import Bools, Floats, quotient

__all__ = ["ABOUT", "Omission", "is_traced", "omission", "sample_omission"]

SeriousFunction: TypeAlias = Callable[[list[str]], Sequence[float]]
"""Sentences -> one number per sentence, such as a probability of being serious."""

LIST = "list"
_LITERAL = ("lexical", "embeddings")
# Thresholds of entailers that are known by name, and of others.
_SHARED, _PROBABLE = 0.6, 0.5


class Omission(EntailerSettings, ChanceSettings, Measure):
    """Serious matters in the sources that leave no trace in the summary.

    Example:
        >>> Omission().threshold, Omission(entailer="cross-encoder/nli-deberta-v3-base").threshold
        (0.6, 0.5)
    """

    name = "omission"
    title = "Omission of Serious Matters"
    family = "omission"
    averages = "scores"
    needs = ("predictions", "sources")
    takes = ("values", "serious", "serious_spans")
    figures = (
        *(
            Figures(
                columns=(("omitted", f"omission_by_{what}"),),
                title=f"Omitted matters by {heading}",
                axis="Share of the serious matters that the summary omits, mean of the samples that have some",
                heading=heading,
                counts=(("samples", f"n_by_{what}"), ("matters", f"n_matters_by_{what}")),
                first="largest",
            )
            for what, heading in (("value", "group"), ("category", "category"))
        ),
        Figures(
            columns=(("omitted", "omission"),),
            title="Omitted matters by number of texts",
            axis="Share of the serious matters that the summaries omit",
            rows="by_n_texts",
            heading="texts that raise it",
            counts=(("matters", "n_matters"),),
        ),
    )

    entailer: Entailer = setting(
        "lexical",
        "judge of whether a sentence of the summary entails a sentence of a source: lexical (share of its content "
        "words), embeddings (cosine similarity) or the id or folder of an NLI model; in Python also a function "
        "(premises, hypotheses) -> one probability per pair",
        key="entailer",
    )
    entail_threshold: Threshold | None = setting(
        None,
        "probability from which on a sentence is entailed, in (0, 1]; None for 0.6 with lexical and embeddings, 0.5 "
        "with other entailers",
        key="entails",
    )
    finder: Annotated[
        str | Path | Callable[..., Any],
        model_or_function('"list", the id or folder of a classifier, or a function sentences -> numbers'),
    ] = setting(
        LIST,
        "way to find serious sentences if no column marks them: list (the shipped English list), or the id or folder "
        "of a classifier; in Python also a function sentences -> numbers",
        key="finder",
    )
    finder_label: str | None = setting(None, "the classifier's label for a serious sentence; None for the last one")
    finder_threshold: Threshold = setting(
        0.5, "number from which on a classifier or function finds a sentence serious, in (0, 1]", key="serious"
    )

    def check_together(self) -> None:
        """Check that every setting applies to the chosen finder."""
        super().check_together()
        of_classifier = not callable(self.finder) and self.finder != LIST
        self.only_with(of_classifier, ("finder_label",), "a finder that is a model", "leave it out, or name a model")
        judges = callable(self.finder) or of_classifier
        users = "a finder that is a model or function"
        self.only_with(judges, ("finder_threshold",), users, "leave it out, or choose another finder")

    @property
    def reads_meaning(self) -> bool:
        """True if the entailer reads meaning, so that there is a score."""
        return self.entailer not in _LITERAL

    @property
    def threshold(self) -> float:
        """Effective threshold of the entailer."""
        if self.entail_threshold is not None:
            return self.entail_threshold
        return _PROBABLE if self.reads_meaning else _SHARED

    def uses_model(self, given: Collection[str]) -> bool:
        """Check whether a model judges the texts or finds the matters."""
        return self.is_model or not (callable(self.finder) or self.finder == LIST)


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
