"""BUR over the tolerance, and changes in the order of systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Annotated, Any

from fairsum_reproductions.layout import level_of
from fairsum_reproductions.records import Record
from fairsum_reproductions.shares import NO_SAMPLE, SHARE_RECORDS, SharesSettings, read_shares
from fairsum_utils.measures.auc import area_under_curve
from fairsum_utils.measures.bur import bur_over
from fairsum_utils.reports.panels import Curve, Curves, Drawing, Line, Point
from fairsum_utils.reports.tables import Cell, Part, Table
from fairsum_utils.reports.theme import VALUES, colors_of
from fairsum_utils.reports.wording import count_samples
from fairsum_utils.settings import setting, whole
from fairsum_utils.stats.arrays import exact_mean
from fairsum_utils.stats.intervals import share_interval

INPUTS = (SHARE_RECORDS,)

# Tolerances that the paper averages over, and that a table shows at most.
_TEN = 10


class ToleranceSettings(SharesSettings):
    """The tolerances at which BUR is computed."""

    n_points: Annotated[int, whole(1, 1000)] = setting(40, "number of equally spaced tolerances between 0 and 1")


SETTINGS = ToleranceSettings


def crossings(first: Sequence[float], second: Sequence[float], taus: Sequence[float]) -> list[float]:
    """Find the tolerances at which two systems change places.

    Example:
        >>> crossings([0.1, 0.3, 0.3, 0.5], [0.2, 0.3, 0.2, 0.4], [0.25, 0.5, 0.75, 1.0])
        [0.75]
    """
    changes, before = [], 0
    for tau, one, other in zip(taus, first, second, strict=True):
        lower = (one > other) - (one < other)
        if lower and before and lower != before:
            changes.append(tau)
        before = lower or before
    return changes


def compute(samples: Mapping[str, Sequence[Record]], *, settings: ToleranceSettings) -> dict[str, Any]:
    """Compute BUR at each tolerance with mid-P intervals, its area, and crossings.

    ``auc`` is the exact area, ``auc_10`` the paper's mean of ten tolerances.
    """
    taus = [point / settings.n_points for point in range(settings.n_points + 1)]
    systems: dict[str, dict[str, Any]] = {}
    for name, records in samples.items():
        shares = read_shares(settings.module, name, records)
        n, rates = len(shares.places), bur_over(shares.p_y, shares.p_g, taus).tolist()
        unfair = [round(rate * n) if n else 0 for rate in rates]
        systems[name] = {
            "bur": rates,
            "bur_ci": [list(share_interval(each, n, settings.confidence_level)) for each in unfair],
            "bur_by_value": {
                value: bur_over(given[:, None], desired[:, None], taus).tolist()
                for value, (given, desired) in shares.by_value().items()
            },
            "auc": exact_mean(area_under_curve(shares.p_y, shares.p_g)),
            "auc_10": exact_mean(area_under_curve(shares.p_y, shares.p_g, _TEN)),
            "n_samples": n,
            "n_skipped": shares.n_skipped,
        }
    pairs = combinations(systems, 2)
    return {
        "tau": settings.tau,
        "taus": taus,
        "confidence_level": settings.confidence_level,
        "systems": systems,
        "crossings": [
            {"between": [*pair], "at": crossings(systems[pair[0]]["bur"], systems[pair[1]]["bur"], taus)}
            for pair in pairs
        ],
        "undefined": {f"bur and auc of {name}": NO_SAMPLE for name, each in systems.items() if not each["n_samples"]},
    }


def parts(result: dict[str, Any]) -> list[Part]:
    """BUR at up to ten tolerances, a column a system; AUC below."""
    systems, taus = result["systems"], result["taus"]
    step = max(1, (len(taus) - 1) // _TEN)
    rows: list[list[Cell]] = [
        [f"tau = {taus[place]:g}", *(scored["bur"][place] for scored in systems.values())]
        for place in range(step, len(taus), step)
    ]
    for title, key in (("AUC", "auc"), ("AUC, ten tolerances", "auc_10")):
        rows.append([title, *(scored[key] for scored in systems.values())])
    below = ["Lower is fairer.", *(f"{name}: {count_samples(scored)}" for name, scored in systems.items())]
    changes = [
        f"{' and '.join(pair['between'])} change places at tau = {', '.join(f'{tau:g}' for tau in pair['at'])}"
        for pair in result["crossings"]
        if pair["at"]
    ]
    return [Table(["BUR", *systems], rows, below=below), changes]


def drawing(result: dict[str, Any]) -> Drawing:
    """Draw the curves of all systems, or of one system and its groups."""
    taus, systems = result["taus"], result["systems"]

    def curve(name: str, rates: Sequence[float], color: str, ends: Sequence[Any] = ()) -> Curve:
        return Curve(name, list(map(Point, taus, rates, ends or [None] * len(taus))), color)

    title, colors = "BUR over tau", colors_of(systems)
    curves = [curve(name, of["bur"], colors[name], of["bur_ci"]) for name, of in systems.items()]
    if len(systems) == 1:
        [(title, scored)] = systems.items()
        by_value = scored["bur_by_value"]
        curves = [curve("any value", scored["bur"], "ink", scored["bur_ci"])]
        if 1 < len(by_value) <= len(VALUES):
            colors = colors_of(by_value)
            curves += [curve(value, rates, colors[value]) for value, rates in by_value.items()]
    panel = Curves(
        title,
        curves,
        "Tolerance tau: a value is underrepresented below tau times its desired share; lower is fairer",
        "Fraction of samples in which some value is underrepresented; of a value: of its samples",
        lines=[Line(result["tau"], f"tau = {result['tau']:g}")],
        notes=[f"Band: {level_of(result)} intervals, separate for each tau."],
    )
    return Drawing("BUR over the tolerance", [panel])
