"""Report of a monitored stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_utils.measures import get_measure
from fairsum_utils.reports.tables import Cell, Marked, Part, Signatures, Table, ci_heading, interval, number, short_name
from fairsum_utils.validation import count

# Side of a monitor -> what it looks for
_SIDES = {"worse": "risen", "both": "changed"}


def parts_of(document: Mapping[str, Any]) -> list[Part]:
    """Return the windows with their evidence, and the conclusions."""
    results = document["metrics"]
    alpha, change = document["alpha"], _SIDES[document["side"]]
    n = len(next(iter(results.values()))["windows"])
    bar = next(iter(results.values()))["bar"]
    shared = f" ({count(len(results), 'measure')} share alpha)" if len(results) > 1 else ""
    return [
        [f"{count(n, 'window')} against {document['baseline']}"],
        *(_table(label, result) for label, result in results.items()),
        [said_of(label, result, change) for label, result in results.items()],
        [
            f"An alarm is evidence of {bar:.4g} or more{shared}. If nothing ever changes, at most {100 * alpha:g}% of "
            "streams have one, however long they are."
        ],
        Signatures(f"{label}: {result['signature']}" for label, result in results.items()),
    ]


def said_of(label: str, result: Mapping[str, Any], change: str = "risen") -> str:
    """Return the conclusion from the evidence, in one sentence.

    Example:
        >>> said_of("bur", {"measure": "bur", "alarm": "May 3", "since": "May 2"})
        'BUR: alarm at May 3; it has most likely risen since May 2'
    """
    name = _name(label, result["measure"])
    if result["alarm"] is not None:
        return f"{name}: alarm at {result['alarm']}; it has most likely {change} since {result['since']}"
    if result["visible"] == 0:
        return f"{name}: undecided: all samples have the same score, so there is no difference and no variation to test"
    seen = "" if result["visible"] is None else f" of about {number(result['visible'], 3)} since the first window"
    if result["status"] == "undecided":
        return f"{name}: too few samples to tell" + (
            f"; a shift{seen} would likely have been seen, hardly a smaller one" * bool(seen)
        )
    return f"{name}: no alarm; a shift{seen} would likely have been seen"


def _name(label: str, measure: str) -> str:
    return short_name(measure) if label == measure else label


def _table(label: str, result: Mapping[str, Any]) -> Table:
    base = result["baseline"]
    rows: list[Sequence[Cell]] = [["baseline", base["n_samples"], base["score"], interval(base["ci"]), None, None]]
    for window in result["windows"]:
        evidence = Marked(window["evidence"], digits=2) if window["evidence"] < _LARGE else f"{window['evidence']:.1e}"
        mark = "yes" if window["alarm"] else None
        rows.append([window["name"], window["n_samples"], window["score"], interval(window["ci"]), evidence, mark])
    title = get_measure(result["measure"]).title
    header = ["window", "samples", "score", ci_heading([base]), "evidence", "alarm"]
    return Table(header, rows, title=title if label == result["measure"] else f"{label} ({title})")


# Evidence from which on only its size is told
_LARGE = 1e5
