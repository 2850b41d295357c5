"""Records of samples of the representation family."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypedDict, get_type_hints

import numpy as np

from fairsum_utils.families.arrow import Recorded
from fairsum_utils.families.representation.rows import DistributionRow, DistributionTable
from fairsum_utils.families.representation.sums import Columns
from fairsum_utils.measures import get_measure
from fairsum_utils.measures._representation import RepresentationMeasure


class Shares(TypedDict):
    """Shares of groups, aligned with ``values``; empty for a skipped sample.

    Attributes:
        source_share: share of the sources.
        summary_share: share of the summary.
        desired_share: share that the target asks for.
        ratio: share of the summary over the desired share.
    """

    source_share: list[float]
    summary_share: list[float]
    desired_share: list[float]
    ratio: list[float]


def recorded(measures: Sequence[str], settings: RepresentationMeasure) -> Recorded:
    """Return the keys of a record: scores, except of SOF, shares and evidence."""
    scored = [name for name in measures if get_measure(name).averages]
    evidence = ("scores", "truncated") if settings.is_neural else ("matched",)
    fields = ("index", "skipped", "values", "unmatched", *evidence)
    return Recorded(fields, [Shares], partial(_computed, scored, settings), scored)


def _computed(
    scored: Sequence[str], settings: RepresentationMeasure, rows: Sequence[DistributionRow]
) -> Iterator[Mapping[str, Any]]:
    columns = Columns(DistributionTable(rows), scored, settings)
    known = [name for name in scored if name in columns.per_sample]
    stops = np.cumsum(columns.lengths)
    shares = {name: np.split(columns.by_entry[name], stops) for name in get_type_hints(Shares)}
    place = 0
    for row in rows:
        if row.skipped is not None:
            yield {name: [] for name in shares}
            continue
        scores = {name: float(columns.per_sample[name][place]) for name in known}
        yield scores | {name: of_samples[place].tolist() for name, of_samples in shares.items()}
        place += 1
