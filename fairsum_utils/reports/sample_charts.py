"""Charts of samples: distributions over them, and BUR over tau."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fairsum_utils.measures import get_measure
from fairsum_utils.reports.base import Record, Results
from fairsum_utils.reports.panels import Curve, Curves, Distribution, Histogram, Line, Point
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.theme import VALUES, colors_of
from fairsum_utils.reports.wording import short_name


def spreads(results: Results) -> list[Histogram]:
    """Draw the distributions of a family's measures, equal ones once."""
    made: list[Histogram] = []
    for name, result in results.items():
        panel = spread(name, result.get("samples", ()))
        if panel is not None and all(panel.groups != other.groups for other in made):
            made.append(panel)
    return [panel._replace(title="Distribution over samples") for panel in made] if len(made) == 1 else made


def spread(name: str, records: Sequence[Record]) -> Histogram | None:
    """Draw the distribution of groups over samples; None without numbers.

    Example:
        >>> persons = [{"group": "f", "included": True}, {"group": "m", "included": False}]
        >>> records = [{"skipped": None, "entities": persons}]
        >>> [(group.name, group.numbers) for group in spread("entity_inclusion", records).groups]
        [('f', [1.0]), ('m', [0.0])]
    """
    report = report_of(get_measure(name).family)
    numbers = _gathered(report.spread(name, record) for record in records)
    title = f"{short_name(name)}: distribution over samples"
    return Histogram(title, distributions(numbers), report.axis(name)) if numbers else None


def distributions(numbers: Mapping[str, Sequence[float]]) -> list[Distribution]:
    """Return the numbers of groups, by name, in their colors."""
    colors = colors_of(numbers)
    return [Distribution(name, numbers[name], colors[name]) for name in sorted(numbers)]


def _gathered(samples: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return group -> its entry in each sample that has one."""
    found: dict[str, list[Any]] = {}
    for sample in samples:
        for group, entry in sample.items():
            found.setdefault(group, []).append(entry)
    return found


_TAUS = [place / 40 for place in range(41)]


def bur_over_tau(records: Iterable[Record], level: float | None, tau: float | None = None) -> Curves:
    """Draw the share of unfair samples for every tolerance.

    Source: Zhang et al. 2024, equations 1 and 3: AUC is the area below the first line.
    """
    import numpy as np

    from fairsum_utils.measures.bur import binary_unfair, underrepresented
    from fairsum_utils.stats.arrays import padded
    from fairsum_utils.stats.intervals import share_interval

    def points(flags: Iterable[Any], level: float | None) -> Iterator[Point]:
        for at, flagged in zip(_TAUS, flags, strict=True):
            n, unfair = len(flagged), int(flagged.sum())
            ends = None if level is None else share_interval(unfair, n, level)
            yield Point(at, unfair / n if n else math.nan, ends)

    scored = [record for record in records if record["skipped"] is None]
    keys = ("summary_share", "desired_share")
    shares = _gathered(
        dict(zip(record["values"], zip(*(record[key] for key in keys), strict=True), strict=True)) for record in scored
    )
    p_y, p_g = (padded([record[key] for record in scored]) for key in keys)
    curves = [Curve("any group", [*points((binary_unfair(p_y, p_g, at) for at in _TAUS), level)], "ink")]
    colors = colors_of(shares)
    for group in sorted(shares) if 1 < len(shares) <= len(VALUES) else ():
        given, desired = np.array(shares[group]).T
        flags = (underrepresented(given, desired, at) for at in _TAUS)
        curves.append(Curve(group, [*points(flags, None)], colors[group]))
    return Curves(
        "BUR over tau",
        curves,
        "Tolerance tau: a group is underrepresented below tau times its desired share; lower is fairer",
        "Fraction of samples; of a group: of its samples",
        lines=_at(tau),
        notes=[f"Band: {100 * level:g}% intervals, for each tau by itself."] if level is not None else [],
    )


def ratios_of(
    numbers: Mapping[str, Sequence[float]],
    tau: float | None = None,
    title: str = "Share in the summary over desired share: distribution",
) -> Histogram:
    """Draw how ratios of shares spread over the samples of each group.

    Source: Zhang et al. 2024, figure 4.
    """
    axis = "Ratio; left of 1: less than desired, right of 1: more"
    return Histogram(title, distributions(numbers), axis, [*_at(tau), Line(1.0, "desired share")], most=3.0)


def _at(tau: float | None) -> list[Line]:
    return [] if tau is None else [Line(tau, f"tau = {tau:g}")]


def sample_ratios(records: Iterable[Record]) -> dict[str, list[float]]:
    """Return group -> ratio in each of its samples."""
    scored = (record for record in records if record["skipped"] is None)
    return _gathered(dict(zip(record["values"], record["ratio"], strict=True)) for record in scored)
