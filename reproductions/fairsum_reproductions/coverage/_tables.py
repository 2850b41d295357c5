"""What the paper's tables have in common: a row a system, a column a data set, significant numbers marked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Cell, Marked, Table

SIGNIFICANT = 0.05
"""Below it a p-value is significant. Source: papers/coverage-fairness, tables 2, 4 and 5."""


def starred(number: float, p_value: float) -> Marked:
    """A number with three digits, and a star if it is significant.

    Example:
        >>> str(starred(0.1234, 0.01)), str(starred(0.1234, 0.05))
        ('0.123*', '0.123')
    """
    from fairsum_utils.reports.tables import Marked

    return Marked(number, "*" if p_value < SIGNIFICANT else "", 3)


def place_of(system: str, data_set: str, what: str = "") -> str:
    """The words for a number of a system on a data set, each of which may have no name.

    Args:
        system: its name.
        data_set: its name.
        what: the number is, where nothing has a name.

    Example:
        >>> place_of("gpt4", "amazon"), place_of("", "", "rho")
        ('gpt4 on amazon', 'rho')
    """
    return " on ".join(filter(None, (system, data_set))) or what


def systems_table(
    systems: Mapping[str, Mapping[str, Any]], cell: Callable[[Any], Cell], *, title: str, single: str
) -> Table:
    """A row a system, a column a data set.

    Args:
        systems: system -> data set -> what there is.
        cell: from that to what is shown.
        title: above the table.
        single: names the column of a data set that has no name.

    Example:
        >>> systems_table({"gpt4": {"yelp": 1}, "llama": {"iq2": 2}}, float, title="Scores", single="score")[:2]
        (['system', 'yelp', 'iq2'], [['gpt4', 1.0, None], ['llama', None, 2.0]])
    """
    from fairsum_utils.reports.tables import Table

    data_sets = list(dict.fromkeys(name for row in systems.values() for name in row))
    rows: list[list[Cell]] = [
        [system or "all", *(cell(row[name]) if name in row else None for name in data_sets)]
        for system, row in systems.items()
    ]
    return Table(["system", *(name or single for name in data_sets)], rows, title=title)
