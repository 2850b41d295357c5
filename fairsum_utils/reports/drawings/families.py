"""The drawing of any results, in the form that each family gives it; and of comparisons."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from fairsum_utils.families import by_family
from fairsum_utils.families.effective import settings_of
from fairsum_utils.families.warnings import unique_messages
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.base import Record, Results
from fairsum_utils.reports.drawings.axis import Line
from fairsum_utils.reports.drawings.chart import Mark, Panel, Row
from fairsum_utils.reports.drawings.drawing import Drawing
from fairsum_utils.reports.drawings.parts import by_value, score_panels, spreads
from fairsum_utils.reports.drawings.sheet import Form
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import compared_counts, short_name


def panels_of(family: str) -> Callable[[Results], list[Form]]:
    """What draws a family: the function of the module of this package which is named like it, or one for any.

    Example:
        >>> panels_of("coverage").__module__.rpartition(".")[2]
        'coverage'
    """
    name = f"{__package__}.{family}"
    made: Callable[[Results], list[Form]] = importlib.import_module(name).panels if find_spec(name) else _panels
    return made


def _panels(results: Results) -> list[Form]:
    """Scores, and the figures by value or group that any result may have."""
    made: list[Form] = [*score_panels(results)]
    for name, result in results.items():
        for ending in ("by_value", "by_group"):
            if f"{name}_{ending}" in result:
                made.append(by_value(short_name(name), result[f"{name}_{ending}"], "Mean of its samples"))
    return made


def draw(views: Sequence[tuple[str, Results]]) -> Drawing:
    """Results of measures of one family or several, as one drawing."""
    made: list[Form] = []
    said: list[str] = []
    results: list[Record] = []
    for title, view in views:
        for family, chosen in by_family(view):
            made += [*panels_of(family.name)(chosen), *spreads(chosen)]
            said.append(report_of(family.name).opening(title, chosen))
            results += chosen.values()
    names = list(dict.fromkeys(name for _, view in views for name in view))
    title = get_measure(names[0]).title if len(names) == 1 else ", ".join(map(short_name, names))
    return Drawing(title or "Nothing to draw", made, [*dict.fromkeys(said), *levels_of(results)], notes_of(results))


def draw_comparison(systems: Sequence[str], compared: Sequence[tuple[str, str, Record]]) -> Drawing:
    """The differences of two systems with their intervals."""
    bounded = [one for one in compared if math.isfinite(get_measure(one[1]).high)]
    made = []
    for chosen in (bounded, *([one] for one in compared if one not in bounded)):
        rows = [
            Row(
                short_name(measure) if label == measure else label,
                [Mark(result["difference"], result["difference_ci"])],
                p_of(result["p_value"]),
            )
            for label, measure, result in chosen
        ]
        axis = "Score of A minus score of B; left of 0: A is fairer, right of 0: B is"
        if rows:
            made.append(Panel("Difference A − B", rows, axis, lines=[Line(0.0, "no difference")], even=True))
    results = [result for _, _, result in compared]
    counts = compared_counts({label: result for label, _, result in compared})
    named = [f"{letter}: {name}" for letter, name in zip("AB", systems, strict=True) if name != letter]
    said = [*named, *counts, *levels_of(results)]
    return Drawing("A compared with B", made, said, notes_of(results))


def p_of(value: float) -> str:
    """A p-value beside a mark."""
    return "" if math.isnan(value) else "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def levels_of(results: Sequence[Record]) -> list[str]:
    """What the whiskers are."""
    levels = [settings_of(result).get("confidence_level") for result in results]
    return [f"Whiskers: {100 * float(level):g} % intervals" for level in dict.fromkeys(levels) if level]


def notes_of(results: Sequence[Any]) -> list[str]:
    """What results have against them."""
    return [f"Note: {message}." for message in unique_messages(results)]
