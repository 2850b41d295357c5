"""Finders of serious sentences other than the list: a classifier or a function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fairsum_utils.measures.omission import Omission, SeriousFunction
from fairsum_utils.signature import render_callable
from fairsum_utils.validation import check_returned, unwrapped


class FunctionFinder:
    """A function of the caller's, sentences -> numbers."""

    def __init__(self, function: SeriousFunction, settings: Omission) -> None:
        self._function, self._settings = function, settings
        self.name = render_callable(function)

    def find(self, sentences: Sequence[str]) -> list[bool]:
        """Find the serious sentences.

        Raises:
            InputError: the function did not return one number for each sentence.
        """
        if not sentences:
            return []
        returned = unwrapped(self._function(list(sentences)))
        if isinstance(returned, Sequence):  # a truth value is a number here
            returned = [int(item) if isinstance(item, (bool, np.bool_)) else item for item in returned]
        where = f"{self._settings.module}: the finder {self.name}"
        numbers = check_returned(where, returned, sentences, "numbers, one per sentence", "return a number")
        return [number >= self._settings.finder_threshold for number in numbers]


class ClassifierFinder:
    """A text classification model with a label for serious sentences."""

    def __init__(self, settings: Omission) -> None:
        from fairsum_utils.inference.tasks import SequenceClassifier

        assert not callable(settings.finder)
        self._settings = settings
        self._classifier = SequenceClassifier(settings.finder, settings=settings, offline='finder="list"')
        label = settings.finder_label
        labels = self._classifier.labels
        self._column = len(labels) - 1 if label is None else self._classifier.column_of(label, "finder_label")
        self.name = f"{self._classifier.name} {labels[self._column]}"

    def find(self, sentences: Sequence[str]) -> list[bool]:
        """Find the serious sentences; each distinct one is classified once."""
        if not sentences:
            return []
        values, _ = self._classifier.run([(sentence,) for sentence in sentences])
        found: list[bool] = (values[:, self._column] >= self._settings.finder_threshold).tolist()
        return found

    def close(self) -> None:
        """Release the model."""
        self._classifier.close()


def get_finder(settings: Omission) -> Any:
    """Return the finder of the settings with its model loaded."""
    return FunctionFinder(settings.finder, settings) if callable(settings.finder) else ClassifierFinder(settings)
