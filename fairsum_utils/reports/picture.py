"""Figure that a notebook shows without pyplot."""

from __future__ import annotations

import io

from matplotlib.figure import Figure


class Picture(Figure):
    """Figure of charts, as PNG in a notebook."""

    def _repr_png_(self) -> bytes:
        written = io.BytesIO()
        self.savefig(written, format="png", dpi=144)
        return written.getvalue()
