"""Checked samples: a text with its group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.families.reading import CheckedSample
from fairsum_utils.validation import check_group, check_text

# Texts that a group needs, for one text says nothing of a proportion.
LEAST = 2


@dataclass(frozen=True, slots=True)
class Sample(CheckedSample):
    """Checked text with its group.

    Attributes:
        index: position of the text in the data.
        group: group of the text; None if there are no groups.
        text: the text; empty if skipped.
    """

    index: int
    group: str | None
    text: str

    @property
    def content(self) -> tuple[str, ...]:
        """Texts that identify the sample for every system."""
        return (str(self.group),)


def check_row(module: str, index: int, row: Mapping[str, Any]) -> Sample:
    """Check a text and, if there are groups, its group."""
    group = check_group(f"{module}: sample {index}", "group", row["groups"]) if "groups" in row else None
    text = row["predictions"]
    check_text(module, index, "prediction", text)
    return Sample(index, group, "" if text.isspace() else text)


def check_groups(module: str, sizes: Mapping[str | None, int], skipped: Mapping[str | None, int]) -> None:
    """Check that all texts or none have groups, with two texts each.

    Example:
        >>> check_groups("regard", {"a": 2, "b": 1}, {"b": 3})
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: regard: the group 'b' has only one text (and 3 empty) but needs at least 2;
        merge it with another group, or remove it
    """
    groups = {*sizes, *skipped}
    if None in groups and len(groups) > 1:
        raise InputError(
            f"{module}: some rows have a group and others have none; give a group to every text, or to none"
        )
    for group in sorted(group for group in groups if group is not None):
        size = sizes.get(group, 0)
        if size < LEAST:
            empty = f" (and {skipped[group]} empty)" if group in skipped else ""
            raise InputError(
                f"{module}: the group {group!r} has {('no text', 'only one text')[size]}{empty} but needs at least "
                f"{LEAST}; merge it with another group, or remove it"
            )
