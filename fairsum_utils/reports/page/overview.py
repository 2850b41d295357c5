"""The first panel of a page: every score with its interval and direction, chance beside it, and what to beware of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairsum_utils.families import by_family
from fairsum_utils.families.chance import RANGE
from fairsum_utils.families.warnings import unique_messages
from fairsum_utils.reports import comparison
from fairsum_utils.reports.base import Report, Results
from fairsum_utils.reports.figures import levels_of, score_panels
from fairsum_utils.reports.formats import as_html, escaped
from fairsum_utils.reports.page.contents import Contents, Section
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.svg import Drawing
from fairsum_utils.reports.tables import Cell, Table, fairer, interval, listed, short_name

_DIRECTION = "direction"


def section(contents: Contents) -> Section:
    """The overview of scores, or of a comparison."""
    if is_comparison(contents):
        messages = _messages(contents)
        shown = [_banner(contents)]
        for document in compared(contents):
            parts = comparison.parts_of(document)
            # The details of a comparison have a panel of their own; below stand the lines that tell how to read it.
            table = next(part for part in parts if isinstance(part, Table))
            first, *others = (part for part in parts if not isinstance(part, Table))
            lines = [line for part in others for line in part if line not in messages]
            shown.append(as_html([comparison.sentences(document), first, table, lines]))
        shown.append(_signatures(contents))
    else:
        shown = [_banner(contents)]
        shown += [_view(title, view) for title, view in scored(contents)]
        shown.append(_signatures(contents))
    notes = (f'<p class="fs-note">{escaped(line)}</p>' for line in contents.said)
    return Section("overview", "Overview", "\n".join(filter(None, [*shown, *notes])))


def is_comparison(contents: Contents) -> bool:
    """Whether the page shows systems that were compared, not scores."""
    return "systems" in contents.document or "b" in contents.document


def scored(contents: Contents) -> list[tuple[str, Results]]:
    """What was scored, and measure -> its result; of a comparison, each system if that is known."""
    return [(title, view) for title, view in contents.views if all(name in result for name, result in view.items())]


def compared(contents: Contents) -> list[dict[str, Any]]:
    """The documents of a comparison, as `fairsum_utils.reports.comparison` takes them: one a view."""
    document = dict(contents.document)
    if "systems" in document:
        return [document]
    names = {end: document[end] for end in "ab"}
    of_scores = [title for title, _ in scored(contents)]
    return [{"metrics": view, **names} for title, view in contents.views if title not in of_scores]


def _view(title: str, view: Results) -> str:
    """The scores of measures: how many samples, the drawing, its table, and what the reports say."""
    chosen = [(report_of(family.name), results) for family, results in by_family(view)]
    opening = [report.opening(_of(title, results, len(chosen)), results) for report, results in chosen]
    with_interval = [result for name, result in view.items() if any(key.startswith(f"{name}_ci") for key in result)]
    drawing = Drawing(title, score_panels(view), levels_of(with_interval))
    signatures = {f"{name}: {result.get('signature')}" for name, result in view.items()}
    said = [line for report, results in chosen for line in report.closing(results) if line not in signatures]
    table = _joined([_scores(report, results) for report, results in chosen])
    table = _with_ranges(table, {name: result for _, results in chosen for name, result in results.items()})
    words = [line for report, results in chosen for line in report.sentences(results)]
    return "\n".join(
        [as_html([opening, words]), drawing.for_page(), as_html([table, *([line] for line in dict.fromkeys(said))])]
    )


def _of(title: str, results: Results, n_families: int) -> str:
    """What was scored, and for which measures where others were scored on other samples."""
    return f"{title}, {', '.join(map(short_name, results))}" if n_families > 1 else title


def _scores(report: Report, results: Results) -> Table:
    """The scores of a family, and which direction is fairer."""
    [table] = (part for part in Report.scores(report, results) if isinstance(part, Table))
    rows: list[list[Cell]] = [[*row, fairer(name)] for name, row in zip(results, table.rows, strict=True)]
    return table._replace(header=[*table.header, _DIRECTION], rows=rows)


def _joined(tables: Sequence[Table]) -> Table:
    """One table of all families; where one lacks a column of another there is nothing."""
    names = dict.fromkeys(name for table in tables for name in table.header if name != _DIRECTION)
    header = [*names, _DIRECTION]
    rows: list[list[Cell]] = []
    for table in tables:
        for row in table.rows:
            cells = dict(zip(table.header, row, strict=True))
            rows.append([cells.get(name) for name in header])
    return Table(header, rows, below=list(dict.fromkeys(line for table in tables for line in table.below)))


def _with_ranges(table: Table, results: Results) -> Table:
    """The same table with the range of each chance level, where there is one."""
    ranges = [interval(result.get(f"{name}_at_random_range")) for name, result in results.items()]
    if not any(ranges):
        return table
    rows = [[*row, ends] for row, ends in zip(table.rows, ranges, strict=True)]
    return table._replace(header=[*table.header, f"{RANGE} of random"], rows=rows)


def _messages(contents: Contents) -> list[str]:
    """What the results have against them; how many samples were skipped stands in the first line."""
    results = [result for _, view in contents.views for result in view.values()]
    whole = [contents.document] if "warnings" in contents.document else []
    return unique_messages([*results, *whole], ("skipped",))


def _banner(contents: Contents) -> str:
    """The messages, each with the measures that it is of, if that is not all of them."""
    names = list(dict.fromkeys(name for _, view in contents.views for name in view))
    of_measure = {
        name: unique_messages([view[name] for _, view in contents.views if name in view], ("skipped",))
        for name in names
    }
    lines = []
    for message in _messages(contents):
        told = [short_name(name) for name in names if message in of_measure[name]]
        lines.append(f"{listed(told)}: {message}" if 0 < len(told) < len(names) else message)
    if not lines:
        return ""
    items = "".join(f"<li>{escaped(line)}</li>" for line in lines)
    return f'<div class="fs-warnings" role="note"><p>Before you read the numbers:</p><ul>{items}</ul></div>'


def _signatures(contents: Contents) -> str:
    """What was computed, exactly: a line a measure."""
    told = {
        name: result["signature"]
        for _, view in contents.views
        for name, result in view.items()
        if "signature" in result
    }
    lines = "".join(f"<dt>{escaped(name)}</dt><dd><code>{escaped(said)}</code></dd>" for name, said in told.items())
    return f'<h3>Signatures</h3>\n<dl class="fs-signatures">{lines}</dl>' if told else ""
