"""Backgrounds of shares, from that of the page at 0 to half the accent at 1, so that numbers on them can be read."""

from __future__ import annotations

from fairsum_utils.reports.palette import LIGHT

__all__ = ["SHADES", "STRONGEST"]

STRONGEST = 55
"""Percent of the accent in the strongest shade: as much as leaves the ink a contrast of 4.5 in both themes."""

SHADES = "\n".join(
    f".fs-shade-{level}{{background:color-mix(in srgb,var(--fairsum-accent,{LIGHT['accent']}) "
    f"{STRONGEST * level / 10:g}%,var(--fairsum-surface,transparent))}}"
    for level in range(11)
)
"""Style sheet for the cells of `fairsum_utils.reports.tables.Shade`."""
