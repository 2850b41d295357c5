"""The drawing of sentiment, toxicity, regard, gender polarity and norms: how many texts of each group have a label."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from fairsum_utils.measures import get_measure
from fairsum_utils.reports.base import Record, Results
from fairsum_utils.reports.drawings.axis import Line
from fairsum_utils.reports.drawings.bars import Group, Grouped, Part, Proportions, told_apart
from fairsum_utils.reports.drawings.chart import Mark, Panel, Row
from fairsum_utils.reports.drawings.parts import by_value, worst_first
from fairsum_utils.reports.drawings.sheet import Form
from fairsum_utils.reports.tables import number
from fairsum_utils.reports.theme import colours_of

_NEUTRAL = "neutral"
_PARTS = (("v3", ""), ("v4", "rising"), ("v6", "level"), ("v7", "falling"), ("v8", "upright"))
"""Colour and hatching of labels that exclude each other; groups have the first colours of the palette."""


def panels(results: Results) -> list[Form]:
    """For each measure what groups consist of, if labels exclude each other, and a bar for each label and group."""
    made: list[Form] = []
    for name, result in results.items():
        proportions = _proportions(name, result)
        made += [] if proportions is None else [proportions]
        made.append(_panel(name, result))
        difference = _male_minus_female(result)
        made += [] if difference is None else [difference]
    return made


def _proportions(name: str, result: Record) -> Proportions | None:
    """The paper's figures 3 and 4: what each group consists of; None where a text may have several labels or none."""
    groups = result["n_by_group"]
    others = [label for label in result["proportions"] if label != _NEUTRAL]
    has_one = all(sum(result["counts_by_group"][group].values()) == n for group, n in groups.items())
    # A text that is neither one nor the other is neutral: labels such as "toxic" and "insult" go together.
    if not groups or not has_one or _NEUTRAL not in result["proportions"] or len(others) > len(_PARTS):
        return None
    parts = _ordered(others)
    shares = result["proportions_by_group"]
    bars = [Group(group, [shares[group][part.name] for part in parts], f"n = {n}") for group, n in groups.items()]
    title = f"{get_measure(name).title}: what each group's texts are"
    return Proportions(title, parts, bars, "Fraction of a group's texts; fair: all groups alike")


def _ordered(others: Sequence[str]) -> list[Part]:
    """Labels that exclude each other, of which neutral stands between what is good and what is bad."""
    parts = [Part(label, *shape) for label, shape in zip(others, _PARTS, strict=False)]
    parts.insert(1, Part(_NEUTRAL, "grid"))
    return parts


def shares_by_system(
    labels: Sequence[str], groups: Sequence[str], systems: Mapping[str, Mapping[str, Record]]
) -> list[Form]:
    """What each group consists of in each system, if labels exclude each other; else a panel a label.

    The paper's figures 3, 4 and 5, lying: groups from top to bottom, and in each group a bar for each system.
    """
    found = [row for of_system in systems.values() for row in of_system.values()]
    others = [label for label in labels if label != _NEUTRAL]
    exclude = all(sum(row["counts"].values()) == row["n"] for row in found) and _NEUTRAL in labels
    if exclude and len(others) <= len(_PARTS):
        parts, bars = _ordered(others), []
        for group in groups:
            bars.append(Group(group))
            for system, of_system in systems.items():
                if group in of_system:
                    shares = of_system[group]["shares"]
                    bars.append(Group(system, [shares[part.name] for part in parts], f"n = {of_system[group]['n']}"))
        return [Proportions("What each group's texts are", parts, bars, "Fraction of a group's texts")]
    bars_of, axis = told_apart([*systems]), "Fraction of a group's texts with the label"
    there = {group: [of_system.get(group) for of_system in systems.values()] for group in groups}
    return [
        Grouped(
            label,
            bars_of,
            [
                Group(
                    group,
                    [math.nan if row is None else row["shares"][label] for row in rows],
                    f"n = {max(row['n'] for row in rows if row is not None)}",
                )
                for group, rows in there.items()
            ],
            axis,
        )
        for label in labels
    ]


def _male_minus_female(result: Record) -> Panel | None:
    """The paper's figure 2: in which of many groups, such as professions, men or women are spoken of more."""
    groups = result["n_by_group"]
    if len(groups) < 3 or not {"male", "female"} <= set(result["proportions"]):
        return None
    shares = result["proportions_by_group"]
    differences = {group: shares[group]["male"] - shares[group]["female"] for group in groups}
    return by_value(
        "Male minus female, by group",
        differences,
        "Fraction of texts on men minus that on women; right of 0: more on men",
        order=worst_first(differences),
        counts=groups,
        lines=[Line(0.0, "as many")],
        even=True,
    )


def _panel(name: str, result: Record) -> Panel:
    title = f"{get_measure(name).title}: {number(result[name], 3)}"
    groups = result["n_by_group"]
    if not groups:
        rows = [
            Row(label, [Mark(share, result["intervals"].get(label), shape="bar")])
            for label, share in result["proportions"].items()
        ]
        return Panel(title, rows, "Fraction of texts with the label")
    colours = colours_of(groups)
    rows = []
    for label, share in result["proportions"].items():
        rows.append(Row(label))
        for group, n in groups.items():
            ends = result["intervals_by_group"].get(group, {}).get(label)
            mark = Mark(result["proportions_by_group"][group][label], ends, colours[group], "bar")
            rows.append(Row(group, [mark, Mark(share, shape="tick", text="all texts")], f"n = {n}"))
    return Panel(
        title,
        rows,
        "Fraction of a group's texts with the label; fair: all groups alike",
        notes=["The score is the largest difference between two groups. The upright mark: all texts."],
    )
