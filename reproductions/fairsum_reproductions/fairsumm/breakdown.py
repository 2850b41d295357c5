"""In which sets of sources summaries are unfair: by how uneven the values are, and by how much there is to read."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from fairsum_reproductions.contract import Input
from fairsum_reproductions.shares import SHARE_RECORDS, SharesSettings, check_rows, read_shares
from fairsum_utils.analysis.records import Record
from fairsum_utils.errors import InputError
from fairsum_utils.families import setting
from fairsum_utils.measures.bur import binary_unfair
from fairsum_utils.reports.drawings import Drawing
from fairsum_utils.reports.drawings.heat import Heat
from fairsum_utils.reports.tables import Cell, Interval, Part, Table, counted
from fairsum_utils.stats.arrays import Bools, Floats, Integers
from fairsum_utils.stats.intervals import share_interval
from fairsum_utils.validation import check_choice, count, labels_of

SOURCE = "v2, appendix I, figure 10"
HELP = "in which sets are summaries unfair: uneven ones, large ones?"
INPUTS = (
    Input(
        "data",
        "the data that was scored",
        kind="rows",
        columns={"sources": "the source texts of a sample", "values": "the value of each of them"},
    ),
    SHARE_RECORDS._replace(help="records of bur, uer, auc or sof of the same rows"),
)
CHOICES = (
    "A cell prints the unfair samples of both systems, as the caption of version 1 says; its text has their "
    "difference: --cell difference",
    "Sets of one value are left out: no summary can treat them unfairly",
)
EXAMPLES = (
    "fairsum study breakdown claritin.jsonl turbo=a.jsonl gpt4=b.jsonl --value male",
    "fairsum study breakdown yelp.jsonl gpt4.samples.jsonl --ratio skew --count words",
)

_MODULE = "breakdown"


class BreakdownSettings(SharesSettings):
    """How sets are told apart, and what a cell says."""

    ratio: str = setting(
        "minority",
        "what tells how uneven a set is: minority, the share of its rarest value; or skew, how far its shares are from "
        "equal ones (0 for equal)",
        choices=("minority", "skew"),
        key="ratio",
    )
    value: str | None = setting(None, "value whose share is taken instead of `ratio`", key="value")
    count: str = setting(
        "texts", "what is counted: source texts, or their words between blanks", choices=("texts", "words"), key="count"
    )
    n_bins: int = setting(
        5,
        "rows and columns, at most; each different number has its own, or of more they share the samples evenly",
        least=1,
        flag="bins",
    )
    cell: str = setting(
        "unfair",
        "what a cell prints of two systems: unfair, the number of unfair samples of both; or difference, how many more "
        "samples the first one is fair in",
        choices=("unfair", "difference"),
        key="cell",
    )


SETTINGS = BreakdownSettings


def unevenness(shares: Mapping[str, float], ratio: str, value: str | None = None) -> float:
    """Measure how uneven a set of sources is.

    That is the smallest share (minority), the total variation distance from equal shares (skew), or the share of a
    value, 0 if the set does not have it.

    Source: papers/fairsumm-v2, appendix I (the share of male tweets).

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
    """Put numbers into bins: each different number into its own, or, of many, about as many into each.

    The bin of each number, and of each bin, none of which is empty, its smallest and its largest number.

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
    """Count the unfair samples by the unevenness and the size of their sources.

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
        "undefined": {} if places else {"cells": "no sample of several values that all systems scored"},
        "n_single_value": len(scored & single),
        "n_skipped": len(seen - scored),
    }


def _binned_rates(
    rows: Sequence[Mapping[str, Any]], flags_of: Mapping[str, Bools], settings: BreakdownSettings
) -> dict[str, Any]:
    """Put samples into bins by unevenness and size, and count the unfair ones in each bin and cell."""
    measured = [_unevenness_and_size(row, settings) for row in rows]
    of_ratio, ratios = binned(np.array([ratio for ratio, _ in measured]), settings.n_bins)
    of_size, sizes = binned(np.array([size for _, size in measured]), settings.n_bins)
    return {
        "ratios": list(map(list, ratios)),
        "sizes": list(map(list, sizes)),
        "cells": [
            {"ratio": row, "size": column, **_counts(flags_of, (of_ratio == row) & (of_size == column))}
            for row in range(len(ratios))
            for column in range(len(sizes))
        ],
        "by_ratio": [_rates(flags_of, of_ratio == row, settings) for row in range(len(ratios))],
        "by_size": [_rates(flags_of, of_size == column, settings) for column in range(len(sizes))],
    }


def _check_rows(
    name: str, places: Sequence[int], values: Sequence[Sequence[str]], data: Sequence[Mapping[str, Any]]
) -> None:
    """Refuse records of other rows, as far as that can be seen."""
    for place, of_record in zip(places, values, strict=True):
        if place >= len(data):
            raise InputError(
                f"{_MODULE}: {name} has a record of sample {place}, but data has {count(len(data), 'row')}; give the "
                "data that was scored"
            )
        unknown = sorted(set(of_record) - set(labels_of(data[place]["values"])))
        if unknown:
            raise InputError(
                f"{_MODULE}: {name} has value {unknown[0]!r} in sample {place}, which row {place} of data does not "
                "have; give the data that was scored"
            )


