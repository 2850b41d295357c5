"""Settings of framing and position bias."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from fairsum_utils.errors import InputError
from fairsum_utils.families import MeasureSettings, setting
from fairsum_utils.families.settings import ChanceSettings, TextSettings, check_threshold
from fairsum_utils.inference.settings import InferenceSettings, check_labels, read_labels
from fairsum_utils.validation import check_fraction, describe

SentimentFunction: TypeAlias = Callable[[list[str]], Sequence[float]]
"""Sentences -> a sentiment score in [-1, 1] for each."""

VADER = "vader"

_CLASSES = ("negative", "neutral", "positive")


def _check_model(module: str, name: str, model: Any) -> Any:
    if not isinstance(model, (str, Path)) and not callable(model):
        raise InputError(
            f'{module}: {name} must be "vader", a model id or folder, or a function sentences -> scores, found '
            f"{describe(model)}"
        )
    return model


def _check_labels(module: str, name: str, labels: Any) -> dict[str, str]:
    return check_labels(module, labels, _CLASSES)


class SourceSettings(TextSettings, ChanceSettings, MeasureSettings):
    """Settings of both measures."""


class FramingSettings(InferenceSettings, SourceSettings):
    """Settings of framing.

    Example:
        >>> FramingSettings(language="de", module="framing")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: framing: VADER knows English only, found language='german'; choose a model for
        this language, as in model='cardiffnlp/twitter-xlm-roberta-base-sentiment'
    """

    prefix = "framing"
    # No setting here: whole sentences are classified.
    normalizer: str | None = None

    model: str | Path | SentimentFunction = setting(
        VADER,
        "sentiment of a sentence: vader (English), or id or folder of a sequence-classification model; in Python also "
        "a function sentences -> one score in [-1, 1] per sentence",
        check=_check_model,
        key="model",
    )
    revision: str | None = setting(None, "branch, tag or commit of the model")
    label_map: Mapping[str, str] | None = setting(
        None,
        "label of the model -> negative, neutral or positive, such as {'NEG': 'negative'}; None if its labels have "
        "these names",
        check=_check_labels,
        read=partial(read_labels, "--framing-labels"),
        key="labels",
        flag="labels",
        metavar="LABEL=MEANING,...",
    )
    threshold: float = setting(
        0.05,
        "smallest size of a mean score for negative or positive, in (0, 1]; VADER's authors recommend 0.05",
        check=check_threshold,
        key="threshold",
        stage="results",
        space=(0.05, 1.0),
    )

    @property
    def is_model(self) -> bool:
        """True if a neural model scores the sentences."""
        return self.model != VADER and not callable(self.model)

    def check_together(self) -> None:
        """Check that the settings fit the model, and the model the language."""
        super().check_together()
        of_model = ("revision", "label_map")
        self.only_with(self.is_model, of_model, "a model of the Hub or a folder", "leave it out, or name a model")
        if self.model == VADER and self.language != "english":
            raise InputError(
                f"{self.module}: VADER knows English only, found language={self.language!r}; choose a model for this "
                "language, as in model='cardiffnlp/twitter-xlm-roberta-base-sentiment'"
            )


class PositionBiasSettings(SourceSettings):
    """Settings of position bias.

    Example:
        >>> PositionBiasSettings(language="de").chosen_normalizer
        'simple'
    """

    prefix = "position"

    min_overlap: float = setting(
        0.2,
        "smallest share of a summary sentence's content words in a source sentence for a match, in [0, 1]; 0: one word",
        check=check_fraction,
        key="overlap",
        space=(0.0, 1.0),
    )


SETTINGS: Mapping[str, type[SourceSettings]] = {"framing": FramingSettings, "position_bias": PositionBiasSettings}
"""Measure -> class of its settings."""
