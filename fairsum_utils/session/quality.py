"""Lengths and other qualities of compared summaries, and fairer systems that have less."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from fairsum_utils.cleaning import without_reasoning
from fairsum_utils.errors import InputError
from fairsum_utils.families.warnings import LESS, WarningRecord
from fairsum_utils.measures import get_measure
from fairsum_utils.session.passes import Columns
from fairsum_utils.stats.arrays import exact_mean
from fairsum_utils.validation import as_float, count, describe

SHORTER = 2 / 3
"""Summaries with less than this share of another system's words are much shorter."""
WORSE = 0.05
"""A share is much worse if it is lower by more than this, or higher for empty summaries."""


@dataclass
class Quality:
    """Lengths of a system's summaries without reasoning, and other columns of numbers.

    Attributes:
        n_samples: number of summaries.
        n_empty: summaries without a word.
        n_words: words in all summaries, between white space.
        n_characters: characters in all summaries.
        has_texts: True if there are texts; a given coverage needs none.
        columns: name of a column of numbers -> its numbers.
    """

    n_samples: int = 0
    n_empty: int = 0
    n_words: int = 0
    n_characters: int = 0
    has_texts: bool = True
    columns: dict[str, array[float]] = field(default_factory=dict)

    def add(self, columns: Columns, others: Mapping[str, Iterable[Any]], *, module: str, start: int = 0) -> Self:
        """Add checked samples from the index `start` on, and columns of numbers."""
        self.n_samples += len(next(iter(columns.values())))
        self.has_texts &= "predictions" in columns
        for prediction in columns.get("predictions", ()):
            text = without_reasoning(prediction).text
            n_words = len(text.split())
            self.n_words += n_words
            self.n_characters += len(text)
            self.n_empty += not n_words
        for name, entries in others.items():
            numbers = self.columns.setdefault(name, array("d"))
            for index, entry in enumerate(entries, start):
                number = _number(entry)
                if not math.isfinite(number):
                    raise InputError(
                        f"{module}: sample {index}: the quality column {name!r} must hold numbers, found "
                        f"{describe(entry)}; name another, or leave it out"
                    )
                numbers.append(number)
        return self

    def merge(self, other: Quality) -> None:
        """Add the samples of another."""
        for name in ("n_samples", "n_empty", "n_words", "n_characters"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.has_texts &= other.has_texts
        for name, numbers in other.columns.items():
            self.columns.setdefault(name, array("d")).extend(numbers)

    def summary(self) -> dict[str, Any]:
        """Return its means and shares over all samples."""
        n = self.n_samples
        found: dict[str, Any] = {"n_samples": n}
        if self.has_texts:
            found["mean_words"] = self.n_words / n
            found["mean_characters"] = self.n_characters / n
            found["share_empty"] = self.n_empty / n
        return {**found, "columns": {name: exact_mean(numbers) for name, numbers in self.columns.items()}}


def _number(entry: object) -> float:
    """Read a number, also from text; NaN for anything else."""
    try:
        return float(entry) if isinstance(entry, str) else as_float(entry)
    except ValueError:
        return math.nan


def check_qualities(
    module: str, quality: Mapping[str, Mapping[str, Sequence[float]]], systems: Sequence[str], n: int
) -> list[dict[str, Sequence[float]]]:
    """Regroup numbers by column and system into columns per system."""
    for name, by_system in quality.items():
        for system in systems:
            if system not in by_system:
                raise InputError(f"{module}: the quality {name!r} lacks system {system!r}; give it for every system")
            if len(by_system[system]) != n:
                found = count(len(by_system[system]), "number")
                raise InputError(
                    f"{module}: the quality {name!r} of system {system!r} has {found} for "
                    f"{count(n, 'sample')}; give one a sample"
                )
    return [{name: by_system[system] for name, by_system in quality.items()} for system in systems]


def fairer_but_less(
    results: Mapping[str, Mapping[str, Any]], measures: Mapping[str, str], systems: Mapping[str, Mapping[str, Any]]
) -> list[WarningRecord]:
    """Warn of systems that look fairer but have less in their summaries."""
    fairer: dict[tuple[str, str], list[str]] = {}
    for label, result in results.items():
        unfairness = get_measure(measures[label]).unfairness
        for pair in result["differences"]:
            scores = {name: unfairness(result["systems"][name]["score"]) for name in (pair["baseline"], pair["system"])}
            low, high = sorted(scores, key=scores.__getitem__)
            if scores[low] < scores[high]:
                fairer.setdefault((low, high), []).append(label)
    warnings = []
    for (name, other), labels in fairer.items():
        if shortcomings := _shortcomings(systems[name], systems[other]):
            message = f"system {name} has a lower {', '.join(labels)} than {other}, but {' and '.join(shortcomings)}"
            warnings.append(WarningRecord(LESS, len(labels), len(labels) / len(results), message))
    return warnings


def _shortcomings(system: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Describe how a system's summaries fall short of another's."""
    found = []
    if system.get("mean_words", math.inf) < SHORTER * other.get("mean_words", 0.0):
        words = f"({system['mean_words']:.1f} words, not {other['mean_words']:.1f})"
        found.append(f"its summaries are much shorter {words}")
    if system.get("share_empty", 0.0) > other.get("share_empty", 1.0) + WORSE:
        found.append(f"more of them are empty ({system['share_empty']:.0%}, not {other['share_empty']:.0%})")
    for key, less in _SHARES.items():
        if system.get(key, math.inf) < other.get(key, 0.0) - WORSE:
            found.append(f"{less} ({system[key]:.0%}, not {other[key]:.0%})")
    return found


_SHARES = {
    "share_matched": "fewer of them share a word with their sources",
    "mean_coverage": "their sources cover less of them",
}
"""Shares of families for which less is worse -> words for less."""
