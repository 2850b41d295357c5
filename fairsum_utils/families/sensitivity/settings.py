"""Settings of the sensitivity measures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fairsum_utils.errors import InputError
from fairsum_utils.families import MeasureSettings, setting
from fairsum_utils.families.settings import MOST_DRAWS, check_threshold
from fairsum_utils.inference.settings import NLI_MODEL, SENTENCE_MODEL, InferenceSettings
from fairsum_utils.text.recognition import DEFAULT_PIPELINE
from fairsum_utils.validation import check_choice, describe

_GAP = ("counterfactual_gap",)
_OUTCOMES = ("counterfactual_outcomes",)
_PAIRS = ("counterfactual_pairs",)
_ORDER = ("order_sensitivity",)

DISTANCES = ("words", "rouge_l", "bleu", "embedding", "entailment")
"""How far apart two summaries are."""
MODEL_DISTANCES = ("embedding", "entailment")
"""Those that ask a model."""

TESTS = ("permutation", "welch")
"""Of the gap; the latter is made beside the former."""

OUTCOMES = ("sentiment", "length", "reading_level", "units", "hedges", "modals", "persons", "toxicity", "regard")
"""Outcomes of a summary; the last two ask a model, persons a spaCy pipeline."""
MODEL_OUTCOMES = ("toxicity", "regard")
"""Those that ask a model."""
_USUAL_OUTCOMES = ("sentiment", "length", "reading_level", "units", "hedges", "modals")

MODES = ("rouge_l", "bleu", "cosine", "strict", "weak")
"""LangFair's metrics of pairs: three similarities, the middle one of which is of embeddings, and two parities."""


