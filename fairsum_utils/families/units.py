"""What scores are made from and the bootstrap draws: samples, or originals with all of their samples."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from fairsum_utils.validation import as_float


class Unit(NamedTuple):
    """One kind of it.

    Attributes:
        name: in words, as a key of results has it.
        counted: keys of a result that say how many there are, the first that is there.
        few: code of the caution that there are few.
    """

    name: str
    counted: tuple[str, ...]
    few: str

    @property
    def several(self) -> str:
        """The name of more than one."""
        return f"{self.name}s"

    def number(self, result: Mapping[str, Any]) -> float:
        """How many of them a result is of; NaN where it does not say so.

        Args:
            result: of a measure, of a comparison, or of a part of either.

        Example:
            >>> result = {"n_samples": 240, "n_articles": 40, "n_articles_scored": 38}
            >>> ORIGINAL.number(result), SAMPLE.number(result), ORIGINAL.number({"n_samples": 240})
            (38.0, 240.0, nan)
        """
        return next((as_float(result[key]) for key in self.counted if key in result), math.nan)


SAMPLE = Unit("sample", ("n_samples",), "few_samples")
ORIGINAL = Unit("original", ("n_articles_scored", "n_articles"), "few_originals")
UNITS = (SAMPLE, ORIGINAL)
