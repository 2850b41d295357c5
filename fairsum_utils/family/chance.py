"""What scores would be by chance: something to read the real ones against."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["Chance", "Expected"]


class Expected(NamedTuple):
    """The score that chance alone would give.

    Attributes:
        score: its mean.
        said: what is drawn at random, such as ``"summaries of random words"``.
        ends: between them lie 95 % of such scores; None where that is not known.
    """

    score: float
    said: str
    ends: tuple[float, float] | None = None


class Chance(ABC):
    """Takes the samples of a system in, one by one, and says what chance would have made of them.

    Attributes:
        n_samples: how many with a score were taken in.
    """

    n_samples: int = 0

    @abstractmethod
    def add(self, sample: Mapping[str, Any], record: Mapping[str, Any]) -> None:
        """Take a sample in.

        Args:
            sample: column -> entry.
            record: what `Family.records` says of it.
        """

    @abstractmethod
    def expected(self) -> dict[str, Expected]:
        """Measure -> what it would be by chance, over the samples so far; nothing where that cannot be known."""
