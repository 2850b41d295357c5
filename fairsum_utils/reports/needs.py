"""Report of the sample sizes that rules need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairsum_utils.reports.tables import Cell, Marked, Part, Table, number
from fairsum_utils.validation import count

_WORDS = {"pass": "passes", "fail": "fails", "never": "never"}


def parts_of(document: Mapping[str, Any]) -> list[Part]:
    """Return the needs of each rule, and its chances with the present data."""
    needs, power = document["metrics"], f"{100 * document['power']:g}%"
    has_now = any(need["now"] for need in needs.values())
    has_base = any(need["n_each"] for need in needs.values())
    units = list(dict.fromkeys(f"{need['unit']}s" for need in needs.values()))
    header = ["rule", "expected", "with enough", units[0] if len(units) == 1 else "needs"]
    header += ["of"] * (len(units) > 1) + ["both sides"] * has_base
    header += ["now", "passes", "fails", "undecided"] if has_now else []
    rows, reasons = [], []
    for rule, need in needs.items():
        row: list[Cell] = [rule, need["expected"], _WORDS[need["outcome"]], need["n"]]
        row += [f"{need['unit']}s"] * (len(units) > 1) + [need["n_each"]] * has_base
        if has_now:
            chances = [Marked(chance, digits=2) for chance in need["now"].values()] if need["now"] else [None] * 3
            row += [need["n_now"], *chances]
        rows.append(row)
        if need["reason"]:
            passes = "it never passes: " if need["outcome"] == "fail" else ""
            reasons.append(f"{rule}: {passes}{need['reason']}")
        elif need["effect"]:
            goes = f"the p-value goes to {need['expected']:g} with ever more {need['unit']}s"
            reasons.append(f"{rule}: {goes}, for the score is {number(need['effect'])}")
    several = f"{units[0]} as" if len(units) == 1 else "as"
    return [
        [f"{document['file']}: {count(len(needs), 'rule')}, each to decide with a power of {power}"],
        Table(header, rows),
        reasons,
        *_by_replicates(needs),
        [*_normal(needs)],
        [f"Passes, fails, undecided: the chance of each with as many {several} now."] if has_now else [],
    ]


def _normal(needs: Mapping[str, Any]) -> list[str]:
    """State the assumed standard deviations."""
    found: dict[str, set[float]] = {}
    for need in needs.values():
        if need["method"] == "normal":
            found.setdefault(need["unit"], set()).add(need["deviation"])
    article = {"original": "an"}
    return [
        f"Scores are taken as normal, with a standard deviation of {article.get(unit, 'a')} {unit} of "
        f"{' or '.join(f'{deviation:.3g}' for deviation in sorted(deviations))}."
        for unit, deviations in found.items()
    ]


def _by_replicates(needs: Mapping[str, Any]) -> list[Part]:
    """Return the originals needed per rule, by the number of summaries per input."""
    told = {rule: need["by_replicates"] for rule, need in needs.items() if need["by_replicates"]}
    if not told:
        return []
    numbers = sorted({each["replicates"] for by in told.values() for each in by["needs"]})
    rows: list[list[Cell]] = []
    for rule, by in told.items():
        n = {each["replicates"]: each["n"] for each in by["needs"]}
        if n:
            rows.append([rule, Marked(by["now"], digits=1), *(n.get(several) for several in numbers)])
    title = "Originals that are needed with so many summaries of each input"
    table = Table(["rule", "now", *map(str, numbers)], rows, title)
    undefined: dict[str, list[str]] = {}
    for rule, by in told.items():
        if by["undefined"]:
            undefined.setdefault(by["undefined"], []).append(rule)
    return [
        *([table] if rows else []),
        [f"{', '.join(rules)}: with more summaries of each input: {reason}" for reason, rules in undefined.items()],
    ]
