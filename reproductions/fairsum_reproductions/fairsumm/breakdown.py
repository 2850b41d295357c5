"""Unfair summaries by the unevenness and the size of their sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Literal

import numpy as np

from fairsum_reproductions.contract import Input
from fairsum_reproductions.layout import level_of
from fairsum_reproductions.records import Record
from fairsum_reproductions.shares import SHARE_RECORDS, SharesSettings, check_rows, read_shares
from fairsum_utils.errors import InputError
from fairsum_utils.measures.bur import binary_unfair
from fairsum_utils.reports.panels import Drawing, Heat
from fairsum_utils.reports.tables import Cell, Interval, Part, Table
from fairsum_utils.reports.wording import count_samples
from fairsum_utils.settings import Count, setting
from fairsum_utils.stats.arrays import Bools, Floats, Integers
from fairsum_utils.stats.intervals import share_interval
from fairsum_utils.validation import check_choice, count, labels_of

INPUTS = (
    Input(
        "data",
        "scored data",
        kind="rows",
        columns={"sources": "source texts of a sample", "values": "group of each source text"},
    ),
    SHARE_RECORDS._replace(help="bur, uer, auc or sof records of the same rows"),
)

_MODULE = "breakdown"


class BreakdownSettings(SharesSettings):
    """Bins of sets, and contents of a cell."""

    ratio: Literal["minority", "skew"] = setting(
        "minority",
        "unevenness of a set: minority, the share of its rarest value; or skew, how far its shares are from "
        "equal ones (0 for equal)",
        key="ratio",
    )
    value: str | None = setting(None, "value whose share is taken instead of `ratio`", key="value")
    count: Literal["texts", "words"] = setting(
        "texts", "counted items: source texts, or their words between blanks", key="count"
    )
    n_bins: Count = setting(
        5,
        "rows and columns, at most; each different number has its own, or of more they share the samples evenly",
    )
    cell: Literal["unfair", "difference"] = setting(
        "unfair",
        "content of a cell for two systems: unfair, the number of unfair samples of both; or difference, how many more "
        "samples the first one is fair in",
        key="cell",
    )


SETTINGS = BreakdownSettings


def unevenness(shares: Mapping[str, float], ratio: str, value: str | None = None) -> float:
    """Measure how uneven a set of sources is.

    That is the smallest share (minority), the total variation distance from equal shares (skew), or the share of a
    value, 0 if the set does not have it.

    Source: Zhang et al. 2024, appendix I (the share of male tweets).

    Example:
        >>> shares = {"female": 0.8, "male": 0.2}
        >>> unevenness(shares, "minority"), round(unevenness(shares, "skew"), 12), unevenness(shares, "skew", "female")
        (0.2, 0.3, 0.8)
    """
    if value is not None:
        return shares.get(value, 0.0)
    if ratio == "minority":
        return min(shares.values())
    return sum(abs(share - 1 / len(shares)) for share in shares.values()) / 2


def binned(numbers: Floats, n_bins: int) -> tuple[Integers, list[tuple[float, float]]]:
    """Bin numbers: a bin a number, or bins of about equal size.

    Returns the bin of each number, and the smallest and the largest number of each bin.

    Example:
        >>> places, ends = binned(np.array([0.2, 0.5, 0.2]), 5)
        >>> places.tolist(), ends
        ([0, 1, 0], [(0.2, 0.2), (0.5, 0.5)])
        >>> binned(np.arange(6.0), 2)[1]
        [(0.0, 2.0), (3.0, 5.0)]
    """
    # Shares that are equal but for rounding are one.
    known, codes = np.unique(numbers.round(12), return_inverse=True)
    if len(known) > n_bins:
        # A bin ends where its part of all numbers is full; equal numbers stay together.
        before = np.searchsorted(np.sort(codes), np.arange(len(known)))
        of_known = before * n_bins // len(codes)
        codes = np.unique(of_known, return_inverse=True)[1][codes]
    ends = [
        (float(members.min()), float(members.max()))
        for place in range(int(codes.max(initial=-1)) + 1)
        for members in [numbers[codes == place]]
    ]
    return codes.astype(np.int64), ends


def compute(
    data: Sequence[Mapping[str, Any]], samples: Mapping[str, Sequence[Record]], *, settings: BreakdownSettings
) -> dict[str, Any]:
    """Count unfair samples by the unevenness and size of their sources.

    ``cells`` name places of bins in ``ratios`` and ``sizes``; samples that some system did not score are skipped, and
    those of a single value left out.
    """
    values = check_rows(_MODULE, data)
    if settings.value is not None:
        check_choice(_MODULE, "value", settings.value, values)
    unfair: dict[str, dict[int, bool]] = {}
    single: set[int] = set()
    for name, records in samples.items():
        shares = read_shares(_MODULE, name, records)
        _check_rows(name, shares.places, shares.values, data)
        single.update(place for place, values in zip(shares.places, shares.values, strict=True) if len(values) < 2)
        flags = binary_unfair(shares.p_y, shares.p_g, settings.tau).tolist()
        unfair[name] = dict(zip(shares.places, flags, strict=True))
    seen = {int(record["index"]) for records in samples.values() for record in records}
    scored = set.intersection(*map(set, unfair.values()))
    places = sorted(scored - single)
    flags_of = {name: np.array([flags[place] for place in places], bool) for name, flags in unfair.items()}
    result = {name: getattr(settings, name) for name in ("ratio", "count", "cell", "tau", "confidence_level")}
    return {
        "systems": list(samples),
        **result,
        "ratio": settings.value or settings.ratio,
        **_binned_rates([data[place] for place in places], flags_of, settings),
        "n_samples": len(places),
        "undefined": {} if places else {"cells": "no sample with several groups was scored by all systems"},
        "n_single_value": len(scored & single),
        "n_skipped": len(seen - scored),
    }


def _binned_rates(
    rows: Sequence[Mapping[str, Any]], flags_of: Mapping[str, Bools], settings: BreakdownSettings
) -> dict[str, Any]:
    """Count the unfair samples in each bin and cell."""
    measured = np.array([_unevenness_and_size(row, settings) for row in rows]).reshape(-1, 2)
    (of_ratio, ratios), (of_size, sizes) = (binned(column, settings.n_bins) for column in measured.T)

    def counts(inside: Bools) -> dict[str, Any]:
        unfair = {name: int(flags[inside].sum()) for name, flags in flags_of.items()}
        return {"n_samples": int(inside.sum()), "unfair": unfair}

    def rates(inside: Bools) -> dict[str, Any]:
        counted = counts(inside)
        n, unfair = counted["n_samples"], counted["unfair"]
        ends = {name: list(share_interval(here, n, settings.confidence_level)) for name, here in unfair.items()}
        return {**counted, "bur": {name: here / n for name, here in unfair.items()}, "bur_ci": ends}

    return {
        "ratios": list(map(list, ratios)),
        "sizes": list(map(list, sizes)),
        "cells": [
            {"ratio": row, "size": column, **counts((of_ratio == row) & (of_size == column))}
            for row, column in product(range(len(ratios)), range(len(sizes)))
        ],
        "by_ratio": [rates(of_ratio == row) for row in range(len(ratios))],
        "by_size": [rates(of_size == column) for column in range(len(sizes))],
    }


def _check_rows(
    name: str, places: Sequence[int], values: Sequence[Sequence[str]], data: Sequence[Mapping[str, Any]]
) -> None:
    """Refuse records that are visibly of other rows."""
    for place, of_record in zip(places, values, strict=True):
        if place >= len(data):
            raise InputError(
                f"{_MODULE}: {name} has a record of sample {place}, but data has {count(len(data), 'row')}; give the "
                "scored data"
            )
        unknown = sorted(set(of_record) - set(labels_of(data[place]["values"])))
        if unknown:
            raise InputError(
                f"{_MODULE}: {name} has value {unknown[0]!r} in sample {place}, which row {place} of data does not "
                "have; give the scored data"
            )


def _unevenness_and_size(row: Mapping[str, Any], settings: BreakdownSettings) -> tuple[float, float]:
    """Measure a set."""
    counts: Counter[str] = Counter()
    for text, value in zip(row["sources"], labels_of(row["values"]), strict=True):
        counts[value] += 1 if settings.count == "texts" else len(text.split())
    total = counts.total()
    shares = {value: n / total if total else 1 / len(counts) for value, n in counts.items()}
    return unevenness(shares, settings.ratio, settings.value), float(total)


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out figure 10 as tables, and BUR by row and column."""
    counts = count_samples(result, "scored by all systems")
    single = result["n_single_value"]
    counts += f"; {single} of one value left out, which cannot be treated unfairly" if single else ""
    made: list[Part] = [[counts]]
    for about, panel in _panels(result):
        rows = [[row, *cells] for row, cells in zip(panel.rows, panel.texts, strict=True)]
        made.append(Table([_row_name(result), *_sizes(result)], rows, panel.title, [about]))
    systems = result["systems"]
    header = ["BUR", "samples", *(head for name in systems for head in (name, f"{name} interval"))]
    names = [f"{_row_name(result)} {row}" for row in _heads(result["ratios"], 2)] + _sizes(result)
    margins: list[list[Cell]] = [
        [name, each["n_samples"], *(cell for system in systems for cell in _rate(each, system))]
        for name, each in zip(names, result["by_ratio"] + result["by_size"], strict=True)
    ]
    level = f"Intervals of {level_of(result)}. Lower is fairer."
    return [*made, Table(header, margins, "BUR by row and by column", [level])]


