"""The samples of a page: an index to sort and filter by, each as packed HTML, and what is seen without a script."""

from __future__ import annotations

import json
import math
from bisect import insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from fairsum_utils._util.terminal import on_one_line
from fairsum_utils.families.columns import GROUPS, PAIR_IDS
from fairsum_utils.reports.formats import escaped
from fairsum_utils.reports.page.blocks import Blocks, packed
from fairsum_utils.reports.page.contents import Contents, Sampled, Section
from fairsum_utils.reports.page.distribution import distribution_html
from fairsum_utils.reports.page.marks import with_signs
from fairsum_utils.reports.page.sample import called, readings, sample_html, scores, spread
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.theme import VALUES
from fairsum_utils.reports.worst import shortened
from fairsum_utils.validation import count

WORST = 10
"""Samples that are shown without a script."""
_MOST = 400_000
"""Characters of HTML that these take, so that pages of long texts are seen as soon as others; one is always there."""
_VALUES = 100
"""Values of which the numbers are shown; if each sample has its own, a histogram of each would tell nothing."""
_KEY = "What counted has the colour and the pattern of its value or group; what counts for several is striped."
"""How marks are read."""
_KEYS = (
    "A click or Enter on what is marked goes to where it comes from; Escape goes back. Arrow keys go from mark to "
    "mark, n and p to the next and the previous sample."
)


