"""Kinds of values of settings: annotations with their checks."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Annotated, Any

from fairsum_utils.errors import InputError
from fairsum_utils.settings.base import Checked
from fairsum_utils.text.languages import LANGUAGES, check_language
from fairsum_utils.validation import LARGEST, as_float, check_count, check_fraction, describe


def whole(least: int, most: int = LARGEST) -> Checked:
    """Annotate a whole number from `least` to `most`."""
    return Checked(lambda module, name, value: check_count(module, name, value, least=least, most=most), (), least)


def as_given(module: str, name: str, value: Any) -> Any:
    """Return any value; where it is read, it is checked."""
    return value


def check_level(module: str, name: str, level: object) -> float:
    """Check a confidence level, in (0, 1).

    Example:
        >>> check_level("bur", "confidence_level", 0.95)
        0.95
    """
    if not 0 < check_fraction(module, name, level) < 1:
        raise InputError(f"{module}: {name} must lie between 0 and 1 (None for no interval), found {describe(level)}")
    return float(level)  # type: ignore[arg-type]  # checked above


def check_threshold(module: str, name: str, threshold: object) -> float:
    """Check a threshold, in (0, 1]; every score reaches 0.

    Example:
        >>> check_threshold("toxicity", "threshold", 0.5)
        0.5
    """
    number = as_float(threshold)
    if not 0 < number <= 1:
        raise InputError(f"{module}: {name} must be above 0 and at most 1, found {describe(threshold)}")
    return number


_TINY = 1e-6
"""A number nearer to 0 is none to divide by, and one over it is as large as any that means something."""


def check_positive(module: str, name: str, number: object) -> float:
    """Check a number from a millionth to a million.

    Example:
        >>> check_positive("bur", "temperature", 1)
        1.0
    """
    positive = as_float(number)
    if not 0 < positive < math.inf:
        raise InputError(f"{module}: {name} must be a finite number above 0, found {describe(number)}")
    if not _TINY <= positive <= 1 / _TINY:
        raise InputError(f"{module}: {name} must lie between {_TINY} and {1 / _TINY}, found {describe(number)}")
    return positive


def check_bool(module: str, name: str, value: object) -> bool:
    """Check a truth value.

    Example:
        >>> check_bool("toxicity", "multi_label", True)
        True
    """
    if not isinstance(value, bool):
        raise InputError(f"{module}: {name} must be True or False, found {describe(value)}")
    return value


MOST_DRAWS = 1_000_000
"""Replicates and permutations: more would cost time and memory without better estimates."""

Fraction = Annotated[float, Checked(check_fraction, low=0.0, high=1.0)]
"""A number in [0, 1]."""
Level = Annotated[float, Checked(check_level, low=0.0, high=1.0)]
"""A confidence level, in (0, 1)."""
Threshold = Annotated[float, Checked(check_threshold, low=0.0, high=1.0)]
"""A number in (0, 1]."""
Positive = Annotated[float, Checked(check_positive, low=0.0)]
"""A number from a millionth to a million."""
Count = Annotated[int, whole(1)]
"""A whole number of at least 1."""
Draws = Annotated[int, whole(1, MOST_DRAWS)]
"""A number of replicates or permutations."""


Language = Annotated[str, Checked(check_language, tuple(LANGUAGES))]
"""A language by its English name or ISO code."""


def _check_location(module: str, name: str, value: object) -> str | Path:
    if not isinstance(value, (str, os.PathLike)):
        raise InputError(f"{module}: {name} must be a string or a path, found {describe(value)}")
    return value if isinstance(value, str) else Path(value)


Location = Annotated[str | Path, Checked(_check_location)]
"""A file, a folder or the id of a model."""