def _rate(rates: Mapping[str, Any], system: str) -> tuple[Cell, Cell]:
    return rates["bur"][system], Interval(*rates["bur_ci"][system])


def _row_name(result: Mapping[str, Any]) -> str:
    names = {"minority": "share of the rarest value", "skew": "skew"}
    return names.get(result["ratio"], f"share of {result['ratio']}")


def _heads(bins: Sequence[tuple[float, float]], digits: int) -> list[str]:
    """Name bins by their ends."""
    return [" to ".join(dict.fromkeys(f"{end:.{digits}f}" for end in ends)) for ends in bins]


def _sizes(result: Mapping[str, Any]) -> list[str]:
    return [f"{size} {result['count']}" for size in _heads(result["sizes"], 0)]


def _panels(result: Mapping[str, Any]) -> list[tuple[str, Heat]]:
    """Make the cells of one system, or compare the first with each other."""
    first, *others = result["systems"]
    panels = []
    for other in others or [None]:
        title, about = f"{first} and {other}", f"unfair samples of {first} / of {other}"
        colors = f"Teal: {first} has more fair samples; orange: {other} has; darker means more."
        if other is None:
            title, about = first, f"unfair samples of {first} / samples"
            colors = "Darker means a larger fraction of unfair samples."
        elif result["cell"] == "difference":
            about = f"number of samples in which {first} is fair minus that of {other}"
        about = f"A cell: {about} (tau = {result['tau']:g})."
        axis = f"Rows: {_row_name(result)}. Columns: {result['count']} of the sources. {about} {colors}"
        texts: list[list[str]] = [[] for _ in result["ratios"]]
        numbers: list[list[float | None]] = [[] for _ in result["ratios"]]
        for cell in result["cells"]:
            text, number = _cell(cell, first, other, result["cell"])
            texts[cell["ratio"]].append(text)
            numbers[cell["ratio"]].append(number)
        rows, columns = _heads(result["ratios"], 2), _heads(result["sizes"], 0)
        panels.append((about, Heat(title, rows, columns, numbers, axis, texts=texts, signed=other is not None)))
    return panels


def _cell(cell: Mapping[str, Any], first: str, other: str | None, kind: str) -> tuple[str, float | None]:
    """Return a cell's text and the number behind its color, if any."""
    n, unfair = cell["n_samples"], cell["unfair"]
    if not n:
        return "", None
    if other is None:
        return f"{unfair[first]}/{n}", unfair[first] / n
    difference = unfair[other] - unfair[first]
    return f"{unfair[first]}/{unfair[other]}" if kind == "unfair" else f"{difference:+d}", float(difference)


def drawing(result: dict[str, Any]) -> Drawing:
    """Draw figure 10: cells colored by the system with more fair samples."""
    panels = [panel for _, panel in _panels(result)]
    return Drawing("Unfair samples by unevenness and size of the sources", panels)
