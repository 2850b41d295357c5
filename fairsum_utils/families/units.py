"""Units of scores: samples, or originals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from fairsum_utils.validation import as_float


class Unit(NamedTuple):
    """Unit of scores, such as sample or original.

    Attributes:
        name: name, as in keys of results.
        counted: keys of its number in a result; the first one present counts.
        few: code of the warning about too few units.
    """

    name: str
    counted: tuple[str, ...]
    few: str

    @property
    def several(self) -> str:
        """Plural of the name."""
        return f"{self.name}s"

    def number(self, result: Mapping[str, Any]) -> float:
        """Read the number of units from a result; NaN if missing.

        Example:
            >>> result = {"n_samples": 240, "n_articles": 40, "n_articles_scored": 38}
            >>> ORIGINAL.number(result), SAMPLE.number(result), ORIGINAL.number({"n_samples": 240})
            (38.0, 240.0, nan)
        """
        return next((as_float(result[key]) for key in self.counted if key in result), math.nan)


SAMPLE = Unit("sample", ("n_samples",), "few_samples")
ORIGINAL = Unit("original", ("n_articles_scored", "n_articles"), "few_originals")
UNITS = (SAMPLE, ORIGINAL)
