"""Panels of a page above its samples."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fairsum_utils.families import by_family, family_of
from fairsum_utils.families.chance import RANGE
from fairsum_utils.families.warnings import as_sentence, is_decisive, notes_of, unique_warnings
from fairsum_utils.measures import get_measure
from fairsum_utils.reports import comparison, figures
from fairsum_utils.reports.base import Report, Results
from fairsum_utils.reports.charts import SCORES, levels_of, panels_of, score_panels, system_panels
from fairsum_utils.reports.html import as_html
from fairsum_utils.reports.page.contents import Contents, Section
from fairsum_utils.reports.page.templates import rendered
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import Cell, Marked, Table, chance_level, interval, table_of
from fairsum_utils.reports.wording import fairer, listed, short_name
from fairsum_utils.settings import USUAL_LEVEL
from fairsum_utils.stats.intervals import n_for_half_width
from fairsum_utils.validation import as_float, is_missing


def sections_of(contents: Contents) -> list[Section]:
    """Return the panels above the samples, in order."""
    made = [overview(contents), systems_section(contents), values_section(contents)]
    return [section for section in made if section is not None]


def systems_section(contents: Contents) -> Section | None:
    """Return the comparison of systems; None without one."""
    if not is_comparison(contents):
        return None
    shown = []
    for place, document in enumerate(compared(contents)):
        # The first table, of scores and qualities, opens the page.
        _, *tables = (part for part in comparison.parts_of(document) if isinstance(part, Table))
        drawing = figures.for_page(system_panels(document), f"systems-{place}", "Scores and differences of systems")
        shown += [drawing, as_html(tables, sortable=True)]
    return Section("systems", "Systems", "\n".join(shown))


def values_section(contents: Contents) -> Section | None:
    """Return drawings and sortable tables of figures by group, for each system."""
    views = enumerate(scored(contents))
    shown = [(title, "\n".join(filter(None, _figures(place, title, view)))) for place, (title, view) in views]
    if not any(html for _, html in shown):
        return None
    html = rendered("values.html", views=shown, folded=is_comparison(contents))
    return Section("by-value", _values_title(contents), html)


def _values_title(contents: Contents) -> str:
    """Return the title of the families' figures, or the usual one."""
    titles = {report_of(family_of(name).name).figures_title for _, view in contents.views for name in view}
    return (titles.pop() if len(titles) == 1 else "") or "By group"


def _figures(place: int, title: str, view: Results) -> Iterator[str]:
    """Yield the drawing and the tables of each family."""
    for family, results in by_family({name: result for name, result in view.items() if result["n_samples"]}):
        report = report_of(family.name)
        panels = [panel for panel in panels_of(results) if panel.title not in SCORES]
        prefix = f"groups-{place}-{family.name}"
        yield figures.for_page(panels, prefix, f"{title}: by group", levels_of(panels, [*results.values()]))
        details = (part for name, result in results.items() for part in report.details(name, result))
        yield as_html([*report.tables(results), *details], sortable=True)


def overview(contents: Contents) -> Section:
    """Return the answer, the table of scores or systems, and folded notes."""
    decisive, others = _warnings(contents)
    marks = {message: str(place).translate(_RAISED) for place, message in enumerate(decisive, start=1)}
    views = [_compared(document, marks) for document in compared(contents)] if is_comparison(contents) else []
    views = views or [_scored(place, title, view, marks) for place, (title, view) in enumerate(scored(contents))]
    notes = dict.fromkeys([*others, *(line for view in views for line in view.notes)])
    html = rendered(
        "overview.html",
        answers=[line for view in views for line in view.answers],
        views=[view.html for view in views],
        warnings=[f"{mark} {decisive[message]}" for message, mark in marks.items()],
        notes=[*notes],
        samples=[] if contents.lenses else contents.notes,
    )
    return Section("overview", "Overview", html)


class _View(NamedTuple):
    """Overview of a table of scores or systems.

    Attributes:
        answers: sentences that say first what was found.
        html: table and figure.
        notes: lines that explain how to read them.
    """

    answers: list[str]
    html: str
    notes: list[str]


def _compared(document: Mapping[str, Any], marks: Mapping[str, str]) -> _View:
    """Return the overview of a comparison, with the first of its tables."""
    results = document["metrics"]
    parts = comparison.parts_of(document)
    table = next(part for part in parts if isinstance(part, Table))
    first, *others = (part for part in parts if not isinstance(part, Table))
    raised = {short_name(name): _marked(result, marks) for name, result in results.items()}
    header = [f"{head} {raised[head]}".rstrip() if head in raised else head for head in table.header]
    messages = notes_of([*results.values(), document], without=("skipped",))
    notes = [line for part in others for line in part if line not in messages]
    html = as_html([first, table._replace(header=header)])
    return _View(comparison.sentences(document), html, [*notes, *half_widths(results)])


# Digits of the marks that lead from a number to its warning
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _marked(result: Mapping[str, Any], marks: Mapping[str, str]) -> str:
    """Return the marks of the warnings that a result has."""
    return " ".join(mark for message, mark in marks.items() if _has(result, message))


def _has(result: Mapping[str, Any], message: str) -> bool:
    return any(warning["message"] == message for warning in result.get("warnings", ()))


