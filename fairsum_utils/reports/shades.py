"""Backgrounds of shares, from that of the page at 0 to half the accent at 1, so that numbers on them can be read."""

from __future__ import annotations

__all__ = ["SHADES_STYLE", "STRONGEST"]

STRONGEST = 55
"""Percent of the accent in the strongest shade: as much as leaves the ink a contrast of 4.5 in both themes."""

SHADES_STYLE = "".join(
    f".fs-shade-{level}{{background:color-mix(in srgb,var(--fairsum-accent) {STRONGEST * level / 10:g}%,"
    "var(--fairsum-surface));color:var(--fairsum-ink)}"
    for level in range(11)
)
"""Style sheet for the cells of `fairsum_utils.reports.tables.Shade`, where the palette's variables are set."""
