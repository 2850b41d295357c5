"""The drawing of Equal Coverage and Coverage Parity: scores beside chance, and whose documents are covered less."""

from __future__ import annotations

from fairsum_utils.reports.base import Results
from fairsum_utils.reports.drawings.axis import Line
from fairsum_utils.reports.drawings.parts import by_value, score_panels, worst_first
from fairsum_utils.reports.drawings.sheet import Form

_FIGURES = {
    "equal_coverage": ("difference_by_value", "Coverage of each value", "mean of its samples"),
    "coverage_parity": (
        "mean_extreme_by_value",
        "Where each value is furthest from the others",
        "mean of the samples in which it is the value furthest from 0",
    ),
}
"""Measure -> key of its figures by value, title and what they are the mean of."""


def panels(results: Results) -> list[Form]:
    """Scores, Equal Coverage beside the one of random labels, and differences by value.

    Args:
        results: measure -> result.
    """
    expected = {
        name: (result["expected_equal_coverage"], "Equal Coverage expected with random labels")
        for name, result in results.items()
        if "expected_equal_coverage" in result
    }
    made: list[Form] = [*score_panels(results, expected)]
    order = None
    for name, result in results.items():
        key, title, mean = _FIGURES[name]
        figures = result[key]
        if order is None:
            order = worst_first({value: -figure for value, figure in figures.items()})
        made.append(
            by_value(
                title,
                figures,
                f"Coverage of its documents minus coverage of all, {mean}; left of 0: covered less",
                order=order,
                counts=result["n_by_value"] if name == "equal_coverage" else result["n_extreme_by_value"],
                lines=[Line(0.0, "as all documents")],
                even=True,
            )
        )
    return made
