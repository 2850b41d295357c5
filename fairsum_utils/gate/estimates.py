"""What a result says of the samples behind it: how many there are, their mean, and how far they spread."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from fairsum_utils.families.settings import USUAL_LEVEL
from fairsum_utils.measures import get_measure
from fairsum_utils.signature import settings_of
from fairsum_utils.stats.intervals import deviation_of

__all__ = ["Estimate", "estimate_of"]


class Estimate(NamedTuple):
    """A score and what is known of the samples that it is of.

    Attributes:
        measure: its name.
        score: of all samples; NaN where it is undefined.
        n: samples with a score.
        deviation: standard deviation of what one sample adds; NaN where nothing tells it.
        level: of the interval, in (0, 1).
        ends: of the interval; None without one.
    """

    measure: str
    score: float
    n: int
    deviation: float
    level: float = USUAL_LEVEL
    ends: tuple[float, float] | None = None


def estimate_of(measure: str, result: Mapping[str, Any]) -> Estimate:
    """What a result says of its samples.

    The deviation of a share follows from the share, and results say that of other means (``<measure>_sd``). Of results
    of earlier versions it is read from the interval, as if that were normal.

    Args:
        measure: its name.
        result: of the measure.

    Example:
        >>> found = estimate_of("uer", {"uer": 0.1, "uer_ci": [0.06, 0.14], "n_samples": 100})
        >>> found.n, round(found.deviation, 4)
        (100, 0.2041)
        >>> estimate_of("bur", {"bur": 0.5, "n_samples": 8}).deviation
        0.5
    """
    score, n = float(result[measure]), int(result["n_samples"])
    level = float(settings_of(result).get("confidence_level", USUAL_LEVEL))
    ends = result.get(f"{measure}_ci")
    if ends is not None:
        ends = (float(ends[0]), float(ends[1])) if all(map(math.isfinite, ends)) else None
    deviation = float(result.get(f"{measure}_sd", math.nan))
    if get_measure(measure).averages == "shares":
        deviation = math.sqrt(max(score * (1 - score), 0.0))
    elif math.isnan(deviation) and ends is not None:
        deviation = deviation_of(n, ends, level)
    return Estimate(measure, score, n, deviation, level, ends)
