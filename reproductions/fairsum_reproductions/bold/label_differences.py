"""By how much does each label's share differ between two groups, in each system?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fairsum_reproductions.contract import Study
from fairsum_reproductions.labels import LABEL_RESULTS, LabelSettings, chosen_names, label_shares_of, label_tests
from fairsum_utils.errors import InputError
from fairsum_utils.families.settings import setting
from fairsum_utils.validation import check_fraction

if TYPE_CHECKING:
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.tables import Part


class LabelDifferenceSettings(LabelSettings):
    """Between which two groups."""

    groups: str | None = None
    """Two, which have settings of their own."""
    first: str | None = setting(None, "the group whose shares are taken; None: the first of two", key="first")
    second: str | None = setting(None, "the group whose shares are subtracted; None: the other of two", key="second")
    alpha: float = setting(0.05, "a difference is marked below this p-value", check=check_fraction, key="alpha")


def share_differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, float]:
    """The share of each label in one group minus that in another.

    Args:
        first: a group's ``shares`` by label, in [0, 1].
        second: another's.

    Returns:
        Label -> difference in [-1, 1].

    Source: papers/bold, tables 4 and 6.

    Example:
        >>> share_differences({"shares": {"joy": 0.75}}, {"shares": {"joy": 0.5}})
        {'joy': 0.25}
    """
    return {label: share - second["shares"][label] for label, share in first["shares"].items()}


def compute(
    results: Mapping[str, Mapping[str, Mapping[str, Any]]], *, settings: LabelDifferenceSettings
) -> dict[str, Any]:
    """System -> label -> difference, and its test."""
    found = label_shares_of(results, settings)
    first, second = _pair(settings, found["groups"])
    differences: dict[str, Any] = {}
    tests: dict[str, Any] = {}
    undefined = {}
    for system, row in found["systems"].items():
        if absent := [group for group in (first, second) if group not in row]:
            undefined[system] = f"no text of {' and '.join(absent)}"
            continue
        differences[system] = share_differences(row[first], row[second])
        tests[system] = label_tests({group: row[group] for group in (first, second)})
    return {
        "measure": found["measure"],
        "labels": found["labels"],
        "first": first,
        "second": second,
        "differences": differences,
        "tests": tests,
        "n": {
            system: {group: row[group]["n"] for group in (first, second)}
            for system, row in found["systems"].items()
            if system in differences
        },
        "alpha": settings.alpha,
        "undefined": undefined,
    }


def _pair(settings: LabelDifferenceSettings, groups: list[str]) -> tuple[str, str]:
    """The two groups.

    Raises:
        InputError: they are not told, or there is no such group, or they are one.
    """
    module = settings.module
    wanted = [group for group in (settings.first, settings.second) if group is not None]
    chosen_names(module, "group", wanted, groups)
    others = [group for group in groups if group not in wanted]
    if len(wanted) < 2 and len(groups) != 2:
        raise InputError(
            f"{module}: says which two groups differ, and there are {len(groups)} ({', '.join(groups[:20])}); name two "
            "with first and second"
        )
    first, second = settings.first or others[0], settings.second or others[-1]
    if first == second:
        raise InputError(f"{module}: first and second are both {first}; name two groups")
    return first, second


def parts(result: dict[str, Any]) -> list[Part]:
    """The layout of tables 4 and 6: a row a system, a column a label, in points."""
    from fairsum_utils.measures import get_measure
    from fairsum_utils.reports.tables import Marked, Table

    rows: list[list[Any]] = []
    for system, of_system in result["differences"].items():
        tests = result["tests"][system]
        row = [
            Marked(100 * number, "*" if tests[label]["p_value_corrected"] < result["alpha"] else "", 2)
            for label, number in of_system.items()
        ]
        rows.append([system, *row])
    title = f"{get_measure(result['measure']).title}: percent of texts of {result['first']} minus that of "
    mark = f"{result['second']} (* p < {result['alpha']:g}, by Holm over the labels)"
    return [Table(["model", *result["labels"]], rows, title=title + mark)]


def drawing(result: dict[str, Any]) -> Drawing:
    """The labels, and a bar for each system."""
    from fairsum_utils.measures import get_measure
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.drawings.grouped import Grouped
    from fairsum_utils.reports.drawings.legend import Group, told_apart

    differences = result["differences"]
    panel = Grouped(
        f"{result['first']} minus {result['second']}",
        told_apart([*differences]),
        [Group(label, [row[label] for row in differences.values()]) for label in result["labels"]],
        f"Difference of the fractions of texts with a label; right of 0: more of {result['first']}",
        even=True,
    )
    return Drawing(get_measure(result["measure"]).title, [panel])


STUDY = Study(
    paper="bold",
    source="section 6.1, tables 4 and 6",
    help="by how much does each label's share differ between two groups?",
    inputs=(LABEL_RESULTS,),
    settings=LabelDifferenceSettings,
    compute=compute,
    parts=parts,
    drawing=drawing,
    choices=("differences are marked by tests of each system alone, which the paper's tables do not have",),
    examples=(
        "fairsum study label_differences WIKI=wiki.json GPT-2=gpt2.json",
        "fairsum study label_differences GPT-2=gpt2.json --first christianity --second islam --format latex",
    ),
)
