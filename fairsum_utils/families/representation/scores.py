"""Formulas of the representation family, applied to a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from fairsum_utils.families.representation.rows import Distributions, DistributionTable
from fairsum_utils.measures._representation import RepresentationMeasure
from fairsum_utils.measures._shares import shortfall
from fairsum_utils.measures.auc import area_under_curve, representation_ratio
from fairsum_utils.measures.bur import binary_unfair, underrepresented
from fairsum_utils.measures.uer import unfair_error
from fairsum_utils.stats.arrays import Floats, Integers, by_code


class Columns:
    """Scores of samples and groups of a table.

    Attributes:
        per_sample: measure -> contribution of each sample.
        by_entry: measure, share or ratio -> number for each group of each sample, in sample order.
    """

    def __init__(self, table: DistributionTable, settings: RepresentationMeasure) -> None:
        self.values, self.lengths, codes = table.values(), table.lengths, table.codes
        self.per_sample: dict[str, Floats] = {}
        self.by_entry: dict[str, Floats] = {}
        for part in table.parts(unmatched=settings.unmatched):
            p_g = part.desired(settings.target)
            _place(self.per_sample, part.samples, len(self.lengths), sample_scores(part.p_y, p_g, settings))
            _place(self.by_entry, part.entries, len(codes), _entry_scores(part, p_g, settings))
        self.by_entry["sof"] = self.by_entry["uer"]  # SOF is made of the shortfalls that UER adds up
        self.rows = np.repeat(np.arange(len(self.lengths)), self.lengths)
        self.is_multi = self.lengths > 1
        self._entries = dict(by_code(codes))

    def entries(self) -> Iterator[tuple[str, Integers]]:
        """Yield each group with the positions of its entries."""
        for code, places in self._entries.items():
            yield self.values[code], places


def _place(found: dict[str, Floats], places: Integers, size: int, scores: Mapping[str, Floats]) -> None:
    """Put the scores of a part in their positions in the whole table."""
    for name, numbers in scores.items():
        found.setdefault(name, np.empty(size))[places] = numbers


def sample_scores(p_y: Floats, p_g: Floats, settings: RepresentationMeasure) -> dict[str, Floats]:
    """Compute the contribution of each sample to the measures that are asked for.

    Returns:
        Measure -> array of shape (...).

    Example:
        >>> from fairsum_utils.measures.bur import BUR
        >>> scores = sample_scores(np.array([1.0, 0.0]), np.array([0.5, 0.5]), BUR())
        >>> {name: float(score) for name, score in scores.items()}
        {'uer': 0.25, 'bur': 1.0}
    """
    found = {"uer": unfair_error(p_y, p_g)}
    if hasattr(settings, "tau"):
        found["bur"] = binary_unfair(p_y, p_g, settings.tau).astype(np.float64)
    if hasattr(settings, "n_points"):
        found["auc"] = area_under_curve(p_y, p_g, settings.n_points)
    return found


def _entry_scores(part: Distributions, p_g: Floats, settings: RepresentationMeasure) -> dict[str, Floats]:
    """Compute scores and shares of each group of a sample, shape (n, r)."""
    found = {}
    if hasattr(settings, "tau"):
        found["bur"] = underrepresented(part.p_y, p_g, settings.tau).astype(np.float64)
    if hasattr(settings, "n_points"):
        found["auc"] = area_under_curve(part.p_y[..., None], p_g[..., None], settings.n_points)
    return {
        **found,
        "uer": shortfall(part.p_y, p_g),
        "source_share": part.p_x,
        "summary_share": part.p_y,
        "desired_share": p_g,
        "ratio": representation_ratio(part.p_y, p_g),
    }
