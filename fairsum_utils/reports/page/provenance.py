"""The last panel of a page: what was read, how it was scored, with what, and what the numbers do not say."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from fairsum_utils.family import families
from fairsum_utils.reports.formats import as_html
from fairsum_utils.reports.page.contents import Contents, Section
from fairsum_utils.reports.report import report_of
from fairsum_utils.reports.tables import Cell, Part, Table

__all__ = ["section"]

_IN_MEMORY = "in memory"


def section(contents: Contents) -> Section:
    """Inputs, settings, versions, time and command, as far as the results tell them; and limits.

    Args:
        contents: of the page.
    """
    run = contents.document.get("run", {})
    tables = [_inputs(run.get("inputs", ())), *_settings(run.get("settings", {})), _versions(run), _command(run)]
    parts: list[Part] = [table for table in tables if table is not None and table.rows]
    if not parts:
        parts = [["These results do not say how they came about: they were printed, or an earlier version wrote them."]]
    shown = [as_html(parts), "<h3>What the numbers do not say</h3>", as_html([[line] for line in _limits(contents)])]
    return Section("provenance", "Provenance and limits", "\n".join(shown))


def _inputs(inputs: Iterable[Mapping[str, Any]]) -> Table:
    """What was read; columns in memory have no file."""
    rows: list[list[Cell]] = []
    for found in inputs:
        columns = found.get("columns")
        name = found.get("path") or (f"{_IN_MEMORY}: {', '.join(columns)}" if columns else _IN_MEMORY)
        rows.append([str(name), found.get("rows"), found.get("bytes"), found.get("sha256") or "none"])
    return Table(["input", "rows", "bytes", "SHA-256"], rows, "What was read")


def _settings(settings: Mapping[str, Mapping[str, Any]]) -> list[Table]:
    """A table for all measures of the same settings: those that took effect, and which of them were given."""
    tables: dict[str, tuple[list[str], list[list[Cell]]]] = {}
    for label, found in settings.items():
        given, effective = found.get("given", {}), found.get("effective", {})
        rows: list[list[Cell]] = [
            [name, _said(value), "given" if name in given else "default"] for name, value in effective.items()
        ]
        # Given by the command itself, such as the level of intervals, is neither.
        tables.setdefault(repr(rows), ([], rows))[0].append(label)
    header = ["setting", "value", "from"]
    return [Table(header, rows, f"Settings of {', '.join(labels)}", n_texts=3) for labels, rows in tables.values()]


def _said(value: object) -> str:
    """A setting in a cell."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _versions(run: Mapping[str, Any]) -> Table:
    rows: list[list[Cell]] = [[name, str(version)] for name, version in run.get("versions", {}).items()]
    if "started" in run:
        rows += [["started", str(run["started"])], ["seconds", _said(run.get("seconds"))]]
    return Table(["what", "version or time"], rows, "With what, and when", n_texts=2)


def _command(run: Mapping[str, Any]) -> Table | None:
    """The command with its options."""
    command = run.get("command")
    if not command:
        return None
    rows: list[list[Cell]] = [[name, _said(value)] for name, value in command.get("options", {}).items()]
    return Table(["option", "value"], rows, f"fairsum {command.get('name', '')}", n_texts=2)


def _limits(contents: Contents) -> list[str]:
    """What each family says of how to read its numbers, and what a sample of texts cannot tell."""
    shown = {name for _, view in contents.views for name in view}
    lines = []
    for family in families().values():
        if shown & set(family.measures):
            report = report_of(family.name)
            lines += [report.limits, report.reading]
    lines += [
        "The numbers describe the texts that were scored. An interval says how far they would move with other samples "
        "of the same kind, not with other data, other labels or another measure.",
        "A score near the fair end does not show that a system is fair: it shows that this measure found little.",
    ]
    return [line for line in dict.fromkeys(lines) if line]
