"""Samples of a page: data for the browser, distributions, and worst samples."""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fairsum_utils._util.terminal import on_one_line
from fairsum_utils.families.columns import GROUPS, PAIR_IDS
from fairsum_utils.reports import figures
from fairsum_utils.reports.formats import as_html
from fairsum_utils.reports.page.contents import Contents, Section
from fairsum_utils.reports.page.outline import Outline
from fairsum_utils.reports.page.sample import Sampled, called, html_of, scores, spread, view_of
from fairsum_utils.reports.page.templates import rendered
from fairsum_utils.reports.panels import Distribution, Histogram, bin_edges, counted
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


class Browser:
    """Samples of a page: index, rendered samples, distributions, worst samples."""

    def __init__(self, contents: Contents, colors: Mapping[str, str]) -> None:
        self._lenses = contents.lenses
        self._redact = contents.redact
        self._colors = dict(colors)
        self._numbers: dict[str, dict[str, str]] = {"id": {}, "related": {}}
        outline, samples = _chosen(contents)
        self._spreads = [_commonest(columns) for columns in outline.spreads]
        self._n_values = [len(columns) for columns in outline.spreads]
        self._readings = outline.readings
        self._notes = [*outline.notes(), *contents.notes]
        self._titles = [reading.title for reading in self._readings]
        for given in samples:
            self._color(given)
        self._samples = [self._shown(given) for given in samples]

    def __len__(self) -> int:
        return len(self._samples)

    @property
    def colors(self) -> Mapping[str, str]:
        """Group -> color name; all share one color if there are too many."""
        return self._colors

    def _number(self, kind: str, name: str) -> str:
        """Return the number of an id in a page without ids."""
        numbers = self._numbers[kind]
        return numbers.setdefault(name, str(len(numbers) + 1))

    def _color(self, given: Sampled) -> None:
        """Assign colors to the groups of a sample while any are left."""
        values = {
            str(value) for record in (given.sample, *given.records.values()) for value in record.get("values") or ()
        }
        free = [name for name in VALUES if name not in self._colors.values()]
        if len(self._colors) <= len(VALUES):  # else each sample has its own
            self._colors.update(zip(sorted(values - self._colors.keys()), free, strict=False))

    def _shown(self, given: Sampled) -> _Shown:
        """Render a sample, and look up its numbers."""
        related = self._related(given)
        if self._redact:
            given = given._replace(id=self._number("id", given.id), sample={})
            related = self._number("related", related) if related else ""
        group, pair = (
            next((given.sample[name] for name in names if given.sample.get(name) is not None), "")
            for names in (_GROUPS, _TOGETHER)
        )
        severities = scores(self._lenses, given.records)
        view = view_of(given.sample, given.records, self._readings, severities)
        return _Shown(
            given.id,
            given.system,
            related,
            on_one_line(str(group)),
            on_one_line(str(pair)),
            "variants" in given.sample,
            severities,
            [_finite(spread(reading, given.records)) for reading in self._readings],
            [name for name, is_so in self._flags(given).items() if is_so],
            html_of(view, self._titles, self._colors),
        )

    def _flags(self, given: Sampled) -> dict[str, bool]:
        return {
            "unmatched": any(record.get("unmatched") for record in given.records.values()),
            "skipped": any(record["skipped"] is not None for record in given.records.values()),
            "significantly unequal": any(
                _is_significant(self._lenses[label], record) for label, record in given.records.items()
            ),
        }

    def _related(self, given: Sampled) -> str:
        for reading in self._readings:
            for label in reading.lenses:
                record = given.records.get(label)
                if record and (key := report_of(reading.family.name).related_key(given.sample, record)):
                    return key
        return ""

    def sections(self) -> Iterator[Section]:
        """Yield the panels of distributions, if any, and samples."""
        drawn = []
        for place, (reading, n) in enumerate(zip(self._readings, self._n_values, strict=True)):
            more = f"; of {n:,} values the {_VALUES} that most samples have" if n > _VALUES else ""
            values = self._spreads[place]
            if any(values.values()):
                drawn.append(distribution_html(place, reading.title, reading.axis + more, values, self._colors))
        if drawn:
            yield Section("distribution", "Distribution", "".join(drawn))
        yield Section("samples", "Samples", self._panel())

    def _panel(self) -> str:
        """Render the filters, and the worst samples for readers without scripts."""
        least = [
            (f"{place},{number}", f"{value} ({reading.title})" if len(self._readings) > 1 else value)
            for place, reading in enumerate(self._readings)
            if report_of(reading.family.name).spread_side
            for number, value in enumerate(self._spreads[place])
        ]
        systems = self._systems()
        flags = Counter(name for each in self._samples for name in each.flags)
        return rendered(
            "samples.html",
            notes=self._notes,
            worst=self._worst(),
            n=len(self),
            redact=self._redact,
            sorts=[called(label, lens) for label, lens in self._lenses.items()],
            systems=systems if len(systems) > 1 else [],
            least=least,
            flags=[(name, flags[name]) for name in _FLAGS if flags[name]],
            titles=self._titles,
        )

    def _systems(self) -> list[str]:
        return list(dict.fromkeys(each.system for each in self._samples))

    def _worst(self) -> list[tuple[str, str]]:
        """Return the worst samples by the first measure that scores them."""
        scored = [
            ([-number for number in first.values()], place, each)
            for place, each in enumerate(self._samples)
            if (first := next(filter(None, each.severities.values()), None))
        ]
        worst: list[tuple[str, str]] = []
        size = 0
        for *_, each in sorted(scored, key=lambda found: found[:2])[:WORST]:
            size += len(each.html)
            if worst and size > _MOST:
                break
            system = each.system and f"({shortened(each.system)})"
            worst.append((" ".join(filter(None, (shortened(each.id), system))), each.html))
        return worst

    def data(self) -> str:
        """Return the packed samples and their index."""
        systems = self._systems()
        index = {
            "samples": [
                {
                    "id": on_one_line(shortened(each.id)),
                    "system": systems.index(each.system),
                    "related": each.related,
                    "group": each.group,
                    "pair": each.pair,
                    "flags": each.flags,
                    "html": each.html,
                    "severities": [_rounded(each.severities.get(label, {})) for label in self._lenses],
                    "spreads": [
                        [of_sample.get(value) for value in columns]
                        for of_sample, columns in zip(each.spreads, self._spreads, strict=True)
                    ],
                }
                for each in self._samples
            ],
            "opposed": any(each.opposed for each in self._samples),
            "systems": [on_one_line(shortened(system)) for system in systems],
            "sorts": [
                next(([*each.severities[label]] for each in self._samples if each.severities.get(label)), [])
                for label in self._lenses
            ],
            "sides": [report_of(reading.family.name).spread_side for reading in self._readings],
        }
        return packed(json.dumps(index, separators=(",", ":"), default=float))


