"""The letters of everything that is shown, once: fonts that the reader has, so that nothing is fetched."""

from __future__ import annotations

__all__ = ["BODY", "FONT", "HEAD", "MONO", "SMALL", "TITLE"]

FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", "Liberation Sans", Arial, sans-serif'
"""The reader's, in the order of preference."""
MONO = 'ui-monospace, "SF Mono", "Cascadia Mono", "Noto Sans Mono", "DejaVu Sans Mono", "Liberation Mono", monospace'
"""For code, signatures and file names."""

SMALL, BODY, HEAD, TITLE = 12, 13, 14, 16
"""Sizes in pixels: notes, labels, the heading of a panel, and that of a drawing."""