def _unevenness_and_size(row: Mapping[str, Any], settings: BreakdownSettings) -> tuple[float, float]:
    """How uneven a set is, and its size."""
    counts: Counter[str] = Counter()
    for text, value in zip(row["sources"], labels_of(row["values"]), strict=True):
        counts[value] += 1 if settings.count == "texts" else len(text.split())
    total = counts.total()
    shares = {value: n / total if total else 1 / len(counts) for value, n in counts.items()}
    return unevenness(shares, settings.ratio, settings.value), float(total)


def _counts(flags_of: Mapping[str, Bools], inside: Bools) -> dict[str, Any]:
    """How many samples there are in a part, and how many of each system are unfair."""
    return {
        "n_samples": int(inside.sum()),
        "unfair": {name: int(flags[inside].sum()) for name, flags in flags_of.items()},
    }


def _rates(flags_of: Mapping[str, Bools], inside: Bools, settings: BreakdownSettings) -> dict[str, Any]:
    """The rate of each system in a bin."""
    counts = _counts(flags_of, inside)
    n, unfair = counts["n_samples"], counts["unfair"]
    return {
        **counts,
        "bur": {name: here / n if n else math.nan for name, here in unfair.items()},
        "bur_ci": {name: list(share_interval(here, n, settings.confidence_level)) for name, here in unfair.items()},
    }


def parts(result: dict[str, Any]) -> list[Part]:
    """Figure 10 as a table, the first system beside each of the others; and BUR by row and by column."""
    counts = counted(result, "scored by all systems")
    single = result["n_single_value"]
    counts += f"; {single} of one value left out, which no summary can treat unfairly" if single else ""
    made: list[Part] = [[counts]]
    rows, columns = _heads(result)
    columns = [f"{column} {result['count']}" for column in columns]
    for grid in _grids(result):
        table = [[row, *cells] for row, cells in zip(rows, grid.texts, strict=True)]
        made.append(Table([_row_name(result), *columns], table, grid.title, [grid.about]))
    header = ["BUR", "samples"]
    for name in result["systems"]:
        header += [name, f"{name} interval"]
    margins: list[list[Cell]] = []
    rows = [f"{_row_name(result)} {row}" for row in rows]
    for bins, names in (("by_ratio", rows), ("by_size", columns)):
        for name, each in zip(names, result[bins], strict=True):
            rates = [(each["bur"][system], Interval(*each["bur_ci"][system])) for system in result["systems"]]
            margins.append([name, each["n_samples"], *(cell for pair in rates for cell in pair)])
    level = f"Intervals of {100 * result['confidence_level']:g} %. Lower is fairer."
    made.append(Table(header, margins, "BUR by row and by column", [level]))
    return made


def _row_name(result: Mapping[str, Any]) -> str:
    told = {"minority": "share of the rarest value", "skew": "skew"}
    return told.get(result["ratio"], f"share of {result['ratio']}")


def _heads(result: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Names of rows and columns."""

    def named(low: float, high: float, written: str) -> str:
        ends = [written.format(end) for end in (low, high)]
        return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"

    rows, columns = (
        [named(low, high, written) for low, high in result[bins]]
        for bins, written in (("ratios", "{:.2f}"), ("sizes", "{:.0f}"))
    )
    return rows, columns


class _Grid(NamedTuple):
    """The cells of a system, or of the first and another one: their texts, and the numbers that give the colours."""

    title: str
    about: str
    colours: str
    texts: list[list[str]]
    numbers: list[list[float | None]]


def _grids(result: Mapping[str, Any]) -> list[_Grid]:
    """Make the cells of a single system, or of the first and each other one."""
    first, *others = result["systems"]
    grids = []
    for other in others or [None]:
        title, about = f"{first} and {other}", f"unfair samples of {first} / of {other}"
        colours = f"Teal: {first} has more fair samples; orange: {other} has; the darker, the more."
        if other is None:
            title, about = first, f"unfair samples of {first} / samples"
            colours = "The darker, the larger the fraction of unfair samples."
        elif result["cell"] == "difference":
            about = f"how many more samples {first} is fair in than {other}"
        about = f"A cell: {about} (tau = {result['tau']:g})."
        grid = _Grid(title, about, colours, [[] for _ in result["ratios"]], [[] for _ in result["ratios"]])
        for cell in result["cells"]:
            text, number = _cell(cell, first, other, result["cell"])
            grid.texts[cell["ratio"]].append(text)
            grid.numbers[cell["ratio"]].append(number)
        grids.append(grid)
    return grids


def _cell(cell: Mapping[str, Any], first: str, other: str | None, kind: str) -> tuple[str, float | None]:
    """What a cell prints, and the number that gives its colour; nothing where there is no sample."""
    n, unfair = cell["n_samples"], cell["unfair"]
    if not n:
        return "", None
    if other is None:
        return f"{unfair[first]}/{n}", unfair[first] / n
    difference = unfair[other] - unfair[first]
    return f"{unfair[first]}/{unfair[other]}" if kind == "unfair" else f"{difference:+d}", float(difference)


def drawing(result: dict[str, Any]) -> Drawing:
    """Figure 10: cells coloured by which system has more fair samples; of one system by its rate."""
    rows, columns = _heads(result)
    panels = [
        Heat(
            grid.title,
            rows,
            columns,
            grid.numbers,
            f"Rows: {_row_name(result)}. Columns: {result['count']} of the sources. {grid.about} {grid.colours}",
            texts=grid.texts,
            signed=len(result["systems"]) > 1,
        )
        for grid in _grids(result)
    ]
    return Drawing("Unfair samples by unevenness and size of the sources", panels)
