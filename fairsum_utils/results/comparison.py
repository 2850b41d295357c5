"""Results of comparing systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_utils.results.record import FORMAT_VERSION, Run
from fairsum_utils.results.results import Shown, ShownResults

if TYPE_CHECKING:
    from fairsum_utils.reports.panels import Drawing
    from fairsum_utils.reports.tables import Part


class MeasureComparison(Shown):
    """Comparison of systems by one measure: a dict with views.

    If only one difference is listed, as of two systems, its entries can be read from the comparison:
    ``result["p_value"]`` is ``result["differences"][0]["p_value"]``.

    Attributes:
        label: label of the measure.
        comparison: comparison by all measures.
    """

    def __init__(self, result: Mapping[str, Any], /, *, label: str, comparison: Comparison) -> None:
        super().__init__(result)
        self.label, self.comparison = label, comparison

    def __missing__(self, key: str) -> Any:
        differences = self.get("differences", ())
        if len(differences) == 1 and key in differences[0]:
            return differences[0][key]
        if any(key in difference for difference in differences):
            raise KeyError(f"{key}: there are {len(differences)} differences; read one, such as ['differences'][0]")
        raise KeyError(key)

    def whole(self) -> ShownResults:
        """Return the comparison by this measure."""
        return self.comparison.only([self.label])


class Comparison(ShownResults):
    """Result of `fairsum_utils.compare`: measure -> comparison, a dict that shows itself.

    Attributes:
        baseline: name of the baseline; None if all pairs are listed.
        systems: name of a system -> number of samples, lengths and other qualities of its summaries.
        warnings: warnings about all measures together, such as of a system that looks fairer and says less.
        run: record of the run.

    Example:
        >>> from fairsum_utils import compare
        >>> sources, values = [["Tasty soup.", "Awful soup."]] * 2, [["pos", "neg"]] * 2
        >>> found = compare({"lead": ["Tasty."] * 2, "both": ["Tasty, awful."] * 2}, sources, values, metrics=["uer"])
        >>> found["uer"]["difference"], found.baseline, found.to_pandas()["system"].tolist()
        (-0.25, 'lead', ['lead', 'both'])
    """

    kind = "compare"

    def __init__(
        self,
        results: Mapping[str, Any] = {},
        /,
        *,
        baseline: str | None = None,
        systems: Mapping[str, Mapping[str, Any]] = {},
        warnings: Sequence[Mapping[str, Any]] = (),
        run: Run | None = None,
    ) -> None:
        self.baseline, self.run = baseline, run or Run()
        self.systems: dict[str, dict[str, Any]] = {name: dict(qualities) for name, qualities in systems.items()}
        self.warnings = [dict(warning) for warning in warnings]
        super().__init__(
            {label: MeasureComparison(result, label=label, comparison=self) for label, result in results.items()}
        )

    def only(self, labels: Iterable[str]) -> Comparison:
        """Return the comparison by some of the measures."""
        chosen = {label: self[label] for label in labels}
        return Comparison(chosen, baseline=self.baseline, systems=self.systems, warnings=self.warnings, run=self.run)

    def _rows(self) -> tuple[list[dict[str, Any]], Sequence[str]]:
        from fairsum_utils.reports.frames import SYSTEM_COLUMNS, system_rows

        return system_rows(self.baseline, self), SYSTEM_COLUMNS

    def _parts(self) -> list[Part]:
        from fairsum_utils.reports.comparison import parts_of
        from fairsum_utils.reports.tables import notes_last

        views = list(self.views())
        parts = [part for named, view in views for part in parts_of({**self._titles(), "metrics": view}, named)]
        return notes_last(parts) if len(views) > 1 else parts

    def _draw(self, labels: Sequence[str]) -> Drawing:
        from fairsum_utils.reports.charts import draw_systems

        return draw_systems(self.only(labels).document(), self.measure_by_label())

    def _titles(self) -> dict[str, Any]:
        about = {"baseline": self.baseline, "systems": self.systems, "warnings": self.warnings}
        return {"format_version": FORMAT_VERSION, **about}
