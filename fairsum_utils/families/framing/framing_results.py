"""Results of framing: changed classes, their table, shifts, and figures by group."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from fairsum_utils.families.estimates import SampleScores, mean_of
from fairsum_utils.families.framing.chance import is_drawn, put_random_framing
from fairsum_utils.families.framing.rows import FramingTable
from fairsum_utils.families.warnings import WarningRecord
from fairsum_utils.measures.framing import CLASSES, Framing
from fairsum_utils.stats.arrays import Floats, Integers
from fairsum_utils.stats.intervals import Estimate, share_interval
from fairsum_utils.stats.sums import Sums

SCORES = SampleScores("value_n", {})
SAME = "source_score"
"""Name of a column that does not depend on the system."""


def _classes(scores: Floats, threshold: float) -> Integers:
    """Return the class of each score, see `sentiment_class`."""
    return 1 + (scores >= threshold).astype(np.int64) - (scores <= -threshold)


def sums_of(table: FramingTable, settings: Framing) -> Sums:
    """Sum up a table.

    Returns:
        Columns ``n``, ``framing``, ``shift`` and ``source_score``; totals of samples with both polarities and by group;
        counts of the classes from and to.
    """
    classify: Callable[[Floats], Integers] = partial(_classes, threshold=settings.threshold)
    sums = Sums(len(table), skipped=table.skipped)
    source, summary = table.scored("source"), table.scored("summary")
    of_source, of_summary = classify(source), classify(summary)
    changed = (of_source != of_summary).astype(np.float64)
    sums.put(("n",), np.ones(sums.n_units))
    sums.put(("framing",), changed)
    sums.put(("shift",), of_summary - of_source)
    sums.put((SAME, "all"), source)
    sums.put_total(("summary_score",), summary)
    is_mixed = table.is_mixed(classify)
    sums.counts["mixed",] = int(is_mixed.sum())
    sums.put_total(("mixed", "framing"), changed[is_mixed])
    for start, of_start in enumerate(CLASSES):
        for end, of_end in enumerate(CLASSES):
            sums.counts["from_to", of_start, of_end] = int(((of_source == start) & (of_summary == end)).sum())
    lowest, highest = table.scored("lowest"), table.scored("highest")
    sums.counts["no_sentiment",] = int(((lowest == 0) & (highest == 0) & (summary == 0)).sum())
    sums.counts["truncated",] = int((table.scored("n_truncated") > 0).sum())
    names, codes, samples, scores = table.groups()
    of_groups = classify(scores)
    for code, name in enumerate(names):
        entries = codes == code
        steps = of_summary[samples[entries]] - of_groups[entries]
        sums.put(("value_n", name), np.ones(len(steps)), samples[entries])
        sums.put_total(("framing", name), steps != 0)
        sums.put_total(("shift", name), steps)
    if settings.at_random:
        put_random_framing(sums, table, of_source, of_groups, classify)
    return sums


def figures(sums: Sums, settings: Framing) -> dict[str, Any]:
    """Return the figures of a result."""
    n, n_mixed = sums.n_samples, sums.counts[("mixed",)]
    n_by_value = {name: int(sums.total("value_n", name)) for name in sums.of("value_n")}
    mixed, shift = sums.total("mixed", "framing"), mean_of(sums, "shift", n=n)
    result: dict[str, Any] = {
        "framing": SCORES.score(sums, "framing"),
        "framing_by_value": {name: mean_of(sums, "framing", name, n=of) for name, of in n_by_value.items()},
        "framing_mixed": mixed / n_mixed if n_mixed else math.nan,
        "n_mixed": n_mixed,
        "from_to": {start: {end: sums.counts["from_to", start, end] for end in CLASSES} for start in CLASSES},
        "shift": shift,
        "shift_by_value": {name: mean_of(sums, "shift", name, n=of) for name, of in n_by_value.items()},
        "source_sentiment": mean_of(sums, SAME, "all", n=n),
        "summary_sentiment": mean_of(sums, "summary_score", n=n),
        "n_by_value": n_by_value,
    }
    if settings.model != "vader":
        result["n_truncated"] = sums.counts[("truncated",)]
    if is_drawn(sums, settings):
        result |= _at_random(sums, n_by_value)
    level = settings.confidence_level
    if level is not None:
        of_shift = Estimate.of_sums(shift, sums, "shift", "scores", (-2.0, 2.0))
        result |= of_shift.keys("shift", level)
        result["framing_mixed_ci"] = list(share_interval(mixed, n_mixed, level))
        result["framing_by_value_ci"] = {
            name: list(share_interval(sums.total("framing", name), of, level)) for name, of in n_by_value.items()
        }
        [estimate] = SCORES.estimates(sums, ["framing"], settings).values()
        result |= estimate.keys("framing", level)
    return result


def _at_random(sums: Sums, n_by_value: Mapping[str, int]) -> dict[str, Any]:
    n, n_mixed = sums.n_samples, sums.counts[("mixed",)]
    return {
        "framing_by_value_at_random": {
            name: mean_of(sums, "at_random_framing", name, n=of) for name, of in n_by_value.items()
        },
        "framing_mixed_at_random": mean_of(sums, "at_random", "mixed", n=n_mixed),
        "from_to_at_random": {
            start: {end: sums.total("at_random_from_to", start, end) for end in CLASSES} for start in CLASSES
        },
        "shift_at_random": mean_of(sums, "at_random", "shift", n=n),
    }


def warnings(sums: Sums, settings: Framing) -> list[WarningRecord]:
    """Warn about samples without sentiment."""
    message = "in {} scored samples no sentence has any sentiment, so that sources and summary count as neutral"
    return WarningRecord.of("no_sentiment", sums.counts[("no_sentiment",)], sums.n_samples, message)


def shares(counts: Mapping[str, Mapping[str, float]]) -> Sequence[Sequence[float]]:
    """Return the table from and to as shares of all samples."""
    total = math.fsum(number for row in counts.values() for number in row.values()) or math.nan
    return [[counts[start][end] / total for end in CLASSES] for start in CLASSES]
