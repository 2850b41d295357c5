"""BUR over tau, and the ratio of shares, of samples that were kept: what hangs on where the line is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from fairsum_utils.measures.bur import binary_unfair, underrepresented
from fairsum_utils.reports.base import Record
from fairsum_utils.reports.drawings.axis import Line
from fairsum_utils.reports.drawings.curves import Curve, Curves, Point
from fairsum_utils.reports.drawings.histogram import Histogram
from fairsum_utils.reports.drawings.samples import distributions
from fairsum_utils.reports.theme import VALUES, colours_of
from fairsum_utils.stats.arrays import Bools, padded
from fairsum_utils.stats.intervals import share_interval

_TAUS = [place / 40 for place in range(41)]
_FAR = 3.0
"""Ratios above stand together."""


def bur_over_tau(records: Iterable[Record], level: float | None, tau: float | None = None) -> Curves:
    """The share of samples in which some value is underrepresented, and that of each value's, for every tolerance.

    Args:
        records: of `return_samples`.
        level: of the band of intervals (mid-P, point by point); None for none.
        tau: to mark; None for none.

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
        lines=[] if tau is None else [Line(tau, f"tau = {tau:g}")],
        notes=[f"Band: {100 * level:g} % intervals, for each tau by itself."] if level is not None else [],
    )


def ratios(records: Iterable[Record], tau: float | None = None) -> Histogram:
    """How the share in the summary over the desired one spreads over the samples of each value.

    Args:
        records: of `return_samples`.
        tau: to mark; None for none.

    Source: papers/fairsumm-v2, figure 4.
    """
    numbers: dict[str, list[float]] = {}
    for record in records:
        if record["skipped"] is None:
            for value, ratio in zip(record["values"], record["ratio"], strict=True):
                numbers.setdefault(value, []).append(ratio)
    return ratios_of(numbers, tau)


def ratios_of(
    numbers: Mapping[str, Sequence[float]],
    tau: float | None = None,
    title: str = "Share in the summary over desired share: distribution",
) -> Histogram:
    """How ratios of shares spread, value by value.

    Args:
        numbers: value -> ratio of each of its samples.
        tau: to mark; None for none.
        title: above it.

    Source: papers/fairsumm-v2, figure 4.
    """
    return Histogram(
        title,
        distributions(numbers),
        "Ratio; left of 1: less than desired, right of 1: more",
        lines=[*([] if tau is None else [Line(tau, f"tau = {tau:g}")]), Line(1.0, "desired share")],
        most=_FAR,
    )


def _points(flags: Iterable[Bools], level: float | None) -> Iterator[Point]:
    """The share of flags at each tau."""
    for tau, flagged in zip(_TAUS, flags, strict=True):
        n, unfair = len(flagged), int(flagged.sum())
        ends = None if level is None else share_interval(unfair, n, level)
        yield Point(tau, unfair / n if n else np.nan, ends)
