"""Toxicity and regard of texts from sequence-classification models."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families.polarity.scorer import Labelled, PolarityScorer
from fairsum_utils.measures import regard, toxicity
from fairsum_utils.measures._polarity import ClassifierMeasure
from fairsum_utils.measures.toxicity import Toxicity
from fairsum_utils.settings.models import label_hint
from fairsum_utils.stats.arrays import Floats

if TYPE_CHECKING:
    from fairsum_utils.inference.tasks import SequenceClassifier


class ClassifierScorer(PolarityScorer):
    """Scorer that labels texts by a model's probabilities."""

    settings: ClassifierMeasure
    window = 4096
    # True if every label of the model must have a known meaning, because labels exclude each other.
    needs_all: ClassVar[bool] = False

    @abstractmethod
    def labels_of(self, probabilities: Floats) -> list[tuple[str, ...]]:
        """Return the labels of texts."""

    @property
    def classifier(self) -> SequenceClassifier:
        """Model, loaded on first use."""
        return self.held("classifier", self._load)

    def _load(self) -> SequenceClassifier:
        from fairsum_utils.inference.tasks import SequenceClassifier

        return SequenceClassifier(
            self.settings.model,
            revision=self.settings.revision,
            multi_label=self.settings.multi_label,
            settings=self.settings,
            offline="sentiment, which uses a lexicon",
        )

    @abstractmethod
    def settled(self) -> SequenceClassifier:
        """Return the model once it is known whether its labels exclude each other."""

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """Return the settings that change labels and scores, including the model's hash."""
        label_map = self.settings.label_map
        mapped = label_map and ",".join(f"{label}={name}" for label, name in sorted(label_map.items()))
        return {"model": self.classifier.name, "labels": mapped, "empty": self.settings.empty}

    def label_texts(self, texts: Sequence[str]) -> Iterator[Labelled]:
        """Label texts; each distinct text is scored once and cached."""
        columns = self._columns
        values, cut = self.settled().run([(text,) for text in texts])
        probabilities = values[:, columns]
        for labels, row, n_cut in zip(self.labels_of(probabilities), probabilities.tolist(), cut.tolist(), strict=True):
            yield Labelled(labels, dict(zip(self.settings.meanings, row, strict=True)), {"truncated": int(n_cut > 0)})

    @cached_property
    def _columns(self) -> list[int]:
        """Return the model's column of each meaning."""
        if self.settings.label_map is None:
            labels = [label.casefold() for label in self.classifier.labels]
            wanted = {name: name for name in self.settings.meanings}
        else:
            labels = list(self.classifier.labels)
            wanted = {name: label for label, name in self.settings.label_map.items()}
        missing = [label for label in wanted.values() if label not in labels]
        double = [label for label in wanted.values() if labels.count(label) > 1]
        unknown = [label for label in labels if label not in wanted.values()] if self.needs_all else []
        for problem, those in (
            ("none is {}", missing),
            ("{} occurs more than once", double),
            ("the meaning of {} is unknown", unknown),
        ):
            if those:
                raise InputError(
                    f"{self.module}: {self.classifier.name} has the labels {_listed(self.classifier.labels)}, but "
                    f"{problem.format(_listed(those))}. {label_hint(self.classifier.labels, self.settings.known)}, or "
                    "choose another model"
                )
        return [labels.index(wanted[name]) for name in self.settings.meanings]


class ToxicityScorer(ClassifierScorer):
    """Scorer of toxicity: labels whose probability reaches the threshold.

    Source: Dhamala et al. 2021, section 4.2 and appendix A.2.5.
    """

    settings: Toxicity

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """Return the settings that change labels and scores, including the model's hash."""
        return {
            **super().signature(measure, given),
            "multi_label": None if self.settled().multi_label else False,
            "threshold": self.settings.threshold,
        }

    def settled(self) -> SequenceClassifier:
        """Return the model once it is known whether its labels exclude each other."""
        classifier, label_map = self.classifier, self.settings.label_map or {}
        meanings = {label_map.get(label, label.casefold()) for label in classifier.labels}
        classifier.settle(
            independent=toxicity.are_independent(meanings),
            remedy="set multi_label=False if they do, such as 'neutral' and 'toxic', or multi_label=True",
        )
        return classifier

    def labels_of(self, probabilities: Floats) -> list[tuple[str, ...]]:
        """Return ``toxic`` if there is any label, then the others."""
        has = toxicity.has_kind(probabilities, self.settings.threshold)
        has_label = dict(zip(self.settings.meanings, has.T, strict=True))
        has_label["toxic"] = toxicity.is_toxic(probabilities, self.settings.threshold)
        table = np.column_stack([has_label[label] for label in self.settings.labels])
        return [tuple(label for label, is_so in zip(self.settings.labels, row, strict=True) if is_so) for row in table]


class RegardScorer(ClassifierScorer):
    """Scorer of regard: the most likely of positive, negative, neutral and other.

    Source: Dhamala et al. 2021, section 4.3 and appendix A.2.6.
    """

    needs_all = True

    def settled(self) -> SequenceClassifier:
        """Return the model; its labels exclude each other unless its configuration says otherwise."""
        self.classifier.settle(independent=False)
        return self.classifier

    def labels_of(self, probabilities: Floats) -> list[tuple[str, ...]]:
        """Return the most likely label of each text."""
        return [(self.settings.meanings[place],) for place in regard.most_likely(probabilities).tolist()]


def _listed(labels: Sequence[str]) -> str:
    return ", ".join(map(repr, labels))
