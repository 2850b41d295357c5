"""Records of texts of the polarity family."""

from __future__ import annotations

from collections.abc import Sequence

from fairsum_utils.families.arrow import Recorded
from fairsum_utils.measures._polarity import PolarityMeasure


def recorded(measures: Sequence[str], settings: PolarityMeasure) -> Recorded:
    """Return the keys of a record, all of them fields of the row."""
    return Recorded(("index", "skipped", "group", "labels", "scores", "counts", "evidence"))
