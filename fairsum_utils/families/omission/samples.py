"""Checked samples: a summary, its sources, and marked matters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families import reading
from fairsum_utils.families.reading import SourcesSample
from fairsum_utils.validation import as_float, describe


@dataclass(frozen=True, slots=True)
class Sample(SourcesSample):
    """Checked sample.

    Attributes:
        index: position of the sample in the data.
        prediction: summary.
        sources: source texts.
        values: group of each source text; empty if there are no groups.
        serious: serious source texts; None if not given.
        spans: characters of the serious matters in each source text; None if not given.
    """

    serious: tuple[bool, ...] | None = None
    spans: tuple[tuple[tuple[int, int], ...], ...] | None = None

    @property
    def given(self) -> tuple[str, ...]:
        """Further texts that identify the sample for every system."""
        return tuple(repr(marks) for marks in (self.serious, self.spans) if marks is not None)


def check_row(module: str, index: int, row: Mapping[str, Any]) -> Sample:
    """Check a summary, its sources, their groups and serious matters."""
    texts = reading.check_row(module, index, row)
    serious = read_serious(module, index, row.get("serious"), texts.sources)
    spans = read_spans(module, index, row.get("serious_spans"), texts.sources)
    if serious is not None and spans is not None:
        raise InputError(f"{module}: sample {index}: serious and serious_spans both mark matters; give one of them")
    return Sample(index, texts.prediction, texts.sources, texts.values, serious, spans)


def _items(where: str, given: Any, sources: Sequence[str], each: str) -> list[Any]:
    """Return the entries of a column, one for each source text."""
    if not isinstance(given, (list, tuple, np.ndarray)):
        raise InputError(f"{where} must be a list with {each} per source text, found {describe(given)}")
    if len(given) != len(sources):
        raise InputError(
            f"{where} has {len(given)} entries, but the sample has {len(sources)} source texts; give {each} per text"
        )
    return list(given)


def read_serious(module: str, index: int, given: Any, sources: Sequence[str]) -> tuple[bool, ...] | None:
    """Read which source texts are serious: numbers above 0, or True.

    Example:
        >>> read_serious("omission", 0, [0, 2.5, True], ["a", "b", "c"])
        (False, True, True)
    """
    if given is None:
        return None
    where = f"{module}: sample {index}: serious"
    numbers = []
    for place, item in enumerate(_items(where, given, sources, "one number")):
        number = _number(item)
        if not abs(number) < float("inf"):
            raise InputError(f"{where}[{place}] must be a number or True or False, found {describe(item)}")
        numbers.append(number > 0)
    return tuple(numbers)


def _number(item: Any) -> float:
    """Read a number or truth value, also as text; NaN for others."""
    if isinstance(item, (bool, np.bool_)):
        return float(item)
    if isinstance(item, str):
        text = item.strip().lower()
        if text in ("true", "false"):
            return float(text == "true")
        try:
            return float(text)
        except ValueError:
            return float("nan")
    return as_float(item)


def read_spans(
    module: str, index: int, given: Any, sources: Sequence[str]
) -> tuple[tuple[tuple[int, int], ...], ...] | None:
    """Read the characters of serious matters, [start, end) in each source text.

    Example:
        >>> read_spans("omission", 0, [[], [[0, 3]]], ["Nice.", "Bad food."])
        ((), ((0, 3),))
    """
    if given is None:
        return None
    where = f"{module}: sample {index}: serious_spans"
    found = []
    for place, spans in enumerate(_items(where, given, sources, "a list of [start, end]")):
        if not isinstance(spans, (list, tuple, np.ndarray)):
            raise InputError(f"{where}[{place}] must be a list of [start, end], found {describe(spans)}")
        found.append(tuple(_span(f"{where}[{place}]", span, sources[place]) for span in spans))
    return tuple(found)


def _span(where: str, span: Any, text: str) -> tuple[int, int]:
    is_pair = isinstance(span, (list, tuple, np.ndarray)) and len(span) == 2
    ends = [int(end) if isinstance(end, str) and end.isdecimal() else end for end in span] if is_pair else []
    if not is_pair or any(isinstance(end, bool) or not isinstance(end, Integral) for end in ends):
        raise InputError(f"{where} must contain [start, end] as whole numbers, found {describe(span)}")
    start, end = map(int, ends)
    if not 0 <= start < end <= len(text) or not any(map(str.isalnum, text[start:end])):
        raise InputError(
            f"{where} has [{start}, {end}], but the text has {len(text)} characters; give 0 <= start < end <= "
            f"{len(text)}, around at least one letter or digit"
        )
    return start, end
