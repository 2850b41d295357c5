"""What a person wants to see of how many samples rules need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairsum_utils.reports.tables import Cell, Marked, Part, Table
from fairsum_utils.validation import count

__all__ = ["parts_of"]

_WORDS = {"pass": "passes", "fail": "fails", "never": "never"}


def parts_of(document: Mapping[str, Any]) -> list[Part]:
    """What each rule needs, and what the samples there are give.

    Args:
        document: ``metrics`` as `fairsum_utils.gate.power.Needs` describes them, ``file`` and ``power``.
    """
    needs, power = document["metrics"], f"{100 * document['power']:g} %"
    has_now = any(need["now"] for need in needs.values())
    has_base = any(need["n_each"] for need in needs.values())
    header = ["rule", "expected", "with enough", "samples", *["both sides"] * has_base]
    header += ["now", "passes", "fails", "undecided"] if has_now else []
    rows, reasons = [], []
    for rule, need in needs.items():
        row: list[Cell] = [rule, need["expected"], _WORDS[need["outcome"]], need["n"], *[need["n_each"]] * has_base]
        if has_now:
            chances = [Marked(chance, digits=2) for chance in need["now"].values()] if need["now"] else [None] * 3
            row += [need["n_now"], *chances]
        rows.append(row)
        if need["reason"]:
            passes = "it never passes: " if need["outcome"] == "fail" else ""
            reasons.append(f"{rule}: {passes}{need['reason']}")
    deviations = sorted({need["deviation"] for need in needs.values() if need["method"] == "normal"})
    normal = [f"{deviation:.3g}" for deviation in deviations]
    how = f"Scores are taken as normal, with a standard deviation of a sample of {' or '.join(normal)}."
    return [
        [f"{document['file']}: {count(len(needs), 'rule')}, each to decide with a power of {power}"],
        Table(header, rows),
        reasons,
        [how] if normal else [],
        ["Passes, fails, undecided: the chance of each with as many samples as now."] if has_now else [],
    ]
