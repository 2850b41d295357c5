"""The drawing of sentiment, toxicity, regard, gender polarity and norms: how many texts of each group have a label."""

from __future__ import annotations

from fairsum_utils.measures import get_measure
from fairsum_utils.reports.base import Record, Results
from fairsum_utils.reports.drawings.chart import Mark, Panel, Row
from fairsum_utils.reports.palette import colours_of
from fairsum_utils.reports.tables import number

__all__ = ["panels"]


def panels(results: Results) -> list[Panel]:
    """A panel a measure: for each label a bar a group, and the share among all texts.

    Args:
        results: measure -> result.
    """
    return [_panel(name, result) for name, result in results.items()]


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
