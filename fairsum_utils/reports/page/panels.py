"""The panels of results in a page, which Python makes and which are read without a script."""

from __future__ import annotations

from collections.abc import Mapping

from fairsum_utils.family.chance import Expected
from fairsum_utils.reports.page import overview, systems, values
from fairsum_utils.reports.page.contents import Contents, Section

__all__ = ["sections_of"]


def sections_of(contents: Contents, expected: Mapping[str, Expected] = {}) -> list[Section]:
    """The panels of a page that stand before its samples, in their order.

    Args:
        contents: of the page.
        expected: measure -> what chance would give.
    """
    made = [overview.section(contents, expected), systems.section(contents), values.section(contents)]
    return [section for section in made if section is not None]
