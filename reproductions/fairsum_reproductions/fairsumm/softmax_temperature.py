"""Agreement of a neural matcher's shares with people's, over the temperature of the softmax."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeAlias

import numpy as np

from fairsum_reproductions.contract import Input, Intervals
from fairsum_reproductions.layout import level_of, number_cells
from fairsum_reproductions.printed import printed_figures
from fairsum_reproductions.records import Record, record_entries
from fairsum_reproductions.shares import NO_SAMPLE
from fairsum_utils.errors import InputError
from fairsum_utils.families.representation.words import softmax_weights
from fairsum_utils.measures._representation import RepresentationMeasure
from fairsum_utils.reports.panels import Curve, Curves, Drawing, Line, Point
from fairsum_utils.reports.tables import Part, Table
from fairsum_utils.reports.wording import count_samples
from fairsum_utils.settings import Positive, setting, whole
from fairsum_utils.stats.arrays import Floats, scalar
from fairsum_utils.stats.bootstrap import bootstrap_sums
from fairsum_utils.stats.intervals import drawn_interval
from fairsum_utils.validation import as_float, check_columns, describe, is_missing

INPUTS = (
    Input("samples", "records scored by bartscore or bertscore", "samples", families={"": "representation"}),
    Input(
        "people",
        "people's counts for the same summaries, in the same order",
        columns={"facts": "dict from group to the number of the summary's facts that come from it; empty if not read"},
        lists=("facts",),
    ),
)

# Scores of a summary's groups before the softmax, and people's shares of them.
_Judged: TypeAlias = tuple[list[float], list[float]]

_TITLES = {"pearson": "Pearson's r", "alpha": "Krippendorff's alpha"}
_PRINTED = printed_figures("fairsumm")["figure_3"]
_USUAL = RepresentationMeasure.infos()["temperature"].default
_CAUTION = "A temperature chosen on these summaries fits them best; check it on others."
# Summaries for an interval: with 10, nominal 95% intervals hold the true coefficient in 91 to 95% of data sets.
_LEAST = 20
# Share of the mean square; a smaller variance is rounding.
_CONSTANT = 1e-12


class TemperatureSettings(Intervals):
    """The temperatures at which shares are compared."""

    highest: Positive = setting(1.0, "highest temperature", key="highest")
    n_points: Annotated[int, whole(1, 1000)] = setting(
        20, "number of equally spaced temperatures up to the highest", key="points"
    )


SETTINGS = TemperatureSettings


def compute(
    samples: Sequence[Record], people: Sequence[Mapping[str, Any]], *, settings: TemperatureSettings
) -> dict[str, Any]:
    """Compute Pearson's r and Krippendorff's alpha (interval) at each temperature.

    Every group of every summary is a point. Intervals resample summaries, with the same draws at each temperature.
    """
    options = settings.seeded()
    judged = _judged(settings.module, samples, people)
    temperatures = [settings.highest * point / settings.n_points for point in range(1, settings.n_points + 1)]
    points = [{"temperature": each, **_at(each, judged, options)} for each in temperatures]
    reason = "people's shares, or the matcher's, are all the same" if judged else NO_SAMPLE
    undefined = {name: reason for name in _TITLES if any(np.isnan(point[name]) for point in points)}
    if 0 < len(judged) < _LEAST:
        undefined["intervals"] = f"they need at least {_LEAST} summaries"
    result = {"points": points, "n_samples": len(judged), "n_skipped": len(samples) - len(judged)}
    drawn = {key: getattr(options, key) for key in ("confidence_level", "n_resamples", "seed")}
    return {**result, **drawn, "undefined": undefined}


def _at(temperature: float, judged: Sequence[_Judged], options: Intervals) -> dict[str, Any]:
    pairs = [(np.array(people), np.array(softmax_weights(scores, temperature))) for scores, people in judged]
    sums = np.array([[len(x), x.sum(), y.sum(), x @ x, y @ y, x @ y] for x, y in pairs]).reshape(-1, 6)
    drawn = sums[:0]
    if len(judged) >= _LEAST:
        drawn = bootstrap_sums(sums, n_resamples=options.n_resamples, seed=options.seed)
    found: dict[str, Any] = {}
    for name, [point], replicates in zip(_TITLES, agreement(sums.sum(axis=0)[None]), agreement(drawn), strict=True):
        ends = drawn_interval(point, replicates, options.confidence_level, len(judged), (-1.0, 1.0))
        found |= {name: scalar(point), f"{name}_ci": [*ends]}
    return found


def agreement(sums: Floats) -> tuple[Floats, Floats]:
    """Compute r and alpha from sums over points.

    Alpha is that of two raters: 1 - (N - 1) / N times the sum of (x - y)² over the squared distances of all N = 2n
    numbers from their mean.

    Args:
        sums: sums of 1, x, y, x², y² and xy over n points, shape (b, 6).

    Source: Zhang et al. 2024, section 6.4; K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011.

    Example:
        >>> x, y = np.array([0.25, 0.75]), np.array([0.5, 0.5])
        >>> [float(each[0]) for each in agreement(np.array([[2, x.sum(), y.sum(), x @ x, y @ y, x @ y]]))]
        [nan, 0.25]
    """
    x, y, xx, yy, xy = sums[:, 1:].T
    n = np.maximum(sums[:, 0], 1)
    squares = np.array([xx, yy, xx + yy])
    spread = squares - np.array([x * x, y * y, (x + y) ** 2 / 2]) / n
    spread = np.where(spread > _CONSTANT * squares, spread, np.nan)
    r = np.clip((xy - x * y / n) / np.sqrt(spread[0] * spread[1]), -1.0, 1.0)
    return r, 1 - (1 - 1 / (2 * n)) * (xx + yy - 2 * xy) / spread[2]


def _judged(module: str, samples: Sequence[Record], people: Sequence[Mapping[str, Any]]) -> list[_Judged]:
    """Pair scores with people's shares where a summary has both, of several groups."""
    facts = [row["facts"] for row in people]
    check_columns(module, samples=samples, people=facts)
    if not any("scores" in record for record in samples):
        raise InputError(
            f"{module}: the samples have no scores of a neural matcher; score with --set matcher=bartscore or bertscore"
        )
    entries = (record_entries(module, "samples", samples, key) for key in ("values", "skipped", "scores"))
    judged = []
    for place, (counts, values, skipped, scores) in enumerate(zip(facts, *entries, strict=True)):
        shares = _shares(f"{module}: people[{place}]", counts, values)
        if skipped is None and len(scores) > 1 and shares:
            judged.append((scores, shares))
    return judged


