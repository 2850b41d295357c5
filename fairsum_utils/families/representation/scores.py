"""The formulas of the representation family, applied to a table: scores of samples and of their values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from fairsum_utils.families.representation.rows import Distributions, DistributionTable
from fairsum_utils.families.representation.settings import RepresentationSettings
from fairsum_utils.measures._shares import shortfall
from fairsum_utils.measures.auc import area_under_curve, representation_ratio
from fairsum_utils.measures.bur import binary_unfair, underrepresented
from fairsum_utils.measures.uer import unfair_error
from fairsum_utils.stats.arrays import Floats, Integers


class Columns:
    """The formulas applied to a table, part by part: per sample, and per value of a sample (flat, in sample order)."""

    def __init__(self, table: DistributionTable, settings: RepresentationSettings) -> None:
        parts = list(map(_score_part, table.parts(unmatched=settings.unmatched), repeat(settings)))
        # Popped, so that the parts go as the whole grows.
        joined = {key: np.concatenate([part.pop(key) for part in parts]) for key in list(parts[0])}
        self.per_sample, self.by_entry = (
            {key.removeprefix(part): scores for key, scores in joined.items() if key.startswith(part)}
            for part in ("sample_", "entry_")
        )
        self.by_entry["sof"] = self.by_entry["uer"]  # it is made of the shortfalls that UER adds up
        self.values = table.values()
        columns, lengths = joined["columns"].astype(np.int32), joined["lengths"].astype(np.int64)
        self.rows = np.repeat(np.arange(len(lengths)), lengths)
        self.is_multi = lengths > 1
        # Entries of one value stand together in this order.
        self._order = np.argsort(columns, kind="stable")
        self._starts = np.searchsorted(columns, np.arange(len(self.values) + 1), sorter=self._order)

    def entries(self) -> Iterator[tuple[str, Integers]]:
        """Each value, and which entries are of it."""
        for value, (start, stop) in zip(self.values, pairwise(self._starts), strict=True):
            yield value, self._order[start:stop]


def sample_scores(p_y: Floats, p_g: Floats, settings: RepresentationSettings) -> dict[str, Floats]:
    """Measure -> what each sample adds to it, of the measures that are means over samples.

    Args:
        p_y: shares in the summary, shape (..., r); NaN where a value is absent.
        p_g: desired shares, the same shape.
        settings: of the measures.

    Returns:
        Arrays of shape (...).

    Example:
        >>> scores = sample_scores(np.array([1.0, 0.0]), np.array([0.5, 0.5]), RepresentationSettings())
        >>> [(name, float(score)) for name, score in scores.items()][:2]
        [('bur', 1.0), ('uer', 0.25)]
    """
    return {
        "bur": binary_unfair(p_y, p_g, settings.tau).astype(np.float64),
        "uer": unfair_error(p_y, p_g),
        "auc": area_under_curve(p_y, p_g, settings.n_points),
    }


def _score_part(part: Distributions, settings: RepresentationSettings) -> dict[str, npt.NDArray[Any]]:
    """Scores of the samples of a part, and of the entries (a value of a sample) in sample order."""
    columns, p_y, p_g = part.columns, part.p_y, part.desired(settings.target)
    present = columns >= 0
    return {
        "columns": columns[present],
        "lengths": present.sum(axis=1),
        **{f"sample_{name}": scores for name, scores in sample_scores(p_y, p_g, settings).items()},
        "entry_bur": underrepresented(p_y, p_g, settings.tau)[present].astype(np.float64),
        "entry_uer": shortfall(p_y, p_g)[present],
        "entry_auc": area_under_curve(p_y[..., None], p_g[..., None], settings.n_points)[present],
        "entry_ratio": representation_ratio(p_y, p_g)[present],
    }
