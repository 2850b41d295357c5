"""A sample as HTML: its summary and source texts side by side, with what counted in them marked, and what decided."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fairsum_utils.families import family_of
from fairsum_utils.families.contract import NOTHING, Attribution, Family
from fairsum_utils.reports.base import Record
from fairsum_utils.reports.formats import as_html
from fairsum_utils.reports.page.contents import Lens
from fairsum_utils.reports.page.marks import Marks, class_of, with_signs
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import Cell, Table, number, short_name
from fairsum_utils.reports.theme import VALUES, colours_of
from fairsum_utils.reports.worst import severity, shortened
from fairsum_utils.validation import count

_UNMARKED = "No words are marked: these texts, under the settings that are known, do not give the figures below."
_CELL = 2000
"""Characters of a text in a table."""
_RUN = re.compile(r"\S{60}")
_TEXTS = ("predictions", "sources", "values")
"""Columns that are shown as texts."""


class Reading(NamedTuple):
    """Lenses that read the words of a sample in the same way."""

    family: Family
    lenses: Mapping[str, Lens]  # label -> lens

    @property
    def title(self) -> str:
        """What it is called."""
        return ", ".join(called(label, lens) for label, lens in self.lenses.items())

    @property
    def axis(self) -> str:
        """What the numbers are that it tells apart in a sample, see `Report.spread`."""
        return report_of(self.family.name).axis(next(iter(self.lenses.values())).measure)


def called(label: str, lens: Lens) -> str:
    """What a lens is called: as its measure is in short, if the label says no more than that."""
    return short_name(lens.measure) if label == lens.measure else label


def readings(lenses: Mapping[str, Lens]) -> list[Reading]:
    """Lenses by how they read the texts: those of one family whose settings differ in nothing that makes rows.

    Example:
        >>> from fairsum_utils.families.representation.settings import RepresentationSettings as Settings
        >>> lenses = {"bur": Lens("bur", Settings(), {}), "uer": Lens("uer", Settings(), {})}
        >>> [reading.title for reading in readings(lenses)]
        ['BUR, UER']
        >>> [reading.title for reading in readings(lenses | {"bigrams": Lens("bur", Settings(k=2), {})})]
        ['BUR, UER', 'bigrams']
    """
    groups: list[tuple[Family, dict[str, Lens]]] = []
    for label, lens in lenses.items():
        family = family_of(lens.measure)
        for kind, members in groups:
            if kind is family and _reads_alike(next(iter(members.values())), lens):
                members[label] = lens
                break
        else:
            groups.append((family, {label: lens}))
    return [Reading(*group) for group in groups]


def _reads_alike(one: Lens, other: Lens) -> bool:
    if one.settings is None or type(one.settings) is not type(other.settings):
        return one.settings is other.settings
    shared = one.settings.infos(one.measure).keys() & other.settings.infos(other.measure).keys()
    infos = one.settings.infos()
    return all(
        getattr(one.settings, name) == getattr(other.settings, name) for name in shared if infos[name].stage == "rows"
    )


def scores(lenses: Mapping[str, Lens], records: Mapping[str, Record]) -> dict[str, dict[str, float]]:
    """How bad a sample is for each lens, see `Report.severity`."""
    return {label: severity(lens.measure, records[label]) for label, lens in lenses.items() if label in records}


def spread(reading: Reading, records: Mapping[str, Record]) -> dict[str, float]:
    """What is told apart in a sample, see `Report.spread`: that of the first lens that tells anything.

    Lenses that tell apart something else than the first one are passed over, for all samples are drawn on one axis.
    """
    report = report_of(reading.family.name)
    for label, lens in reading.lenses.items():
        record = records.get(label)
        if record is None or record["skipped"] is not None or report.axis(lens.measure) != reading.axis:
            continue
        if told := report.spread(lens.measure, record):
            return {str(value): number for value, number in told.items()}
    return {}


def sample_html(
    sample: Record,
    records: Mapping[str, Record],
    lenses: Mapping[str, Lens],
    *,
    colours: Mapping[str, str] | None = None,
    level: int = 4,
    decided: bool = True,
) -> str:
    """A sample: the texts with their marks and what decided, once for each way in which lenses read the texts.

    All of it is safe: whatever is in the texts is escaped, and there are no styles and no handlers in it. It is shown
    with the style sheet of `fairsum_utils.reports.page.style`.

    Args:
        sample: column -> entry; empty to leave out all texts, and tables, which may hold some.
        records: label of a lens -> what `return_samples` says of the sample.
        lenses: label -> lens.
        colours: value or group -> name of a colour; None to colour what the sample holds.
        level: level of the first headings.
        decided: show what decided below the texts.
    """
    shown = [
        (place, *_reading(reading, sample, records, colours, level, decided))
        for place, reading in enumerate(readings(lenses))
        if any(label in records for label in reading.lenses)
    ]
    if len(shown) < 2:
        return f'<div class="fs-sample">{"".join(text for *_, text in shown)}</div>'
    # The first one is open; native, so that no script is needed to see the others.
    folded = (
        f'<details class="fs-reading" data-reading="{place}"{" open" if place == shown[0][0] else ""}>'
        f"<summary>{with_signs(title)}</summary>{text}</details>"
        for place, title, text in shown
    )
    return f'<div class="fs-sample">{"".join(folded)}</div>'


def _reading(
    reading: Reading,
    sample: Record,
    records: Mapping[str, Record],
    colours: Mapping[str, str] | None,
    level: int,
    decided: bool,
) -> tuple[str, str]:
    report = report_of(reading.family.name)
    present = {label: lens for label, lens in reading.lenses.items() if label in records}
    record: dict[str, Any] = {key: entry for label in present for key, entry in records[label].items()}
    attribution = _attribution(reading, sample, record)
    texts = _texts(reading.family, sample, attribution, colours, level) if sample else ""
    if not decided:
        return reading.title, texts
    figures = dict(next(iter(told.items())) for told in scores(present, records).values() if told)
    said = [
        f'<span class="fs-score">{with_signs(what)} <b>{_rounded(number)}</b></span>'
        for what, number in figures.items()
    ]
    if record["skipped"] is not None:
        said = [f"No score: {with_signs(report.skipped.get(record['skipped'], record['skipped']))}."]
    tables: list[tuple[str, Table]] = []
    if record["skipped"] is None and sample:
        for label, lens in present.items():
            shown = report.evidence(lens.measure, lens.result, records[label], sample, attribution)
            tables += [(called(label, lens), table) for table in shown]
    elif record["skipped"] is None and (told := spread(reading, records)):
        rows: list[list[Cell]] = [[value, number] for value, number in told.items()]
        tables = [("", Table(["value", "number"], rows, reading.axis))]
    if sample and attribution == NOTHING and record["skipped"] is None and report.has_marks(record):
        texts += f'<p class="fs-note">{_UNMARKED}</p>'
    evidence = as_html(map(_readable, _distinct(tables)))
    whole = f'<p class="fs-scores">{" ".join(said)}</p>{texts}'
    return reading.title, f'{whole}<div class="fs-evidence">{evidence}</div>' if evidence else whole


def _rounded(score: float) -> str:
    return number(score, 3 if score % 1 else 0)


def _readable(table: Table) -> Table:
    """A table whose texts are short, with places where a line may break."""
    return table._replace(
        rows=[
            [_RUN.sub("\\g<0>\u200b", shortened(cell, _CELL)) if isinstance(cell, str) else cell for cell in row]
            for row in table.rows
        ]
    )


def _distinct(tables: Sequence[tuple[str, Table]]) -> list[Table]:
    """Tables without those of which another one has every column; titles that are left twice say whose they are."""
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
        table._replace(title=f"{table.title} ({told_by})") if table.title and titles[table.title] > 1 else table
        for told_by, table in left
    ]


def _attribution(reading: Reading, sample: Record, record: Record) -> Attribution:
    """What counted in the texts; nothing where these, a score or the settings are not there."""
    lenses = list(reading.lenses.values())
    if not sample or record["skipped"] is not None or lenses[0].settings is None:
        return NOTHING
    return reading.family.attribution([lens.measure for lens in lenses], lenses[0].settings, sample, record)


def _texts(
    family: Family, sample: Record, attribution: Attribution, colours: Mapping[str, str] | None, level: int
) -> str:
    prediction = _text(sample.get("predictions"))
    given = sample.get("sources") or []
    sources = [given] if isinstance(given, str) else [_text(text) for text in given]
    of_sources = [*attribution.sources, *[()] * len(sources)][: len(sources)]
    values = [str(value) for value in sample.get("values") or ()]
    if colours is None or len(colours) > len(VALUES):  # of all samples; those of one may be few enough
        colours = colours_of({*values, *_named(attribution)})
    spans = [(prediction, attribution.prediction), *zip(sources, of_sources, strict=True)]
    marks = Marks(colours, spans)
    what = "Summary" if sources else "Text"
    own = [
        f'<div class="fs-own"><h{level}>{what}</h{level}>{_paragraph(marks, *spans[0])}{_columns(family, sample)}</div>'
    ]
    if sources:
        texts: dict[str, list[str]] = {}
        for value, text in zip([*values, *[""] * len(sources)], spans[1:], strict=False):
            texts.setdefault(value, []).append(_paragraph(marks, *text))
        heading = "Sources" if len(sources) > 1 else "Source"
        own.append(f'<div class="fs-sources"><h{level}>{heading}</h{level}>')
        own += [_group(value, texts[value], colours, level + 1) for value in sorted(texts)]
        own.append("</div>")
    return f'<div class="fs-texts">{"".join(own)}</div>'


def _text(entry: object) -> str:
    return "" if entry is None else str(entry)


def _named(attribution: Attribution) -> set[str]:
    return {name for spans in (attribution.prediction, *attribution.sources) for span in spans for name in span.names}


def _paragraph(marks: Marks, text: str, spans: Sequence[Any]) -> str:
    return f'<p class="fs-text" dir="auto">{marks.html(text, spans)}</p>'


def _group(value: str, texts: Sequence[str], colours: Mapping[str, str], level: int) -> str:
    """The source texts of a value, under its name in its colour."""
    heading = ""
    if value:
        name = f'<bdi class="{class_of([colours.get(value, "accent")])}">{with_signs(shortened(value))}</bdi>'
        heading = f"<h{level}>{name} <small>{count(len(texts), 'text')}</small></h{level}>"
    return f'<div class="fs-group">{heading}{"".join(texts)}</div>'


def _columns(family: Family, sample: Record) -> str:
    """What else is known of a sample, where it is a word or a line: its group, say."""
    rows: Iterable[tuple[str, str]] = (
        (column, entry) for column, entry in sample.items() if column not in _TEXTS and isinstance(entry, str) and entry
    )
    names = {column.name: (column.label or column.entry).replace("_", " ") for column in family.columns}
    shown = ((with_signs(names.get(name, name)), with_signs(shortened(entry, _CELL))) for name, entry in rows)
    told = "".join(f'<div><dt>{name}</dt><dd dir="auto">{entry}</dd></div>' for name, entry in shown)
    return f'<dl class="fs-columns">{told}</dl>' if told else ""
