"""The panels of results in a page, which Python makes and which are read without a script."""

from __future__ import annotations

from fairsum_utils.reports.page import overview, systems, values
from fairsum_utils.reports.page.contents import Contents, Section

__all__ = ["sections_of"]


def sections_of(contents: Contents) -> list[Section]:
    """The panels of a page that stand before its samples, in their order.

    Args:
        contents: of the page.
    """
    made = [overview.section(contents), systems.section(contents), values.section(contents)]
    return [section for section in made if section is not None]
