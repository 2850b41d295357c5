"""What a person wants to see of a comparison of systems."""

from __future__ import annotations

from typing import Any

from fairsum_utils.families.effective import settings_of
from fairsum_utils.families.settings import USUAL_LEVEL
from fairsum_utils.families.warnings import unique_messages
from fairsum_utils.measures import get_measure
from fairsum_utils.reports import systems
from fairsum_utils.reports.formats import FORMATS
from fairsum_utils.reports.tables import (
    OF_CHANCE,
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


def report(document: dict[str, Any], *, format: str = "text") -> str:
    """The comparison as one text.

    Args:
        document: ``a`` and ``b``, what the two systems are called, and ``metrics``: measure -> its comparison; or that
            of `fairsum_utils.compare_systems`.
        format: a key of `fairsum_utils.reports.formats.FORMATS`.
    """
    return FORMATS[format](parts_of(document))


def parts_of(document: dict[str, Any]) -> list[Part]:
    """What a person wants to see of the comparison, as `report` takes it."""
    if "systems" in document:
        return systems.parts_of(document)
    results = document["metrics"]
    has_chance = any(has_number(result, "a_at_random") for result in results.values())
    beside = ("a_at_random", "b_at_random") if has_chance else ()
    rows = [
        [
            short_name(name),
            *(result[key] for key in ("a", "b", "difference")),
            interval(result["difference_ci"]),
            result["p_value"],
            *map(result.get, beside),
        ]
        for name, result in results.items()
    ]
    return [
        [f"A: {document['a']}", f"B: {document['b']}", *compared_counts(results)],
        Table(["measure", "A", "B", "A - B", "interval", "p", *["A at random", "B at random"][: len(beside)]], rows),
        [*[OF_CHANCE] * has_chance, *(f"No chance level: {reason}." for reason in without_chance(results.values()))],
        [f"{short_name(name)}: {result['undefined']}" for name, result in results.items() if "undefined" in result],
        unique_messages(results.values()),
        reading_of_differences(results, "A"),
    ]


def sentences(document: dict[str, Any]) -> list[str]:
    """Which system is fairer, in words.

    Example:
        >>> bur = {"a": 0.5, "b": 0.25, "p_value": 0.01, "settings": {"confidence_level": 0.95}}
        >>> sentences({"a": "lead", "b": "bart", "metrics": {"bur": bur, "uer": bur | {"p_value": 0.2}}})
        ['Fairer by BUR: bart.', 'By UER the two cannot be told apart.']
    """
    if "systems" in document:
        return systems.sentences(document)
    found: dict[str, list[str]] = {document["a"]: [], document["b"]: [], "": []}
    for name, result in document["metrics"].items():
        level = float(settings_of(result).get("confidence_level", USUAL_LEVEL))
        a, b = (get_measure(name).unfairness(result[end]) for end in "ab")
        fairer = "" if not result["p_value"] < 1 - level else document["a"] if a < b else document["b"]
        found[fairer].append(short_name(name))
    alike = found.pop("")
    told = [f"Fairer by {listed(measures)}: {system}." for system, measures in found.items() if measures]
    return [*told, f"By {listed(alike)} the two cannot be told apart."] if alike else told
