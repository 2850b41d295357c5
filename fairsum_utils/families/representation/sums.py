"""Sums of the representation family: what each sample and group adds to the measures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fairsum_utils.families.chance import N_DRAWS, draws_of, put_draws
from fairsum_utils.families.representation.rows import DistributionTable
from fairsum_utils.measures._shares import shortfall
from fairsum_utils.measures.auc import representation_ratio
from fairsum_utils.stats.arrays import Floats, Integers
from fairsum_utils.stats.sums import Sums


class Columns:
    """Scores of samples and groups of a table.

    Attributes:
        per_sample: measure -> score of each sample, of measures that average them.
        entries: groups of the samples.
        by_entry: measure, share or ratio -> number of each entry.
    """

    def __init__(self, table: DistributionTable, measures: Sequence[str], settings: Any) -> None:
        self.lengths, self.entries = table.lengths("values"), table.entries("values")
        self.per_sample: dict[str, Floats] = {}
        self.by_entry: dict[str, Floats] = {}

        def put(found: dict[str, Floats], name: str, size: int, places: Integers, numbers: Floats) -> None:
            found.setdefault(name, np.empty(size))[places] = numbers

        for part in table.parts(unmatched=settings.unmatched):
            p_x, p_y, p_g = part.p_x, part.p_y, part.desired(settings.target)
            shares = {"source_share": p_x, "summary_share": p_y, "desired_share": p_g}
            for measure in map(settings.of, measures):
                if measure.averages:
                    put(self.per_sample, measure.name, len(self.lengths), part.samples, measure.per_sample(p_y, p_g))
                shares[measure.name] = measure.per_group(p_y, p_g)
            for name, numbers in {**shares, "ratio": representation_ratio(p_y, p_g)}.items():
                put(self.by_entry, name, len(self.entries.codes), part.entries, numbers)
        self.is_multi = self.lengths > 1


def sums_of(table: DistributionTable, measures: Sequence[str], settings: Any, scorer: Any = None) -> Sums:
    """Sum up a table; the units are the samples.

    Returns:
        Columns ``n`` (1 for each sample), ``multi_n`` (for those of several values) and those of the measures; by value
        ``value_n``, ``multi_value_n``, ``source_tokens``, ``ratio``, ``ratio_n`` (where it is defined) and for each
        measure what the value has of it; counts of what speaks against the scores.

    Example:
        >>> from fairsum_utils.families.representation.rows import DistributionRow
        >>> from fairsum_utils.measures.uer import UER
        >>> table = DistributionTable([DistributionRow(0, ("a", "b"), (3, 1), (1.0, 1.0))])
        >>> sums_of(table, ["uer"], UER()).total("uer")
        0.125
    """
    columns = Columns(table, measures, settings)
    sums = Sums(len(columns.is_multi), skipped=table.skipped)
    n, tokens = np.ones(sums.n_units), table.flat("source_tokens")
    multi = np.flatnonzero(columns.is_multi)
    sums.put(("n",), n)
    sums.put_total(("multi_n",), n[multi])
    for name, scores in columns.per_sample.items():
        sums.put((name,), scores)
        sums.put_total((f"multi_{name}",), scores[multi])
    for value, entries in columns.entries.by_group():
        rows = columns.entries.samples[entries]
        in_multi = columns.is_multi[rows]
        sums.put(("value_n", value), n[rows], rows)
        sums.put(("source_tokens", value), tokens[entries], rows)
        sums.put_total(("multi_value_n", value), n[rows[in_multi]])
        ratios = columns.by_entry["ratio"][entries]
        defined = ~np.isnan(ratios)
        sums.put_total(("ratio", value), ratios[defined])
        sums.put_total(("ratio_n", value), n[rows[defined]])
        for name in measures:
            scores = columns.by_entry[name][entries]
            if name in columns.per_sample:
                sums.put_total((name, value), scores)
            else:  # the bootstrap makes it of values
                sums.put((name, value), scores, rows)
            sums.put_total((f"multi_{name}", value), scores[in_multi])
    sums.counts.update(table.counts())
    if settings.at_random:
        _put_at_random(sums, table, measures, settings)
    return sums


def _put_at_random(sums: Sums, table: DistributionTable, measures: Sequence[str], settings: Any) -> None:
    """Add the scores of random summaries to the sums of a table."""
    if (drawn := draws_of(sums, table)) is None:
        return
    entries = table.entries("values")
    weights = np.ascontiguousarray(drawn.reshape(len(entries.codes), N_DRAWS).T, dtype=np.float64)
    scores = {name: np.empty((sums.n_units, N_DRAWS)) for name in measures if settings.of(name).averages}
    lacking = np.empty(weights.shape)
    for part in table.parts(unmatched=settings.unmatched, weights=weights):
        p_g = part.desired(settings.target)
        lacking[:, part.entries] = shortfall(part.p_y, p_g)
        for name, of_samples in scores.items():
            of_samples[part.samples] = settings.of(name).per_sample(part.p_y, p_g).T
    for name in measures:
        if name in scores:
            put_draws(sums, name, scores[name])
            continue
        for value, places in entries.by_group():
            for draw, of_value in enumerate(lacking[:, places]):
                sums.put_total((f"at_random_{name}", value, str(draw)), of_value)
