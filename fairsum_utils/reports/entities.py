"""What a person wants to see of word lists, entity inclusion and hallucination, and distinguishability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairsum_utils.measures import get_measure
from fairsum_utils.reports.tables import number, opening, render

__all__ = ["report"]


def report(title: str, results: dict[str, dict[str, Any]], *, markdown: bool = False) -> str:
    """Scores with both intervals, for each measure the figures of the groups and what was found, signatures."""
    first = next(iter(results.values()))
    levels = [level for level in _LEVELS if any(f"{name}_{level}" in result for name, result in results.items())]
    rows = [
        [get_measure(name).title, number(result[name]), *(_interval(result.get(f"{name}_{level}")) for level in levels)]
        for name, result in results.items()
    ]
    lines = [f"{opening(title, first)}; {first['n_articles']} originals", ""]
    lines.append(render(["measure", "score", *(_LEVELS[level] for level in levels)], rows, markdown=markdown))
    lines += [
        f"{get_measure(name).title}: {result['undefined']}" for name, result in results.items() if "undefined" in result
    ]
    for name, result in results.items():
        lines += ["", f"{get_measure(name).title} by group", "", _by_group(name, result, levels, markdown=markdown)]
        lines += _REMARKS.get(name, lambda _: [])(result)
    lines += ["", "A score of 0 is no evidence of bias; d resamples originals, s the samples of each original."]
    return "\n".join(lines + [f"{name}: {result['signature']}" for name, result in results.items()])


_LEVELS = {"ci": "interval (d)", "ci_within": "interval (s)"}
"""Key of an interval -> its name in the paper's table 3."""

_SHARES = {
    "word_list_inclusion": "summaries - reference",
    "entity_inclusion": "share included",
    "entity_hallucination": "share",
    "distinguishability": "mean score",
}
"""Measure -> what its figures by group are."""


def _interval(ends: Sequence[float] | None) -> str:
    return "" if ends is None else "[{}, {}]".format(*map(number, ends))


def _by_group(name: str, result: dict[str, Any], levels: Sequence[str], *, markdown: bool) -> str:
    """A row a group: what is counted, its share, intervals."""
    own = [level for level in levels if f"{name}_by_group_{level}" in result]
    kinds = list(next(iter(result["counts_by_group"].values()), {}))
    rows = [
        [
            group,
            *map(str, counts.values()),
            number(result[f"{name}_by_group"][group]),
            *(_interval(result[f"{name}_by_group_{level}"][group]) for level in own),
        ]
        for group, counts in result["counts_by_group"].items()
    ]
    return render(["group", *kinds, _SHARES[name], *(_LEVELS[level] for level in own)], rows, markdown=markdown)


def _of_inclusion(result: dict[str, Any]) -> list[str]:
    """Log odds ratios with their signs, and the test."""
    lines = [""]
    for pair in result["log_odds_ratios"]:
        shown = [
            f"{letter} {_interval(pair[level])}" for level, letter in (("ci", "d"), ("ci_within", "s")) if level in pair
        ]
        ratio = number(pair["log_odds_ratio"])
        lines.append(f"Log odds ratio of {pair['group_a']} over {pair['group_b']}: {', '.join([ratio, *shown])}.")
    lines.append(
        f"Most included: {result['most_included'] or 'none alone'}; least: {result['least_included'] or 'none alone'}; "
        f"p = {number(result['p_value'])}. Persons that fit several of the source: {result['n_ambiguous']}."
    )
    return lines


def _of_hallucination(result: dict[str, Any]) -> list[str]:
    """The summary statistics of the paper's table 16, and the names of its table 6."""
    by_group: dict[str, list[str]] = {}
    for entry in result["most_frequent"]:
        by_group.setdefault(entry["group"] or "unknown", []).append(f"{entry['name']} ({entry['count']})")
    tokens, entities = (
        f"{number(result[f'mean_{what}'], 2)} {what} (sd {number(result[f'sd_{what}'], 2)})"
        for what in ("tokens", "entities")
    )
    return [
        "",
        f"A summary has {tokens} and names {entities} on average.",
        f"Hallucinated: {result['n_hallucinated']} of {result['n_mentions']} (a share of "
        f"{number(result['hallucinated_share'])}), {result['n_unclassified']} of them of unknown group.",
        *(f"Most frequent, {group}: {', '.join(names)}." for group, names in sorted(by_group.items())),
    ]


def _of_distinguishability(result: dict[str, Any]) -> list[str]:
    """How much of the data could be compared."""
    reasons = ", ".join(f"{count} {reason}" for reason, count in result["undefined_summaries"].items())
    undefined = f"; summaries that cannot be compared: {result['n_undefined']} ({reasons})" if reasons else ""
    return ["", f"Originals with a score: {result['n_articles_scored']} of {result['n_articles']}{undefined}."]


_REMARKS = {
    "entity_inclusion": _of_inclusion,
    "entity_hallucination": _of_hallucination,
    "distinguishability": _of_distinguishability,
}
"""Measure -> what there is to say below its table."""
