"""Panels of any family: scores, figures by value or group, distributions over samples."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from fairsum_utils.measures import Figures, get_measure
from fairsum_utils.reports.base import Record, Results
from fairsum_utils.reports.drawings.axis import Line
from fairsum_utils.reports.drawings.chart import Mark, Panel, Row
from fairsum_utils.reports.drawings.histogram import Distribution, Histogram
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import has_number, short_name
from fairsum_utils.reports.theme import colours_of

SCORES = ("Scores", "Score", "Score without an upper bound")
"""Titles of the panels of scores: of several, of one, and of one that has an axis of its own."""


def best(measures: Iterable[str]) -> str:
    """Which scores are the fairer ones, below the axis of these measures.

    Example:
        >>> best(["bur", "uer"]), best(["distinguishability"])
        ('lower is fairer, 0 at best', 'closer to 0 is fairer')
    """
    signed = any(get_measure(name).is_signed for name in measures)
    return "closer to 0 is fairer" if signed else "lower is fairer, 0 at best"


def score_panels(results: Results, expected: Mapping[str, tuple[float, str]] = {}) -> list[Panel]:
    """The scores with their intervals on one axis; a measure without an upper bound has an axis of its own."""
    expected = {**expected, **_at_random(results)}
    bounded = [name for name in results if math.isfinite(get_measure(name).high)]
    panels = []
    for names in (bounded, *([name] for name in results if name not in bounded)):
        if not names:
            continue
        rows = []
        for name in names:
            marks = [Mark(results[name][name], results[name].get(f"{name}_ci"))]
            if name in expected:
                number, text = expected[name]
                marks.append(Mark(number, shape="tick", text=text))
            rows.append(Row(short_name(name), marks))
        unit = "a fraction" if names is bounded else get_measure(names[0]).unit
        notes = [f"The upright mark: {text}." for text in dict.fromkeys(expected[n][1] for n in names if n in expected)]
        panels.append(
            Panel(
                SCORES[0 if len(rows) > 1 else 1 if names is bounded else 2],
                rows,
                f"Score ({unit}); {best(names)}",
                notes=notes,
            )
        )
    return panels


def _at_random(results: Results) -> dict[str, tuple[float, str]]:
    """Measure -> its chance level, and what that is."""
    keys = {name: f"{name}_at_random" for name in results}
    text = "random summaries of this length"
    return {name: (results[name][key], text) for name, key in keys.items() if has_number(results[name], key)}


def worst_first(figures: Mapping[str, float]) -> list[str]:
    """Values by their figure, the largest first and undefined ones last.

    Example:
        >>> worst_first({"a": 0.1, "b": float("nan"), "c": 0.2})
        ['c', 'a', 'b']
    """
    return sorted(figures, key=lambda value: (math.isnan(figures[value]), -figures[value], value))


def by_value(
    title: str,
    figures: Mapping[str, float],
    axis: str,
    *,
    order: Sequence[str] | None = None,
    ends: Mapping[str, Sequence[float]] | None = None,
    counts: Mapping[str, int] | None = None,
    base: float = 0.0,
    lines: Sequence[Line] = (),
    even: bool = False,
) -> Panel:
    """A bar a value, in the colour that the value has wherever the same values are drawn."""
    colours = colours_of(figures)
    rows = [
        Row(
            value,
            [Mark(figures[value], (ends or {}).get(value), colours[value], "bar")],
            "" if counts is None else f"n = {counts[value]}",
        )
        for value in (figures if order is None else order)
    ]
    return Panel(title, rows, axis, base, lines, even)


def figures_panel(
    figures: Figures,
    result: Record,
    *,
    order: Sequence[str] | None = None,
    ends: Mapping[str, Sequence[float]] | None = None,
    counts: Mapping[str, int] | None = None,
) -> Panel:
    """The figures of a measure by value or group, with a line at the number where all is fair."""
    numbers = result[figures.drawn or figures.columns[0][1]]
    fair = 1 / max(len(numbers), 1) if figures.are_shares else 0.0
    has_line = bool(figures.fair) and not (figures.are_shares and len(numbers) < 2)
    return by_value(
        figures.title,
        numbers,
        figures.axis,
        order=order,
        ends=ends,
        counts=counts,
        lines=[Line(fair, figures.fair)] * has_line,
        even=has_line and not figures.are_shares,
    )


def spreads(results: Results) -> list[Histogram]:
    """Draw the distributions of a family's measures over kept samples, equal ones once."""
    made: dict[str, Histogram] = {}
    for name, result in results.items():
        panel = spread(name, result.get("samples", ()))
        if panel is not None and all(panel.groups != other.groups for other in made.values()):
            made[name] = panel
    titles = [f"{short_name(name)}: distribution over samples" for name in made]
    if len(made) == 1:
        titles = ["Distribution over samples"]
    return [panel._replace(title=title) for panel, title in zip(made.values(), titles, strict=True)]


def spread(name: str, records: Sequence[Record]) -> Histogram | None:
    """How what is told apart by value or group spreads over samples; None where nothing is.

    Example:
        >>> records = [{"skipped": None, "entities": [["f", True], ["m", False]]}]
        >>> [(group.name, group.numbers) for group in spread("entity_inclusion", records).groups]
        [('f', [1.0]), ('m', [0.0])]
    """
    report = report_of(get_measure(name).family)
    numbers: dict[str, list[float]] = {}
    for record in records:
        for group, number in report.spread(name, record).items():
            numbers.setdefault(group, []).append(number)
    if not numbers:
        return None
    return Histogram(f"{short_name(name)}: distribution over samples", distributions(numbers), report.axis(name))


def distributions(numbers: Mapping[str, Sequence[float]]) -> list[Distribution]:
    """The numbers of values or groups, by name, in the colours that these have wherever they are drawn."""
    colours = colours_of(numbers)
    return [Distribution(name, numbers[name], colours[name]) for name in sorted(numbers)]
