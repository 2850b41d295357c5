"""What a person wants to see of the comparison of many systems: a table for a paper, and the figures behind it."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_utils.families.warnings import unique_messages
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.tables import (
    OF_CHANCE,
    Cell,
    Marked,
    Part,
    Table,
    compared_counts,
    has_number,
    interval,
    listed,
    reading_of_differences,
    short_name,
    without_chance,
)

# Key of what is said of a system -> its column
_QUALITY = {
    "mean_words": "words",
    "mean_characters": "characters",
    "share_empty": "empty",
    "share_matched": "matched",
    "mean_coverage": "covered",
}
_STAR = "*"


def parts_of(document: Mapping[str, Any]) -> list[Part]:
    """A row a system with a column a measure, then for each measure its intervals, ranks and differences."""
    results = document["metrics"]
    below = list(dict.fromkeys(_undefined(results)))
    if any(has_number(figures, "at_random") for result in results.values() for figures in result["systems"].values()):
        below.append(OF_CHANCE)
    below += [f"No chance level: {reason}." for reason in without_chance(results.values())]
    messages = unique_messages([*results.values(), document])
    parts: list[Part] = [_opening(document), _overview(document)]
    for name, result in results.items():
        parts += _details(name, result, document["baseline"])
    return [*parts, below, messages, _reading(document)]


def wins(document: Mapping[str, Any]) -> Table:
    """By how many measures the system of a row is significantly fairer than that of a column, after correction."""
    names = list(document["systems"])
    won: dict[tuple[str, str], int] = {}
    tested: dict[tuple[str, str], int] = {}
    for name, result in document["metrics"].items():
        for pair in result["differences"]:
            ends = (pair["a"], pair["b"])
            for way in (ends, ends[::-1]):
                tested[way] = tested.get(way, 0) + 1
            if pair["p_value_corrected"] < result["alpha"]:
                of_ends = (get_measure(name).unfairness(result["systems"][end]["score"]) for end in ends)
                winner = ends if operator.lt(*of_ends) else ends[::-1]
                won[winner] = won.get(winner, 0) + 1
    rows: list[list[Cell]] = [
        [
            row,
            *(
                f"{won.get((row, column), 0)} of {tested[row, column]}" if (row, column) in tested else ""
                for column in names
            ),
        ]
        for row in names
    ]
    below = ["Fairer, in a row, than the system of the column: measures whose difference is significant (Holm)."]
    if document["baseline"] is not None and len(names) > 2:
        below.append("Only differences from the baseline were tested; --pairs (pairs=True) tests all.")
    return Table(["fairer than", *names], rows, "Who wins", below)


def ties(document: Mapping[str, Any]) -> Table:
    """The systems of each rank, a row a measure."""
    ranks = {name: _ranked(result) for name, result in document["metrics"].items()}
    n_ranks = max(len(ranked) for ranked, _ in ranks.values())
    without = any(others for _, others in ranks.values())
    rows: list[list[Cell]] = []
    for name, (ranked, others) in ranks.items():
        cells = [*map(", ".join, ranked), *[""] * (n_ranks - len(ranked)), *[", ".join(others)] * without]
        rows.append([short_name(name), *cells])
    header = ["rank", *map(str, range(1, n_ranks + 1)), *["undefined"] * without]
    below = ["No two systems of a rank differ significantly, of all pairs, corrected."]
    return Table(header, rows, "Ranks", below, n_texts=len(header))


def sentences(document: Mapping[str, Any]) -> list[str]:
    """Which systems are fairest, in words."""
    found: dict[tuple[str, ...], list[str]] = {}
    for name, result in document["metrics"].items():
        first, *_ = (*_ranked(result)[0], ())
        if first and len(first) < len(result["systems"]):
            found.setdefault(tuple(first), []).append(short_name(name))
    told = [f"Fairest by {listed(measures)}: {listed(first)}." for first, measures in found.items()]
    return told or ["By no measure here can any system be told from the others."]


def _ranked(result: Mapping[str, Any]) -> tuple[list[list[str]], list[str]]:
    """The systems of each rank, from the first, and those without one."""
    ranked: dict[int | None, list[str]] = {}
    for system, figures in result["systems"].items():
        ranked.setdefault(figures["rank"], []).append(system)
    others = ranked.pop(None, [])
    return [ranked[rank] for rank in sorted(filter(None, ranked))], others


def _opening(document: Mapping[str, Any]) -> list[str]:
    """How many systems and samples."""
    baseline = document["baseline"]
    against = "all pairs" if baseline is None else f"baseline: {baseline}"
    return [f"{len(document['systems'])} systems; {against}", *compared_counts(document["metrics"])]


def _overview(document: Mapping[str, Any]) -> Table:
    results, systems, baseline = document["metrics"], document["systems"], document["baseline"]
    quality = [key for key in _QUALITY if any(key in system for system in systems.values())]
    columns = list(next(iter(systems.values()))["columns"])
    rows: list[list[Cell]] = []
    for name, system in systems.items():
        scores = [_score(name, result, baseline) for result in results.values()]
        rows.append(
            [
                name,
                *scores,
                *(_rounded(key, system.get(key)) for key in quality),
                *(system["columns"][c] for c in columns),
            ]
        )
    header = ["system", *map(short_name, results), *map(_QUALITY.__getitem__, quality), *columns]
    marked = any(isinstance(cell, Marked) and cell.mark for row in rows for cell in row)
    return Table(header, rows, below=[_STAR + " differs significantly from " + str(baseline)] if marked else [])


def _rounded(key: str, number: float | None) -> Cell:
    """Lengths have one digit after the point."""
    return number if number is None or key not in ("mean_words", "mean_characters") else Marked(number, digits=1)


def _score(name: str, result: Mapping[str, Any], baseline: str | None) -> Cell:
    score: float = result["systems"][name]["score"]
    if baseline is None:
        return score
    differences = (pair for pair in result["differences"] if pair["a"] == name)
    is_significant = any(pair["p_value_corrected"] < result["alpha"] for pair in differences)
    return Marked(score, _STAR if is_significant else "")


def _details(name: str, result: Mapping[str, Any], baseline: str | None) -> list[Part]:
    """The table of a measure; with all pairs, that of the differences is another one."""
    from_baseline = {pair["a"]: _difference(pair) for pair in result["differences"]} if baseline is not None else {}
    has_chance = any(has_number(figures, "at_random") for figures in result["systems"].values())
    header = [short_name(name), "score", "interval", "rank"]
    if baseline is not None:
        header += [f"minus {baseline}", "interval of it", "p", "p (Holm)"]
    header += ["at random"] * has_chance
    rows: list[Sequence[Cell]] = []
    for system, figures in result["systems"].items():
        row: list[Cell] = [system, figures["score"], interval(figures["ci"]), figures["rank"]]
        if baseline is not None:
            row += from_baseline.get(system, [None] * 4)
        row += [figures.get("at_random")] * has_chance
        rows.append(row)
    tables: list[Part] = [Table(header, rows)]
    if baseline is None:
        pairs = [[pair["a"], pair["b"], *_difference(pair)] for pair in result["differences"]]
        tables.append(Table([f"{short_name(name)}: A", "B", "A - B", "interval", "p", "p (Holm)"], pairs))
    return tables


def _difference(pair: Mapping[str, Any]) -> list[Cell]:
    return [pair["difference"], interval(pair["difference_ci"]), pair["p_value"], pair["p_value_corrected"]]


def _undefined(results: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Why differences are undefined."""
    return [
        f"{short_name(name)}, {pair['a']} - {pair['b']}: {pair['undefined']}"
        for name, result in results.items()
        for pair in result["differences"]
        if "undefined" in pair
    ]


def _reading(document: Mapping[str, Any]) -> list[str]:
    """What the corrections and the ranks mean."""
    tests = sorted({result["n_tests"] for result in document["metrics"].values()})
    family = " or ".join(map(str, tests))
    alpha = next(iter(document["metrics"].values()))["alpha"]
    baseline = document["baseline"]
    speaks = "A" if baseline is None else f"the system, above 0 for {baseline}"
    return [
        *reading_of_differences(document["metrics"], speaks),
        f"p (Holm): corrected over the {family} differences of a measure; significant below {alpha:g}.",
        "Rank: no two systems of a rank differ significantly, of all pairs, corrected.",
    ]
