"""Sections of a page before its samples, made in Python and readable without a script: systems, values or groups."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from fairsum_utils.families import by_family, family_of
from fairsum_utils.reports import comparison
from fairsum_utils.reports.base import Results
from fairsum_utils.reports.figures import SCORES, draw_comparison, draw_systems, levels_of, panels_of
from fairsum_utils.reports.formats import as_html, escaped
from fairsum_utils.reports.page import overview
from fairsum_utils.reports.page.contents import Contents, Section
from fairsum_utils.reports.page.overview import compared, is_comparison, scored
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.svg import Drawing
from fairsum_utils.reports.systems import ties, wins
from fairsum_utils.reports.tables import Bar, Cell, Part, Table


def sections_of(contents: Contents) -> list[Section]:
    """The panels of a page that stand before its samples, in their order."""
    made = [overview.section(contents), systems_section(contents), values_section(contents)]
    return [section for section in made if section is not None]


def systems_section(contents: Contents) -> Section | None:
    """The comparison of systems; nothing where none were compared."""
    if not is_comparison(contents):
        return None
    shown = []
    for document in compared(contents):
        tables = [part for part in comparison.parts_of(document) if isinstance(part, Table)]
        if "systems" in document:
            drawing = draw_systems(document)
            # The first table, of scores and qualities, opens the page.
            shown += [drawing.for_page(), as_html([ties(document), wins(document), *tables[1:]], sortable=True)]
        else:
            chosen = [(name, name, result) for name, result in document["metrics"].items()]
            drawing = draw_comparison([document[end] for end in "ab"], chosen)
            shown += [drawing.for_page(), as_html(tables, sortable=True)]
    return Section("systems", "Systems", "\n".join(shown))


_NAMES = ("value", "group", "")
"""Heads of first columns that name values or groups."""
_RATIO = "ratio"
"""Head of the column whose bars begin at 1, where a value gets what is desired."""


def values_section(contents: Contents) -> Section | None:
    """Show the figures by value or group of each system, drawn and in tables to sort."""
    shown = [(title, "\n".join(filter(None, _view(title, view)))) for title, view in scored(contents)]
    if not any(html for _, html in shown):
        return None
    if is_comparison(contents):  # one after the other would be long
        html = "\n".join(
            f"<details{' open' if not place else ''}><summary>{escaped(title)}</summary>{view}</details>"
            for place, (title, view) in enumerate(shown)
        )
    else:
        html = "\n".join(view for _, view in shown)
    return Section("by-value", _title(contents), html)


def _title(contents: Contents) -> str:
    """What the figures are of: values of an attribute, groups of texts or persons, or what their families say."""
    found = [(name, result) for _, view in contents.views for name, result in view.items()]
    titles = {report_of(family_of(name).name).figures_title for name, _ in found}
    if len(titles) == 1 and (title := titles.pop()):
        return title
    return "By group" if found and all(f"{name}_by_group" in result for name, result in found) else "By value"


def _view(title: str, view: Results) -> Iterator[str]:
    """The drawing and the tables of each family."""
    for family, results in by_family({name: result for name, result in view.items() if result["n_samples"]}):
        report = report_of(family.name)
        panels = [panel for panel in panels_of(family.name)(results) if panel.title not in SCORES]
        yield Drawing(title, panels, levels_of([*results.values()])).for_page()
        details = (part for name, result in results.items() for part in report.details(name, result))
        yield as_html(map(with_bars, [*report.tables(results), *details]), sortable=True)


def with_bars(part: Part) -> Part:
    """A table by value or group with bars beside its shares and ratios; anything else as it is.

    Example:
        >>> with_bars(Table(["value", "samples", "UER"], [["neg", 2, 0.5], ["pos", 2, 0.0]])).rows[0]
        ['neg', 2, Bar(number=0.5, low=0.0, high=0.5, base=0.0)]
    """
    if not isinstance(part, Table) or part.header[0] not in _NAMES or len(part.rows) < 2:
        return part
    columns = [_barred(name, cells) for name, *cells in zip(part.header, *part.rows, strict=True)]
    return part._replace(rows=list(map(list, zip(*columns, strict=True))))


def _barred(name: Cell, cells: Sequence[Cell]) -> list[Cell]:
    """The cells of a column; of shares and ratios with bars on one axis."""
    base = 1.0 if name == _RATIO else 0.0
    numbers = [cell for cell in cells if isinstance(cell, float) and math.isfinite(cell)]
    if not numbers or not _has_bars(str(name), cells, numbers):
        return list(cells)
    low, high = min(base, *numbers), max(base, *numbers)
    return [Bar(cell, low, high, base) if isinstance(cell, float) else cell for cell in cells]


def _has_bars(name: str, cells: Iterable[Cell], numbers: Sequence[float]) -> bool:
    """Whether a column holds shares, differences of shares, or ratios; p-values are none."""
    is_plain = all(cell is None or isinstance(cell, float) for cell in cells)
    return is_plain and name.split(" ")[0] != "p" and (name == _RATIO or all(abs(number) <= 1 for number in numbers))
