"""One sample of a page: texts, marks and evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from fairsum_utils.cleaning import texts_as_read
from fairsum_utils.families import family_of
from fairsum_utils.families.contract import Family
from fairsum_utils.families.marks import NOTHING, Attribution, Span
from fairsum_utils.measures._agreed import agree, agreed
from fairsum_utils.reports.base import Record
from fairsum_utils.reports.formats import as_html, escaped
from fairsum_utils.reports.page.templates import rendered, with_signs
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import Cell, Table, number, short_name
from fairsum_utils.reports.theme import VALUES, colors_of
from fairsum_utils.reports.worst import severity, shortened

_UNMARKED = "No words are marked: these texts, under the settings that are known, do not give the figures below."
# Characters of a text that are shown; browsers take a minute for some millions
LONGEST = 200_000
# Characters of a text in a table
_CELL = 2000
# Characters of the name of a value in the title of a mark
_NAME = 60
# Kinds of stretches that follow each other, and so show where they begin
_LONG = ("unit", "chunk")
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


def view_of(
    sample: Record,
    records: Mapping[str, Record],
    made: Sequence[Reading],
    severities: Mapping[str, Mapping[str, float]],
    *,
    decided: bool = True,
) -> dict[str, Any]:
    """Return a sample as data for its template.

    Args:
        sample: entries by column; empty to leave out all texts and tables.
        records: label of a lens -> record of the sample, see `return_samples`.
        made: ways in which lenses read the texts.
        severities: label -> how bad the sample is, see `scores`.
        decided: True to show the evidence below the texts.

    Returns:
        ``own``, ``sources`` and ``values`` (None without texts), other ``columns``, and for each reading its ``place``,
        ``scores`` or why there is none, ``spans`` (of the summary, then of each source) and ``evidence``, tables as
        HTML, and a ``note``.
    """
    settings = (lens.settings for reading in made for lens in reading.lenses.values() if lens.settings is not None)
    sample = texts_as_read(sample, next(settings, None))
    sources = sample.get("sources") or []
    texts = [sources] if isinstance(sources, str) else [*map(_text, sources)]
    view: dict[str, Any] = {
        "own": _text(sample.get("predictions"))[:LONGEST] if sample else None,
        "sources": [text[:LONGEST] for text in texts],
        "lengths": [len(_text(sample.get("predictions"))), *map(len, texts)],
        "values": [*map(str, sample.get("values") or ())],
        "columns": [],
        "readings": [],
    }
    for place, reading in enumerate(made):
        if any(label in records for label in reading.lenses):
            read = _read(reading, sample, records, severities, len(texts), decided)
            view["readings"].append({"place": place, **read})
            names = {column.name: (column.label or column.entry).replace("_", " ") for column in reading.family.columns}
            others = ((names.get(name, name), entry) for name, entry in sample.items() if name not in _TEXTS)
            view["columns"] = [
                [name, shortened(entry, _CELL)] for name, entry in others if isinstance(entry, str) and entry
            ]
    return view


def _text(entry: object) -> str:
    return "" if entry is None else str(entry)


def _read(
    reading: Reading,
    sample: Record,
    records: Mapping[str, Record],
    severities: Mapping[str, Mapping[str, float]],
    n_sources: int,
    decided: bool,
) -> dict[str, Any]:
    report = report_of(reading.family.name)
    present = {label: lens for label, lens in reading.lenses.items() if label in records}
    record: dict[str, Any] = {key: entry for label in present for key, entry in records[label].items()}
    is_scored = record["skipped"] is None
    attribution = _attribution(reading, sample, record)
    read: dict[str, Any] = {
        "spans": [attribution.prediction, *[*attribution.sources, *[()] * n_sources][:n_sources]],
        "scores": [],
        "why": "" if is_scored else report.skipped.get(record["skipped"], record["skipped"]),
        "note": "",
        "evidence": "",
    }
    if decided and sample and is_scored and attribution == NOTHING and report.has_marks(record):
        read["note"] = _UNMARKED
    if decided and is_scored:
        figures = dict(next(iter(found.items())) for label in present if (found := severities.get(label)))
        read["scores"] = [[name, number(figure, 3 if figure % 1 else 0)] for name, figure in figures.items()]
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
    return read


def _attribution(reading: Reading, sample: Record, record: Record) -> Attribution:
    """Return the marked spans; empty without texts, a score or settings."""
    lenses = list(reading.lenses.values())
    if not sample or record["skipped"] is not None or lenses[0].settings is None:
        return NOTHING
    settings = agreed([lens.settings for lens in lenses])
    return reading.family.attribution([lens.measure for lens in lenses], settings, sample, record)


def _readable(table: Table) -> Table:
    """Shorten the texts of a table, and allow line breaks."""
    return table._replace(
        rows=[
            [_RUN.sub("\\g<0>\u200b", shortened(cell, _CELL)) if isinstance(cell, str) else cell for cell in row]
            for row in table.rows
        ]
    )


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


def sample_html(
    sample: Record,
    records: Mapping[str, Record],
    lenses: Mapping[str, Lens],
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
        lenses: label -> lens.
        colors: value or group -> name of a color; None for those of the sample.
        level: level of the first headings.
        decided: True to show the evidence below the texts.
    """
    made = readings(lenses)
    view = view_of(sample, records, made, scores(lenses, records), decided=decided)
    return html_of(view, [reading.title for reading in made], colors, level)


