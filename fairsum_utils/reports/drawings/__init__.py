"""Results as drawings: SVG that is written by hand, with a real axis, intervals, and a colour for each value."""

from fairsum_utils.reports.drawings.drawing import Drawing
from fairsum_utils.reports.drawings.families import draw, draw_comparison
from fairsum_utils.reports.drawings.systems import draw_systems

__all__ = ["Drawing", "draw", "draw_comparison", "draw_systems"]
