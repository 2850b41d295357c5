"""The style of the HTML that reports are written in, once: for notebooks, the Spaces, and pages."""

from __future__ import annotations

from fairsum_utils.reports.palette import LIGHT
from fairsum_utils.reports.shades import SHADES

__all__ = ["TABLES"]

TABLES = f"""\
.fs-table{{max-width:100%;overflow-x:auto;margin:0.6em 0}}
.fs-table table{{border-collapse:collapse;margin:0;font-size:0.9em}}
.fs-table caption{{text-align:left;font-weight:600;padding:0.3em 0}}
.fs-table th,.fs-table td{{padding:0.25em 0.7em;border-bottom:1px solid rgba(128,128,128,0.35);vertical-align:top}}
.fs-table thead>tr>*{{vertical-align:bottom}}
.fs-table thead th{{font-weight:600;white-space:nowrap}}
.fs-table tbody th{{font-weight:400;min-width:6.5rem}}
.fs-table th,.fs-table td{{text-align:left}}
.fs-table .fs-number{{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}}
.fs-table tr>:first-child{{padding-left:0}}
.fs-table .fs-barred{{min-width:9rem}}
.fs-bar{{float:left;margin:0.3em 0.7em 0 0}}
.fs-bar rect{{fill:var(--fairsum-accent,{LIGHT["accent"]})}}
.fs-bar line{{stroke:var(--fairsum-muted,{LIGHT["muted"]})}}
{SHADES}
"""
"""Of `fairsum_utils.reports.formats.as_html`; colours follow the theme where the page says which it is."""
