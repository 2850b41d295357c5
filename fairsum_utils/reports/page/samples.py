"""Samples of a page: data for the browser, distributions, and worst samples."""

from __future__ import annotations

import base64
import json
import math
import zlib
from bisect import insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fairsum_utils._util.terminal import SIGNS, on_one_line
from fairsum_utils.families.columns import GROUPS, PAIR_IDS
from fairsum_utils.reports.formats import as_html
from fairsum_utils.reports.page.contents import Contents, Sampled, Section
from fairsum_utils.reports.page.sample import called, html_of, readings, scores, spread, view_of
from fairsum_utils.reports.page.templates import RUN, rendered
from fairsum_utils.reports.panels import Bin, Scale, bins
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import Table
from fairsum_utils.reports.theme import VALUES
from fairsum_utils.reports.worst import shortened

# Samples that are shown without a script and on paper
WORST = 10
# Characters of HTML of these samples, so that the first one may take more
_MOST = 400_000
# Values with a histogram, those of most samples
_VALUES = 100
# Characters of a block of samples, which a browser unpacks in some milliseconds
_SIZE = 1 << 18
# Columns of the person or group that a sample is about
_GROUPS = (GROUPS.name, "variants")
# Columns of the samples of an original that belong together
_TOGETHER = (PAIR_IDS.name, "controls")


def packed(text: str) -> str:
    """Compress a text into letters that HTML leaves alone.

    Example:
        >>> packed("soup")
        'K84vLQAA'
    """
    compress = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS, 9)
    return base64.b64encode(compress.compress(text.encode()) + compress.flush()).decode()


def _json(item: Any) -> str:
    return json.dumps(item, separators=(",", ":"), default=float)


def _encoded(view: Mapping[str, Any]) -> dict[str, Any]:
    """Encode the spans of a view as start, end and number of its facts."""
    known: dict[tuple[Any, ...], int] = {}
    readings = [
        {
            **reading,
            "spans": [
                [
                    number
                    for start, end, *rest in spans
                    for number in (start, end, known.setdefault((*rest,), len(known)))
                ]
                for spans in reading["spans"]
            ],
        }
        for reading in view["readings"]
    ]
    return {**view, "readings": readings, "known": [*known]}


