"""The drawing of BUR, UER, AUC and SOF: scores, shortfalls by value, and BUR over tau."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from fairsum_utils.families.effective import settings_of
from fairsum_utils.measures.bur import binary_unfair, underrepresented
from fairsum_utils.reports.base import Record, Results
from fairsum_utils.reports.drawings.axis import Line
from fairsum_utils.reports.drawings.curves import Curve, Curves, Point
from fairsum_utils.reports.drawings.histogram import Histogram
from fairsum_utils.reports.drawings.parts import by_value, distributions, figures_panel, score_panels, worst_first
from fairsum_utils.reports.drawings.sheet import Form
from fairsum_utils.reports.tables import figures_of
from fairsum_utils.reports.theme import VALUES, colours_of
from fairsum_utils.stats.arrays import Bools, padded
from fairsum_utils.stats.intervals import share_interval

_TAUS = [place / 40 for place in range(41)]
_FAR = 3.0
"""Ratios above stand together."""


def panels(results: Results) -> list[Form]:
    """Scores, the figures of the first measure by value, and the ratio of shares; with samples also BUR over tau."""
    name, result = next(iter(results.items()))
    figures = figures_of(name)
    axis = figures.axis.format(**settings_of(result))
    order = worst_first(result[figures.columns[0][1]])
    return [
        *score_panels(results),
        figures_panel(
            figures._replace(axis=f"{axis}; lower is fairer"), result, order=order, counts=result[figures.counts]
        ),
        by_value(
            "Share in the summary over desired share",
            result["ratio_by_value"],
            "Ratio, mean of a value's samples; left of 1: less than desired, right of 1: more",
            order=order,
            base=1.0,
            lines=[Line(1.0, "desired share")],
        ),
        *_of_samples(results),
    ]


def _of_samples(results: Results) -> list[Form]:
    """How ratios spread over samples, and what hangs on tau; nothing without samples or without a score."""
    kept = [result for name, result in results.items() if result.get("samples") and not math.isnan(result[name])]
    if not kept:
        return []
    chosen = [settings_of(result) for result in kept]
    taus = {settings["tau"] for settings in chosen if "tau" in settings}
    tau = taus.pop() if len(taus) == 1 else None
    made: list[Form] = [ratios_of(sample_ratios(kept[0]["samples"]), tau)]
    if not {"auc", "bur"}.isdisjoint(results):
        made.append(bur_over_tau(kept[0]["samples"], chosen[0].get("confidence_level"), tau))
    return made


def bur_over_tau(records: Iterable[Record], level: float | None, tau: float | None = None) -> Curves:
    """The share of samples in which some value is underrepresented, and that of each value's, for every tolerance.

    Source: papers/fairsumm-v2, equations 1 and 3: AUC is the area below the first line.
    """
    scored = [record for record in records if record["skipped"] is None]
    by_value: dict[str, list[tuple[float, float]]] = {}
    for record in scored:
        for value, *shares in zip(record["values"], record["summary_share"], record["desired_share"], strict=True):
            by_value.setdefault(value, []).append((shares[0], shares[1]))
    p_y, p_g = (padded([record[key] for record in scored]) for key in ("summary_share", "desired_share"))
    curves = [Curve("any value", list(_points((binary_unfair(p_y, p_g, tau) for tau in _TAUS), level)), "ink")]
    if 1 < len(by_value) <= len(VALUES):
        colours = colours_of(by_value)
        for value in sorted(by_value):
            given, desired = np.array(by_value[value]).T
            under = (underrepresented(given, desired, tau) for tau in _TAUS)
            curves.append(Curve(value, list(_points(under, None)), colours[value]))
    return Curves(
        "BUR over tau",
        curves,
        "Tolerance tau: a value is underrepresented below tau times its desired share; lower is fairer",
        "Fraction of samples; of a value: of its samples",
        lines=_at(tau),
        notes=[f"Band: {100 * level:g} % intervals, for each tau by itself."] if level is not None else [],
    )


def ratios_of(
    numbers: Mapping[str, Sequence[float]],
    tau: float | None = None,
    title: str = "Share in the summary over desired share: distribution",
) -> Histogram:
    """How ratios of shares spread over the samples of each value.

    Source: papers/fairsumm-v2, figure 4.
    """
    return Histogram(
        title,
        distributions(numbers),
        "Ratio; left of 1: less than desired, right of 1: more",
        lines=[*_at(tau), Line(1.0, "desired share")],
        most=_FAR,
    )


def _at(tau: float | None) -> list[Line]:
    return [] if tau is None else [Line(tau, f"tau = {tau:g}")]


def sample_ratios(records: Iterable[Record]) -> dict[str, list[float]]:
    """Value -> ratio of each of its samples."""
    numbers: dict[str, list[float]] = {}
    for record in records:
        if record["skipped"] is None:
            for value, ratio in zip(record["values"], record["ratio"], strict=True):
                numbers.setdefault(value, []).append(ratio)
    return numbers


def _points(flags: Iterable[Bools], level: float | None) -> Iterator[Point]:
    """The share of flags at each tau."""
    for tau, flagged in zip(_TAUS, flags, strict=True):
        n, unfair = len(flagged), int(flagged.sum())
        ends = None if level is None else share_interval(unfair, n, level)
        yield Point(tau, unfair / n if n else np.nan, ends)