class _Shown(NamedTuple):
    """A sample as the page has it.

    Attributes:
        id: id, or its number in a page without ids.
        system: system; empty where there is one.
        related: key that related samples share.
        group: group of the person that the sample is about.
        pair: samples of an original that belong together.
        opposed: the sample is a variant of an original.
        severities: label -> how bad the sample is, see `scores`.
        spreads: group -> number, by reading.
        flags: names of the filters that keep it.
        html: texts, marks and evidence.
    """

    id: str
    system: str
    related: str
    group: str
    pair: str
    opposed: bool
    severities: Mapping[str, Mapping[str, float]]
    spreads: Sequence[Mapping[str, float]]
    flags: Sequence[str]
    html: str


# Filters of samples, in their order
_FLAGS = ("unmatched", "skipped", "significantly unequal")


def _chosen(contents: Contents) -> tuple[Outline, list[Sampled]]:
    """Return the outline of all samples, and the samples that are shown."""
    if contents.outline is not None:
        return contents.outline, [*contents.samples]
    outline, samples = Outline(contents.lenses), [*contents.samples]
    for given in samples:
        outline.add(given)
    shown = outline.shown()
    return outline, [given for given in samples if given.id in shown]


def _finite(numbers: Mapping[str, float]) -> dict[str, float]:
    return {value: number for value, number in numbers.items() if math.isfinite(number)}


def _rounded(severities: Mapping[str, float]) -> list[float]:
    """Round numbers for sorting; undefined ones come last."""
    return [float(f"{each:.4g}") if math.isfinite(each) else -1e300 for each in severities.values()]


def _commonest(columns: Mapping[str, list[float]]) -> dict[str, list[float]]:
    """Return the values that most samples have, sorted."""
    values = sorted(columns, key=lambda value: (-len(columns[value]), value))
    return {value: columns[value] for value in sorted(values[:_VALUES])}


def _is_significant(lens: Any, record: Mapping[str, Any]) -> bool:
    """Return whether the test of a sample is significant."""
    p, alpha = record.get("p_value"), getattr(lens.settings, "alpha", None)
    return p is not None and alpha is not None and p < alpha


def distribution_html(
    place: int, title: str, axis: str, values: Mapping[str, Sequence[float]], colors: Mapping[str, str]
) -> str:
    """Render histograms by group, their table, and the range fields."""
    edges = bin_edges([number for numbers in values.values() for number in numbers])
    counts = [counted(numbers, edges) for numbers in values.values()]
    rows = [list(row) for row in zip(edges[:-1], edges[1:], *counts, strict=True) if any(row[2:])]
    groups = [Distribution(value, numbers, colors.get(value, "accent")) for value, numbers in values.items()]
    return rendered(
        "distribution.html",
        place=place,
        values=[*values],
        title=title,
        axis=axis[:1].upper() + axis[1:],
        drawing=figures.for_page([Histogram("", groups, "")], f"spread-{place}", title),
        table=as_html([Table(["from", "to", *map(shortened, values)], rows)]),
    )