class Browser:
    """Single pass over the samples of a page: index, packed blocks, worst samples."""

    def __init__(self, contents: Contents, colours: Mapping[str, str]) -> None:
        self._lenses = contents.lenses
        self._redact = contents.redact
        self._notes = contents.notes
        self._colours = dict(colours)
        self._readings = readings(contents.lenses)
        self._titles = [reading.title for reading in self._readings]
        self._spreads: list[dict[str, dict[int, float]]] = [{} for _ in self._readings]
        self._worst: list[tuple[list[float], int, str, dict[str, Any]]] = []
        self._numbers: dict[str, dict[str, str]] = {"id": {}, "kin": {}}
        self._ids: list[str] = []
        self._systems: dict[str, int] = {}
        self._columns: dict[str, list[Any]] = {"kin": [], "group": [], "pair": [], "system": []}
        self._opposed = False
        self._flags: dict[str, list[int]] = {"unmatched": [], "skipped": [], "significantly unequal": []}
        self._severities: dict[str, list[list[float]]] = {label: [] for label in contents.lenses}
        self._called: dict[str, list[str]] = {label: [] for label in contents.lenses}
        self._lengths: list[int] = []
        self._blocks: list[str] = []
        block: list[str] = []
        size = 0
        for given in contents.samples:
            block.append(_json(_encoded(self._read(given))))
            size += len(block[-1])
            if size >= _SIZE:
                self._pack(block)
                block, size = [], 0
        if block:
            self._pack(block)
        self._shown = [_commonest(columns) for columns in self._spreads]

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def colours(self) -> Mapping[str, str]:
        """Group -> colour name; all share one colour if there are too many."""
        return self._colours

    def _pack(self, block: Sequence[str]) -> None:
        self._lengths.append(len(block))
        self._blocks.append(packed("\n".join(block)))

    def _number(self, kind: str, name: str) -> str:
        """Return the number of an id in a page without ids."""
        numbers = self._numbers[kind]
        return numbers.setdefault(name, str(len(numbers) + 1))

    def _read(self, given: Sampled) -> dict[str, Any]:
        """Add a sample to the index, and return its data."""
        kin = self._kin_of(given)
        if self._redact:
            given = given._replace(id=self._number("id", given.id), sample={})
            kin = self._number("kin", kin) if kin else ""
        place = len(self._ids)
        severities = scores(self._lenses, given.records)
        self._index(given, kin, severities)
        for reading, columns in zip(self._readings, self._spreads, strict=True):
            for value, figure in spread(reading, given.records).items():
                of_value = columns.setdefault(value, {})
                if math.isfinite(figure):
                    of_value[place] = figure
        self._colour(given)
        view = view_of(given.sample, given.records, self._readings, severities)
        first = next(filter(None, severities.values()), {})
        if first:
            name = " ".join(filter(None, (shortened(given.id), given.system and f"({shortened(given.system)})")))
            insort(self._worst, ([-number for number in first.values()], place, name, view), key=lambda each: each[:2])
            del self._worst[WORST:]
        return view

    def _index(self, given: Sampled, kin: str, severities: Mapping[str, Mapping[str, float]]) -> None:
        place = len(self._ids)
        self._ids.append(on_one_line(shortened(given.id)))
        self._columns["kin"].append(kin)
        for names, entries in ((_GROUPS, self._columns["group"]), (_TOGETHER, self._columns["pair"])):
            entry = next((given.sample[name] for name in names if given.sample.get(name) is not None), "")
            entries.append(on_one_line(str(entry)))
        self._opposed |= "variants" in given.sample
        self._columns["system"].append(self._systems.setdefault(given.system, len(self._systems)))
        for label, column in self._severities.items():
            found = severities.get(label, {})
            self._called[label] = self._called[label] or [*found]
            # Undefined numbers come last.
            column.append([float(f"{each:.4g}") if math.isfinite(each) else -1e300 for each in found.values()])
        flags = {
            "unmatched": any(record.get("unmatched") for record in given.records.values()),
            "skipped": any(record["skipped"] is not None for record in given.records.values()),
            "significantly unequal": any(
                _is_significant(self._lenses[label], record) for label, record in given.records.items()
            ),
        }
        for name, is_so in flags.items():
            if is_so:
                self._flags[name].append(place)

    def _colour(self, given: Sampled) -> None:
        """Assign colours to the groups of a sample while any are left."""
        values = {
            str(value) for record in (given.sample, *given.records.values()) for value in record.get("values") or ()
        }
        free = [name for name in VALUES if name not in self._colours.values()]
        if len(self._colours) <= len(VALUES):  # else each sample has its own
            self._colours.update(zip(sorted(values - self._colours.keys()), free, strict=False))

    def _kin_of(self, given: Sampled) -> str:
        for reading in self._readings:
            for label in reading.lenses:
                record = given.records.get(label)
                if record and (kin := report_of(reading.family.name).kin(given.sample, record)):
                    return kin
        return ""

    def sections(self) -> Iterator[Section]:
        """Yield the panels of distributions, if any, and samples."""
        drawn = []
        for place, reading in enumerate(self._readings):
            n = len(self._spreads[place])
            more = f"; of {n:,} values the {_VALUES} that most samples have" if n > _VALUES else ""
            values = {value: [*of_value.values()] for value, of_value in self._shown[place].items()}
            if any(values.values()):
                drawn.append(distribution_html(place, reading.title, reading.axis + more, values, self._colours))
        if drawn:
            yield Section("distribution", "Distribution", "".join(drawn))
        yield Section("samples", "Samples", self._samples())

    def _samples(self) -> str:
        worst: list[tuple[str, str]] = []
        size = 0
        for *_, name, view in self._worst:
            html = html_of(view, self._titles, self._colours)
            size += len(html)
            if worst and size > _MOST:
                break
            worst.append((name, html))
        least = [
            (f"{place},{number}", f"{value} ({reading.title})" if len(self._readings) > 1 else value)
            for place, reading in enumerate(self._readings)
            if report_of(reading.family.name).spread_side
            for number, value in enumerate(self._shown[place])
        ]
        return rendered(
            "samples.html",
            notes=self._notes,
            worst=worst,
            n=len(self),
            redact=self._redact,
            sorts=[called(label, lens) for label, lens in self._lenses.items()],
            systems=list(self._systems) if len(self._systems) > 1 else [],
            least=least,
            flags=[(place, name, len(found)) for place, (name, found) in enumerate(self._flags.items()) if found],
            titles=self._titles,
        )

    def data(self) -> Iterator[str]:
        """Yield the packed index, then the packed blocks of samples."""
        spreads = [
            {
                "side": report_of(reading.family.name).spread_side,
                "values": [
                    [shortened(value), [of_value.get(place) for place in range(len(self))]]
                    for value, of_value in columns.items()
                ],
            }
            for reading, columns in zip(self._readings, self._shown, strict=True)
        ]
        columns = {name: column if any(column) else [] for name, column in self._columns.items()}
        if self._opposed:
            columns["pair"] = self._columns["pair"]
        index = {
            **columns,
            "ids": self._ids,
            "opposed": self._opposed,
            "systems": [on_one_line(shortened(system)) for system in self._systems],
            "sorts": [
                [called(label, lens), self._severities[label], self._called[label]]
                for label, lens in self._lenses.items()
            ],
            "flags": [*self._flags.items()],
            "spreads": spreads,
            "blocks": self._lengths,
            "titles": self._titles,
            "colours": self._colours if len(self._colours) <= len(VALUES) else None,
            "palette": VALUES,
            "signs": SIGNS,
            "run": RUN,
        }
        yield packed(_json(index))
        yield from self._blocks


