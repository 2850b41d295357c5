"""One sample of a page: texts, marks and evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fairsum_utils.cleaning import texts_as_read
from fairsum_utils.families import family_of
from fairsum_utils.families.contract import Family
from fairsum_utils.families.marks import NOTHING, Attribution
from fairsum_utils.measures._agreed import agree, agreed
from fairsum_utils.reports.base import Record
from fairsum_utils.reports.html import as_html
from fairsum_utils.reports.page.marks import class_of, marks, piece_html
from fairsum_utils.reports.page.templates import rendered
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import Cell, Table, number
from fairsum_utils.reports.theme import VALUES, colors_of
from fairsum_utils.reports.wording import short_name
from fairsum_utils.reports.worst import severity, shortened

_UNMARKED = "No words are marked: these texts, under the settings that are known, do not give the figures below."
# Characters of a text that are shown; browsers take a minute for some millions
LONGEST = 200_000
# Characters of a text in a table
_CELL = 2000
# Columns from which on a phone would not show the last one
_WIDE = 5
_RUN = re.compile(r"\S{60}")
# Columns that are shown as texts
_TEXTS = ("predictions", "sources", "values")


class Lens(NamedTuple):
    """A measure as the samples were scored with it."""

    measure: str
    settings: Any  # checked settings of the measure; None where unknown: then nothing in the texts is marked
    result: Record  # over all samples; empty where unknown


class Sampled(NamedTuple):
    """A sample of a system."""

    id: str  # the same in all systems
    system: str  # empty where there is one
    place: int  # position in the data
    sample: Mapping[str, Any]  # column -> entry; empty where texts are to be left out
    records: Mapping[str, Record]  # label of a lens -> what `return_samples` says of the sample


class Reading(NamedTuple):
    """Lenses that read the words of a sample in the same way."""

    family: Family
    lenses: Mapping[str, Lens]  # label -> lens

    @property
    def title(self) -> str:
        """Names of its lenses."""
        return ", ".join(called(label, lens) for label, lens in self.lenses.items())

    @property
    def axis(self) -> str:
        """Description of the numbers by group; see `Report.spread`."""
        return report_of(self.family.name).axis(next(iter(self.lenses.values())).measure)


def called(label: str, lens: Lens) -> str:
    """Return the short name of a measure, or its label if different."""
    return short_name(lens.measure) if label == lens.measure else label


def readings(lenses: Mapping[str, Lens]) -> list[Reading]:
    """Group lenses that read texts in the same way.

    Example:
        >>> from fairsum_utils import BUR, UER
        >>> lenses = {"bur": Lens("bur", BUR(), {}), "uer": Lens("uer", UER(), {})}
        >>> [reading.title for reading in readings(lenses)]
        ['BUR, UER']
        >>> [reading.title for reading in readings(lenses | {"bigrams": Lens("bur", BUR(k=2), {})})]
        ['BUR, UER', 'bigrams']
    """
    groups: list[tuple[Family, dict[str, Lens]]] = []
    for label, lens in lenses.items():
        family = family_of(lens.measure)
        alike = (held for kind, held in groups if kind is family and _reads_alike(next(iter(held.values())), lens))
        group = next(alike, None)
        if group is None:
            group = {}
            groups.append((family, group))
        group[label] = lens
    return [Reading(*group) for group in groups]


def _reads_alike(one: Lens, other: Lens) -> bool:
    if one.settings is None or other.settings is None:
        return one.settings is other.settings
    return one.settings.reads == other.settings.reads and agree(one.settings, other.settings, "rows")


def scores(lenses: Mapping[str, Lens], records: Mapping[str, Record]) -> dict[str, dict[str, float]]:
    """Return how bad a sample is for each lens, see `Report.severity`."""
    return {label: severity(lens.measure, records[label]) for label, lens in lenses.items() if label in records}


def spread(reading: Reading, records: Mapping[str, Record]) -> dict[str, float]:
    """Return the numbers of a sample by group, from the first lens with any."""
    report = report_of(reading.family.name)
    for label, lens in reading.lenses.items():
        record = records.get(label)
        if record is None or record["skipped"] is not None or report.axis(lens.measure) != reading.axis:
            continue
        if found := report.spread(lens.measure, record):
            return {str(value): number for value, number in found.items()}
    return {}


def sample_html(
    sample: Record,
    records: Mapping[str, Record],
    made: Sequence[Reading],
    *,
    colors: Mapping[str, str] | None = None,
    level: int = 4,
    decided: bool = True,
) -> str:
    """Render a sample: marked texts and evidence, once per reading.

    All texts are escaped, without styles and handlers; see `fairsum_utils.reports.page.document.sample_style`.

    Args:
        sample: column -> entry; empty to leave out all texts.
        records: label of a lens -> record of the sample, see `return_samples`.
        made: ways in which lenses read the texts, see `readings`.
        colors: value or group -> name of a color; None for those of the sample.
        level: level of the first headings.
        decided: True to show the evidence below the texts.
    """
    settings = (lens.settings for reading in made for lens in reading.lenses.values() if lens.settings is not None)
    sample = texts_as_read(sample, next(settings, None))
    given = sample.get("sources") or []
    sources = [given] if isinstance(given, str) else [*map(_text, given)]
    values = [*map(str, sample.get("values") or ())]
    groups: dict[str, list[int]] = {}
    for place in range(len(sources)):
        groups.setdefault(values[place] if place < len(values) else "", []).append(place)
    present = [(place, reading) for place, reading in enumerate(made) if reading.lenses.keys() & records.keys()]
    shown = [{"place": place, **_read(reading, sample, records, len(sources), decided)} for place, reading in present]
    for read in shown:
        names = {*values, *(name for spans in read["spans"] for span in spans for name in span.names)}
        read["colors"] = colors if colors is not None and len(colors) <= len(VALUES) else colors_of(names)
    labels = {
        column.name: (column.label or column.entry).replace("_", " ")
        for _, reading in present
        for column in reading.family.columns
    }
    numbers: dict[str, int] = {}
    return rendered(
        "sample.html",
        own=_text(sample.get("predictions")) if sample else None,
        sources=sources,
        groups=sorted(groups.items()),
        columns=[
            (labels.get(name, name), shortened(entry, _CELL))
            for name, entry in sample.items()
            if name not in _TEXTS and isinstance(entry, str) and entry
        ],
        readings=shown,
        titles=[reading.title for reading in made],
        level=level,
        longest=LONGEST,
        marked=lambda *given: "".join(piece_html(piece, numbers) for piece in marks(*given)),
        class_of=class_of,
    ).strip()


def _text(entry: object) -> str:
    return "" if entry is None else str(entry)


def _read(
    reading: Reading, sample: Record, records: Mapping[str, Record], n_sources: int, decided: bool
) -> dict[str, Any]:
    """Return the spans, scores and evidence of a reading, or why there are none."""
    report = report_of(reading.family.name)
    present = {label: lens for label, lens in reading.lenses.items() if label in records}
    record: dict[str, Any] = {key: entry for label in present for key, entry in records[label].items()}
    attribution = _attribution(reading, sample, record)
    spans = [attribution.prediction, *[*attribution.sources, *[()] * n_sources][:n_sources]]
    read: dict[str, Any] = {"spans": spans, "scores": [], "why": "", "note": "", "evidence": ""}
    if record["skipped"] is not None:
        read["why"] = report.skipped.get(record["skipped"], record["skipped"])
    elif decided:
        figures = dict(next(iter(found.items())) for found in scores(present, records).values() if found)
        read["scores"] = [(name, number(figure, 3 if figure % 1 else 0)) for name, figure in figures.items()]
        if sample:
            tables = [
                (called(label, lens), table)
                for label, lens in present.items()
                for table in report.evidence(lens.measure, lens.result, records[label], sample, attribution)
            ]
        else:
            rows: list[list[Cell]] = [[value, figure] for value, figure in spread(reading, records).items()]
            tables = [("", Table(["group", "number"], rows, reading.axis))] if rows else []
        read["evidence"] = as_html(map(_readable, _distinct(tables)))
        if sample and attribution == NOTHING and report.has_marks(record):
            read["note"] = _UNMARKED
    return read


def _attribution(reading: Reading, sample: Record, record: Record) -> Attribution:
    """Return the marked spans; empty without texts, a score or settings."""
    lenses = list(reading.lenses.values())
    if not sample or record["skipped"] is not None or lenses[0].settings is None:
        return NOTHING
    settings = agreed([lens.settings for lens in lenses])
    return reading.family.attribution([lens.measure for lens in lenses], settings, sample, record)


def _readable(table: Table) -> Table:
    """Shorten texts; those that end the rows of a wide table become lines."""
    rows = [
        [_RUN.sub("\\g<0>\u200b", shortened(cell, _CELL)) if isinstance(cell, str) else cell for cell in row]
        for row in table.rows
    ]
    *header, last = table.header
    if len(header) < _WIDE or not all(isinstance(row[-1], str) for row in rows):
        return table._replace(rows=rows)
    below = [f"{last.capitalize()}:", *(f"{row[0]}: {row[-1]}" for row in rows if row[-1])]
    return table._replace(header=header, rows=[row[:-1] for row in rows], below=[*table.below, *below])


def _distinct(tables: Sequence[tuple[str, Table]]) -> list[Table]:
    """Drop tables whose columns another table contains; distinguish equal titles."""
    columns = [
        {(table.title, name, *map(repr, cells)) for name, *cells in zip(table.header, *table.rows, strict=True)}
        for _, table in tables
    ]
    left = [
        each
        for place, each in enumerate(tables)
        if not any(
            columns[place] < other or (columns[place] == other and before < place)
            for before, other in enumerate(columns)
        )
    ]
    titles = Counter(table.title for _, table in left)
    return [
        table._replace(title=f"{table.title} ({measure})") if table.title and titles[table.title] > 1 else table
        for measure, table in left
    ]
