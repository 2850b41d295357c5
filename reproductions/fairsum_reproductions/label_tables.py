"""Labels counted by group as in the paper, with charts by system."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from fairsum_utils.errors import InputError
from fairsum_utils.reports.charts import exclusive, headed
from fairsum_utils.reports.panels import Bars, Mark, Panel, Points, Row
from fairsum_utils.reports.theme import colors_of
from fairsum_utils.validation import describe


def domain_table(
    result: Mapping[str, Any], merge: Mapping[str, Sequence[str]] | None = None, *, module: str = "domain_table"
) -> list[dict[str, Any]]:
    """Tabulate counts and proportions of labels by group, as in the paper.

    Args:
        result: result of a measure of this family, with groups.
        merge: name of a merged group -> the groups that it consists of; groups in none are left out. None merges
            nothing.
        module: name used in messages.

    Returns:
        For each group ``group``, ``n``, and for each label its count as ``n_<label>`` and its proportion as
        ``<label>``. With the labels male and female also ``male_to_female``, the ratio of their counts (NaN if there is
        no female text), and ``male_minus_female``, the difference of their proportions. The merged groups stand in the
        order of `merge`.

    Raises:
        InputError: a result without groups, or a merged group of none, of an unknown one, or of one named before.

    Source: Dhamala et al. 2021, tables 3 and 9 to 11, figure 2 and section 6.1.1.

    Example:
        >>> counts = {"dance": {"male": 1, "female": 2}, "art": {"male": 2, "female": 0}}
        >>> domain_table({"counts_by_group": counts, "n_by_group": {"dance": 4, "art": 4}}, {"arts": ["art", "dance"]})
        [{'group': 'arts', 'n': 8, 'n_male': 3, 'n_female': 2, 'male': 0.375, 'female': 0.25, 'male_to_female': 1.5,
        'male_minus_female': 0.125}]
    """
    sizes, counts = result["n_by_group"], result["counts_by_group"]
    if not sizes:
        raise InputError(f"{module}: the result has no groups; score the texts with groups")
    merged = {group: [group] for group in sizes} if merge is None else _check_merge(module, merge, list(sizes))
    table = []
    for name, groups in merged.items():
        n = sum(sizes[group] for group in groups)
        of_labels = {label: sum(counts[group][label] for group in groups) for label in counts[groups[0]]}
        row: dict[str, Any] = {"group": name, "n": n}
        row |= {f"n_{label}": count for label, count in of_labels.items()}
        row |= {label: count / n for label, count in of_labels.items()}
        if {"male", "female"} <= of_labels.keys():
            male, female = of_labels["male"], of_labels["female"]
            row |= {"male_to_female": male / female if female else math.nan, "male_minus_female": (male - female) / n}
        table.append(row)
    return table


def _check_merge(module: str, merge: Mapping[str, Sequence[str]], known: Sequence[str]) -> dict[str, list[str]]:
    owner: dict[str, str] = {}
    for name, groups in merge.items():
        if not isinstance(groups, (list, tuple)) or not groups:
            raise InputError(
                f"{module}: merged group {name!r} must be a non-empty list of groups, found {describe(groups)}"
            )
        for group in groups:
            if group not in known:
                raise InputError(
                    f"{module}: merged group {name!r} names {describe(group)}, of which there is no text; groups are "
                    f"{', '.join(known)}"
                )
            if group in owner:
                raise InputError(f"{module}: group {group!r} is named twice, in {owner[group]!r} and {name!r}")
            owner[group] = name
    return {name: list(groups) for name, groups in merge.items()}


def by_system(
    title: str, numbers: Mapping[str, Mapping[str, float]], notes: Mapping[str, str], axis: str, *, even: bool = False
) -> Points:
    """Draw a bar for each system below each heading.

    Args:
        title: title of the chart.
        numbers: system -> heading -> number; undefined where there is none.
        notes: heading -> text beside it.
        axis: label of the axis.
        even: give both sides of 0 the same length.
    """
    colors = colors_of(numbers)
    rows = {
        head: [
            Row(system, [Mark(of_system.get(head, math.nan), color=colors[system], shape="bar")], note)
            for system, of_system in numbers.items()
        ]
        for head, note in notes.items()
    }
    return Points(title, headed(rows), axis, even=even)


def shares_by_system(
    labels: Sequence[str], groups: Sequence[str], systems: Mapping[str, Mapping[str, Mapping[str, Any]]]
) -> list[Panel]:
    """Draw the share of each label by group and system.

    Source: Dhamala et al. 2021, figures 3, 4 and 5, rotated: groups from top to bottom, and in each group a bar for
    each system.
    """
    found = [row for of_system in systems.values() for row in of_system.values()]
    if parts := exclusive([row["shares"] for row in found]):
        bars = []
        for group in groups:
            bars.append(Row(group))
            for system, of_system in systems.items():
                if row := of_system.get(group):
                    marks = [Mark(row["shares"][part.name]) for part in parts]
                    bars.append(Row(system, marks, f"n = {row['n']}"))
        return [Bars("What each group's texts are", parts, bars, "Fraction of a group's texts")]
    notes = {
        group: f"n = {max(of_system[group]['n'] for of_system in systems.values() if group in of_system)}"
        for group in groups
    }
    return [
        by_system(
            label,
            {name: {group: row["shares"][label] for group, row in rows.items()} for name, rows in systems.items()},
            notes,
            "Fraction of a group's texts with the label",
        )
        for label in labels
    ]
