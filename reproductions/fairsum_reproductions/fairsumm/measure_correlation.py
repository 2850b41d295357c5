"""Correlation of BUR, UER, AUC and SOF, over samples and over systems."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Literal

import numpy as np

from fairsum_reproductions.contract import Intervals
from fairsum_reproductions.correlation import pearson
from fairsum_reproductions.layout import level_of
from fairsum_reproductions.printed import printed_figures
from fairsum_reproductions.records import Record
from fairsum_reproductions.shares import (
    MEASURES,
    SHARE_RECORDS,
    SharesSettings,
    data_set_scores,
    read_shares,
    sample_scores,
    undefined_scores,
)
from fairsum_utils.measures._representation import RepresentationMeasure
from fairsum_utils.measures.auc import AUC
from fairsum_utils.reports.panels import Drawing, Heat
from fairsum_utils.reports.tables import Cell, Interval, Marked, Part, Table
from fairsum_utils.reports.wording import count_samples, short_name
from fairsum_utils.settings import Draws, Fraction, override

INPUTS = (SHARE_RECORDS,)

_MODULE = "measure_correlation"
_TABLE_9 = printed_figures("fairsumm")["table_9"]
# Systems: of two any correlation is 1 or -1.
_LEAST = 3
_PRINTED = "As printed (table 9)"
_PAPER = (
    "With two values equation 4 gives for every sample the very number that equation 2 does, so that SOF and UER "
    f"correlate with 1; the paper prints {_TABLE_9['sof'][1]:.2f} for a data set of two values. Its table is to be "
    "compared with ours, not matched."
)


class CorrelationSettings(Intervals):
    """Settings of the correlated scores."""

    tau: Fraction = override(SharesSettings, "tau")
    n_points: Draws | None = override(AUC, "n_points")
    single_value: Literal["keep", "skip"] = override(RepresentationMeasure, "single_value")


SETTINGS = CorrelationSettings


def compute(samples: Mapping[str, Sequence[Record]], *, settings: CorrelationSettings) -> dict[str, Any]:
    """Correlate the measures over the samples of each system, and over systems.

    ``at_most_two_values`` tells whether equation 4 gives UER for every sample.

    Source: Zhang et al. 2024, appendix D.
    """
    settings = settings.seeded()
    drawn = {key: getattr(settings, key) for key in ("confidence_level", "n_resamples", "seed")}
    systems: dict[str, Any] = {}
    undefined: dict[str, str] = {}
    for name, records in samples.items():
        whole = read_shares(_MODULE, name, records)
        shares = whole.only(whole.is_multi) if settings.single_value == "skip" else whole
        scores = sample_scores(shares, settings.tau, settings.n_points)
        found = pearson(np.column_stack(list(scores.values())), **drawn)
        systems[name] = {
            "correlation": _named(found.r),
            "correlation_ci": _named(found.ends),
            "scores": data_set_scores(shares, scores),
            "at_most_two_values": max(map(len, shares.values), default=0) <= 2,
            "n_samples": len(shares.places),
            "n_skipped": whole.n_skipped + len(whole.places) - len(shares.places),
            "n_single_value": int(np.count_nonzero(~whole.is_multi)),
        }
        undefined |= undefined_scores(name, systems[name]["scores"], shares)
        undefined |= {
            f"correlation of {measure} of {name}": "fewer than two samples, or all with the same score"
            for measure, r in zip(MEASURES, np.diag(found.r), strict=True)
            if math.isnan(r)
        }
    of_systems = np.array([[scored["scores"][name] for name in MEASURES] for scored in systems.values()])
    over = np.full((len(MEASURES), len(MEASURES)), np.nan)
    if len(systems) < _LEAST:
        undefined["over_systems"] = f"a correlation over systems needs at least {_LEAST}, found {len(systems)}"
    elif np.isnan(of_systems).any():
        undefined["over_systems"] = "a system has no score"
    else:
        over = pearson(of_systems, confidence_level=0.5, n_resamples=1, seed=0).r
    paper = _named(np.array([_TABLE_9[name] for name in MEASURES]))
    result = {"measures": list(MEASURES), "systems": systems, "over_systems": _named(over), "paper": paper}
    return {**result, "undefined": undefined, **drawn}


def _named(table: Any) -> dict[str, dict[str, Any]]:
    rows = (dict(zip(MEASURES, row, strict=True)) for row in table.tolist())
    return dict(zip(MEASURES, rows, strict=True))


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out table 9 by system with intervals, over systems, and as printed."""
    made: list[Part] = []
    for name, scored in result["systems"].items():
        below = [count_samples(scored)]
        if single := scored["n_single_value"]:
            below[0] += f"; {single} of one value, which cannot be treated unfairly"
        if scored["at_most_two_values"]:
            below.append("No sample has more than two values, so SOF by equation 4 is UER.")
        made.append(_table(f"{name}, over samples", scored["correlation"], below))
        r, ends = scored["correlation"], scored["correlation_ci"]
        pairs: list[list[Cell]] = [
            [short_name(one), short_name(other), r[one][other], Interval(*ends[one][other])]
            for one, other in combinations(MEASURES, 2)
        ]
        header = ["measure", "and", "r", f"{level_of(result)} interval"]
        made.append(Table(header, pairs, f"{name}: intervals", n_texts=2))
    if len(result["systems"]) >= _LEAST:
        below = ["Of each system's scores of the whole data set; SOF is that of the mean shortfall of each value."]
        made.append(_table(f"Over {len(result['systems'])} systems", result["over_systems"], below))
    return [*made, _table(_PRINTED, result["paper"], [_PAPER])]


def _table(title: str, matrix: Mapping[str, Mapping[str, float]], below: Sequence[str]) -> Table:
    rows: list[list[Cell]] = [
        [short_name(name), *(Marked(number, digits=2) for number in row.values())] for name, row in matrix.items()
    ]
    return Table(["Pearson's r", *map(short_name, matrix)], rows, title, below)


def drawing(result: dict[str, Any]) -> Drawing:
    """Draw our tables as heat maps above the paper's."""
    tables = {f"{name}, over samples": scored["correlation"] for name, scored in result["systems"].items()}
    if len(result["systems"]) >= _LEAST:
        tables["Over systems"] = result["over_systems"]
    tables[_PRINTED] = result["paper"]
    names = list(map(short_name, result["measures"]))
    panels = []
    for title, matrix in tables.items():
        numbers = [[None if one == other else r for other, r in row.items()] for one, row in matrix.items()]
        panels.append(Heat(title, names, names, numbers, "Pearson's r", most=1.0, signed=True))
    return Drawing("Correlation of the measures", panels, [_PAPER])