def _shares(where: str, counts: object, values: Sequence[str]) -> list[float]:
    """Return people's share of each group; none where they counted nothing."""
    if is_missing(counts) or not counts:
        return []
    if not isinstance(counts, Mapping):
        raise InputError(f"{where}: facts must be a dict from group to number, found {describe(counts)}")
    for value, n in counts.items():
        if not 0 <= as_float(n) < np.inf:
            raise InputError(f"{where}: facts of {value!r} must be a number of at least 0, found {describe(n)}")
        if value not in values:
            raise InputError(
                f"{where}: facts name the group {value!r}, but the summary's groups are {', '.join(values) or 'none'}; "
                "leave out facts that come from no group"
            )
    total = sum(map(float, counts.values()))
    return [float(counts.get(value, 0)) / total for value in values] if total else []


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out both coefficients at each temperature, as in figure 3."""
    rows = [[f"{point['temperature']:g}", *number_cells(point, *_TITLES)] for point in result["points"]]
    header = ["temperature", *(cell for title in _TITLES.values() for cell in (title, "interval"))]
    printed = f"Printed: around {_PRINTED:g} at {_USUAL:g} (figure 3)."
    return [Table(header, rows, below=[count_samples(result, "compared"), printed, _CAUTION])]


def drawing(result: dict[str, Any]) -> Drawing:
    """Figure 3: both coefficients over the temperature."""
    curves = [
        Curve(title, [Point(each["temperature"], each[name], each[f"{name}_ci"]) for each in result["points"]], color)
        for (name, title), color in zip(_TITLES.items(), ("ink", "accent"), strict=True)
    ]
    panel = Curves(
        "Agreement with people",
        curves,
        "Temperature of the softmax",
        "Agreement of the matcher's shares with people's; higher is better",
        lines=[Line(_USUAL, f"the paper's {_USUAL:g}")],
        notes=[f"Band: {level_of(result)} intervals, separate for each temperature."],
    )
    return Drawing("Temperature of the softmax", [panel])
