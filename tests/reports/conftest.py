"""What is said of a result that was just computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from fairsum_utils import compute
from fairsum_utils.families import family_of
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import Notes, Table


class Explained(NamedTuple):
    """The first paragraph, and title -> rows of the tables, in which numbers are rounded as they are shown."""

    said: list[str]
    tables: dict[str, list[list[Any]]]


@pytest.fixture
def explained() -> Callable[..., Explained]:
    """Scores columns with a measure, and explains the result."""

    def of(name: str, columns: dict[str, Any], **settings: Any) -> Explained:
        result = compute(name, **columns, **settings, return_samples=True)
        family = family_of(name)
        parts = report_of(family.name).explain(name, result, columns, get_measure(name)(**settings))
        tables = [part for part in parts if isinstance(part, Table)]
        assert all(len(row) == len(table.header) for table in tables for row in table.rows)
        rounded = {
            table.title: [[round(cell, 4) if isinstance(cell, float) else cell for cell in row] for row in table.rows]
            for table in tables
        }
        notes = [line for part in parts if isinstance(part, Notes) for line in part]
        return Explained([*parts[0], *notes], rounded)

    return of


@pytest.fixture
def reviews() -> Callable[[str], dict[str, Any]]:
    """The columns of a summary of three reviews."""

    def of(summary: str) -> dict[str, Any]:
        sources = ["Great soup!", "Friendly staff, great bread.", "Cold soup, slow service."]
        return {"predictions": [summary], "sources": [sources], "values": [["pos", "pos", "neg"]]}

    return of
