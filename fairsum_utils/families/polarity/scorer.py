"""Base of the family's scorers: checks of texts and groups, rows of labelled texts."""

from __future__ import annotations

import importlib
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from fairsum_utils.families import Scorer
from fairsum_utils.families.polarity.rows import PolarityRow, Word, check_groups
from fairsum_utils.families.polarity.settings import PolaritySettings
from fairsum_utils.inference.settings import InferenceSettings
from fairsum_utils.text.languages import check_script
from fairsum_utils.validation import check_group, check_text


class Sample(NamedTuple):
    """A text that was checked.

    Attributes:
        position: position in the data.
        group: group of the text; None if there are no groups.
        text: nothing, if it is skipped.
    """

    position: int
    group: str | None
    text: str

    @property
    def content(self) -> tuple[str, ...]:
        """Texts that identify the sample, whatever the system."""
        return (str(self.group),)


class Labelled(NamedTuple):
    """Labels and scores of one text.

    Attributes:
        labels: those that the text has; none, one or several.
        scores: the numbers behind the labels.
        counts: what else is counted, see `PolarityScorer.counted`.
        evidence: the words that decided, if evidence is asked for and words decide; else None.
    """

    labels: tuple[str, ...]
    scores: Mapping[str, float]
    counts: Mapping[str, int] = {}
    evidence: tuple[Word, ...] | None = None


class PolarityScorer(Scorer):
    """Labels texts. A kind of polarity defines `label_texts`.

    Attributes:
        labels: all labels there are, in the order of results.
        counted: names of what rows count besides; a result has the sum of each as ``n_<name>``.
    """

    window = 128
    labels: tuple[str, ...]
    counted: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def label_texts(self, texts: Sequence[str]) -> Iterable[Labelled]:
        """Label texts, none of which is empty."""

    def checked(self, index: int, row: Mapping[str, Any]) -> Sample:
        """Check a text and its group."""
        label = check_group(f"{self.module}: sample {index}", "group", row["groups"]) if "groups" in row else None
        text = row["predictions"]
        check_text(self.module, index, "prediction", text)
        if not isinstance(self.settings, InferenceSettings):  # words decide
            check_script(self.module, index, "the text", text)
        return Sample(index, label, "" if text.isspace() else text)

    def is_empty(self, sample: Sample) -> bool:
        """Tell whether a text is blank."""
        return not sample.text

    def check(self, samples: Sequence[Sample]) -> None:
        """Refuse groups that cannot be compared, before any text is labelled."""
        sizes: Counter[str | None] = Counter()
        skipped: Counter[str | None] = Counter()
        for sample in samples:
            (sizes if sample.text else skipped)[sample.group] += 1
        check_groups(self.module, sizes, skipped)

    def score(self, samples: Sequence[Sample]) -> list[PolarityRow]:
        """A row a text, in the order of the samples."""
        labelled = iter(self.label_texts([sample.text for sample in samples if sample.text]))
        return [
            PolarityRow(position, group, *next(labelled))
            if text
            else PolarityRow(position, group, skipped="empty_prediction")
            for position, group, text in samples
        ]


def check_row(module: str, index: int, row: Mapping[str, Any]) -> None:
    """Refuse a sample that is not a text and, if there are groups, the group of the text."""
    if "groups" in row:
        check_group(f"{module}: sample {index}", "group", row["groups"])
    check_text(module, index, "prediction", row["predictions"])


def make_scorer(measures: Sequence[str], settings: PolaritySettings) -> PolarityScorer:
    """Make the scorer that the settings of a measure name."""
    file, _, name = settings.scorer.partition(".")
    scorer: PolarityScorer = getattr(importlib.import_module(f"{__package__}.{file}"), name)(measures, settings)
    return scorer
