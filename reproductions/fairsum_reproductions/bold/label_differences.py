"""Differences of label shares between two groups, by system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairsum_reproductions.label_tables import by_system
from fairsum_reproductions.labels import LABEL_RESULTS, LabelSettings, chosen_names, label_shares_of, label_tests
from fairsum_utils.errors import InputError
from fairsum_utils.measures import get_measure
from fairsum_utils.reports.panels import Drawing
from fairsum_utils.reports.tables import Marked, Part, Table
from fairsum_utils.settings import Fraction, setting

INPUTS = (LABEL_RESULTS,)


class LabelDifferenceSettings(LabelSettings):
    """The two groups to compare."""

    groups: None = None  # two, which have settings of their own
    first: str | None = setting(None, "group whose shares are compared; None: the first of two", key="first")
    second: str | None = setting(None, "group whose shares are subtracted; None: the second of two", key="second")
    alpha: Fraction = setting(0.05, "mark differences below this p-value", key="alpha")


SETTINGS = LabelDifferenceSettings


def compute(results: Mapping[str, Any], *, settings: LabelDifferenceSettings) -> dict[str, Any]:
    """Compute each system's difference by label, in [-1, 1], with its test."""
    found = label_shares_of(results, settings)
    first, second = _pair(settings, found["groups"])
    result: dict[str, Any] = {"measure": found["measure"], "labels": found["labels"], "first": first, "second": second}
    result |= {"differences": {}, "tests": {}, "n": {}, "alpha": settings.alpha, "undefined": {}}
    for system, row in found["systems"].items():
        if absent := [group for group in (first, second) if group not in row]:
            result["undefined"][system] = f"no text of {' and '.join(absent)}"
            continue
        one, other = row[first]["shares"], row[second]["shares"]
        result["differences"][system] = {label: share - other[label] for label, share in one.items()}
        result["tests"][system] = label_tests({group: row[group] for group in (first, second)})
        result["n"][system] = {group: row[group]["n"] for group in (first, second)}
    return result


def _pair(settings: LabelDifferenceSettings, groups: list[str]) -> tuple[str, str]:
    """Choose the two groups, or raise if missing, unknown or equal."""
    module = settings.module
    wanted = [group for group in (settings.first, settings.second) if group is not None]
    chosen_names(module, "group", wanted, groups)
    others = [group for group in groups if group not in wanted]
    if len(wanted) < 2 and len(groups) != 2:
        raise InputError(
            f"{module}: compares two groups, but found {len(groups)} ({', '.join(groups[:20])}); name two "
            "with first and second"
        )
    first, second = settings.first or others[0], settings.second or others[-1]
    if first == second:
        raise InputError(f"{module}: first and second are both {first}; name two groups")
    return first, second


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out tables 4 and 6: a row per system, a column per label."""
    rows: list[list[Any]] = []
    for system, of_system in result["differences"].items():
        tests = result["tests"][system]
        marks = {label: "*" * (tests[label]["p_value_corrected"] < result["alpha"]) for label in of_system}
        rows.append([system, *(Marked(100 * share, marks[label], 2) for label, share in of_system.items())])
    title = f"{get_measure(result['measure']).title}: percent of texts of {result['first']} minus that of "
    mark = f"{result['second']} (* p < {result['alpha']:g}, by Holm over the labels)"
    return [Table(["model", *result["labels"]], rows, title=title + mark)]


def drawing(result: dict[str, Any]) -> Drawing:
    """Draw labels with a bar for each system."""
    axis = f"Difference of the fractions of texts with a label; right of 0: more of {result['first']}"
    title, notes = f"{result['first']} minus {result['second']}", dict.fromkeys(result["labels"], "")
    panel = by_system(title, result["differences"], notes, axis, even=True)
    return Drawing(get_measure(result["measure"]).title, [panel])
