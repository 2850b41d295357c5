"""Results as drawings: SVG that is written by hand, with a real axis, intervals, and a colour for each value."""

from fairsum_utils.reports.drawings.drawing import Drawing
from fairsum_utils.reports.drawings.families import draw, draw_comparison

__all__ = ["Drawing", "draw", "draw_comparison"]
