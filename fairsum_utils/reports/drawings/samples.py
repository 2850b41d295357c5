"""Drawings of what results say of their samples, where these were kept: how what is told apart spreads over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairsum_utils.measures import get_measure
from fairsum_utils.reports.base import Record, Results
from fairsum_utils.reports.drawings.histogram import Distribution, Histogram
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import short_name
from fairsum_utils.reports.theme import colours_of


def spreads(results: Results) -> list[Histogram]:
    """The distributions of measures of a family, those that are the same once; nothing of samples that were not kept.

    Args:
        results: measure -> result.
    """
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

    Args:
        name: the measure.
        records: of `return_samples`.

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
    """The numbers of values or groups, by name, in the colours that these have wherever they are drawn.

    Args:
        numbers: value or group -> numbers.
    """
    colours = colours_of(numbers)
    return [Distribution(name, numbers[name], colours[name]) for name in sorted(numbers)]
