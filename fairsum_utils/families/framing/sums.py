"""Sums of the framing family: classes and their changes, positions of the content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from fairsum_utils.families.chance import N_DRAWS, draws_of, put_draws
from fairsum_utils.families.framing.rows import FramingTable
from fairsum_utils.measures.framing import CLASSES, Framing
from fairsum_utils.measures.position_bias import THIRDS, PositionBias
from fairsum_utils.stats.arrays import Floats, Integers
from fairsum_utils.stats.sums import Sums


def sums_of(table: FramingTable, measures: Sequence[str], settings: Any, scorer: Any = None) -> Sums:
    """Sum up a table of one measure; the units are the samples.

    Example:
        >>> from fairsum_utils.families.framing.rows import FramingRow
        >>> table = FramingTable([FramingRow(0, source=0.5, summary=-0.5), FramingRow(1, source=0.5, summary=0.2)])
        >>> sums_of(table, ["framing"], Framing()).total("framing")
        1.0
    """
    sums = Sums(len(table), skipped=table.skipped)
    sums.put(("n",), np.ones(sums.n_units))
    (_put_framing if settings.name == "framing" else _put_positions)(sums, table, settings)
    return sums


def _classes(scores: Floats, threshold: float) -> Integers:
    """Return the class of each score, see `sentiment_class`."""
    return 1 + (scores >= threshold).astype(np.int64) - (scores <= -threshold)


def _put_framing(sums: Sums, table: FramingTable, settings: Framing) -> None:
    """Add what framing needs.

    The columns are ``framing``, ``shift`` and ``source_score``; there are totals of samples with both polarities and by
    group, and counts of the classes from and to.
    """
    classify: Callable[[Floats], Integers] = partial(_classes, threshold=settings.threshold)
    source, summary = table.scored("source"), table.scored("summary")
    of_source, of_summary = classify(source), classify(summary)
    changed = (of_source != of_summary).astype(np.float64)
    sums.put(("framing",), changed)
    sums.put(("shift",), of_summary - of_source)
    sums.put(("source_score",), source)
    sums.put_total(("summary_score",), summary)
    is_mixed = table.is_mixed(classify)
    sums.counts["mixed",] = int(is_mixed.sum())
    sums.put_total(("mixed_framing",), changed[is_mixed])
    for start, of_start in enumerate(CLASSES):
        for end, of_end in enumerate(CLASSES):
            sums.counts["from_to", of_start, of_end] = int(((of_source == start) & (of_summary == end)).sum())
    lowest, highest = table.scored("lowest"), table.scored("highest")
    sums.counts["no_sentiment",] = int(((lowest == 0) & (highest == 0) & (summary == 0)).sum())
    sums.counts["truncated",] = int((table.scored("n_truncated") > 0).sum())
    groups, of_groups = table.entries("values"), classify(table.flat("by_value"))
    for name, places in groups.by_group():
        samples = groups.samples[places]
        steps = of_summary[samples] - of_groups[places]
        sums.put(("value_n", name), np.ones(len(steps)), samples)
        sums.put_total(("framing", name), steps != 0)
        sums.put_total(("shift", name), steps)
    if settings.at_random:
        _put_random_framing(sums, table, of_source, of_groups, classify)


def _put_positions(sums: Sums, table: FramingTable, settings: PositionBias) -> None:
    """Add what position bias needs.

    The columns are ``mean_position``, ``source_words`` and by third ``third`` and ``third_n``; there are totals by
    tenth and of summaries that take most from a third, and counts of sentences.
    """
    found = table.positions()
    sums.put(("mean_position",), found.mean)
    sums.put(("source_words",), table.scored("n_words"))
    for third, shares in zip(THIRDS, found.thirds.T, strict=True):
        sums.put(("third", third), shares)
        sums.put(("third_n", third), np.ones(sums.n_units))
    for tenth, shares in enumerate(found.tenths.T):
        sums.put_total(("tenth", str(tenth)), shares)
    for third, is_most in zip(THIRDS, most_from(found.thirds).T, strict=True):
        sums.put_total(("most", third), is_most)
    for name in ("n_sentences", "n_unmatched"):
        sums.counts[name,] = int(table.scored(name).sum())
    if settings.at_random:
        _put_random_positions(sums, table)


def _put_random_framing(
    sums: Sums, table: FramingTable, source: Integers, groups: Integers, classify: Callable[[Floats], Integers]
) -> None:
    """Add the classes of random extracts, which consist of sentences of the sources.

    Args:
        sums: sums of the table.
        table: rows of framing.
        source: class of the sources of each scored sample.
        groups: class of each entry of the column of groups.
        classify: score -> class, element by element.
    """
    if (drawn := draws_of(sums, table, "drawn")) is None:
        return
    classes = classify(drawn.reshape(sums.n_units, -1))
    shift = classes - source[:, None]
    changed = (shift != 0).astype(np.float64)
    put_draws(sums, "framing", changed)
    sums.put_total(("at_random_shift",), shift.mean(axis=1))
    is_mixed = table.is_mixed(classify)
    sums.put_total(("at_random_mixed",), changed[is_mixed].mean(axis=1))
    for start, of_start in enumerate(CLASSES):
        for end, of_end in enumerate(CLASSES):
            is_pair = (source[:, None] == start) & (classes == end)
            sums.put_total(("at_random_from_to", of_start, of_end), is_pair.mean(axis=1))
    entries = table.entries("values")
    of_groups = (classes[entries.samples] != groups[:, None]).mean(axis=1)
    for name, places in entries.by_group():
        sums.put_total(("at_random_framing", name), of_groups[places])


def _put_random_positions(sums: Sums, table: FramingTable) -> None:
    """Add the positions of random extracts.

    They have at most as many sentences as the summary has matched ones: fewer sentences are spread less evenly.
    """
    if (of_draws := draws_of(sums, table, "drawn")) is None:
        return
    drawn, thirds = table.drawn_positions(), of_draws.reshape(-1, N_DRAWS, len(THIRDS))
    for place, third in enumerate(THIRDS):
        for draw in range(N_DRAWS):
            sums.put_total(("at_random_third", third, str(draw)), thirds[:, draw, place])
    for tenth, shares in enumerate(drawn.tenths.T):
        sums.put_total(("at_random_tenth", str(tenth)), shares)
    for third, is_most in zip(THIRDS, most_from(thirds.reshape(-1, len(THIRDS))).T, strict=True):
        sums.put_total(("at_random_most", third), is_most / N_DRAWS)
    sums.put_total(("at_random_mean_position",), drawn.mean)


def most_from(thirds: Floats) -> Floats:
    """Mark the third with the largest share of each summary; none if several tie.

    Example:
        >>> most_from(np.array([[0.5, 0.25, 0.25], [0.5, 0.5, 0.0]])).tolist()
        [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    is_most = thirds >= thirds.max(axis=1, keepdims=True, initial=0.0) - 1e-12
    return np.asarray(is_most & (is_most.sum(axis=1, keepdims=True) == 1), dtype=np.float64)
