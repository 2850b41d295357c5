"""A drawing in a page: no style of its own, for the policy of the page allows none."""

from __future__ import annotations

import re

from fairsum_utils.reports.drawings.drawing import Drawing

__all__ = ["drawn"]

_WIDE, _NARROW = 680, 328
"""Pixels of a page and of a phone."""
_STYLES = re.compile(r'<style>.*?</style>| style="[^"]*"| font-family="[^"]*"', re.DOTALL)


def _by_class(svg: str) -> str:
    """A drawing without the colours that the classes of its shapes say too."""
    for side, name in (("f", "fill"), ("s", "stroke")):
        svg = re.sub(rf'(<[^>]* class="(?:[^"]* )?{side}-[^>]*?) {name}="#[0-9a-f]{{6}}"', r"\1", svg)
    return svg


def drawn(drawing: Drawing) -> str:
    """A drawing as HTML, in a wide and in a narrow form; the style sheet of the page chooses, and colours them.

    Args:
        drawing: any; one without panels is nothing.

    Example:
        >>> from fairsum_utils.reports.drawings.chart import Mark, Panel, Row
        >>> shown = drawn(Drawing("Scores", [Panel("Scores", [Row("BUR", [Mark(0.5)])], "Score")]))
        >>> shown.count("<svg"), "style" in shown
        (2, False)
    """
    if not drawing.panels:
        return ""
    forms = {"fairsum-wide": _WIDE, "fairsum-narrow": _NARROW}
    shown = (
        f'<div class="{name}">{_by_class(_STYLES.sub("", drawing.at(wide)))}</div>' for name, wide in forms.items()
    )
    return f'<div class="fairsum-drawings">{"".join(shown)}</div>'