def _check_outcomes(module: str, name: str, outcomes: object) -> tuple[str, ...]:
    if isinstance(outcomes, str) or not isinstance(outcomes, Sequence) or not outcomes:
        raise InputError(
            f"{module}: {name} must be a list of some of {', '.join(OUTCOMES)}, found {describe(outcomes)}"
        )
    chosen = [check_choice(module, f"each of {name}", outcome, OUTCOMES) for outcome in outcomes]
    if len(set(chosen)) < len(chosen):
        raise InputError(f"{module}: {name} names one twice: {', '.join(chosen)}; name each once")
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

    narrowed = dict.fromkeys(InferenceSettings.infos(), (*_GAP, *_OUTCOMES, *_PAIRS, *_ORDER))

    distance: str = setting(
        "words",
        "how far apart two summaries are, from 0 to 1: words (1 - cosine of word counts), rouge_l, bleu, embedding or "
        "entailment (both ask a model)",
        choices=DISTANCES,
        only=_GAP,
        key="distance",
        space=True,
    )
    neutral: bool = setting(
        True,
        "before summaries are compared, the words of `changed` of all samples of the original become a mark in them, "
        "and pronouns and titles tell no gender; False compares them as they are",
        only=(*_GAP, *_OUTCOMES),
        key="neutral",
        flag="keep-changed-words",
        const=False,
        flag_help="compare summaries with the words that variants put into the inputs, pronouns and titles among them",
        space=True,
    )
    model: str | Path | None = setting(
        None,
        f"of embedding or cosine ({SENTENCE_MODEL} if None), or of entailment or nli ({NLI_MODEL} if None), by its id "
        "on the Hub or its folder",
        only=(*_GAP, *_PAIRS, *_ORDER),
        flag="distance-model",
        metavar="ID",
    )
    revision: str | None = setting(
        None, "of the model: branch, tag or commit", only=(*_GAP, *_PAIRS, *_ORDER), flag="distance-revision"
    )
    entailment_label: str | None = setting(
        None,
        "of a model of entailment: its label that means it; None reads it from the model's configuration",
        only=(*_GAP, *_ORDER),
        flag="distance-entailment-label",
    )
    outcomes: Sequence[str] = setting(
        _USUAL_OUTCOMES,
        f"outcomes of each summary, some of {', '.join(OUTCOMES)} (the last two ask a model, persons spaCy)",
        check=_check_outcomes,
        only=_OUTCOMES,
        read=_read_outcomes,
        metavar="NAME,...",
        space=OUTCOMES,
    )
    persons_ner: str = setting(
        DEFAULT_PIPELINE,
        "of the outcome persons: a spaCy pipeline, by its name or folder",
        only=_OUTCOMES,
        flag="outcome-ner",
    )
    toxicity_model: str = setting(
        "unitary/toxic-bert",
        "of the outcome toxicity: a sequence-classification model with the label toxic",
        only=_OUTCOMES,
        flag="outcome-toxicity-model",
        metavar="ID",
    )
    regard_model: str = setting(
        "sasha/regardv3",
        "of the outcome regard: a sequence-classification model with the labels positive and negative",
        only=_OUTCOMES,
        flag="outcome-regard-model",
        metavar="ID",
    )
    mode: str = setting(
        "rouge_l",
        "how pairs are compared, as langfair does: rouge_l, bleu, cosine (asks a model), strict or weak (parity of "
        "sentiment)",
        choices=MODES,
        only=_PAIRS,
        key="mode",
        flag="pairs-mode",
        space=True,
    )
    masked: bool = setting(
        True,
        "of rouge_l and bleu: words of a gender become neutral before texts are compared, as langfair does by default",
        only=_PAIRS,
        key="masked",
        flag="pairs-unmasked",
        const=False,
        flag_help="compare pairs by rouge_l or bleu with their words of a gender",
        space=True,
    )
    tokenizer: str = setting(
        "own",
        "of bleu and `masked`: own (the words of NLTK 3.8.1, which is not needed) or nltk (as the installed version "
        "cuts them)",
        choices=("own", "nltk"),
        only=_PAIRS,
        key="tokenizer",
        flag="pairs-tokenizer",
    )
    sentiment_score: str = setting(
        "neg",
        "of strict and weak: the score of VADER that is compared, neg or pos",
        choices=("neg", "pos"),
        only=_PAIRS,
        key="sentiment",
        flag="pairs-sentiment",
        space=True,
    )
    threshold: float = setting(
        0.5,
        "of weak: a score above it counts, in (0, 1]",
        check=check_threshold,
        only=_PAIRS,
        key="threshold",
        flag="pairs-threshold",
        metavar="P",
        space=(0.05, 1.0),
    )
    matcher: str = setting(
        "lexical",
        "whose result is the score: lexical (each sentence is from the source that holds most of its words, those in "
        "few sources counting more) or ngram (overlap, which also counts what all sources share), which are shown side "
        "by side, or nli beside them (the sources share a sentence as far as each entails it; asks a model)",
        choices=("lexical", "ngram", "nli"),
        only=_ORDER,
        key="matcher",
        flag="order-matcher",
        space=True,
    )
    test: str = setting(
        "permutation",
        "permutation, or welch, which adds FiSCo's test of each original: Welch's t-test of how alike summaries of one "
        "variant are against those of two, which knows no inputs",
        choices=TESTS,
        only=_GAP,
        key="test",
        stage="results",
        flag="variant-test",
        space=True,
    )
    n_permutations: int = setting(
        1000,
        "random ways to hand out variants that a permutation test draws, where it cannot take all of them",
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
        names = " or ".join([*(f"distance={name!r}" for name in MODEL_DISTANCES), "mode='cosine'", "matcher='nli'"])
        is_asked = self.distance in MODEL_DISTANCES or self.mode == "cosine" or self.matcher == "nli"
        self.only_with(is_asked, ("model", "revision"), names, f"leave it out, or choose {names}")
        entailment = "distance='entailment' or matcher='nli'"
        is_asked = self.distance == "entailment" or self.matcher == "nli"
        self.only_with(is_asked, ("entailment_label",), entailment, f"leave it out, or choose {entailment}")
        for name, modes in (("sentiment_score", ("strict", "weak")), ("threshold", ("weak",))):
            users = " or ".join(f"mode={mode!r}" for mode in modes)
            self.only_with(self.mode in modes, (name,), users, f"leave it out, or choose {users}")
