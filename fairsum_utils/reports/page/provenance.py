"""Panel of a page on what was read, settings, versions and limits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fairsum_utils.families import by_family
from fairsum_utils.reports.html import as_html
from fairsum_utils.reports.page.contents import Contents, Section
from fairsum_utils.reports.page.templates import rendered
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import Cell, Table, table_of


def provenance(contents: Contents) -> Section:
    """Return inputs, settings, versions, time, command and limits."""
    run = contents.document.get("run", {})
    made = {**run.get("versions", {}), **{name: run[name] for name in ("started", "seconds") if name in run}}
    first = [
        table_of(map(_input, run.get("inputs", ())), "What was read"),
        _settings(run, "Settings that were given", is_given=True),
        Table(["what", "version or time"], _written(made), "With what, and when", n_texts=2),
    ]
    unknown = "These results do not say how they came about: they were printed, or an earlier version wrote them."
    folded = [("All other settings", _settings(run))]
    if run.get("command"):
        given = run["command"].get("options", {})
        given = {name: value for name, value in given.items() if value not in (False, [], None)}
        title = f"Options of the command: fairsum {run['command'].get('name', '')}"
        folded.append((title, Table(["option", "value"], _written(given), n_texts=2)))
    html = rendered(
        "provenance.html",
        signatures={
            name: result["signature"]
            for _, view in contents.views
            for name, result in view.items()
            if "signature" in result
        },
        tables=as_html([table for table in first if table.rows] or [[unknown]]),
        folded=[(title, as_html([table])) for title, table in folded if table.rows],
        limits=as_html([[line] for line in _limits(contents)]),
    )
    return Section("provenance", "Provenance and limits", html)


def _input(found: Mapping[str, Any]) -> dict[str, Cell]:
    """Return the row of an input; columns in memory have no file."""
    columns = ", ".join(found.get("columns") or ())
    return {
        "input": found.get("path") or (f"in memory: {columns}" if columns else "in memory"),
        "rows": found.get("rows"),
        "bytes": found.get("bytes"),
        "SHA-256": found.get("sha256") or "none",
    }


def _settings(run: Mapping[str, Any], title: str = "", *, is_given: bool = False) -> Table:
    """Return a table of the settings that were given, or of the others."""
    settings = run.get("settings", {})
    labels: dict[tuple[Cell, ...], list[str]] = {}
    for label, found in settings.items():
        chosen = {
            name: value
            for name, value in found.get("effective", {}).items()
            if (name in found.get("given", {})) == is_given
        }
        for row in _written(chosen):
            labels.setdefault(tuple(row), []).append(label)
    rows = [[*row, "all" if len(of) == len(settings) else ", ".join(of)] for row, of in labels.items()]
    return Table(["setting", "value", "of"], rows, title, n_texts=3)


def _written(entries: Mapping[str, Any]) -> list[list[Cell]]:
    """Return a row for each entry, with its value as a text."""
    return [
        [name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)]
        for name, value in entries.items()
    ]


def _limits(contents: Contents) -> list[str]:
    """Return the limits of each family, and those of all scores."""
    shown = dict.fromkeys(name for _, view in contents.views for name in view)
    lines = [
        *(report_of(family.name).limits for family, _ in by_family(shown)),
        "The numbers describe the texts that were scored. An interval says how far they would move with other samples "
        "of the same kind, not with other data, other labels or another measure.",
        "A score near the fair end does not show that a system is fair: it shows that this measure found little.",
    ]
    return [line for line in dict.fromkeys(lines) if line]
