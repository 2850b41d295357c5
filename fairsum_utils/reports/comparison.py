"""Tables and sentences of a comparison: of two systems, or of many."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fairsum_utils.families.warnings import as_sentence, unique_messages
from fairsum_utils.measures import get_measure
from fairsum_utils.reports import tables
from fairsum_utils.reports.formats import FORMATS
from fairsum_utils.reports.tables import (
    Cell,
    Marked,
    Notes,
    Part,
    Table,
    chance_level,
    ci_heading,
    has_number,
    interval,
    listed,
    short_name,
)
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


def report(document: Mapping[str, Any], *, format: str = "text") -> str:
    """Write a comparison as one text.

    Args:
        document: ``a`` and ``b``, names of the baseline and the system, perhaps ``labels``, short ones for the columns,
            and ``metrics``: measure -> its comparison; or that of `fairsum_utils.compare_systems`.
        format: a key of `fairsum_utils.reports.formats.FORMATS`.
    """
    return FORMATS[format](parts_of(document))


def labels_of(document: Mapping[str, Any]) -> tuple[str, str]:
    """Return the names of the columns of two systems."""
    a, b = document.get("labels") or "AB"
    return a, b


def parts_of(document: Mapping[str, Any]) -> list[Part]:
    """Return the tables and paragraphs of a comparison, see `report`."""
    results = document["metrics"]
    below = [f"No chance level: {reason}." for reason in tables.without_chance(results.values())]
    if "systems" in document:
        return _parts_of_many(document, below)
    a, b = labels_of(document)
    has_chance = any(has_number(result, "a_at_random") for result in results.values())
    beside = ("a_at_random", "b_at_random") if has_chance else ()
    rows = [
        [
            short_name(name),
            *(result[key] for key in ("a", "b", "difference")),
            interval(result["difference_ci"]),
            result["p_value"],
            *(chance_level(result, key) for key in beside),
        ]
        for name, result in results.items()
    ]
    at_random = [f"{a} at random", f"{b} at random"] if has_chance else []
    named = [f"{label}: {document[end]}" for label, end in zip((a, b), "ab", strict=True) if document[end] != label]
    return [
        [*named, *tables.compared_counts(results)],
        Table(["measure", a, b, f"{b} - {a}", ci_heading(results.values()), "p", *at_random], rows),
        *by_group(document),
        [*[tables.OF_CHANCE] * has_chance, *below],
        tables.reading_of_differences(results, b, f"{a} (the baseline)"),
        Notes(
            [
                *_sentences(results.values()),
                *(
                    tables.why_undefined(name, result["undefined"], short_name(name))
                    for name, result in results.items()
                    if "undefined" in result
                ),
            ]
        ),
    ]


def _sentences(results: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(map(as_sentence, unique_messages(results)))


def _no_intervals(name: str, result: Mapping[str, Any]) -> list[str]:
    """Return the reasons for undefined intervals of differences, each once with its pairs."""
    found: dict[str, list[str]] = {}
    for pair in result["differences"]:
        if "undefined" in pair:
            found.setdefault(pair["undefined"], []).append(f"{pair['b']} - {pair['a']}")
    lines = []
    for undefined, pairs in found.items():
        have = "has" if len(pairs) == 1 else "have"
        every = "the differences" if 1 < len(pairs) == len(result["differences"]) else listed(pairs)
        otherwise = f"{short_name(name)}, {listed(pairs)}"
        lines.append(tables.why_undefined(name, undefined, otherwise, f"{every} {have}"))
    return lines


def by_group(document: Mapping[str, Any]) -> list[Table]:
    """Tabulate the figures by group, with one column per system.

    Example:
        >>> result = {"by_value": {"old": {"neg": 0.5, "pos": 0.25}, "new": {"neg": 0.25, "pos": 0.25}}}
        >>> by_group({"a": "old", "b": "new", "labels": ["old", "new"], "metrics": {"uer": result}})[0].rows
        [['UER', 'neg', 0.5, 0.25, -0.25], ['UER', 'pos', 0.25, 0.25, 0.0]]
    """
    are_two = "systems" not in document
    names = list(labels_of(document)) if are_two else [*document["systems"]]
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
                difference = [numbers[1] - numbers[0]] if are_two else []
                rows[kind].append([short_name(name), value, *numbers, *difference])
    header = [*names, *[" - ".join(reversed(names))] * are_two]
    return [Table(["measure", "group", *header], found, "By group", n_texts=2) for found in rows.values() if found]


def sentences(document: Mapping[str, Any]) -> list[str]:
    """Name the fairer or the fairest systems, where they differ as `differs` decides.

    Example:
        >>> bur = {"a": 0.5, "b": 0.25, "difference_ci": [-0.4, -0.1], "p_value": 0.01, "n_samples": 60}
        >>> sentences({"a": "lead", "b": "bart", "metrics": {"bur": bur, "uer": bur | {"p_value": 0.2}}})
        ['Fairer by BUR: bart.', 'By UER the two systems do not differ significantly.']
    """
    if "systems" in document:
        return _fairest(document)
    names = document.get("labels") or (document["a"], document["b"])
    fairer: dict[str, list[str]] = {name: [] for name in names}
    alike: list[str] = []
    untested: list[str] = []
    for name, result in document["metrics"].items():
        a, b = (get_measure(name).unfairness(result[end]) for end in "ab")
        if tables.is_significant(name, result, result):
            kind = fairer[names[0] if a < b else names[1]]
        else:
            kind = alike if tables.is_tested(name, result, result) else untested
        kind.append(short_name(name))
    lines = [f"Fairer by {listed(measures)}: {system}." for system, measures in fairer.items() if measures]
    if alike:
        lines.append(f"By {listed(alike)} the two systems do not differ significantly.")
    if untested:
        takes = f"it takes {FEWEST} samples (or originals) and an interval"
        lines.append(f"By {listed(untested)} neither system can be called fairer: {takes}.")
    return lines


def _fairest(document: Mapping[str, Any]) -> list[str]:
    found: dict[tuple[str, ...], list[str]] = {}
    for name, result in document["metrics"].items():
        first, *_ = (*_ranked(result)[0], ())
        if first and len(first) < len(result["systems"]):
            found.setdefault(tuple(first), []).append(short_name(name))
    lines = [f"Fairest by {listed(measures)}: {listed(first)}." for first, measures in found.items()]
    return lines or ["No measure finds a significant difference between the systems."]


def _parts_of_many(document: Mapping[str, Any], below: Sequence[str]) -> list[Part]:
    """Return the parts of a comparison of many systems."""
    results, baseline = document["metrics"], document["baseline"]
    against = "all pairs" if baseline is None else f"baseline: {baseline}"
    undefined = [line for name, result in results.items() for line in _no_intervals(name, result)]
    has_chance = any(
        has_number(figures, "at_random") for result in results.values() for figures in result["systems"].values()
    )
    tested = {result["n_tests"] for result in results.values()}
    n_tests = " or ".join(map(str, sorted(tested - {0} or tested)))
    alpha = next(iter(results.values()))["alpha"]
    return [
        [f"{len(document['systems'])} systems; {against}", *tables.compared_counts(results)],
        _overview(document),
        *(table for name, result in results.items() for table in _details(name, result, baseline)),
        *by_group(document),
        [*[tables.OF_CHANCE] * has_chance, *below],
        [
            *(
                tables.reading_of_differences(results, "B", "A")
                if baseline is None
                else tables.reading_of_differences(results, "the system", f"{baseline} (the baseline)")
            ),
            f"p (Holm): corrected over the {n_tests} differences of a measure; significant below {alpha:g}, with 0 "
            f"outside the interval, and from {FEWEST} samples on.",
            "Rank: systems with the same rank do not differ significantly from each other (all pairs, Holm).",
        ],
        Notes([*_sentences([*results.values(), document]), *undefined]),
    ]


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
    score: float = result["systems"][name]["score"]
    if baseline is None:
        return score
    differences = (pair for pair in result["differences"] if pair["b"] == name)
    is_significant = any(tables.is_significant(measure, result, pair) for pair in differences)
    return Marked(score, _STAR if is_significant else "")


def _details(name: str, result: Mapping[str, Any], baseline: str | None) -> list[Table]:
    """Return the table of a measure, and one of differences of all pairs."""
    has_chance = any(has_number(figures, "at_random") for figures in result["systems"].values())
    differences = {(pair["a"], pair["b"]): _difference(pair) for pair in result["differences"]}
    ci = ci_heading([result])
    test = [f"difference to {baseline}", f"{ci} (difference)", "p", "p (Holm)"]
    header = ["system", "score", ci, "rank", *(test if baseline is not None else [])]
    rows: list[Sequence[Cell]] = []
    for system, figures in result["systems"].items():
        row: list[Cell] = [system, figures["score"], interval(figures["ci"]), figures["rank"]]
        row += differences.get((baseline, system), [None] * 4) if baseline is not None else []
        rows.append([*row, *[chance_level(figures, "at_random")] * has_chance])
    made = [Table([*header, *["at random"] * has_chance], rows, short_name(name))]
    if baseline is None:
        pairs = [[*pair, *cells] for pair, cells in differences.items()]
        header = ["A", "B", "B - A", ci, "p", "p (Holm)"]
        made.append(Table(header, pairs, f"{short_name(name)}: differences", n_texts=2))
    return made


def _difference(pair: Mapping[str, Any]) -> list[Cell]:
    return [pair["difference"], interval(pair["difference_ci"]), pair["p_value"], pair["p_value_corrected"]]


def wins(document: Mapping[str, Any]) -> Table:
    """Count the measures by which each system is significantly fairer than another."""
    names = list(document["systems"])
    counts: dict[tuple[str, str], list[bool]] = {}
    for name, result in document["metrics"].items():
        for pair in result["differences"]:
            ends = (pair["a"], pair["b"])
            of_ends = (get_measure(name).unfairness(result["systems"][end]["score"]) for end in ends)
            is_first = operator.lt(*of_ends)
            is_significant = tables.is_significant(name, result, pair)
            counts.setdefault(ends, []).append(is_significant and is_first)
            counts.setdefault(ends[::-1], []).append(is_significant and not is_first)
    rows: list[list[Cell]] = []
    for row in names:
        found = (counts.get((row, column), []) for column in names)
        rows.append([row, *(f"{sum(won)} of {len(won)}" if won else "" for won in found)])
    below = ["Fairer, in a row, than the system of the column: measures whose difference is significant (Holm)."]
    if document["baseline"] is not None and len(names) > 2:
        below.append("Only differences from the baseline were tested; --pairs (pairs=True) tests all.")
    return Table(["fairer than", *names], rows, "Who wins", below)


def ties(document: Mapping[str, Any]) -> Table:
    """List the systems of each rank, a row a measure."""
    ranks = {name: _ranked(result) for name, result in document["metrics"].items()}
    n_ranks = max(len(ranked) for ranked, _ in ranks.values())
    without = any(others for _, others in ranks.values())
    rows: list[list[Cell]] = []
    for name, (ranked, others) in ranks.items():
        cells = [*map(", ".join, ranked), *[""] * (n_ranks - len(ranked)), *[", ".join(others)] * without]
        rows.append([short_name(name), *cells])
    header = ["rank", *map(str, range(1, n_ranks + 1)), *["undefined"] * without]
    below = ["Systems with the same rank do not differ significantly from each other (all pairs, Holm)."]
    return Table(header, rows, "Ranks", below, n_texts=len(header))


def _ranked(result: Mapping[str, Any]) -> tuple[list[list[str]], list[str]]:
    """Return the systems of each rank, and those without a rank."""
    ranked: dict[int | None, list[str]] = {}
    for system, figures in result["systems"].items():
        ranked.setdefault(figures["rank"], []).append(system)
    others = ranked.pop(None, [])
    return [ranked[rank] for rank in sorted(filter(None, ranked))], others