def html_of(view: Mapping[str, Any], titles: Sequence[str], colors: Mapping[str, str] | None, level: int = 4) -> str:
    """Render the view of a sample."""
    groups: dict[str, list[int]] = {}
    values = [*view["values"], *[""] * len(view["sources"])]
    for place, value in zip(range(len(view["sources"])), values, strict=False):
        groups.setdefault(value, []).append(place)
    numbers: dict[str, int] = {}
    return rendered(
        "sample.html",
        view=view,
        titles=titles,
        level=level,
        groups=sorted(groups.items()),
        marked=lambda *given: "".join(_piece_html(piece, numbers) for piece in marks(*given)),
        colors_of=lambda reading: _colors(view, reading, colors),
        class_of=class_of,
    ).strip()


def _piece_html(piece: Piece, numbers: dict[str, int]) -> str:
    """Write a piece of a text; marks that belong together share numbers."""
    text = with_signs(piece.text)
    if not piece.classes:
        return text
    title = f' title="{escaped(piece.title)}"' if piece.title else ""
    keys = " ".join(str(numbers.setdefault(key, len(numbers))) for key in piece.keys)
    related = f' data-keys="{keys}"' if keys else ""
    return f'<mark class="{piece.classes}"{title}{related}>{text}</mark>'


def _colors(view: Mapping[str, Any], reading: Mapping[str, Any], colors: Mapping[str, str] | None) -> Mapping[str, str]:
    """Return the colors of the page, or of the sample if too many."""
    if colors is not None and len(colors) <= len(VALUES):
        return colors
    return colors_of({*view["values"], *(name for spans in reading["spans"] for span in spans for name in span[2])})


def class_of(colors: Iterable[str], pairs: bool = True) -> str:
    """Return the class of marks with these colors.

    Example:
        >>> class_of(["v2", "v1"]), class_of(["v2", "v1"], pairs=False), class_of(["v3"])
        ('fs-v1-v2', 'fs-shared', 'fs-v3')
    """
    names = sorted(set(colors))
    return f"fs-{'-'.join(names)}" if len(names) == 1 or (pairs and len(names) <= 3) else "fs-shared"


class Piece(NamedTuple):
    """A piece of a text with one set of spans."""

    text: str
    classes: str = ""  # empty without a mark
    title: str = ""
    keys: tuple[str, ...] = ()  # keys of marks that belong together


def marks(text: str, spans: Sequence[Span], colors: Mapping[str, str]) -> Iterator[Piece]:
    """Yield the pieces of a text between the ends of spans.

    Example:
        >>> spans = [Span(6, 10, ("neg", "pos")), Span(0, 5, ("pos",), note="counted as tasti")]
        >>> for piece in marks("Tasty Soup", spans, {"neg": "v1", "pos": "v2"}):
        ...     print(*piece[:3], sep="|")
        Tasty|fs-word fs-v2|pos: counted as tasti
         ||
        Soup|fs-word fs-v1-v2|neg, pos
    """
    pairs = len(set(colors.values())) <= 4
    inside = [(max(span.start, 0), min(span.end, len(text)), span) for span in spans]
    inside = sorted((each for each in inside if each[0] < each[1]), key=lambda each: each[0])
    cuts = sorted({0, len(text), *(place for start, end, _ in inside for place in (start, end))})
    active: list[tuple[int, int, Span]] = []
    following = iter(inside)
    waiting = next(following, None)
    for start, end in pairwise(cuts):
        active = [each for each in active if each[1] > start]
        while waiting is not None and waiting[0] == start:
            active.append(waiting)
            waiting = next(following, None)
        yield _marked(text[start:end], start, active, colors, pairs) if active else Piece(text[start:end])


def _marked(
    text: str, start: int, active: Sequence[tuple[int, int, Span]], colors: Mapping[str, str], pairs: bool
) -> Piece:
    spans = [span for *_, span in active]
    kinds = sorted({f"fs-{span.kind}" for span in spans})
    names = sorted({name for span in spans for name in span.names})
    held = {colors.get(name, "accent") for name in names}
    # A long stretch is many pieces, of which the first one shows where it begins.
    first = ["fs-first"] * any(begin == start and span.kind in _LONG for begin, _, span in active)
    remarks = "; ".join(dict.fromkeys(span.note for span in spans if span.note))
    title = shortened(": ".join(filter(None, (", ".join(shortened(name, _NAME) for name in names), remarks))))
    keys = tuple(dict.fromkeys(span.key for span in spans if span.key))
    return Piece(text, " ".join([*kinds, *([class_of(held, pairs)] if held else []), *first]), title, keys)
