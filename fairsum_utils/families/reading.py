"""Samples that measures leave out: without a label, or in another language.

A measure whose words are English leaves out texts that `fairsum_utils.text.languages.notice` finds to be in another
language. Shorter texts are scored; if most texts are short and look like another language, the result says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairsum_utils.validation import check_sample, check_texts, is_unlabelled, unwrapped

if TYPE_CHECKING:
    from fairsum_utils.families.columns import Column

UNLABELLED, FOREIGN, EMPTY = "unlabelled", "foreign_language", "empty_prediction"
"""Reasons why a sample is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSample:
    """Base class of checked samples.

    Attributes:
        notes: remarks on the texts, see `fairsum_utils.cleaning`.
        n_dropped: source texts or persons that were left out, because they have no label.
    """

    notes: tuple[str, ...] = ()
    n_dropped: int = 0


@dataclass(frozen=True, slots=True)
class SourcesSample(CheckedSample):
    """Checked summary with its sources.

    Attributes:
        index: position of the sample in the data.
        prediction: summary.
        sources: source texts.
        values: group of each source text; empty if there are no groups.
    """

    index: int
    prediction: str
    sources: Sequence[str]
    values: Sequence[str]

    @property
    def given(self) -> tuple[str, ...]:
        """Further texts that identify the sample for every system."""
        return ()

    @property
    def content(self) -> tuple[str, ...]:
        """Texts that identify the sample for every system."""
        return (*self.sources, *self.values, *self.given)


def check_row(module: str, index: int, row: Mapping[str, Any]) -> SourcesSample:
    """Check a summary, its sources and, if given, their groups."""
    prediction, sources, values = row["predictions"], row["sources"], row.get("values")
    if values is None:
        check_texts(module, index, prediction, sources)
        return SourcesSample(index, prediction, sources, ())
    return SourcesSample(index, prediction, sources, check_sample(module, index, prediction, sources, values))


@dataclass(frozen=True, slots=True)
class LeftOut(CheckedSample):
    """Sample that is left out before it is checked.

    Attributes:
        index: position of the sample in the data.
        reason: why it is left out.
    """

    index: int
    reason: str

    @property
    def content(self) -> tuple[str, ...]:
        """Texts that identify the sample for every system: none."""
        return ()


def drop_unlabelled(columns: Sequence[Column], row: Mapping[str, Any]) -> tuple[dict[str, Any], int] | None:
    """Drop what has no label from a sample.

    Args:
        columns: columns of the family.
        row: entries of the sample by column.

    Returns:
        The sample and the number of dropped source texts or persons; None if nothing is left to score.

    Example:
        >>> from fairsum_utils.families.columns import GROUPS, SOURCES, VALUES
        >>> drop_unlabelled([SOURCES, VALUES], {"sources": ["Tasty.", "Cold."], "values": ["pos", ""]})
        ({'sources': ['Tasty.'], 'values': ['pos']}, 1)
        >>> drop_unlabelled([GROUPS], {"groups": "nan"}) is None
        True
    """
    kept, n_dropped = dict(row), 0
    for column in columns:
        if column.name not in row:
            continue
        entry = unwrapped(row[column.name])
        if column.labels and not isinstance(entry, (list, tuple)):
            # No list of groups at all is for the family to judge, which may do without.
            if not column.follows_texts and is_unlabelled(entry):
                return None
        elif column.labels:
            places = [place for place, label in enumerate(entry) if not is_unlabelled(label)]
            if not places:
                return None
            n_dropped += len(entry) - len(places)
            if len(places) < len(entry):
                kept |= _of_texts(columns, row, len(entry), places)
        elif isinstance(entry, (list, tuple)) and (n_persons := sum(map(_lacks_group, entry))):
            kept[column.name] = [each for each in entry if not _lacks_group(each)]
            n_dropped += n_persons
    return kept, n_dropped


def _lacks_group(person: object) -> bool:
    return isinstance(person, Mapping) and "group" in person and is_unlabelled(person["group"])


def _of_texts(
    columns: Sequence[Column], row: Mapping[str, Any], n_texts: int, places: Sequence[int]
) -> dict[str, list[Any]]:
    """Return the entries of some source texts; families refuse other lengths."""
    found = {}
    for column in columns:
        entry = unwrapped(row.get(column.name)) if column.follows_texts else None
        if isinstance(entry, (list, tuple)) and len(entry) == n_texts:
            found[column.name] = [entry[place] for place in places]
    return found
