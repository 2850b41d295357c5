"""Rank correlation of scores by two entailers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np

from fairsum_reproductions.contract import Seed
from fairsum_reproductions.correlation import rank_correlation
from fairsum_reproductions.coverage._dominance import extreme_columns
from fairsum_reproductions.coverage._tables import SIGNIFICANT, samples_input, starred
from fairsum_reproductions.layout import place_of
from fairsum_reproductions.records import Record, check_paired, record_entries
from fairsum_utils.errors import InputError
from fairsum_utils.measures.coverage_parity import coverage_parity
from fairsum_utils.reports.tables import Part, Table
from fairsum_utils.reports.wording import short_name
from fairsum_utils.settings import Count, Resampling, Settings, override, setting
from fairsum_utils.stats.arrays import scalar

INPUTS = (samples_input("records of equal_coverage, as ENTAILER, ENTAILER/DATA_SET or ENTAILER/SYSTEM/DATA_SET"),)


class EntailerSettings(Settings):
    """Permutations for p-values."""

    n_permutations: Count = setting(5_000, "number of random orders for the p-value", key="perms")
    seed: Seed = override(Resampling, "seed")

    def correlation(self, first: Sequence[float | None], second: Sequence[float | None]) -> dict[str, Any]:
        """Spearman's rho of two columns."""
        return rank_correlation(first, second, n_permutations=self.n_permutations, seed=self.seed, module=self.module)


SETTINGS = EntailerSettings


def parity_of(module: str, name: str, samples: Sequence[Record]) -> float:
    """Compute a run's CP as in the paper; NaN without scored samples.

    Example:
        >>> records = [{"difference_by_value": {"a": 0.5, "b": -0.25}}, {"difference_by_value": None}]
        >>> parity_of("entailers", "samples", records)
        0.375
    """
    differences = record_entries(module, name, samples, "difference_by_value")
    scored = [record for record, by_value in zip(samples, differences, strict=True) if by_value]
    sums, counts = np.split(extreme_columns(module, name, scored)[1].sum(axis=0), 2)
    return scalar(coverage_parity(sums, counts))


def compute(samples: Mapping[str, Sequence[Record]], *, settings: EntailerSettings) -> dict[str, Any]:
    """Correlate entailers: EC over samples, CP over systems (Spearman's rho)."""
    runs: dict[str, dict[tuple[str, str], str]] = {}
    for name in samples:
        entailer, _, rest = name.partition("/")
        system, _, data_set = rest.rpartition("/")
        runs.setdefault(entailer, {})[data_set, system] = name
    if len(runs) < 2:
        raise InputError(f"{settings.module}: needs runs with at least two entailers, found {', '.join(runs)}")
    found: dict[str, Any] = {"equal_coverage": [], "coverage_parity": [], "undefined": {}}
    data_sets = dict.fromkeys(data_set for of_entailer in runs.values() for data_set, _ in of_entailer)
    for data_set, (one, other) in product(data_sets, combinations(runs, 2)):
        shared = [key for key in runs[one] if key[0] == data_set and key in runs[other]]
        if not shared:
            continue
        systems = [system for _, system in shared]
        pairs = [(runs[one][key], runs[other][key]) for key in shared]
        for measure, result in _correlations(samples, pairs, any(systems), settings).items():
            if "undefined" in result:
                found["undefined"][place_of(f"{measure} of {one} and {other}", data_set)] = result["undefined"]
            found[measure].append({"data_set": data_set, "entailers": [one, other], "systems": systems, **result})
    return found


def _correlations(
    samples: Mapping[str, Sequence[Record]], pairs: list[tuple[str, str]], is_named: bool, settings: EntailerSettings
) -> dict[str, dict[str, Any]]:
    """Correlate EC over all samples and, for named systems, CP over systems."""
    module = settings.module
    for one, other in pairs:
        check_paired(module, **{one: samples[one], other: samples[other]})
    names = [*zip(*pairs, strict=True)]
    scores = (
        [score for name in of_one for score in record_entries(module, name, samples[name], "equal_coverage")]
        for of_one in names
    )
    found = {"equal_coverage": settings.correlation(*scores)}
    if is_named:
        parities = ([parity_of(module, name, samples[name]) for name in of_one] for of_one in names)
        found["coverage_parity"] = settings.correlation(*parities)
    return found


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out table 2: a table per measure, data sets by pairs of entailers."""
    made: list[Part] = []
    for measure, over in (("equal_coverage", "samples"), ("coverage_parity", "systems")):
        pairs: dict[str, dict[str, Any]] = {}
        for each in result[measure]:
            row = pairs.setdefault(" and ".join(each["entailers"]), {})
            row[each["data_set"]] = starred(each["rho"], each["p_value"] < SIGNIFICANT)
        data_sets = dict.fromkeys(each["data_set"] for each in result[measure])
        rows = [[data_set or "all", *(row.get(data_set) for row in pairs.values())] for data_set in data_sets]
        title = f"Spearman's rho of {short_name(measure)} over {over} (* p < {SIGNIFICANT})"
        if rows:
            made.append(Table(["data set", *pairs], rows, title=title))
    return made