class Browser:
    """Reads the samples of a page once, and knows how to show them."""

    def __init__(self, contents: Contents, colours: Mapping[str, str]) -> None:
        self._lenses = contents.lenses
        self._redact = contents.redact
        self.colours = dict(colours)
        self._readings = readings(contents.lenses)
        self._index = _Index(contents.lenses)
        self._spreads: list[dict[str, dict[int, float]]] = [{} for _ in self._readings]
        self._worst: list[tuple[list[float], int, str, str]] = []
        self._ids: dict[str, str] = {}
        self._kin: dict[str, str] = {}
        self._blocks = Blocks()
        self._blocks.take(map(self._read, contents.samples))

    def __len__(self) -> int:
        return len(self._index.ids)

    def _read(self, given: Sampled) -> str:
        """Note a sample in the index; returns its HTML."""
        kin = self._kin_of(given)
        if self._redact:
            number = self._ids.setdefault(given.id, str(len(self._ids) + 1))
            kin = self._kin.setdefault(kin, str(len(self._kin) + 1)) if kin else ""
            given = given._replace(id=number, sample={})
        place = len(self)
        severities = scores(self._lenses, given.records)
        self._index.add(given, kin, severities)
        for reading, columns in zip(self._readings, self._spreads, strict=True):
            for value, told in spread(reading, given.records).items():
                of_value = columns.setdefault(value, {})
                if math.isfinite(told):
                    of_value[place] = told
        self._colour(given)
        shown = sample_html(given.sample, given.records, self._lenses, colours=self.colours)
        first = next(filter(None, severities.values()), {})
        if first:
            names = (shortened(given.id), given.system and f"({shortened(given.system)})")
            name = " ".join(filter(None, names))
            insort(self._worst, ([-number for number in first.values()], place, name, shown))
            del self._worst[WORST:]
        return shown

    def _colour(self, given: Sampled) -> None:
        """Give the values of a sample colours, as long as there are some left."""
        values = {
            str(value) for record in (given.sample, *given.records.values()) for value in record.get("values") or ()
        }
        free = [name for name in VALUES if name not in self.colours.values()]
        if len(self.colours) <= len(VALUES):  # else each sample has its own
            self.colours.update(zip(sorted(values - self.colours.keys()), free, strict=False))

    def _kin_of(self, given: Sampled) -> str:
        for reading in self._readings:
            for label in reading.lenses:
                if label in given.records:
                    kin = report_of(reading.family.name).kin(given.sample, given.records[label])
                    if kin:
                        return kin
        return ""

    def _columns(self) -> list[dict[str, dict[int, float]]]:
        """For each reading its values, sorted, those that most samples have: the number of each sample by its place."""
        commonest = (sorted(columns, key=lambda value: (-len(columns[value]), value)) for columns in self._spreads)
        return [
            {value: columns[value] for value in sorted(values[:_VALUES])}
            for columns, values in zip(self._spreads, commonest, strict=True)
        ]

    def sections(self) -> Iterator[Section]:
        """The panel of distributions, where there are any, and that of samples."""
        drawn = []
        for place, (reading, columns, shown) in enumerate(
            zip(self._readings, self._spreads, self._columns(), strict=True)
        ):
            n = len(columns)
            more = f"; of {n:,} values the {_VALUES} that most samples have" if n > _VALUES else ""
            values = {value: list(of_value.values()) for value, of_value in shown.items()}
            if any(values.values()):
                drawn.append(distribution_html(place, reading.title, reading.axis + more, values, self.colours))
        if drawn:
            yield Section("distribution", "Distribution", "".join(drawn))
        yield Section("samples", "Samples", f"{self._static()}{self._panes()}")

    def _static(self) -> str:
        """The worst samples, for those without a script."""
        n = len(self)
        ends = accumulate(len(shown) for *_, shown in self._worst)
        worst = [found for found, end in zip(self._worst, ends, strict=True) if end <= _MOST] or self._worst[:1]
        said = f"These are the worst {len(worst)} of {count(n, 'sample')}." if len(worst) < n else ""
        said += " A browser that runs scripts shows all of them here, to be sorted, filtered and searched."
        return "".join(
            [
                f'<div id="fs-worst"><p class="fs-note">{said} {"" if self._redact else _KEY}</p>',
                *(
                    f"<article><h3>Sample <bdi>{with_signs(name)}</bdi></h3>{shown}</article>"
                    for *_, name, shown in worst
                ),
                "</div>",
            ]
        )

    def _panes(self) -> str:
        """The fields, the list and the reader, which the script fills."""
        return (
            f'<div id="fs-browser" hidden>{self._filters()}<p id="fs-shown" role="status"></p>'
            '<div class="fs-panes"><div class="fs-list"><ol id="fs-list" aria-label="Samples"></ol>'
            '<div class="fs-pager"><button id="fs-back" type="button">Earlier</button>'
            '<span id="fs-page"></span><button id="fs-on" type="button">Later</button></div></div>'
            f"{self._reader()}</div></div>"
        )

    def _filters(self) -> str:
        index = self._index
        sorts = _options((place, f"{name}, worst first") for place, name in enumerate(index.sorts))
        least = [
            (f"{place},{number}", f"{value} ({reading.title})" if len(self._readings) > 1 else value)
            for place, (reading, columns) in enumerate(zip(self._readings, self._columns(), strict=True))
            if report_of(reading.family.name).spread_side
            for number, value in enumerate(columns)
        ]
        flags = "".join(
            f'<label class="fs-flag"><input type="checkbox" name="flag" value="{place}"> {name} '
            f"<small>{len(places):,}</small></label>"
            for place, (name, places) in enumerate(index.flags.items())
            if places
        )
        searched = "numbers of samples" if self._redact else "texts and ids"
        return (
            '<form id="fs-filters" role="search" aria-label="Samples">'
            f'<label>Search {searched} <input name="query" type="search" autocomplete="off"></label>'
            f'<label>Sort by <select name="sort">{sorts}<option value="file">Order of the file</option>'
            '<option value="id">Id</option></select></label>'
            '<label>Only the worst <input name="worst" type="number" min="1" step="1" placeholder="all"></label>'
            f"{_select('System', 'system', list(enumerate(index.systems)) if len(index.systems) > 1 else [])}"
            f"{_select('Most underrepresented', 'least', least)}"
            f"{f'<fieldset><legend>Only samples that are</legend>{flags}</fieldset>' if flags else ''}"
            '<button type="reset">Clear</button></form>'
        )

    def _reader(self) -> str:
        titles = _options(enumerate(reading.title for reading in self._readings))
        keys = "" if self._redact else f'<p class="fs-note">{_KEY}</p><p class="fs-note fs-keys">{_KEYS}</p>'
        return (
            '<article id="fs-reader" aria-labelledby="fs-name"><header><h3 id="fs-name" tabindex="-1"></h3>'
            '<div class="fs-steps"><button id="fs-previous" type="button" aria-keyshortcuts="p">Previous</button>'
            '<button id="fs-next" type="button" aria-keyshortcuts="n">Next</button></div></header>'
            f'<label id="fs-marks" hidden>Marks of <select>{titles}</select></label>'
            '<fieldset id="fs-kin" hidden><legend>Side by side with</legend><div></div></fieldset>'
            f'{keys}<div id="fs-columns"></div></article>'
        )

    def data(self) -> Iterator[str]:
        """The index and the blocks, as elements that show nothing and do nothing."""
        spreads = [
            {
                "side": report_of(reading.family.name).spread_side,
                "values": [
                    [shortened(value), [of_value.get(place) for place in range(len(self))]]
                    for value, of_value in columns.items()
                ],
            }
            for reading, columns in zip(self._readings, self._columns(), strict=True)
        ]
        index = self._index.as_dict() | {"spreads": spreads, "tags": self._blocks.tags, "blocks": self._blocks.lengths}
        written = json.dumps(index, separators=(",", ":"), default=float)
        yield f'<script type="application/octet-stream" id="fs-index">{packed(written)}</script>\n'
        for block in self._blocks:
            yield f'<script type="application/octet-stream" class="fs-block">{block}</script>\n'

    def close(self) -> None:
        """Forget the samples."""
        self._blocks.close()


