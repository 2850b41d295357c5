"""The results of scoring: of a measure, and of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_utils.results.run import Run
from fairsum_utils.results.shown import ByValue, Results

if TYPE_CHECKING:
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.tables import Part

__all__ = ["IN_MEMORY", "MeasureResult", "ScoreResults"]

IN_MEMORY = "in memory"
"""The title of what was not read from a file."""


class MeasureResult(ByValue):
    """What `fairsum_utils.compute` gives: the result of a measure, a dict that shows itself.

    Attributes:
        label: what the measure was called.
        title: what was scored.
        run: how the result came about.

    Example:
        >>> from fairsum_utils import compute
        >>> result = compute("uer", predictions=["Tasty."], sources=[["Tasty.", "Awful."]], values=[["pos", "neg"]])
        >>> result["uer"], isinstance(result, dict)
        (0.25, True)
        >>> print(result.to_markdown().splitlines()[5])
        | UER (Unfair Error Rate) | 0.2500 |
    """

    def __init__(
        self, result: Mapping[str, Any] = {}, /, *, label: str = "", title: str = IN_MEMORY, run: Run | None = None
    ) -> None:
        super().__init__(result)
        self.run = run or Run()
        self.title = title
        self.label = label or self.run.measure(label, result)

    def _whole(self) -> Results:
        return ScoreResults({self.label: self}, title=self.title, run=self.run)


class ScoreResults(Results, ByValue):
    """What `fairsum_utils.score` gives: measure -> its result, a dict that shows itself.

    Attributes:
        title: what was scored.
        run: how the results came about.

    Example:
        >>> from fairsum_utils import score
        >>> results = score(["Tasty."], [["Tasty.", "Awful."]], [["pos", "neg"]], metrics=["bur", "uer"])
        >>> results["uer"]["uer"], isinstance(results, dict)
        (0.25, True)
        >>> print(results.to_csv().splitlines()[1])
        BUR (Binary Unfair Rate),1.0,1.0
    """

    kind = "score"

    def __init__(self, results: Mapping[str, Any] = {}, /, *, title: str = IN_MEMORY, run: Run | None = None) -> None:
        self.title, self.run = title, run or Run()
        super().__init__(
            {label: MeasureResult(result, label=label, title=title, run=self.run) for label, result in results.items()}
        )

    def _parts(self) -> list[Part]:
        from fairsum_utils.reports.report import parts_of

        return [part for more, view in self._views() for part in parts_of(f"{self.title}{more}", view)]

    def _draw(self, labels: Sequence[str]) -> Drawing:
        from fairsum_utils.reports.drawings import draw

        chosen = ScoreResults({label: self[label] for label in labels}, title=self.title, run=self.run)
        return draw([(f"{self.title}{more}", view) for more, view in chosen._views()])

    def _title(self) -> str:
        from fairsum_utils.reports.page.redacting import file_name

        return file_name(self.title)

    def _titles(self) -> dict[str, Any]:
        return {} if self.title == IN_MEMORY else {"file": self.title}
