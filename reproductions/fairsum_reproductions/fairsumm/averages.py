"""BUR and UER of systems by domain, averaged over matchers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fairsum_reproductions.contract import Input
from fairsum_reproductions.layout import percent_cell
from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures
from fairsum_utils.families.effective import differing
from fairsum_utils.reports.panels import Drawing, Heat
from fairsum_utils.reports.tables import Cell, Part, Table
from fairsum_utils.reports.wording import short_name
from fairsum_utils.settings import Checked, Settings, setting
from fairsum_utils.stats.arrays import exact_mean
from fairsum_utils.validation import check_choice

INPUTS = (
    Input("results", "saved results, each named SYSTEM/DOMAIN, or SYSTEM/DOMAIN/SCORE", kind="results", systems=True),
)

_MODULE = "averages"
# Matcher -> the paper's name of it.
SCORES = {"ngram": "N-gramScore", "bertscore": "BERTScore", "bartscore": "BARTScore"}
# Name of a score whose settings have no matcher.
_UNNAMED = "score"


def _check_metrics(module: str, name: str, metrics: Any) -> tuple[str, ...]:
    names = metrics.split(",") if isinstance(metrics, str) else metrics
    return tuple(check_choice(module, name, str(each).strip(), all_measures()) for each in names)


class AveragesSettings(Settings):
    """Measures in the tables."""

    metrics: Annotated[str | tuple[str, ...], Checked(_check_metrics)] | None = setting(
        None, "measures to show, in order, such as bur,uer; None for all measures in the results"
    )


SETTINGS = AveragesSettings


def average_scores(scores: Mapping[str, Mapping[str, Mapping[str, float]]]) -> dict[str, dict[str, float]]:
    """Average each system's scores by domain, such as over three matchers.

    Averages in one table must be made of the same scores: where a system lacks a score that another one has on the
    domain, its average is NaN.

    Source: Zhang et al. 2024, tables 2 and 10.

    Example:
        >>> average_scores({"gpt-4": {"Yelp": {"N-gramScore": 20.25, "BERTScore": 36.50, "BARTScore": 61.25}}})
        {'gpt-4': {'Yelp': 39.333333333333336}}
    """
    names: dict[str, set[str]] = {}
    for by_domain in scores.values():
        for domain, of_domain in by_domain.items():
            names.setdefault(domain, set()).update(of_domain)
    return {
        system: {
            domain: exact_mean([of_domain.get(name, math.nan) for name in sorted(names[domain])])
            for domain, of_domain in by_domain.items()
        }
        for system, by_domain in scores.items()
    }


def compute(results: Mapping[str, Mapping[str, Mapping[str, Any]]], *, settings: AveragesSettings) -> dict[str, Any]:
    """Collect and average the scores in results named SYSTEM/DOMAIN/SCORE.

    ``notes`` name scores that should not stand in one column.
    """
    scores, notes = _scores(results)
    measures = [name for name in settings.metrics or all_measures() if name in scores]
    if not measures:
        wanted = ", ".join(settings.metrics or ()) or "a measure"
        raise InputError(f"{_MODULE}: no result contains {wanted}; give output files of `fairsum score --output`")
    average = {measure: average_scores(scores[measure]) for measure in measures}
    undefined = {
        f"{measure} of {system} on {domain or 'its data'}": _lacking(scores[measure], system, domain)
        for measure, by_system in average.items()
        for system, by_domain in by_system.items()
        for domain, number in by_domain.items()
        if math.isnan(number)
    }
    systems, domains, _ = (list(dict.fromkeys(names)) for names in zip(*map(_parted, results), strict=True))
    return {
        "measures": measures,
        "domains": domains,
        "systems": systems,
        "scores": {measure: scores[measure] for measure in measures},
        "average": average,
        "notes": notes,
        "undefined": undefined,
    }


def _scores(results: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> tuple[dict[str, Any], list[str]]:
    """Sort scores by measure, system, domain and name; with notes."""
    scores: dict[str, Any] = {}
    first: dict[tuple[str, ...], tuple[str, Mapping[str, Any]]] = {}
    notes: list[str] = []
    for name, result in ((name, result) for name, labelled in results.items() for result in labelled.values()):
        measure = next((measure for measure in all_measures() if measure in result), None)
        if measure is None:
            continue
        made, (system, domain, score) = result.get("settings", {}), _parted(name)
        matcher = made.get("matcher", _UNNAMED)
        score = score or SCORES.get(matcher, matcher)
        before, other = first.setdefault((measure, domain, score), (name, made))
        if keys := differing(other, made):
            notes.append(f"{measure} by {score}: {before} and {name} were scored with different {' and '.join(keys)}")
        of_domain = scores.setdefault(measure, {}).setdefault(system, {}).setdefault(domain, {})
        if score in of_domain:
            raise InputError(
                f"{_MODULE}: {name} repeats {measure} by {score} of {system} on {domain or 'its data'}; name the "
                f"scores, as in {system}/{domain or 'DOMAIN'}/first=FILE"
            )
        of_domain[score] = float(result[measure])
    return scores, notes


def _parted(name: str) -> tuple[str, str, str]:
    """Split a name into system, domain and score, each empty if absent.

    Example:
        >>> _parted("gpt-4/Yelp/first"), _parted("gpt-4")
        (('gpt-4', 'Yelp', 'first'), ('gpt-4', '', ''))
    """
    system, domain, score = [*name.split("/", 2), "", ""][:3]
    return system, domain, score


def _lacking(scores: Mapping[str, Mapping[str, Mapping[str, float]]], system: str, domain: str) -> str:
    """Explain why a system has no average on a domain."""
    known = scores[system][domain]
    others = dict.fromkeys(name for by_domain in scores.values() for name in by_domain.get(domain, ()))
    missing = [name for name in others if name not in known]
    if missing:
        return f"no score by {', '.join(missing)}, unlike another system"
    return f"the score by {', '.join(name for name, number in known.items() if math.isnan(number))} is undefined"


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out averages (table 2) and, if several, their scores (table 10)."""
    systems, domains, measures = result["systems"], result["domains"], result["measures"]
    header = [f"{domain} {short_name(measure)}".lstrip() for domain in domains for measure in measures]
    columns = [_column(result, domain, measure) for domain in domains for measure in measures]
    averages = [[system, *cells] for system, *cells in zip(systems, *map(_marked, columns), strict=True)]
    below = ["In percent; lower is fairer. *: lowest in the column, +: second lowest."]
    scores = {(system, domain): _names(result, system, domain) for system in systems for domain in domains}
    if all(len(names) < 2 for names in scores.values()):
        names = dict.fromkeys(name for names in scores.values() for name in names)
        return [Table(["system", *header], averages, f"Scores: {', '.join(names)}", below), result["notes"]]
    details: list[list[Cell]] = []
    for system, *means in averages:
        for score in dict.fromkeys(name for domain in domains for name in scores[system, domain]):
            numbers = [_score(result, system, domain, measure, score) for domain in domains for measure in measures]
            details.append([system, score, *(None if each is None else percent_cell(each) for each in numbers)])
        details.append([system, "Average", *means])
    return [
        Table(["system", *header], averages, "Mean of the scores", below),
        Table(["system", "score", *header], details, "Each score", n_texts=2),
        result["notes"],
    ]


