"""BUR over the tolerance: whether what one tolerance says of systems holds for others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_reproductions.contract import Input, Study
from fairsum_reproductions.shares import NO_SAMPLE, SharesSettings, read_shares
from fairsum_utils.analysis.records import Record
from fairsum_utils.families import setting
from fairsum_utils.measures.auc import area_under_curve
from fairsum_utils.measures.bur import bur_over
from fairsum_utils.stats.arrays import exact_mean
from fairsum_utils.stats.intervals import share_interval

if TYPE_CHECKING:
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.tables import Cell, Part

_MODULE = "tolerance"
_TEN = 10
"""Tolerances that the paper averages over, and that a table shows at most."""


class ToleranceSettings(SharesSettings):
    """At which tolerances BUR is computed."""

    n_points: int = setting(40, "tolerances between 0 and 1, at equal distances", least=1, most=1000, flag="points")


def crossings(first: Sequence[float], second: Sequence[float], taus: Sequence[float]) -> list[float]:
    """The tolerances at which another of two systems begins to be the fairer one.

    Args:
        first: BUR of a system at each tolerance.
        second: of the other.
        taus: the tolerances, rising.

    Returns:
        Each tolerance at which the system that has the lower BUR is another one than where they last differed.

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
    """BUR of each system at each tolerance, the area below, and where systems change places.

    Args:
        samples: system -> records of BUR, UER, AUC or SOF.
        settings: of the study.

    Returns:
        ``taus`` and ``systems``: of each ``bur`` and ``bur_ci`` (one a tolerance; mid-P interval, of each tolerance
        by itself), ``bur_by_value``, ``auc`` (the exact area), ``auc_10`` (the paper's mean of ten tolerances),
        ``n_samples`` and ``n_skipped``; ``crossings`` of any two systems, see `crossings`; and
        ``undefined``.
    """
    taus = [point / settings.n_points for point in range(settings.n_points + 1)]
    systems = {}
    for name, records in samples.items():
        shares = read_shares(_MODULE, name, records)
        n, rates = len(shares.places), bur_over(shares.p_y, shares.p_g, taus).tolist()
        systems[name] = {
            "bur": rates,
            "bur_ci": [
                list(share_interval(round(rate * n) if n else 0, n, settings.confidence_level)) for rate in rates
            ],
            "bur_by_value": {
                value: bur_over(given[:, None], desired[:, None], taus).tolist()
                for value, (given, desired) in shares.by_value().items()
            },
            "auc": exact_mean(area_under_curve(shares.p_y, shares.p_g)),
            "auc_10": exact_mean(area_under_curve(shares.p_y, shares.p_g, _TEN)),
            "n_samples": n,
            "n_skipped": shares.n_skipped,
        }
    names = list(systems)
    pairs = [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]
    return {
        "tau": settings.tau,
        "taus": taus,
        "confidence_level": settings.confidence_level,
        "systems": systems,
        "crossings": [
            {"between": [*pair], "at": crossings(systems[pair[0]]["bur"], systems[pair[1]]["bur"], taus)}
            for pair in pairs
        ],
        "undefined": {
            f"bur and auc of {name}": NO_SAMPLE for name, scored in systems.items() if not scored["n_samples"]
        },
    }


def parts(result: dict[str, Any]) -> list[Part]:
    """BUR at ten tolerances, or fewer, one column a system; AUC below."""
    from fairsum_utils.reports.tables import Table, counted

    systems = result["systems"]
    step = max(1, (len(result["taus"]) - 1) // _TEN)
    rows: list[list[Cell]] = [
        [f"tau = {result['taus'][place]:g}", *(scored["bur"][place] for scored in systems.values())]
        for place in range(step, len(result["taus"]), step)
    ]
    rows.append(["AUC", *(scored["auc"] for scored in systems.values())])
    rows.append(["AUC, ten tolerances", *(scored["auc_10"] for scored in systems.values())])
    counts = [f"{name}: {counted(scored)}" for name, scored in systems.items()]
    said = [
        f"{' and '.join(pair['between'])} change places at tau = {', '.join(f'{tau:g}' for tau in pair['at'])}"
        for pair in result["crossings"]
        if pair["at"]
    ]
    return [Table(["BUR", *systems], rows, below=["Lower is fairer.", *counts]), said]


def drawing(result: dict[str, Any]) -> Drawing:
    """The curves of all systems; of a single one also those of its values."""
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.drawings.axis import Line
    from fairsum_utils.reports.drawings.curves import Curve, Curves, Point
    from fairsum_utils.reports.theme import VALUES, colours_of

    taus, systems = result["taus"], result["systems"]

    def line(name: str, rates: Sequence[float], colour: str, ends: Sequence[Sequence[float]] = ()) -> Curve:
        points = [
            Point(*pair, ends[place] if ends else None) for place, pair in enumerate(zip(taus, rates, strict=True))
        ]
        return Curve(name, points, colour)

    if len(systems) == 1:
        [(name, scored)] = systems.items()
        curves = [line("any value", scored["bur"], "ink", scored["bur_ci"])]
        by_value = scored["bur_by_value"]
        if 1 < len(by_value) <= len(VALUES):
            curves += [line(value, rates, colours_of(by_value)[value]) for value, rates in by_value.items()]
    else:
        name = "BUR over tau"
        colours = colours_of(systems)
        curves = [line(each, one["bur"], colours[each], one["bur_ci"]) for each, one in systems.items()]
    panel = Curves(
        name,
        curves,
        "Tolerance tau: a value is underrepresented below tau times its desired share; lower is fairer",
        "Fraction of samples in which some value is underrepresented; of a value: of its samples",
        lines=[Line(result["tau"], f"tau = {result['tau']:g}")],
        notes=[f"Band: {100 * result['confidence_level']:g} % intervals, for each tau by itself."],
    )
    return Drawing("BUR over the tolerance", [panel])


STUDY = Study(
    paper="fairsumm",
    source="v2, equations 1 and 3 (the picture is ours)",
    help="does another tolerance tau put systems in another order of fairness?",
    inputs=(
        Input(
            "samples", "records of bur, uer, auc or sof", kind="samples", systems=True, families={"": "representation"}
        ),
    ),
    settings=ToleranceSettings,
    compute=compute,
    parts=parts,
    drawing=drawing,
    choices=("The paper's AUC is the mean of BUR at tau = 0.1, 0.2, ..., 1; ours is the exact area; both are shown",),
    examples=("fairsum study tolerance gpt4=a.samples.jsonl llama=b.samples.jsonl --plot tolerance.svg",),
)
