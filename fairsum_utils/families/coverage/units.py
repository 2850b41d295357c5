"""Summaries in units: the simple statements whose coverage is judged one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.validation import describe

Splitter: TypeAlias = Callable[[str], list[str]]
"""summary -> its units."""


def check_units(module: str, index: int, units: object) -> list[str]:
    """Check the units of one summary, given or made by a splitter.

    Args:
        module: name of the measure, for the message.
        index: position of the sample, for the message.
        units: must be a non-empty list of strings that are not blank.

    Returns:
        The units as a new list.

    Raises:
        InputError: anything else; the message names the position of the unit.

    Example:
        >>> check_units("equal_coverage", 3, ["It is cheap.", " "])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: equal_coverage: sample 3: units[1] is blank; drop it or fill it in
    """
    where = f"{module}: sample {index}: units"
    if not isinstance(units, (list, tuple, np.ndarray)):
        raise InputError(f"{where} must be a list of strings, found {describe(units)}")
    if not len(units):
        raise InputError(
            f"{where} is an empty list, so there are no units to judge; give at least one, or drop the sample"
        )
    for position, unit in enumerate(units):
        if not isinstance(unit, str):
            raise InputError(f"{where}[{position}] must be a string, found {describe(unit)}")
        if not unit.strip():
            raise InputError(f"{where}[{position}] is blank; drop it or fill it in")
    return [str(unit) for unit in units]
