"""Results of position bias: thirds, curve and mean position."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np

from fairsum_utils.families.estimates import SampleScores, mean_of
from fairsum_utils.families.framing.chance import is_drawn, most_from, put_random_positions, random_thirds
from fairsum_utils.families.framing.rows import N_TENTHS, FramingTable
from fairsum_utils.families.warnings import MOSTLY, WarningRecord
from fairsum_utils.measures.position_bias import THIRDS, PositionBias
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.intervals import Estimate, Moments, mean_interval
from fairsum_utils.stats.sums import Sums

SCORES = SampleScores("third_n", {"position_bias": ("third", "third_n")}, fair=1 / len(THIRDS))
SAME = "source_words"
"""Name of a column that does not depend on the system."""


def sums_of(table: FramingTable, settings: PositionBias) -> Sums:
    """Sum up a table.

    Returns:
        Columns ``n``, ``mean_position``, ``source_words`` and by third ``third`` and ``third_n``; totals by tenth and
        of summaries that take most from a third; counts of sentences.
    """
    sums = Sums(len(table), skipped=table.skipped)
    found, n = table.positions(), np.ones(len(table))
    sums.put(("n",), n)
    sums.put(("mean_position",), found.mean)
    sums.put((SAME, "all"), table.scored("n_words"))
    for third, shares in zip(THIRDS, found.thirds.T, strict=True):
        sums.put(("third", third), shares)
        sums.put(("third_n", third), n)
    for tenth, shares in enumerate(found.tenths.T):
        sums.put_total(("tenth", str(tenth)), shares)
    for third, is_most in zip(THIRDS, most_from(found.thirds).T, strict=True):
        sums.put_total(("most", third), is_most)
    for name in ("n_sentences", "n_unmatched"):
        sums.counts[name,] = int(table.scored(name).sum())
    if settings.at_random:
        put_random_positions(sums, table)
    return sums


def figures(sums: Sums, settings: PositionBias) -> dict[str, Any]:
    """Return the figures of a result."""
    n, tenths = sums.n_samples, list(map(str, range(N_TENTHS)))
    shares = {third: mean_of(sums, "third", third, n=n) for third in THIRDS}
    mean = mean_of(sums, "mean_position", n=n)
    result: dict[str, Any] = {
        "position_bias": SCORES.score(sums, "position_bias") if n else math.nan,
        "share_by_third": shares,
        "most_by_third": {third: mean_of(sums, "most", third, n=n) for third in THIRDS},
        "curve": [mean_of(sums, "tenth", tenth, n=n) for tenth in tenths],
        "mean_position": mean,
        "n_sentences": sums.counts[("n_sentences",)],
        "n_unmatched_sentences": sums.counts[("n_unmatched",)],
    }
    if is_drawn(sums, settings):
        result |= {
            "share_by_third_at_random": dict(zip(THIRDS, random_thirds(sums), strict=True)),
            "most_by_third_at_random": {third: mean_of(sums, "at_random_most", third, n=n) for third in THIRDS},
            "curve_at_random": [mean_of(sums, "at_random_tenth", tenth, n=n) for tenth in tenths],
            "mean_position_at_random": mean_of(sums, "at_random", "mean_position", n=n),
        }
    level = settings.confidence_level
    if level is not None:
        result["share_by_third_ci"] = {
            third: list(_share_of(sums, third, share).interval(level)) for third, share in shares.items()
        }
        result |= Estimate.of_sums(mean, sums, "mean_position", "scores", (0.0, 1.0)).keys("mean_position", level)
        result |= {
            "position_bias_ci": list(_interval(sums, level)),
            "position_bias_ci_lost": 0.0 if n > 1 else math.nan,
        }
        if n == 1:
            result["undefined"] = "position_bias_ci: an interval needs at least two samples"
    return result


def _interval(sums: Sums, level: float) -> tuple[float, float]:
    """Compute the interval of the distance, see `distance_interval`."""
    if sums.n_samples < 2:
        return math.nan, math.nan
    shares = np.column_stack([sums.by_unit(("third", third)) for third in THIRDS])
    return distance_interval(shares, sums.by_unit(("n",)), level)


def distance_interval(shares: Floats, sizes: Floats, level: float) -> tuple[float, float]:
    """Compute an interval of the distance of mean shares from equal shares.

    The distance is the largest excess of some thirds together over their equal share. The upper end is the largest
    upper end of these six means. The lower end is their largest lower end, with a third of the error for each,
    because the largest of several errs upwards. ``benchmarks/calibrate_position.py`` measures its coverage and width.

    Args:
        shares: sums of each unit's shares, shape (units, 3).
        sizes: samples of each unit, shape (units,).
        level: confidence level, in (0, 1).

    Example:
        >>> ends = distance_interval(np.tile([0.75, 0.25, 0.0], (50, 1)), np.ones(50), 0.95)
        >>> [round(end, 2) for end in ends]
        [0.34, 0.44]
    """
    n_parts, lows, highs = shares.shape[1], [0.0], []
    for size in range(1, n_parts):
        for chosen in combinations(range(n_parts), size):
            moments = Moments.of(shares[:, chosen].sum(axis=1), sizes)
            lows.append(mean_interval(moments, 1 - (1 - level) / 3, (0.0, 1.0))[0] - size / n_parts)
            highs.append(mean_interval(moments, level, (0.0, 1.0))[1] - size / n_parts)
    return max(lows), max(highs)


def _share_of(sums: Sums, third: str, share: float) -> Estimate:
    """Estimate the mean share of a third."""
    totals, sizes = sums.by_unit(("third", third)), sums.by_unit(("n",))
    return Estimate(share, "two-point", sums.n_samples, totals=totals, sizes=sizes)


def warnings(sums: Sums, settings: PositionBias) -> list[WarningRecord]:
    """Warn if most sentences have no match."""
    n, n_unmatched = sums.counts[("n_sentences",)], sums.counts[("n_unmatched",)]
    if n_unmatched < MOSTLY * n:
        return []
    message = "{} summary sentences match no source sentence, so the score tells nothing about them"
    return WarningRecord.of("unmatched_sentences", n_unmatched, n, message)
