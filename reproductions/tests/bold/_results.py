"""Results of a labelled-text measure, from counts."""

from __future__ import annotations

from typing import Any


def results(sizes: dict[str, int], measure: str = "sentiment", **counts: tuple[int, ...]) -> dict[str, dict[str, Any]]:
    """Make a result of texts by group, from the texts of each group that have each label."""
    n = sum(sizes.values())
    by_group = {
        group: {label: of_label[place] for label, of_label in counts.items()} for place, group in enumerate(sizes)
    }
    shares = {label: sum(of_label) / n for label, of_label in counts.items()}
    return {measure: {measure: 0.0, "counts_by_group": by_group, "n_by_group": sizes, "proportions": shares}}
