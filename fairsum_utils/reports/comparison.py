"""Tables and sentences of a comparison of systems."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from fairsum_utils.families.warnings import notes_of
from fairsum_utils.reports import tables, wording
from fairsum_utils.reports.tables import Cell, Marked, Notes, Part, Table, chance_level, ci_heading, interval
from fairsum_utils.reports.wording import has_number, listed, short_name
from fairsum_utils.stats.intervals import FEWEST

# Key of a system -> its column
_QUALITY = {
    "mean_words": "words",
    "mean_characters": "characters",
    "share_empty": "empty",
    "share_matched": "matched",
    "mean_coverage": "covered",
}
_STAR = "*"


def parts_of(document: Mapping[str, Any], named: str = "") -> list[Part]:
    """Return the tables and paragraphs of a comparison.

    Args:
        document: ``baseline``, ``systems``, ``warnings`` and ``metrics`` (measure -> comparison), as in a file of
            `fairsum_utils.results.Comparison`.
        named: labels of the measures, if these are not their names.
    """
    results, baseline = document["metrics"], document["baseline"]
    against = "all pairs" if baseline is None else f"baseline: {baseline}"
    other = "the baseline" if baseline is None else f"{baseline} (the baseline)"
    tested = {result["n_tests"] for result in results.values()}
    n_tests = " or ".join(map(str, sorted(tested - {0} or tested)))
    alphas = " or ".join(f"{alpha:g}" for alpha in dict.fromkeys(result["alpha"] for result in results.values()))
    has_chance = any(map(_has_chance, results.values()))
    undefined = [line for name, result in results.items() for line in _no_intervals(name, result)]
    return [
        [f"{len(document['systems'])} systems{named}; {against}", *wording.compared_counts(results)],
        _overview(document),
        _scores(results, has_chance),
        _differences(results),
        *by_group(document),
        [
            *[wording.OF_CHANCE] * has_chance,
            *(f"No chance level: {reason}." for reason in wording.without_chance(results.values())),
        ],
        [
            *wording.reading_of_differences(results, "the system", other),
            f"p (Holm): corrected for the differences of a measure ({n_tests}); significant below {alphas}, with 0 "
            f"outside the interval, and from {FEWEST} samples on.",
            "Rank: systems with the same rank do not differ significantly from each other (all pairs, Holm).",
        ],
        Notes(notes_of([*results.values(), document], undefined)),
    ]


def _has_chance(result: Mapping[str, Any]) -> bool:
    return any(has_number(figures, "at_random") for figures in result["systems"].values())


def _no_intervals(name: str, result: Mapping[str, Any]) -> list[str]:
    """Return the reasons for undefined intervals, each once with its pairs."""
    found: dict[str, list[str]] = {}
    for pair in result["differences"]:
        if "undefined" in pair:
            found.setdefault(pair["undefined"], []).append(f"{pair['system']} - {pair['baseline']}")
    lines = []
    for undefined, pairs in found.items():
        is_every, have = len(pairs) == len(result["differences"]), "has" if len(pairs) == 1 else "have"
        which = f"the difference{'s' * (len(pairs) > 1)}" if is_every else listed(pairs)
        lines.append(wording.why_undefined(name, undefined, f"{short_name(name)}, {listed(pairs)}", f"{which} {have}"))
    return lines


def _overview(document: Mapping[str, Any]) -> Table:
    """Return a table with the scores and qualities of each system."""
    results, systems, baseline = document["metrics"], document["systems"], document["baseline"]
    quality = [key for key in _QUALITY if any(key in system for system in systems.values())]
    others = list(next(iter(systems.values()))["columns"])
    rows: list[list[Cell]] = []
    for name, system in systems.items():
        scores = [_score(name, measure, result, baseline) for measure, result in results.items()]
        figures = [_rounded(key, system.get(key)) for key in quality]
        rows.append([name, *scores, *figures, *map(system["columns"].__getitem__, others)])
    header = ["system", *map(short_name, results), *map(_QUALITY.__getitem__, quality), *others]
    marked = any(isinstance(cell, Marked) and cell.mark for row in rows for cell in row)
    return Table(header, rows, below=[f"{_STAR} differs significantly from {baseline}"] if marked else [])


def _rounded(key: str, number: float | None) -> Cell:
    """Round lengths to one digit after the point."""
    return number if number is None or key not in ("mean_words", "mean_characters") else Marked(number, digits=1)


def _score(name: str, measure: str, result: Mapping[str, Any], baseline: str | None) -> Cell:
    figures = result["systems"][name]
    differences = (pair for pair in result["differences"] if pair["system"] == name)
    is_significant = any(wording.is_significant(measure, result, pair) for pair in differences)
    is_marked = is_significant and baseline is not None
    return Marked(figures["score"], _STAR if is_marked else "", certain=tables.digits_of(figures["ci"]))


def _scores(results: Mapping[str, Mapping[str, Any]], has_chance: bool) -> Table:
    """Return a table of scores, intervals and ranks of systems."""
    rows = (
        {
            "measure": short_name(name),
            "system": system,
            "score": figures["score"],
            ci_heading(results.values()): interval(figures["ci"]),
            "rank": figures["rank"],
            **({"at random": chance_level(figures, "at_random")} if has_chance else {}),
        }
        for name, result in results.items()
        for system, figures in result["systems"].items()
    )
    return tables.table_of(rows, "Scores", n_texts=2)


def _differences(results: Mapping[str, Mapping[str, Any]]) -> Table:
    """Return a table of the differences of systems from a baseline."""
    rows = (
        {
            "measure": short_name(name),
            **{key: pair[key] for key in ("system", "baseline", "difference")},
            ci_heading(results.values()): interval(pair["difference_ci"]),
            **tables.p_values(pair),
        }
        for name, result in results.items()
        for pair in result["differences"]
    )
    return tables.table_of(rows, "Differences", n_texts=3)


def by_group(document: Mapping[str, Any]) -> list[Table]:
    """Tabulate the figures by group, with one column per system.

    Example:
        >>> result = {"by_value": {"old": {"neg": 0.5, "pos": 0.25}, "new": {"neg": 0.25, "pos": 0.25}}}
        >>> by_group({"systems": {"old": {}, "new": {}}, "metrics": {"uer": result}})[0].rows
        [['UER', 'neg', 0.5, 0.25], ['UER', 'pos', 0.25, 0.25]]
    """
    rows: dict[str, list[list[Cell]]] = {"value": [], "group": []}
    seen: list[Any] = []  # SOF has the figures of UER
    for name, result in document["metrics"].items():
        for kind in rows:
            figures = [*result.get(f"by_{kind}", {}).values()]
            if figures in seen:
                continue
            seen.append(figures)
            for value in dict.fromkeys(value for of_system in figures for value in of_system):
                numbers = [of_system.get(value, math.nan) for of_system in figures]
                rows[kind].append([short_name(name), value, *numbers])
    header = ["measure", "group", *document["systems"]]
    return [Table(header, found, "By group", n_texts=2) for found in rows.values() if found]


def sentences(document: Mapping[str, Any]) -> list[str]:
    """Name the fairest systems, where systems differ as `differs` decides.

    Example:
        >>> systems = {"lead": {"rank": 2}, "bart": {"rank": 1}}
        >>> sentences({"metrics": {"bur": {"systems": systems, "differences": []}}})
        ['Fairest by BUR: bart. Differences from the others are larger than chance.']
    """
    fairest: dict[tuple[str, ...], list[str]] = {}
    alike: list[str] = []
    untested: list[str] = []
    for name, result in document["metrics"].items():
        first = tuple(system for system, figures in result["systems"].items() if figures["rank"] == 1)
        if first and len(first) < len(result["systems"]):
            measures = fairest.setdefault(first, [])
        else:
            is_tested = any(wording.is_tested(name, result, pair) for pair in result["differences"])
            measures = alike if is_tested else untested
        measures.append(short_name(name))
    lines = [
        f"Fairest by {listed(measures)}: {listed(first)}. Differences from the others are larger than chance."
        for first, measures in fairest.items()
    ]
    if alike:
        lines.append(f"By {listed(alike)} the systems differ by no more than chance.")
    if untested:
        lacks = f"the differences have no interval, or there are fewer than {FEWEST} samples (or originals)"
        lines.append(f"By {listed(untested)} no system can be called fairer: {lacks}.")
    return lines
