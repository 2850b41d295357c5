"""Results of comparing two or more systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_utils.errors import InputError
from fairsum_utils.io.names import stems
from fairsum_utils.results.record import FORMAT_VERSION, Run
from fairsum_utils.results.results import Results, Shown, frame

if TYPE_CHECKING:
    import pandas

    from fairsum_utils.reports.svg import Drawing
    from fairsum_utils.reports.tables import Part


def check_labels(labels: Sequence[str]) -> None:
    """Refuse anything but two different names of systems."""
    if len(labels) != 2 or len(set(labels)) != 2 or not all(labels):
        raise InputError(f"compare: labels must be two different names, found {', '.join(labels) or 'none'}")


class MeasureComparison(Shown):
    """Comparison of two systems by one measure: a dict with views.

    Attributes:
        label: Label of the measure.
        systems: Names of the two systems.
        labels: their short names, for the columns of tables.
        run: Record of the run.
    """

    def __init__(
        self,
        result: Mapping[str, Any],
        /,
        *,
        label: str,
        systems: Sequence[str] = "AB",
        labels: Sequence[str] = "AB",
        run: Run | None = None,
    ) -> None:
        super().__init__(result)
        self.label, self.systems, self.labels, self.run = label, tuple(systems), tuple(labels), run or Run()

    def _whole(self) -> Results:
        return Comparison({self.label: self}, systems=self.systems, labels=self.labels, run=self.run)


class Comparison(Results):
    """Result of `fairsum_utils.compare`: measure -> comparison, a dict that shows itself.

    Attributes:
        systems: Names of the two systems, the baseline first.
        labels: their short names, for the columns of tables, for figures and pages.
        run: Record of the run.

    Example:
        >>> from fairsum_utils import compare
        >>> sources, values = [["Tasty soup.", "Awful soup."]] * 2, [["pos", "neg"]] * 2
        >>> found = compare(["Tasty."] * 2, ["Tasty, awful."] * 2, sources, values, metrics=["uer"])
        >>> found["uer"]["difference"], found.to_csv().splitlines()[0]
        (-0.25, 'table,measure,A,B,B - A,95% CI low,95% CI high,p,A at random,B at random,group')
    """

    kind = "compare"

    def __init__(
        self,
        results: Mapping[str, Any] = {},
        /,
        *,
        systems: Sequence[str] = "AB",
        labels: Sequence[str] = "AB",
        run: Run | None = None,
    ) -> None:
        check_labels(labels)
        self.systems, self.labels, self.run = tuple(systems), tuple(labels), run or Run()
        names: dict[str, Any] = {"systems": self.systems, "labels": self.labels, "run": self.run}
        super().__init__({label: MeasureComparison(result, label=label, **names) for label, result in results.items()})

    def _parts(self) -> list[Part]:
        from fairsum_utils.reports.comparison import parts_of

        parts: list[Part] = []
        for more, view in self._views():
            a, b = (f"{system}{more}" for system in self.systems)
            parts += parts_of({**self._titles(), "a": a, "b": b, "metrics": view})
        return parts

    def _draw(self, labels: Sequence[str]) -> Drawing:
        from fairsum_utils.reports.figures import draw_comparison

        measures = self._measures()
        return draw_comparison(self.systems, [(label, measures[label], self[label]) for label in labels], self.labels)

    def _systems(self) -> list[str]:
        return stems(self.systems) if self.labels == ("A", "B") else list(self.labels)

    def _titles(self) -> dict[str, Any]:
        labels = {} if self.labels == ("A", "B") else {"labels": list(self.labels)}
        return {"format_version": FORMAT_VERSION, **dict(zip("ab", self.systems, strict=True)), **labels}


class SystemComparison(Results):
    """Result of `fairsum_utils.compare_systems`, a dict that shows itself.

    Attributes:
        run: Record of the run.

    Example:
        >>> from fairsum_utils import compare_systems
        >>> systems, sources = {"lead": ["Tasty."], "both": ["Tasty, awful."]}, [["Tasty soup.", "Awful soup."]]
        >>> found = compare_systems(systems, sources, [["pos", "neg"]], metrics=["uer"])
        >>> found["metrics"]["uer"]["differences"][0]["difference"], found.to_pandas()["system"].tolist()
        (-0.25, ['lead', 'both'])
    """

    kind = "compare_systems"

    def __init__(self, document: Mapping[str, Any], /, *, run: Run | None = None) -> None:
        super().__init__(document)
        self.run = run or Run()

    def to_pandas(self) -> pandas.DataFrame:
        """Return a row per measure and system.

        Returns:
            A data frame with ``measure``, ``system``, ``score``, ``low`` and ``high`` (its interval),
            ``at_random``, its chance level, if there is one, ``rank``, and of its difference from the baseline
            ``difference``, ``difference_low``, ``difference_high``, ``p_value`` and ``p_value_corrected``, which are
            NaN for the baseline and where all pairs were compared.
        """
        from fairsum_utils.reports.frames import SYSTEM_COLUMNS, system_rows

        return frame(system_rows(self), SYSTEM_COLUMNS)

    def _systems(self) -> list[str]:
        return [*self["systems"]]

    def _results(self) -> dict[str, Any]:
        return dict(self["metrics"])

    def _parts(self) -> list[Part]:
        from fairsum_utils.reports.comparison import parts_of

        return parts_of(self)

    def _draw(self, labels: Sequence[str]) -> Drawing:
        from fairsum_utils.reports.figures import draw_systems

        return draw_systems(self, labels)

    def _document(self) -> dict[str, Any]:
        n_rows = max(system["n_samples"] for system in self["systems"].values())
        return {"format_version": FORMAT_VERSION, **self, "kind": self.kind, "run": self.run.described(n_rows)}
