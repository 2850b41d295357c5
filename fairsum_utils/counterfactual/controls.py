"""Control edits: as many other words as a swap changes, none of which is about a person.

Days, months, cities and neutral words give way to others of their kind, the same word throughout a text to the same
other one. What a summary changes by such edits is the noise that a swap has to be above.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fairsum_utils.counterfactual.edits import Edit, n_words, overlaps
from fairsum_utils.counterfactual.swapping.words import any_of, listed
from fairsum_utils.stats.arrays import shuffled
from fairsum_utils.text.pronouns import capitalize_like

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("January", "February", "April", "June", "July", "September", "October", "November", "December")
"""Those that are seldom anything else."""

_NAME_BEFORE = re.compile(r"[^\W\d_a-z][\w’'.-]*\s+\Z")
_SENTENCE_START = re.compile(r"(?:\A|[.!?:;\n])[\s\"“”‘(]*\S+\s+\Z")
_NAME_AFTER = re.compile(r",?\s+[^\W\d_a-z]|['’-]\w")


class _Word(NamedTuple):
    """A word of a text that may give way, wherever it stands."""

    kind: str
    spans: tuple[tuple[int, int], ...]
    others: tuple[str, ...]


def draw_control(text: str, swapped: Sequence[Edit], n: int, generator: random.Random) -> tuple[Edit, ...]:
    """Edits that should not matter, drawn at random until they change as many words as are wanted.

    Args:
        text: the original.
        swapped: edits of it that are made besides, whose places are left alone.
        n: words to be changed; the edits may change a few more, and fewer where the text has no more.
        generator: decides what is drawn.

    Returns:
        The edits, in text order.

    Example:
        >>> draw_control("On Monday Ann won.", [Edit(10, 13, "Tom", "first")], 1, random.Random(0))
        (Edit(start=3, end=9, after='Saturday', kind='day'),)
    """
    edits: list[Edit] = []
    changed = 0
    for word in shuffled(list(_words(text, swapped)), generator):
        if changed >= n:
            break
        other = word.others[int(generator.random() * len(word.others))]
        made = [Edit(start, end, capitalize_like(other, text[start:end]), word.kind) for start, end in word.spans]
        edits += made
        changed += sum(n_words(edit.after) for edit in made)
    return tuple(sorted(edits))


def _words(text: str, swapped: Sequence[Edit]) -> Iterator[_Word]:
    """Everything that may give way, in the order of the lists."""
    named = [("day", _DAYS), ("month", _MONTHS), *(("place", cities) for cities in listed("place"))]
    for kind, names in named:
        spans = _spans(any_of(names, 0), text)
        others = tuple(name for name in names if name not in text)
        for name in sorted(spans):
            within = kind == "place" and any(_is_within_name(text, *span) for span in spans[name])
            if others and not within and not any(overlaps(*span, swapped) for span in spans[name]):
                yield _Word(kind, tuple(spans[name]), others)
    neutral: dict[str, str] = dict(listed("neutral"))  # type: ignore[arg-type]  # two words each
    spans = _spans(any_of(neutral), text)
    for word in sorted(spans):
        free = tuple(span for span in spans[word] if not overlaps(*span, swapped))
        if free and neutral[word] not in spans:  # or both would be one word
            yield _Word("neutral", free, (neutral[word],))


def _spans(pattern: re.Pattern[str], text: str) -> dict[str, list[tuple[int, int]]]:
    spans: dict[str, list[tuple[int, int]]] = {}
    for match in pattern.finditer(text):
        key = match[0].lower() if pattern.flags & re.IGNORECASE else match[0]
        spans.setdefault(key, []).append(match.span())
    return spans


def _is_within_name(text: str, start: int, end: int) -> bool:
    """Whether a city seems to be part of a longer name, or stands with its country: "Boston Globe", "Rome, Italy"."""
    before = text[max(0, start - 40) : start]
    if _NAME_AFTER.match(text, end) and text[end : end + 2] not in ("'s", "’s"):
        return True
    return bool(_NAME_BEFORE.search(before)) and not _SENTENCE_START.search(before)
