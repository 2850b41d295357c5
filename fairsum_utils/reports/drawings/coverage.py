"""The drawing of Equal Coverage and Coverage Parity: scores beside chance, and whose documents are covered less."""

from __future__ import annotations

from fairsum_utils.reports.base import Results
from fairsum_utils.reports.drawings.parts import figures_panel, score_panels, worst_first
from fairsum_utils.reports.drawings.sheet import Form
from fairsum_utils.reports.tables import figures_of


def panels(results: Results) -> list[Form]:
    """Scores, Equal Coverage beside the one of random labels, and differences by value."""
    expected = {
        name: (result["expected_equal_coverage"], "Equal Coverage expected with random labels")
        for name, result in results.items()
        if "expected_equal_coverage" in result
    }
    made: list[Form] = [*score_panels(results, expected)]
    order = None
    for name, result in results.items():
        figures = figures_of(name)
        if order is None:
            drawn = result[figures.drawn or figures.columns[0][1]]
            order = worst_first({value: -figure for value, figure in drawn.items()})
        made.append(figures_panel(figures, result, order=order, counts=result[figures.counts]))
    return made
