"""Results in a notebook: the drawing and the tables, with styles of their own and no script."""

from __future__ import annotations

from collections.abc import Iterable

from fairsum_utils.reports.drawings.drawing import Drawing
from fairsum_utils.reports.formats import as_html
from fairsum_utils.reports.styles import TABLES
from fairsum_utils.reports.tables import Part

__all__ = ["page"]

_STYLE = f"""\
.fairsum-results{{max-width:100%;overflow-x:auto;line-height:1.4}}
.fairsum-results p{{margin:0.4em 0;overflow-wrap:anywhere}}
.fairsum-results summary{{cursor:pointer;padding:0.4em 0}}
{TABLES}"""


def page(drawing: Drawing | None, parts: Iterable[Part]) -> str:
    """A drawing, and below it the tables, folded away.

    Args:
        drawing: None for tables alone.
        parts: of the report.
    """
    tables = as_html(parts)
    if drawing is not None:
        tables = f"{drawing._repr_html_()}\n<details><summary>Tables</summary>\n{tables}\n</details>"
    return f'<div class="fairsum-results">\n<style>\n{_STYLE}</style>\n{tables}\n</div>'
