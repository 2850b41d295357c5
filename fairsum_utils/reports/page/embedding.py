"""Drawings for a page whose style sheet has their colours, and which allows no other style."""

from __future__ import annotations

import re

from fairsum_utils.reports.drawings.drawing import Drawing

__all__ = ["embedded"]

_STYLES = re.compile(r'<style>.*?</style>| style="[^"]*"', re.DOTALL)


def embedded(drawing: Drawing) -> str:
    """A drawing in a form for wide and one for narrow screens, of which a page shows the one that fits.

    Args:
        drawing: any.

    Example:
        >>> from fairsum_utils.reports.drawings.chart import Mark, Panel, Row
        >>> shown = embedded(Drawing("Scores", [Panel("All", [Row("BUR", [Mark(0.2)])], "score")]))
        >>> shown[:56], "style" in shown
        ('<div class="fairsum-drawings"><div class="fairsum-wide">', False)
    """
    # Texts of a drawing hold no quotes and no tags, which are escaped.
    return f'<div class="fairsum-drawings">{_STYLES.sub("", drawing._repr_html_())}</div>'
