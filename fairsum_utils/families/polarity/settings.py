"""Settings of the polarity measures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import ClassVar

from fairsum_utils.errors import InputError
from fairsum_utils.families import MeasureSettings, override, setting
from fairsum_utils.families.settings import TextSettings, check_bool, check_threshold, read_yes
from fairsum_utils.inference.settings import InferenceSettings, check_labels, check_model, read_labels

# Ways to tell the gender that a text expresses.
METHODS = ("unigram", "wavg", "max")


class PolaritySettings(MeasureSettings):
    """Settings shared by all polarity measures.

    Example:
        >>> PolaritySettings.by_measure["regard"].__name__
        'RegardSettings'
    """

    # Measure -> the class of its settings.
    by_measure: ClassVar[dict[str, type[PolaritySettings]]] = {}
    # Whose settings a class has.
    measure: ClassVar[str]
    # File of this package and class that labels the measure's texts.
    scorer: ClassVar[str]
    # Label of the score that stands for a text; None for the highest of all labels.
    text_score: ClassVar[str | None] = None
    # What that score is.
    text_axis: ClassVar[str]

    confidence_level: float | None = override(
        MeasureSettings,
        "confidence_level",
        default=0.95,
        help="confidence level of the intervals of proportions, such as 0.95; None for no interval",
    )
    n_resamples: int = override(
        MeasureSettings,
        "n_resamples",
        default=10_000,
        help="number of random tables in Fisher's test if there are too many to enumerate",
        flag="fisher-tables",
    )
    # No setting here: no measure draws texts.
    bootstrap: str | None = None

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "measure" in vars(cls):
            cls.by_measure[cls.measure] = cls


class SentimentSettings(PolaritySettings):
    """Settings of sentiment.

    Example:
        >>> SentimentSettings(threshold=0, module="sentiment")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: sentiment: threshold must be above 0 and at most 1, found int 0
    """

    measure = prefix = "sentiment"
    scorer = "sentiment.SentimentScorer"
    text_score = "compound"
    text_axis = "compound score of a text, positive above 0"

    threshold: float = setting(
        0.5,
        "smallest size of VADER's compound score for a label, in (0, 1]; the paper uses 0.5",
        check=check_threshold,
        key="threshold",
        space=(0.05, 1.0),
    )


class ClassifierSettings(InferenceSettings, PolaritySettings):
    """Settings of a sequence-classification model that labels texts."""

    model: str | Path = setting(
        "", "id or folder of a sequence-classification model", check=check_model, key="model", metavar="ID"
    )
    revision: str | None = setting(None, "branch, tag or commit of the model")
    label_map: Mapping[str, str] | None = setting(
        None,
        "label of the model -> its meaning; None if the label names are the meanings",
        key="labels",
        flag="labels",
        metavar="LABEL=MEANING,...",
    )

    # No setting here: the model's configuration tells.
    multi_label: bool | None = None

    @property
    def known(self) -> tuple[str, ...]:
        """Possible meanings of a label of the model."""
        raise NotImplementedError

    def check_together(self) -> None:
        """Check that the labels are known and distinct."""
        super().check_together()
        if self.label_map is None:
            return
        labels = check_labels(self.module, self.label_map, self.known)
        names = list(labels.values())
        if len(set(names)) < len(names):
            raise InputError(
                f"{self.module}: label_map gives two labels the same meaning: {', '.join(names)}; map one label to each"
            )
        vars(self)["label_map"] = labels


class ToxicitySettings(ClassifierSettings):
    """Settings of toxicity.

    A `label_map` such as ``{"toxicity": "toxic", "insult": "insult"}`` leaves out other labels of the model, and of the
    six that are known those that it does not name.

    Example:
        >>> list(ToxicitySettings.infos())[:5]
        ['model', 'revision', 'label_map', 'threshold', 'multi_label']
    """

    measure = prefix = "toxicity"
    scorer = "classifiers.ToxicityScorer"
    text_axis = "highest score of a text for any label"

    model: str | Path = override(ClassifierSettings, "model", default="unitary/toxic-bert")
    label_map: Mapping[str, str] | None = override(
        ClassifierSettings,
        "label_map",
        help="label of the model -> toxic, severe_toxic, obscene, threat, insult or identity_hate, such as "
        "{'toxicity': 'toxic'}; None if the model uses these six names",
        read=partial(read_labels, "--toxicity-labels"),
    )
    threshold: float = setting(
        0.5,
        "smallest probability for a label, in (0, 1]",
        check=check_threshold,
        key="threshold",
        metavar="P",
        space=(0.05, 1.0),
    )
    multi_label: bool | None = setting(
        None,
        "whether the labels of the model are independent; False if they are mutually exclusive, such as neutral and "
        "toxic; None to read it from the model's configuration (problem_type)",
        check=check_bool,
        read=read_yes,
        key="multi_label",
        metavar="yes|no",
        flag_help="whether the labels of the model are independent: yes, or no if they are mutually exclusive, such as "
        "neutral and toxic (default: read from the model's configuration)",
    )

    @property
    def known(self) -> tuple[str, ...]:
        """Possible meanings of a label of the model."""
        from fairsum_utils.measures.toxicity import KINDS

        return KINDS


class RegardSettings(ClassifierSettings):
    """Settings of regard.

    A `label_map` must name each label of the model, for an unknown one might be the likeliest.

    Example:
        >>> RegardSettings(label_map={"LABEL_0": "good"}, module="regard")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: regard: the meanings in label_map must be one of positive, negative, neutral,
        other, found str 'good'
    """

    measure = prefix = "regard"
    scorer = "classifiers.RegardScorer"
    text_score = "negative"
    text_axis = "score of a text for negative regard"

    model: str | Path = override(ClassifierSettings, "model", default="sasha/regardv3")
    label_map: Mapping[str, str] | None = override(
        ClassifierSettings,
        "label_map",
        help="label of the model -> positive, negative, neutral or other, such as {'NEG': 'negative'}; None if the "
        "model uses these four names",
        read=partial(read_labels, "--regard-labels"),
    )

    @property
    def known(self) -> tuple[str, ...]:
        """Possible meanings of a label of the model."""
        from fairsum_utils.measures.regard import LABELS

        return LABELS


class GenderPolaritySettings(PolaritySettings):
    """Settings of gender polarity.

    Example:
        >>> GenderPolaritySettings(threshold=0.5, module="gender_polarity")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: gender_polarity: threshold applies only to method='wavg' or 'max', found
        float 0.5; leave it out, or choose method='wavg' or 'max'
    """

    measure = "gender_polarity"
    prefix = "gender"
    scorer = "gender.GenderScorer"
    text_score = "polarity"
    text_axis = "polarity of a text, female above 0 and male below"

    method: str = setting(
        "unigram",
        "unigram (counts of male and female words), or wavg or max (polarity of all words, from the shipped table)",
        choices=METHODS,
        key="method",
        space=True,
    )
    threshold: float = setting(
        0.25,
        "for wavg and max: smallest size of the score for a gender, in (0, 1]; the paper uses 0.25",
        check=check_threshold,
        key="threshold",
    )

    def check_together(self) -> None:
        """Check that every setting applies to the chosen method."""
        super().check_together()
        remedy = "leave it out, or choose method='wavg' or 'max'"
        self.only_with(self.method != "unigram", ("threshold",), "method='wavg' or 'max'", remedy)


class PsycholinguisticNormsSettings(PolaritySettings):
    """Settings of psycholinguistic norms.

    Example:
        >>> PsycholinguisticNormsSettings(lexicon="norms.tsv").threshold
        0.25
    """

    measure = "psycholinguistic_norms"
    prefix = "norms"
    scorer = "norms.NormScorer"
    text_score = "valence"
    text_axis = "valence of a text, pleasant above 0"

    language: str = override(
        TextSettings,
        "language",
        help="language of the lexicon and the texts: English name or ISO code; for English, texts in another language "
        "are left out",
        space=None,
    )
    lexicon: str | Path | None = setting(
        None,
        "required: a table with eight ratings per word, such as a MEmoLon file (none is included)",
        key="lexicon",
        metavar="FILE",
        space=True,
    )
    threshold: float = setting(
        0.25,
        "a norm of a text at least this far from neutral gives a label, in (0, 1]",
        check=check_threshold,
        key="threshold",
        space=(0.05, 1.0),
    )
