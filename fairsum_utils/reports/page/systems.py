"""The panel of systems: scores, paired differences, who wins, which cannot be told apart, and how much they say."""

from __future__ import annotations

from fairsum_utils.reports import comparison
from fairsum_utils.reports.drawings import draw_comparison, draw_systems
from fairsum_utils.reports.formats import as_html
from fairsum_utils.reports.page.contents import Contents, Section
from fairsum_utils.reports.page.drawn import drawn
from fairsum_utils.reports.page.overview import compared, is_comparison
from fairsum_utils.reports.systems import ties, wins
from fairsum_utils.reports.tables import Table

__all__ = ["section"]


def section(contents: Contents) -> Section | None:
    """The comparison of systems; nothing where none were compared.

    Args:
        contents: of the page.
    """
    if not is_comparison(contents):
        return None
    shown = []
    for document in compared(contents):
        tables = [part for part in comparison.parts_of(document) if isinstance(part, Table)]
        if "systems" in document:
            drawing = draw_systems(document)
            # The first table, of scores and qualities, opens the page.
            shown += [drawn(drawing), as_html([ties(document), wins(document), *tables[1:]], sortable=True)]
        else:
            chosen = [(name, name, result) for name, result in document["metrics"].items()]
            drawing = draw_comparison([document[end] for end in "ab"], chosen)
            shown += [drawn(drawing), as_html(tables, sortable=True)]
    return Section("systems", "Systems", "\n".join(shown))
