"""Settings of the sensitivity measures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fairsum_utils.errors import InputError
from fairsum_utils.families import MeasureSettings, setting
from fairsum_utils.families.settings import MOST_DRAWS
from fairsum_utils.inference.settings import NLI_MODEL, SENTENCE_MODEL, InferenceSettings
from fairsum_utils.text.recognition import DEFAULT_PIPELINE
from fairsum_utils.validation import check_choice, describe

_GAP = ("counterfactual_gap",)
_OUTCOMES = ("counterfactual_outcomes",)
_ORDER = ("order_sensitivity",)

DISTANCES = ("words", "rouge_l", "bleu", "embedding")
"""How far apart two summaries are; the last asks a model."""

OUTCOMES = ("sentiment", "length", "reading_level", "units", "hedges", "modals", "persons", "toxicity", "regard")
"""Outcomes of a summary; the last two ask a model, persons a spaCy pipeline."""
MODEL_OUTCOMES = ("toxicity", "regard")
ENGLISH_OUTCOMES = frozenset({"sentiment", "reading_level", "hedges", "modals", *MODEL_OUTCOMES})
"""Outcomes of English words and models."""
"""Those that ask a model."""
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


def _read_outcomes(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(","))


class SensitivitySettings(InferenceSettings, MeasureSettings):
    """Settings for comparing and testing the summaries of an original.

    Example:
        >>> SensitivitySettings(n_permutations=0, module="counterfactual_gap")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: counterfactual_gap: n_permutations must be a whole number of at least 1, found
        int 0
    """

    narrowed = dict.fromkeys(InferenceSettings.infos(), (*_GAP, *_OUTCOMES, *_ORDER))

    distance: str = setting(
        "words",
        "distance between two summaries: words, rouge_l, bleu or embedding, which needs a model",
        choices=DISTANCES,
        only=_GAP,
        key="distance",
        space=True,
    )
    neutral: bool = setting(
        True,
        "before comparing summaries, mask the `changed` words of the original and make pronouns and titles neutral",
        only=(*_GAP, *_OUTCOMES),
        key="neutral",
        flag="keep-changed-words",
        const=False,
        flag_help="compare summaries unmasked, with changed words, pronouns and titles",
        space=True,
    )
    model: str | Path | None = setting(
        None,
        f"id or folder of the model for embedding ({SENTENCE_MODEL} if None), or for nli ({NLI_MODEL} if None)",
        only=(*_GAP, *_ORDER),
        flag="distance-model",
        metavar="ID",
    )
    revision: str | None = setting(
        None, "branch, tag or commit of the model", only=(*_GAP, *_ORDER), flag="distance-revision"
    )
    entailment_label: str | None = setting(
        None,
        "for nli: label for entailment; None to read it from the model's configuration",
        only=_ORDER,
        flag="distance-entailment-label",
    )
    outcomes: Sequence[str] = setting(
        _USUAL_OUTCOMES,
        f"outcomes to compare, from {', '.join(OUTCOMES)}",
        check=_check_outcomes,
        only=_OUTCOMES,
        read=_read_outcomes,
        metavar="NAME,...",
        space=OUTCOMES,
    )
    persons_ner: str = setting(
        DEFAULT_PIPELINE,
        "for the outcome persons: name or folder of a spaCy pipeline",
        only=_OUTCOMES,
        flag="outcome-ner",
    )
    toxicity_model: str = setting(
        "unitary/toxic-bert",
        "for the outcome toxicity: id or folder of a classifier with the label toxic",
        only=_OUTCOMES,
        flag="outcome-toxicity-model",
        metavar="ID",
    )
    regard_model: str = setting(
        "sasha/regardv3",
        "for the outcome regard: id or folder of a classifier with the labels positive and negative",
        only=_OUTCOMES,
        flag="outcome-regard-model",
        metavar="ID",
    )
    matcher: str = setting(
        "lexical",
        "matcher of the score: lexical, ngram or nli (needs a model); results always show the first two",
        choices=("lexical", "ngram", "nli"),
        only=_ORDER,
        key="matcher",
        flag="order-matcher",
        space=True,
    )
    n_permutations: int = setting(
        1000,
        "number of random assignments in the permutation test if there are too many to enumerate",
        least=1,
        most=MOST_DRAWS,
        only=(*_GAP, *_OUTCOMES, "order_sensitivity"),
        key="perms",
        stage="results",
        flag="variant-permutations",
    )

    def check_together(self) -> None:
        """Check that model settings come with a model."""
        super().check_together()
        names = "distance='embedding' or matcher='nli'"
        is_asked = self.distance == "embedding" or self.matcher == "nli"
        self.only_with(is_asked, ("model", "revision"), names, f"leave it out, or choose {names}")
        is_asked, remedy = self.matcher == "nli", "leave it out, or choose matcher='nli'"
        self.only_with(is_asked, ("entailment_label",), "matcher='nli'", remedy)
