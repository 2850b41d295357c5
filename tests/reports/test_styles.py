"""The style of tables: for every class that they have, and for nothing else."""

from __future__ import annotations

import re

from fairsum_utils.reports.formats import as_html
from fairsum_utils.reports.styles import TABLES
from fairsum_utils.reports.tables import Bar, Shade, Table


def test_every_class_of_tables_has_a_style() -> None:
    shown = as_html([Table(["value", "n", "s"], [["a", Bar(0.5, 0.0, 1.0), Shade(0.5)]])], sortable=True)
    classes = {name for names in re.findall(r'class="([^"]+)"', shown) for name in names.split()}
    assert classes >= {"fs-table", "fs-number", "fs-bar", "fs-barred", "fs-shade-5"}
    assert not [name for name in classes if f".{name}" not in TABLES]


def test_it_touches_nothing_else() -> None:
    selectors = [one for line in TABLES.split("}") for one in line.split("{")[0].split(",") if one.strip()]
    assert [one for one in selectors if not one.strip().startswith(".fs-")] == []
