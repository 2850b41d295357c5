"""What a person wants to see of a comparison of systems."""

from __future__ import annotations

from typing import Any

from fairsum_utils.family.cautions import unique_messages
from fairsum_utils.reports import systems
from fairsum_utils.reports.formats import FORMATS
from fairsum_utils.reports.tables import Part, Table, compared_counts, interval, short_name

__all__ = ["parts_of", "report"]


def report(document: dict[str, Any], *, format: str = "text") -> str:
    """The comparison as one text.

    Args:
        document: ``a`` and ``b``, what the two systems are called, and ``metrics``: measure -> its comparison; or that
            of `fairsum_utils.compare_systems`.
        format: a key of `fairsum_utils.reports.formats.FORMATS`.
    """
    return FORMATS[format](parts_of(document))


def parts_of(document: dict[str, Any]) -> list[Part]:
    """What a person wants to see of the comparison, as `report` takes it."""
    if "systems" in document:
        return systems.parts_of(document)
    results = document["metrics"]
    rows = [
        [
            short_name(name),
            *(result[key] for key in ("a", "b", "difference")),
            interval(result["difference_ci"]),
            result["p_value"],
        ]
        for name, result in results.items()
    ]
    return [
        [f"A: {document['a']}", f"B: {document['b']}", *compared_counts(results)],
        Table(["measure", "A", "B", "A - B", "interval", "p"], rows),
        [f"{short_name(name)}: {result['undefined']}" for name, result in results.items() if "undefined" in result],
        unique_messages(results.values()),
        ["Lower is fairer: a difference below 0 speaks for A."],
    ]
