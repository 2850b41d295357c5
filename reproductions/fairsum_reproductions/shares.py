"""Shares in records of BUR, UER, AUC or SOF, interchangeable as input."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from fairsum_reproductions.contract import Input, Intervals
from fairsum_reproductions.records import Record, record_entries
from fairsum_utils.errors import InputError
from fairsum_utils.measures._shares import shortfall
from fairsum_utils.measures.auc import area_under_curve
from fairsum_utils.measures.bur import BUR, binary_unfair
from fairsum_utils.measures.sof import sample_sof, sof
from fairsum_utils.measures.uer import unfair_error
from fairsum_utils.settings import Fraction, Level, Settings, override
from fairsum_utils.stats.arrays import Bools, Floats, Integers, exact_mean, padded, scalar
from fairsum_utils.validation import check_sample, labels_of

# Measures of shares, in the order of the paper's tables.
MEASURES = ("bur", "uer", "auc", "sof")

SHARE_RECORDS = Input(
    "samples", "records of bur, uer, auc or sof", kind="samples", systems=True, families={"": "representation"}
)

# Reason for an undefined number.
NO_SAMPLE = "no sample left to score"


class SharesSettings(Settings):
    """Settings of studies of shares."""

    tau: Fraction = override(BUR, "tau")
    confidence_level: Level = override(Intervals, "confidence_level")


def check_rows(module: str, data: Sequence[Mapping[str, Any]]) -> list[str]:
    """Check rows' source texts and values, and return all values, sorted.

    Example:
        >>> check_rows("oracle", [{"sources": ["Tasty.", "Awful."], "values": ["pos", "neg"]}])
        ['neg', 'pos']
    """
    for place, row in enumerate(data):
        check_sample(module, place, "", row["sources"], row["values"])
    return sorted({label for row in data for label in labels_of(row["values"])})


class Shares(NamedTuple):
    """Shares of the scored samples.

    Attributes:
        places: numbers of the samples in the data.
        values: values of each sample.
        p_y: shares in the summary, shape (n, r); NaN where a sample has fewer values.
        p_g: desired shares, the same shape.
        n_skipped: number of samples without a score.
    """

    places: list[int]
    values: list[list[str]]
    p_y: Floats
    p_g: Floats
    n_skipped: int

    @property
    def is_multi(self) -> Bools:
        """Mask of samples with several values, where unfairness is possible."""
        return np.asarray((~np.isnan(self.p_g)).sum(axis=1) > 1)

    def only(self, chosen: Bools) -> Shares:
        """Keep some of the samples; the others are not counted as skipped."""
        places = np.flatnonzero(chosen)
        return Shares(
            [self.places[place] for place in places],
            [self.values[place] for place in places],
            self.p_y[places],
            self.p_g[places],
            self.n_skipped,
        )

    def entries(self) -> dict[str, tuple[Integers, Integers]]:
        """Find the rows and columns of each value, sorted."""
        places: dict[str, list[tuple[int, int]]] = {}
        for row, values in enumerate(self.values):
            for column, value in enumerate(values):
                places.setdefault(value, []).append((row, column))
        found = {value: np.array(places[value]).T for value in sorted(places)}
        return {value: (rows, columns) for value, (rows, columns) in found.items()}

    def by_value(self) -> dict[str, tuple[Floats, Floats]]:
        """Group the shares in the summaries, and the desired ones, by value."""
        return {value: (self.p_y[at], self.p_g[at]) for value, at in self.entries().items()}


def read_shares(module: str, name: str, samples: Sequence[Record]) -> Shares:
    """Read the shares in records; `name` is the system's, for messages.

    Example:
        >>> record = {"index": 0, "skipped": None, "values": ["a", "b"], "summary_share": [0.25, 0.75],
        ...           "desired_share": [0.5, 0.5]}
        >>> shares = read_shares("example", "samples", [record])
        >>> {name: float(scores[0]) for name, scores in sample_scores(shares, tau=0.9).items()}
        {'bur': 1.0, 'uer': 0.125, 'auc': 0.5, 'sof': 0.125}
    """
    keys = ("index", "skipped", "values", "summary_share", "desired_share")
    columns = zip(*(record_entries(module, name, samples, key) for key in keys), strict=True)
    scored = []
    for place, (index, skipped, *of_values) in enumerate(columns):
        if skipped is None:
            if len({len(entry) for entry in of_values}) > 1 or not of_values[0]:
                raise InputError(f"{module}: {name}[{place}] needs one share for each of its values")
            scored.append((index, *of_values))
    places, values, given, desired = map(list, zip(*scored, strict=True)) if scored else ([], [], [], [])
    return Shares(places, values, padded(given), padded(desired), len(samples) - len(scored))


def sample_scores(shares: Shares, tau: float, n_points: int | None = None) -> dict[str, Floats]:
    """Compute each measure by sample: AUC exactly without `n_points`, SOF by equation 4.

    Source: Zhang et al. 2024, equations 1 to 4.
    """
    p_y, p_g = shares.p_y, shares.p_g
    return {
        "bur": binary_unfair(p_y, p_g, tau).astype(np.float64),
        "uer": unfair_error(p_y, p_g),
        "auc": area_under_curve(p_y, p_g, n_points),
        "sof": sample_sof(p_y, p_g),
    }


def undefined_scores(name: str, scores: Mapping[str, float], shares: Shares) -> dict[str, str]:
    """Explain undefined scores of a system.

    Example:
        >>> shares = Shares([0], [["a"]], np.ones((1, 1)), np.ones((1, 1)), 0)
        >>> undefined_scores("gpt4", {"bur": 0.0, "sof": math.nan}, shares)
        {'sof of gpt4': 'it compares groups, but the data has only 1'}
    """
    reason = f"it compares groups, but the data has only {len(shares.by_value())}" if shares.places else NO_SAMPLE
    return {f"{measure} of {name}": reason for measure, number in scores.items() if math.isnan(number)}


def data_set_scores(shares: Shares, scores: Mapping[str, Floats]) -> dict[str, float]:
    """Compute each measure of the data set, SOF from mean shortfalls."""
    totals: dict[str, Any] = {name: exact_mean(scores[name]) for name in MEASURES if name != "sof"}
    lacking = {value: shortfall(given, desired) for value, (given, desired) in shares.by_value().items()}
    means = scalar(sof([math.fsum(each) for each in lacking.values()], [len(each) for each in lacking.values()]))
    return totals | {"sof": means}