def _column(result: Mapping[str, Any], domain: str, measure: str) -> list[float | None]:
    """List the average of each system; None without one."""
    return [result["average"][measure].get(system, {}).get(domain) for system in result["systems"]]


def _names(result: Mapping[str, Any], system: str, domain: str) -> list[str]:
    """List the scores of a system on a domain."""
    by_measure = (of_measure.get(system, {}).get(domain, {}) for of_measure in result["scores"].values())
    return list(dict.fromkeys(name for scores in by_measure for name in scores))


def _score(result: Mapping[str, Any], system: str, domain: str, measure: str, score: str) -> float | None:
    number: float | None = result["scores"][measure].get(system, {}).get(domain, {}).get(score)
    return number


def _marked(numbers: Sequence[float | None]) -> list[Cell]:
    """Mark the lowest and the second lowest number of a column."""
    lowest = sorted({number for number in numbers if number is not None and not math.isnan(number)})[:2]
    marks = dict(zip(lowest, "*+", strict=True)) if len(lowest) > 1 else {}
    return [None if number is None else percent_cell(number, marks.get(number, "")) for number in numbers]


def drawing(result: dict[str, Any]) -> Drawing:
    """Draw the averages as one heat map per measure (not in the paper)."""
    panels = []
    for measure in result["measures"]:
        columns = [_column(result, domain, measure) for domain in result["domains"]]
        rows = [[None if number is None else 100 * number for number in row] for row in zip(*columns, strict=True)]
        heads, axis = [domain or "score" for domain in result["domains"]], "Average score in percent; lower is fairer"
        panels.append(Heat(short_name(measure), result["systems"], heads, rows, axis))
    return Drawing("Systems and domains", panels)
