"""The results of a combination: those of measures and of other modules, all in one dict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_utils.results.scores import ScoreResults
from fairsum_utils.results.shown import ByValue, Results

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Cell, Part

__all__ = ["CombinedResults", "combined", "flat_names"]


class CombinedResults(ByValue):
    """What a `combine`\\ d call gives: all results in one flat dict, which shows itself.

    Attributes:
        measures: label -> result, of the measures of this package.
        others: label -> name in the dict -> result, of other modules.
        order: the labels of both, in their order.

    Example:
        >>> from fairsum_utils import combine
        >>> sources, values = [["Tasty.", "Awful."]], [["pos", "neg"]]
        >>> found = combine(["uer"]).compute(predictions=["Tasty."], sources=sources, values=values)
        >>> found["uer_n_samples"], found.measures["uer"]["n_samples"]
        (1, 1)
    """

    def __init__(
        self,
        results: Mapping[str, Any],
        /,
        *,
        measures: ScoreResults,
        others: Mapping[str, Mapping[str, Any]],
        order: Sequence[str],
    ) -> None:
        super().__init__(results)
        self.measures, self.others, self.order = measures, others, tuple(order)

    def _whole(self) -> Results:
        return self.measures

    def _told(self) -> list[Part]:
        return [*super()._told(), *self._more()]

    def _saved(self) -> dict[str, Any]:
        return {**super()._saved(), "kind": "combine", "others": self.others, "order": list(self.order)}

    def _more(self) -> list[Part]:
        """A table of the other modules' numbers."""
        from fairsum_utils.reports.tables import Table

        rows: list[list[Cell]] = [
            [name, number]
            for results in self.others.values()
            for name, number in results.items()
            if isinstance(number, (int, float))
        ]
        return [Table(["other modules", "result"], rows)] if rows else []


def flat_names(label: str, measure: str, result: Mapping[str, Any]) -> dict[str, str]:
    """Key of a measure's result -> its name where all results are in one dict.

    Args:
        label: what the measure is called there.
        measure: its name.
        result: of the measure.

    Example:
        >>> flat_names("bur", "bur", {"bur": 1.0, "bur_ci": [1.0, 1.0], "n_samples": 1})
        {'bur': 'bur', 'bur_ci': 'bur_ci', 'n_samples': 'bur_n_samples'}
    """
    has_name = {key for key in result if label == measure and f"{key}_".startswith(f"{label}_")}
    return {key: key if key in has_name else f"{label}_{key}" for key in result}


def combined(measures: ScoreResults, others: Mapping[str, Mapping[str, Any]], order: Sequence[str]) -> CombinedResults:
    """All results in one dict.

    Args:
        measures: of the measures of this package.
        others: label -> name in the dict -> result, of other modules.
        order: the labels of both, in the order of the dict.
    """
    flat: dict[str, Any] = {}
    chosen = measures._measures()
    for label in order:
        if label in measures:
            names = flat_names(label, chosen[label], measures[label])
            flat |= {name: measures[label][key] for key, name in names.items()}
        else:
            flat |= others[label]
    return CombinedResults(flat, measures=measures, others=others, order=order)