def _select(title: str, name: str, choices: Sequence[tuple[object, str]]) -> str:
    if not choices:
        return ""
    return f'<label>{title} <select name="{name}"><option value="">any</option>{_options(choices)}</select></label>'


def _options(choices: Iterable[tuple[object, str]]) -> str:
    return "".join(f'<option value="{value}">{escaped(shortened(text))}</option>' for value, text in choices)


_GROUPS = (GROUPS.name, "variants")
"""Columns that say whom a sample is about."""
_TOGETHER = (PAIR_IDS.name, "controls")
"""Columns that say which samples of an original were made together."""


class _Index:
    """What samples are sorted and filtered by, in columns."""

    def __init__(self, lenses: Mapping[str, Any]) -> None:
        self._lenses = lenses
        self.sorts = [called(label, lens) for label, lens in lenses.items()]
        self.ids: list[str] = []
        self.systems: dict[str, int] = {}
        self.flags: dict[str, list[int]] = {"unmatched": [], "skipped": [], "significantly unequal": []}
        self._kin: list[str] = []
        self._groups: list[str] = []
        self._pairs: list[str] = []
        self._has_variants = False
        self._system: list[int] = []
        self._severities: dict[str, list[list[float]]] = {label: [] for label in lenses}
        self._called: dict[str, Mapping[str, float]] = {label: {} for label in lenses}

    def add(self, given: Sampled, kin: str, severities: Mapping[str, Mapping[str, float]]) -> None:
        """A sample more."""
        place = len(self.ids)
        self.ids.append(on_one_line(shortened(given.id)))
        self._kin.append(kin)
        for names, entries in ((_GROUPS, self._groups), (_TOGETHER, self._pairs)):
            entry = next((given.sample[name] for name in names if given.sample.get(name) is not None), "")
            entries.append(on_one_line(str(entry)))
        self._has_variants |= "variants" in given.sample
        self._system.append(self.systems.setdefault(given.system, len(self.systems)))
        for label, column in self._severities.items():
            told = severities.get(label, {})
            self._called[label] = self._called[label] or told
            column.append([_short(number) for number in told.values()])
        records = given.records
        if any(record.get("unmatched") for record in records.values()):
            self.flags["unmatched"].append(place)
        if any(record["skipped"] is not None for record in records.values()):
            self.flags["skipped"].append(place)
        if any(_is_significant(lens, records[label]) for label, lens in self._lenses.items() if label in records):
            self.flags["significantly unequal"].append(place)

    def as_dict(self) -> dict[str, Any]:
        """All of it for JSON."""
        return {
            "ids": self.ids,
            "kin": self._kin if any(self._kin) else [],
            "group": self._groups if any(self._groups) else [],
            "pair": self._pairs if any(self._pairs) or self._has_variants else [],
            "opposed": self._has_variants,
            "systems": [on_one_line(shortened(system)) for system in self.systems],
            "system": self._system if len(self.systems) > 1 else [],
            "sorts": [
                [name, column, [*self._called[label]]]
                for name, (label, column) in zip(self.sorts, self._severities.items(), strict=True)
            ],
            "flags": list(self.flags.items()),
        }


def _short(number: float) -> float:
    """A number as far as samples are told apart by it; one that is undefined comes last."""
    return float(f"{number:.4g}") if math.isfinite(number) else -1e300


def _is_significant(lens: Any, record: Mapping[str, Any]) -> bool:
    """Whether a test of the sample says that it is no chance."""
    p, alpha = record.get("p_value"), getattr(lens.settings, "alpha", None)
    return p is not None and alpha is not None and p < alpha