def is_comparison(contents: Contents) -> bool:
    """Return whether the page compares systems."""
    return "systems" in contents.document


def scored(contents: Contents) -> list[tuple[str, Results]]:
    """Return each scored title with its results."""
    return [(title, view) for title, view in contents.views if all(name in result for name, result in view.items())]


def compared(contents: Contents) -> list[dict[str, Any]]:
    """Return the documents of a comparison, one per view."""
    of_scores = [title for title, _ in scored(contents)]
    views = [view for title, view in contents.views if title not in of_scores]
    return [{**contents.document, "metrics": view} for view in views]


def _scored(place: int, title: str, view: Results, marks: Mapping[str, str]) -> _View:
    """Return the overview of scores: table, then figure."""
    chosen = [(report_of(family.name), results) for family, results in by_family(view)]
    opening = [report.opening(_of(title, results, len(chosen)), results) for report, results in chosen]
    with_interval = [result for name, result in view.items() if not is_missing(result.get(f"{name}_ci", [None])[0])]
    panels = score_panels(view)
    drawing = figures.for_page(panels, f"scores-{place}", f"{title}: scores", levels_of(panels, with_interval))
    table = _scores(chosen, marks)
    undefined = [line for report, results in chosen for lines in report.undefined_reasons(results) for line in lines]
    answers = [line for report, results in chosen for line in report.answers(results)]
    notes = [line for report, results in chosen for line in report.sentences(results)[report.n_answers :]]
    notes += [*table.below, *(line for report, results in chosen for line in report.closing(results))]
    html = as_html([opening, table._replace(below=()), undefined])
    return _View(answers, f"{html}\n{drawing}", [*notes, *half_widths(view)])


def half_widths(view: Results) -> list[str]:
    """Say in a line how many samples intervals of half the width take.

    Example:
        >>> half_widths({"uer": {"uer": 0.2, "uer_ci": [0.1, 0.3], "n_samples": 50}})
        ['Intervals of half the width take about 200 samples instead of 50 (UER), if more of them vary as these do.']
    """
    found: dict[str, list[str]] = {}
    for name, result in view.items():
        part = result.get("differences", [result])[0] if "systems" in result else result
        key = name if name in part else "difference"
        low, high = map(as_float, part.get(f"{key}_ci") or (math.nan, math.nan))
        if 0 < high - low < math.inf and not is_missing(part[key]):
            unit, settings, measure = family_of(name).unit, result.get("settings", {}), get_measure(name)
            width, method = measure.high - measure.low, settings.get("interval", "")
            limits = (measure.low, measure.high) if key == name else (-width, width)
            n, level = unit.number(result), settings.get("confidence_level", USUAL_LEVEL)
            more = n_for_half_width(int(n), as_float(part[key]), limits, method if key == name else "two-point", level)
            words = f"about {float(f'{more:.2g}'):.0f} {unit.several} instead of {n:.0f}"
            found.setdefault(words, []).append(short_name(name))
    takes = "; ".join(f"{words} ({', '.join(names)})" for words, names in found.items())
    return [f"Intervals of half the width take {takes}, if more of them vary as these do."] * bool(found)


def _of(title: str, results: Results, n_families: int) -> str:
    """Return the title, with the measures if there are several families."""
    return f"{title}, {', '.join(map(short_name, results))}" if n_families > 1 else title


def _scores(chosen: Sequence[tuple[Report, Results]], marks: Mapping[str, str]) -> Table:
    """Return one table of all scores, with the marks of their warnings."""
    rows: list[dict[str, Cell]] = []
    below: list[str] = []
    for report, results in chosen:
        [table] = (part for part in Report.scores(report, results) if isinstance(part, Table))
        below += table.below
        for (name, result), row in zip(results.items(), table.rows, strict=True):
            of_row = dict(zip(table.header, row, strict=True))
            if raised := _marked(result, marks):
                of_row["score"] = Marked(result[name], f" {raised}")
            ends, level = interval(result.get(f"{name}_at_random_range")), chance_level(result, f"{name}_at_random")
            if ends and level:
                of_row[f"{RANGE} of random"] = ends.rounded(level.digits)
            rows.append(of_row)
    table = table_of(rows, below=list(dict.fromkeys(below)))
    directions = [fairer(name) for _, results in chosen for name in results]
    cells = [[*row, direction] for row, direction in zip(table.rows, directions, strict=True)]
    return table._replace(header=[*table.header, "direction"], rows=cells)


def _warnings(contents: Contents) -> tuple[dict[str, str], list[str]]:
    """Return the decisive warnings by message, and the others."""
    results = [(short_name(name), result) for _, view in contents.views for name, result in view.items()]
    n_measures = len({name for name, _ in results})
    decisive: dict[str, str] = {}
    others = []
    for warning in unique_warnings([*(result for _, result in results), contents.document], ("skipped",)):
        message = warning["message"]
        names = [*dict.fromkeys(name for name, result in results if _has(result, message))]
        line = as_sentence(f"{listed(names)}: {message}" if 0 < len(names) < n_measures else message)
        if names and is_decisive(warning):
            decisive[message] = line
        else:
            others.append(line)
    return decisive, others
