"""Pages with tables between marks, which are made of figures."""

from __future__ import annotations

import re

__all__ = ["filled"]


def filled(text: str, name: str, table: str) -> str:
    """Return a page with a table between ``<!-- NAME -->`` and ``<!-- end -->``.

    Args:
        text: the page.
        name: name of the table.
        table: the table in Markdown.
    """
    marks = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.S)
    assert marks.search(text), f"the page has no place for {name}"
    return marks.sub(lambda found: f"{found[1]}\n{table}\n\n{found[2]}", text)
