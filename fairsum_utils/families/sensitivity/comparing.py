"""The distance that settings name, and the model of entailment that they ask."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from fairsum_utils.families.sensitivity.distances import (
    Distances,
    bleu_distances,
    embedding_distances,
    entailment_distances,
    rouge_l_distances,
    word_distances,
)
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.inference.entailers import Entailer, NLIEntailer
from fairsum_utils.inference.sentences import SentenceEmbedder
from fairsum_utils.inference.settings import NLI_MODEL, SENTENCE_MODEL

__all__ = ["Comparison", "get_distances", "get_entailer"]

_OF_WORDS: dict[str, Distances] = {
    "words": word_distances,
    "rouge_l": rouge_l_distances,
    "bleu": bleu_distances,
}
_OFFLINE = "distance='words'"


class Comparison(NamedTuple):
    """What compares the summaries of originals, and the name of its model, empty for none."""

    between: Distances
    model: str = ""


def get_distances(scorer: SensitivityScorer) -> Comparison:
    """The distance of a scorer's settings; a model is loaded and kept by the scorer.

    Args:
        scorer: whose settings name it.

    Raises:
        InputError: a model that cannot be had.

    Example:
        >>> from fairsum_utils.families.sensitivity.settings import SensitivitySettings
        >>> scorer = SensitivityScorer(("counterfactual_gap",), SensitivitySettings(distance="rouge_l"))
        >>> get_distances(scorer).between([["a b", "a c"]])[0, 0, 1].tolist()
        0.5
    """
    settings = scorer.settings
    if settings.distance in _OF_WORDS:
        return Comparison(_OF_WORDS[settings.distance])
    if settings.distance == "embedding":
        embedder = scorer.held(
            "embedder",
            lambda: SentenceEmbedder(
                settings.model or SENTENCE_MODEL, revision=settings.revision, settings=settings, offline=_OFFLINE
            ),
        )
        return Comparison(partial(embedding_distances, embed=embedder.embed), embedder.name)
    entailer = get_entailer(scorer, offline=_OFFLINE)
    return Comparison(partial(entailment_distances, entailer=entailer), entailer.name)


def get_entailer(scorer: SensitivityScorer, *, offline: str) -> Entailer:
    """The model of entailment of a scorer's settings, loaded and kept by the scorer.

    Args:
        scorer: whose settings name it.
        offline: what works without a model, for the message when this one cannot be had.

    Raises:
        InputError: a model that cannot be had.
    """
    settings = scorer.settings
    return scorer.held(
        "entailer",
        lambda: NLIEntailer(
            settings.model or NLI_MODEL,
            revision=settings.revision,
            label=settings.entailment_label,
            settings=settings,
            offline=offline,
        ),
    )
