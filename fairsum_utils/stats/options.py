"""Options of everything that is resampled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.validation import check_count, check_fraction, check_seed, describe

__all__ = ["ResamplingOptions"]

Options = TypeVar("Options", bound="ResamplingOptions")


@dataclass(frozen=True)
class ResamplingOptions:
    """Intervals and randomness.

    Args:
        confidence_level: level of bootstrap intervals, in (0, 1); None for none.
        n_resamples: number of bootstrap replicates.
        seed: seed of everything random; None for fresh randomness.
        module: name used in messages.

    Raises:
        InputError: an option out of range.

    Example:
        >>> ResamplingOptions(confidence_level=0.95).seed
        0
    """

    confidence_level: float | None = None
    n_resamples: int = 1000
    seed: int | None = 0
    module: str = "fairsum"

    def __post_init__(self) -> None:
        level = self.confidence_level
        if level is not None and not 0 < check_fraction(self.module, "confidence_level", level) < 1:
            raise InputError(f"{self.module}: confidence_level must lie between 0 and 1, found {describe(level)}")
        check_count(self.module, "n_resamples", self.n_resamples)
        check_seed(self.module, self.seed)

    def seeded(self: Options) -> Options:
        """These options with a fresh seed where none is given, which all draws share and the signature tells."""
        return self if self.seed is not None else replace(self, seed=int(np.random.default_rng().integers(2**32)))