def _commonest(columns: Mapping[str, dict[int, float]]) -> dict[str, dict[int, float]]:
    """Return the values that most samples have, sorted."""
    values = sorted(columns, key=lambda value: (-len(columns[value]), value))
    return {value: columns[value] for value in sorted(values[:_VALUES])}


def _is_significant(lens: Any, record: Mapping[str, Any]) -> bool:
    """Return whether the test of a sample is significant."""
    p, alpha = record.get("p_value"), getattr(lens.settings, "alpha", None)
    return p is not None and alpha is not None and p < alpha


# Pixels of a histogram before it is fitted to the page
_WIDE, _HIGH = 640, 48
# Approximate number of bins of a histogram
_BINS = 32


def distribution_html(
    place: int, title: str, axis: str, values: Mapping[str, Sequence[float]], colours: Mapping[str, str]
) -> str:
    """Render histograms by group, their table, and the range fields."""
    scale = Scale.over([number for numbers in values.values() for number in numbers], 0, _WIDE, apart=90)
    # Bins of one width, the first around the first tick and the last around the last one, so that 0, which is fair
    # mostly, is in the middle of a bin.
    steps = round((scale.high - scale.low) / scale.step)
    n_bins = steps * max(round(_BINS / steps), 1) + 1
    wide = (scale.high - scale.low) / (n_bins - 1)
    counts = {value: bins(numbers, scale.low - wide / 2, wide, n_bins) for value, numbers in values.items()}
    low, high = scale.low - wide / 2, scale.high + wide / 2
    rows = [
        [alike[0].low, alike[0].high, *(of_value.n for of_value in alike)]
        for alike in zip(*counts.values(), strict=True)
        if any(of_value.n for of_value in alike)
    ]
    return rendered(
        "distribution.html",
        place=place,
        title=title,
        axis=axis[:1].upper() + axis[1:],
        values=[
            {
                "name": value,
                "colour": colours.get(value, "accent"),
                "n": len(numbers),
                "most": max(each.n for each in counts[value]),
                "bars": [*_bars(counts[value])],
            }
            for value, numbers in values.items()
        ],
        low=f"{low:g}",
        high=f"{high:g}",
        ticks=[(text, f"{round((tick - low) / (high - low) * _WIDE, 2):g}") for tick, text in scale.ticks()],
        wide=_WIDE,
        tall=_HIGH,
        table=as_html([Table(["from", "to", *map(shortened, values)], rows)]),
    )


def _bars(counts: Sequence[Bin]) -> Iterable[tuple[str, str, str, str]]:
    """Yield x, y, width and height of the bars of a histogram."""
    most, wide = max(each.n for each in counts), _WIDE / len(counts)
    for place, each in enumerate(counts):
        if each.n:
            high = max(round(each.n / most * (_HIGH - 2), 1), 2)
            yield f"{place * wide + 1:g}", f"{_HIGH - high:g}", f"{wide - 2:g}", f"{high:g}"
