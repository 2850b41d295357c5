"""Samples of a page: data for the browser, distributions, and worst samples."""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from fairsum_utils._util.terminal import on_one_line
from fairsum_utils.families.columns import GROUPS, PAIR_IDS
from fairsum_utils.reports import figures
from fairsum_utils.reports.base import Record
from fairsum_utils.reports.html import as_html
from fairsum_utils.reports.page.contents import Contents, Section
from fairsum_utils.reports.page.outline import Outline
from fairsum_utils.reports.page.sample import Sampled, called, sample_html, scores, spread
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
    """Samples of a page: index, rendered samples, distributions, worst samples.

    Attributes:
        colors: group -> color name; all share one color if there are too many.
        samples: entry of each sample in the index, as `page.js` reads it.
    """

    def __init__(self, contents: Contents, colors: Mapping[str, str]) -> None:
        self._contents = contents
        outline, given = contents.outline or Outline({}), [*contents.samples]
        self._readings = outline.readings
        self._titles = [reading.title for reading in self._readings]
        self._spreads = [_commonest(columns) for columns in outline.spreads]
        self._n_values = [len(columns) for columns in outline.spreads]
        self._notes = [*outline.notes(), *contents.notes]
        self._systems = list(dict.fromkeys(each.system for each in given))
        self._numbers: dict[str, dict[str, int]] = {"id": {}, "related": {}}
        self._sorts: dict[str, list[str]] = {label: [] for label in contents.lenses}
        self._are_opposed = any("variants" in each.sample for each in given)
        self.colors = dict(colors)
        for each in given:
            self._color(each)
        self.samples = [self._entry(each) for each in given]

    def _color(self, given: Sampled) -> None:
        """Assign colors to the groups of a sample while any are left."""
        values = {
            str(value) for record in (given.sample, *given.records.values()) for value in record.get("values") or ()
        }
        free = [name for name in VALUES if name not in self.colors.values()]
        if len(self.colors) <= len(VALUES):  # else each sample has its own
            self.colors.update(zip(sorted(values - self.colors.keys()), free, strict=False))

    def _entry(self, given: Sampled) -> dict[str, Any]:
        """Render a sample, and look up its numbers."""
        records, related = given.records, self._related(given)
        scored = [(record, self._contents.lenses[label].settings) for label, record in records.items()]
        if self._contents.redact:
            given = given._replace(id=str(self._number("id", given.id)), sample={})
        severities = scores(self._contents.lenses, records)
        self._sorts.update({label: [*found] for label, found in severities.items() if found})
        spreads = [spread(reading, records) for reading in self._readings]
        group, pair = (
            next((given.sample[name] for name in names if given.sample.get(name) is not None), "")
            for names in (_GROUPS, _TOGETHER)
        )
        return {
            "id": on_one_line(shortened(given.id)),
            "system": self._systems.index(given.system),
            "related": self._number("related", related) if related else 0,
            "group": on_one_line(str(group)),
            "pair": on_one_line(str(pair)),
            "flags": [name for name, is_kept in _FLAGS.items() if any(is_kept(*each) for each in scored)],
            "html": sample_html(given.sample, records, self._readings, colors=self.colors),
            "severities": [_rounded(severities.get(label, {})) for label in self._sorts],
            "spreads": [
                [_finite(found.get(value)) for value in columns]
                for found, columns in zip(spreads, self._spreads, strict=True)
            ],
        }

    def _number(self, kind: str, name: str) -> int:
        """Return the number of an id, from 1."""
        return self._numbers[kind].setdefault(name, len(self._numbers[kind]) + 1)

    def _related(self, given: Sampled) -> str:
        """Return the key that related samples share; empty without one."""
        keys = (
            report_of(reading.family.name).related_key(given.sample, given.records[label])
            for reading in self._readings
            for label in reading.lenses
            if given.records.get(label)
        )
        return next(filter(None, keys), "")

    def sections(self) -> Iterator[Section]:
        """Yield the panels of distributions, if any, and samples."""
        drawn = []
        for place, (reading, n, values) in enumerate(zip(self._readings, self._n_values, self._spreads, strict=True)):
            more = f"; of {n:,} groups the {_VALUES} that most samples have" if n > _VALUES else ""
            if any(values.values()):
                drawn.append(distribution_html(place, reading.title, reading.axis + more, values, self.colors))
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
        flags = Counter(name for each in self.samples for name in each["flags"])
        return rendered(
            "samples.html",
            notes=self._notes,
            worst=self._worst(),
            n=len(self.samples),
            redact=self._contents.redact,
            sorts=[called(label, lens) for label, lens in self._contents.lenses.items()],
            systems=self._systems if len(self._systems) > 1 else [],
            least=least,
            flags=[(name, flags[name]) for name in _FLAGS if flags[name]],
            titles=self._titles,
        )

    def _worst(self) -> list[tuple[str, str]]:
        """Return the worst samples by the first measure that scores them."""
        scored: list[tuple[list[float], dict[str, Any]]]
        scored = [(next(filter(None, each["severities"]), []), each) for each in self.samples]
        worst: list[tuple[str, str]] = []
        size = 0
        for numbers, each in sorted(scored, key=lambda found: found[0], reverse=True)[:WORST]:
            size += len(each["html"])
            if not numbers or (worst and size > _MOST):
                break
            system = self._systems[each["system"]]
            worst.append((f"{each['id']} ({shortened(system)})" if system else each["id"], each["html"]))
        return worst

    def data(self) -> str:
        """Return the packed index of all samples."""
        index = {
            "samples": self.samples,
            "opposed": self._are_opposed,
            "systems": [on_one_line(shortened(system)) for system in self._systems],
            "sorts": [*self._sorts.values()],
            "sides": [report_of(reading.family.name).spread_side for reading in self._readings],
        }
        return packed(json.dumps(index, separators=(",", ":"), default=float))


def _is_significant(record: Record, settings: Any) -> bool:
    """Return whether the test of a sample is significant."""
    p, alpha = record.get("p_value"), getattr(settings, "alpha", None)
    return p is not None and alpha is not None and p < alpha


# Filters of samples, in their order, by record and settings
_FLAGS: Mapping[str, Callable[[Record, Any], bool]] = {
    "unmatched": lambda record, _: bool(record.get("unmatched")),
    "skipped": lambda record, _: record["skipped"] is not None,
    "significantly unequal": _is_significant,
}


def _finite(number: float | None) -> float | None:
    return number if number is not None and math.isfinite(number) else None


def _rounded(severities: Mapping[str, float]) -> list[float]:
    """Round numbers for sorting; undefined ones come last."""
    return [float(f"{each:.4g}") if math.isfinite(each) else -1e300 for each in severities.values()]


def _commonest(columns: Mapping[str, list[float]]) -> dict[str, list[float]]:
    """Return the values that most samples have, sorted."""
    values = sorted(columns, key=lambda value: (-len(columns[value]), value))
    return {value: columns[value] for value in sorted(values[:_VALUES])}


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
