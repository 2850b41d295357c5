"""What a swap takes and gives: a text, and the edits of each variant; and why a text cannot be swapped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from fairsum_utils.counterfactual.documents import Document
from fairsum_utils.counterfactual.edits import Edit

Variants = Mapping[str, tuple[Edit, ...]]
"""Variant -> its edits, of the same places in all variants."""


class Original(NamedTuple):
    """A text of which variants are to be made.

    Attributes:
        document: the text, with its annotations where it has any.
        guessed: whether these were guessed from the plain text (`plain.annotate`), not given.
    """

    document: Document
    guessed: bool = False


class Unswappable(Exception):
    """A text of which no counterfactual inputs can be made without leaving something behind.

    Args:
        reason: a word by which such texts are counted, such as ``"no_person"``.
        detail: what stands in the way.

    Example:
        >>> Unswappable("minor", "age 12").reason
        'minor'
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
