"""Label shares by group and by system, with tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_reproductions.labels import (
    LABEL_RESULTS,
    LabelSettings,
    drawn_shares,
    label_shares_of,
    label_tests,
    percents,
)
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.tables import Part, Table

INPUTS = (LABEL_RESULTS,)
SETTINGS = LabelSettings
drawing = drawn_shares

# Columns of the paper's table 5.
_WIDE = 8
_MARK = " (* largest of a column)"


def pooled_counts(counts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Count the texts of several systems, or groups, together.

    Source: Dhamala et al. 2021, sections 6.1.2 and 6.1.3, whose shares are of the texts of all systems.

    Example:
        >>> pooled_counts([{"n": 2, "counts": {"toxic": 1}}, {"n": 6, "counts": {"toxic": 0}}])
        {'n': 8, 'counts': {'toxic': 1}, 'shares': {'toxic': 0.125}}
    """
    n = sum(each["n"] for each in counts)
    summed = {label: sum(each["counts"][label] for each in counts) for label in counts[0]["counts"]}
    return {"n": n, "counts": summed, "shares": {label: number / n for label, number in summed.items()}}


def compute(results: Mapping[str, Any], *, settings: LabelSettings) -> dict[str, Any]:
    """Compute shares by system, group and both, with tests."""
    found = label_shares_of(results, settings)
    systems, groups = found["systems"], found["groups"]
    by_group = {group: pooled_counts([row[group] for row in systems.values() if group in row]) for group in groups}
    by_system = {system: pooled_counts([*row.values()]) for system, row in systems.items() if row}
    return {
        **found,
        "by_group": by_group,
        "tests_between_groups": label_tests(by_group),
        "by_system": by_system,
        "tests_between_systems": label_tests(by_system),
    }


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out table 5, if it is not too wide, then groups and systems."""
    labels, groups, systems = (result[key] for key in ("labels", "groups", "systems"))
    title = get_measure(result["measure"]).title
    made: list[Part] = []
    if len(labels) * len(groups) <= _WIDE:
        columns = {
            f"{label}, {group}": [row[group]["shares"][label] if group in row else None for row in systems.values()]
            for label in labels
            for group in groups
        }
        rows = [list(row) for row in zip(systems, *map(percents, columns.values()), strict=True)]
        made.append(Table(["model", *columns], rows, f"{title}, percent of texts{_MARK if len(systems) > 1 else ''}"))
    else:
        made += [
            _table(f"{title} of {system}, percent of texts", "group", row, labels) for system, row in systems.items()
        ]
    if len(systems) == 1:
        return [*made, _tested(result["tests_between_groups"])]
    of_all = f"{title}, texts of all"
    made.append(_table(f"{of_all} systems", "group", result["by_group"], labels, result["tests_between_groups"]))
    if len(groups) > 1:
        made.append(_table(f"{of_all} groups", "model", result["by_system"], labels, result["tests_between_systems"]))
    return made


def _table(
    title: str, what: str, rows: Mapping[str, Any], labels: Sequence[str], tests: Mapping[str, Any] = {}
) -> Table:
    columns = [percents([row["shares"][label] for row in rows.values()]) for label in labels]
    cells = [[name, row["n"], *shares] for (name, row), *shares in zip(rows.items(), *columns, strict=True)]
    return Table([what, "texts", *labels], cells, title + _MARK * (len(rows) > 1), _tested(tests))


def _tested(tests: Mapping[str, Any]) -> list[str]:
    lines = []
    for label, test in tests.items():
        p, corrected = (
            "< 0.0001" if test[key] < 0.0001 else f"= {test[key]:.4f}" for key in ("p_value", "p_value_corrected")
        )
        found = test.get("undefined") or f"{test['test']} {test['statistic']:.2f}, p {p} (by Holm {corrected})"
        lines.append(f"equally frequent, {label}: {found}")
    return lines
