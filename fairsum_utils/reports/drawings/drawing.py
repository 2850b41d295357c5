"""A drawing: what a notebook shows, and what is saved as SVG or PNG."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

from fairsum_utils.errors import FairSumError, require
from fairsum_utils.reports.drawings.sheet import Form, as_svg
from fairsum_utils.reports.theme import FONT

_WIDE, _NARROW = 680, 344
"""Pixels of a page and of a phone."""
_SHARP = 2
"""Pixels of a PNG for one of the drawing."""
_SQUARE = "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><text font-family='{}' y='15'>{}</text></svg>"
_PAIR = (
    "<style>.fairsum-narrow{display:none}@media (max-width:560px)"
    "{.fairsum-wide{display:none}.fairsum-narrow{display:block}}</style>"
)


class Drawing:
    """Panels of figures with intervals.

    A notebook shows it in the light or dark colours of the page, and on a narrow screen in a narrow form.

    Args:
        title: above it.
        panels: panels in their order.
        said: sentences below the title.
        notes: sentences at the end.
    """

    def __init__(self, title: str, panels: Sequence[Form], said: Sequence[str] = (), notes: Sequence[str] = ()) -> None:
        self.title = title
        self.panels = tuple(panels)
        self.said = tuple(said)
        self.notes = tuple(notes)

    def at(self, wide: float) -> str:
        """The drawing as SVG of some width.

        Args:
            wide: pixels.
        """
        return as_svg(self.title, self.said, self.panels, self.notes, wide)

    @property
    def svg(self) -> str:
        """The drawing as SVG: no script, nothing to fetch, and in the colours of the reader's light or dark theme."""
        return self.at(_WIDE)

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        wide, narrow = self.svg, self.at(_NARROW)
        return f'{_PAIR}<div class="fairsum-wide">{wide}</div><div class="fairsum-narrow">{narrow}</div>'

    def __repr__(self) -> str:
        return f"<Drawing {self.title!r} of {len(self.panels)} panels>"

    def png(self) -> bytes:
        """The drawing as PNG, in light colours and twice the resolution.

        Raises:
            MissingDependencyError: resvg-py is not installed.
            FairSumError: there is no font on this machine to write with.
        """
        resvg: Any = require("resvg_py", extra="plot", purpose="save a drawing as PNG (.svg needs no package)")
        # Without the style sheet, whose variables only browsers know: every shape has its light colour besides.
        plain = re.sub(r"<style>.*?</style>", "", self.svg, flags=re.DOTALL)
        blank, written = (bytes(resvg.svg_to_bytes(svg_string=_SQUARE.format(FONT, text))) for text in (" ", "W"))
        if blank == written:
            raise FairSumError("there is no font on this machine to write with; install one, or save as .svg")
        return bytes(resvg.svg_to_bytes(svg_string=plain, zoom=_SHARP))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the drawing.

        Args:
            path: ends in ``.svg`` or ``.png``.

        Raises:
            InputError: the file cannot be written, or ends in something else.
            MissingDependencyError: it is a PNG, and resvg-py is not installed.
        """
        from fairsum_utils.io.names import format_of
        from fairsum_utils.io.writing import check_output, replacing

        check_output(path, ".svg", ".png")
        made = self.png() if format_of(path) == ".png" else f"{self.svg}\n".encode()
        with replacing(path) as temporary:
            temporary.write_bytes(made)
