"""Sentiment scores of sentences: VADER, a classification model, or a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.measures.framing import CLASSES, VADER, Framing
from fairsum_utils.settings.models import label_hint
from fairsum_utils.signature import render_callable
from fairsum_utils.text.vader import analyzer
from fairsum_utils.validation import check_returned

if TYPE_CHECKING:
    from fairsum_utils.inference.tasks import SequenceClassifier


class Scored(NamedTuple):
    """Scores of sentences.

    Attributes:
        scores: score of each sentence, in [-1, 1].
        is_cut: the model did not read the sentence to its end.
    """

    scores: list[float]
    is_cut: list[bool]


class SentimentScores:
    """Sentiment of sentences by the chosen model.

    Args:
        settings: settings of framing.

    Example:
        >>> SentimentScores(Framing()).score(["Great soup!", "The door is red."]).scores
        [0.6588, 0.0]
    """

    def __init__(self, settings: Framing) -> None:
        self._settings = settings
        chosen = settings.model
        self._model: SequenceClassifier | None = None
        self._function = chosen if callable(chosen) else None
        if settings.is_model:
            self._model = self._load()

    @property
    def name(self) -> str:
        """Name for signatures."""
        if self._model is not None:
            return str(self._model.name)
        if self._function is not None:
            return str(render_callable(self._function))
        return f"{VADER}({version('vaderSentiment')})"

    def score(self, sentences: Sequence[str]) -> Scored:
        """Score sentences."""
        if self._model is not None:
            return self._by_model(self._model, sentences)
        if self._function is not None:
            scores = self._by_function(self._function, sentences)
        else:
            vader = analyzer()
            scores = [float(vader.polarity_scores(sentence)["compound"]) for sentence in sentences]
        return Scored(scores, [False] * len(sentences))

    def close(self) -> None:
        """Release the model."""
        if self._model is not None:
            self._model.close()

    def _load(self) -> SequenceClassifier:
        from fairsum_utils.inference.tasks import SequenceClassifier

        model = SequenceClassifier(
            self._settings.model,  # type: ignore[arg-type]  # a name, see is_model
            revision=self._settings.revision,
            multi_label=None,
            settings=self._settings,
            offline="model='vader', which has a lexicon instead",
        )
        self._signs = self._signs_of(model)
        model.settle(independent=False)
        return model

    def _signs_of(self, model: SequenceClassifier) -> Sequence[float]:
        """Return -1, 0 or 1 for each label of a model."""
        label_map = self._settings.label_map
        named = {label: label.casefold() for label in model.labels} if label_map is None else label_map
        meanings = [named.get(label, "") for label in model.labels]
        unknown = [label for label, meaning in zip(model.labels, meanings, strict=True) if meaning not in CLASSES]
        missing = [name for name in ("negative", "positive") if name not in meanings]
        foreign = [label for label in named if label not in model.labels]
        if unknown or missing or foreign:
            problem = f"the meaning of {unknown[0]!r} is missing" if unknown else ""
            problem = problem or (f"none is {foreign[0]!r}" if foreign else f"none means {missing[0]}")
            listed = ", ".join(map(repr, model.labels))
            raise InputError(
                f"{self._settings.module}: {model.name} has the labels {listed}; {problem}. "
                f"{label_hint(model.labels, CLASSES)}, or choose another model"
            )
        return [float(CLASSES.index(meaning) - 1) for meaning in meanings]

    def _by_model(self, model: SequenceClassifier, sentences: Sequence[str]) -> Scored:
        """Return P(positive) - P(negative) of each sentence."""
        values, cut = model.run([(sentence,) for sentence in sentences])
        scores = values.astype(np.float64) @ np.asarray(self._signs)
        return Scored(np.clip(scores, -1.0, 1.0).tolist(), [n > 0 for n in cut.tolist()])

    def _by_function(self, function: Callable[[list[str]], Sequence[float]], sentences: Sequence[str]) -> list[float]:
        module, returned = self._settings.module, function(list(sentences))
        advice = "return a score from -1 (negative) to 1 (positive)"
        where = f"{module}: the model {self.name}"
        return check_returned(where, returned, sentences, "scores, one per sentence", advice, limits=(-1, 1))
