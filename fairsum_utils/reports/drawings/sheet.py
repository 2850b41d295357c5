"""A drawing as one SVG: its title, what is said of it, and panels of any form one below the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Protocol

from fairsum_utils.reports.drawings import svg
from fairsum_utils.reports.drawings.svg import BOLDER, EDGE, GAP, clean, wrapped
from fairsum_utils.reports.theme import FONT, LIGHT, STYLE, TITLE


class Form(Protocol):
    """A panel of some form, such as `fairsum_utils.reports.drawings.chart.Panel`."""

    @property
    def title(self) -> str:
        """Above it."""

    def draw(self, body: list[str], y: float, wide: float, beside: Sequence[Form]) -> float:
        """Draw it."""

    def told(self) -> str:
        """What a person hears who sees nothing."""


def as_svg(title: str, said: Sequence[str], panels: Sequence[Form], notes: Sequence[str], wide: float) -> str:
    """Panels one below the other, as one SVG."""
    body: list[str] = []
    y = EDGE + 4.0
    for words in wrapped(clean(title), TITLE * BOLDER, wide - 2 * EDGE, 3):
        y += TITLE
        body.append(svg.text(EDGE, y, words, TITLE, bold=True))
        y += 4
    y = svg.paragraphs(body, y, said, wide)
    for panel in panels:
        body.append('<g class="panel">')
        y = panel.draw(body, y + 2 * GAP, wide, panels)
        body.append("</g>")
    y = svg.paragraphs(body, y + (GAP if notes else 0), notes, wide)
    high = math.ceil(y + EDGE)
    named = escape(clean(title))
    described = escape(" ".join(clean(sentence) for sentence in (*said, *(each.told() for each in panels), *notes)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="fairsum-drawing" role="img" viewBox="0 0 {wide:g} {high}" '
        f'width="{wide:g}" height="{high}" style="max-width:100%;height:auto" font-family="{escape(FONT)}">'
        f"<title>{named}</title><desc>{described}</desc><style>{STYLE}</style>"
        f'<rect class="f-surface" width="{wide:g}" height="{high}" rx="6" fill="{LIGHT["surface"]}"/>'
        f"{''.join(body)}</svg>"
    )
