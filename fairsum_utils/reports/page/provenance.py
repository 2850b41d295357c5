"""The last panel of a page: what was read, how it was scored, with what, and what the numbers do not say."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from fairsum_utils.families import by_family
from fairsum_utils.reports.formats import as_html, escaped
from fairsum_utils.reports.page.contents import Contents, Section
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import Cell, Table

_IN_MEMORY = "in memory"


def section(contents: Contents) -> Section:
    """Inputs, settings, versions, time and command, as far as the results tell them; and limits."""
    run = contents.document.get("run", {})
    given, rest = _settings(run.get("settings", {}))
    first = [table for table in (_inputs(run.get("inputs", ())), given, _versions(run)) if table.rows]
    if not first:
        said = "These results do not say how they came about: they were printed, or an earlier version wrote them."
        shown = [as_html([[said]])]
    else:
        shown = [as_html(first), _folded("All other settings", rest)]
    shown += (
        [_folded(f"Options of the command: fairsum {run['command'].get('name', '')}", _command(run))]
        if run.get("command")
        else []
    )
    shown += ["<h3>What the numbers do not say</h3>", as_html([[line] for line in _limits(contents)])]
    return Section("provenance", "Provenance and limits", "\n".join(filter(None, shown)))


def _folded(title: str, table: Table) -> str:
    """A table that is opened by whoever wants to know."""
    return f"<details><summary>{escaped(title)}</summary>{as_html([table])}</details>" if table.rows else ""


def _inputs(inputs: Iterable[Mapping[str, Any]]) -> Table:
    """What was read; columns in memory have no file."""
    rows: list[list[Cell]] = []
    for found in inputs:
        columns = found.get("columns")
        name = found.get("path") or (f"{_IN_MEMORY}: {', '.join(columns)}" if columns else _IN_MEMORY)
        rows.append([str(name), found.get("rows"), found.get("bytes"), found.get("sha256") or "none"])
    return Table(["input", "rows", "bytes", "SHA-256"], rows, "What was read")


def _settings(settings: Mapping[str, Mapping[str, Any]]) -> tuple[Table, Table]:
    """The settings that were given, and the others: a row for each value, with the measures that have it."""
    takers: dict[tuple[str, str, bool], list[str]] = {}
    for label, found in settings.items():
        for name, value in found.get("effective", {}).items():
            takers.setdefault((name, _said(value), name in found.get("given", {})), []).append(label)
    rows: dict[bool, list[list[Cell]]] = {True: [], False: []}
    for (name, value, is_given), labels in takers.items():
        rows[is_given].append([name, value, "all" if len(labels) == len(settings) else ", ".join(labels)])
    header = ["setting", "value", "of"]
    return Table(header, rows[True], "Settings that were given", n_texts=3), Table(header, rows[False], n_texts=3)


def _said(value: object) -> str:
    """A setting in a cell."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _versions(run: Mapping[str, Any]) -> Table:
    rows: list[list[Cell]] = [[name, str(version)] for name, version in run.get("versions", {}).items()]
    if "started" in run:
        rows += [["started", str(run["started"])], ["seconds", _said(run.get("seconds"))]]
    return Table(["what", "version or time"], rows, "With what, and when", n_texts=2)


def _command(run: Mapping[str, Any]) -> Table:
    """The options of the command; those that are off or empty say nothing."""
    options = run["command"].get("options", {})
    rows: list[list[Cell]] = [[name, _said(value)] for name, value in options.items() if value not in (False, [], None)]
    return Table(["option", "value"], rows, n_texts=2)


def _limits(contents: Contents) -> list[str]:
    """What each family says of its numbers, and what no numbers of a sample tell."""
    shown = dict.fromkeys(name for _, view in contents.views for name in view)
    lines = [
        *(report_of(family.name).limits for family, _ in by_family(shown)),
        "The numbers describe the texts that were scored. An interval says how far they would move with other samples "
        "of the same kind, not with other data, other labels or another measure.",
        "A score near the fair end does not show that a system is fair: it shows that this measure found little.",
    ]
    return [line for line in dict.fromkeys(lines) if line]
