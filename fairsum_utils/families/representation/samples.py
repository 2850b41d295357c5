"""Checked samples: a summary with its sources, or with the shares of its groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.families.reading import CheckedSample
from fairsum_utils.measures._representation import SUM_TOLERANCE
from fairsum_utils.validation import check_distribution, check_sample


@dataclass(frozen=True, slots=True)
class Sample(CheckedSample):
    """Checked sample.

    Attributes:
        index: position of the sample in the data.
        prediction: summary; None if the column is absent.
        sources: source texts.
        values: group of each source text.
        weights: given count or share of each group in the summary; None to match.
        unread: a source is in a script without spaces between words.
    """

    index: int
    prediction: str | None
    sources: Sequence[str]
    values: Sequence[str]
    weights: dict[str, float] | None = None
    unread: bool = False

    @property
    def content(self) -> tuple[str, ...]:
        """Texts that identify the sample for every system."""
        return (*self.sources, *self.values)


def check_row(module: str, index: int, row: Mapping[str, Any]) -> Sample:
    """Check the summary or its distribution, the source texts and their groups."""
    labels = check_sample(module, index, row.get("predictions", ""), row["sources"], row["values"])
    given = "target_distributions" in row
    weights = _check_given(module, index, row["target_distributions"], labels) if given else None
    return Sample(index, row.get("predictions"), row["sources"], labels, weights)


def _check_given(module: str, index: int, weights: object, values: Sequence[str]) -> dict[str, float]:
    """Check a given distribution: shares that sum to 1, or whole counts."""
    where = f"{module}: sample {index}: target_distributions"
    given = check_distribution(where, weights)
    missing = sorted(set(values) - given.keys())
    unknown = sorted(given.keys() - set(values))
    if missing or unknown:
        wrong = f"lacks the group {missing[0]!r}" if missing else f"has {unknown[0]!r}, which is not in values"
        raise InputError(f"{where} {wrong}; give one number for each group of the sample's sources")
    total = sum(given.values())
    if abs(total - 1) > SUM_TOLERANCE and not all(number.is_integer() for number in given.values()):
        raise InputError(f"{where} must be shares with a sum of 1, or whole counts; found a sum of {total:g}")
    return given
