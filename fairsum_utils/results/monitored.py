"""What monitoring gives back: windows of a stream, and the evidence that they have changed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairsum_utils.results.run import Run
from fairsum_utils.results.shown import Results, frame

if TYPE_CHECKING:
    import pandas

    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.tables import Part

__all__ = ["ALARM", "EXIT_STATUS", "QUIET", "UNDECIDED", "Monitored"]

ALARM, QUIET, UNDECIDED = "alarm", "quiet", "undecided"
"""What a monitor says."""

EXIT_STATUS = {QUIET: 0, ALARM: 1, UNDECIDED: 3}
"""What it says -> exit status of the command; 2 is that of bad input."""

_COLUMNS = ("measure", "window", "score", "low", "high", "n_samples", "evidence", "alarm")
"""Of a data frame."""


class Monitored(Results):
    """What `Monitor.results` gives: label -> what was found, a dict that shows, draws and saves itself.

    Each has ``status`` (``"alarm"``, ``"quiet"`` or ``"undecided"``), ``alarm`` (the window at which the evidence first
    reached the bar, or None), ``since`` (the window with which the change most likely began), ``baseline``,
    ``evidence`` (the most there has been) and ``bar``, ``visible`` (the smallest shift since the first window that
    these windows would have shown in four of five streams, about) and ``windows``, each with ``name``, ``score``,
    ``ci``, ``n_samples``, ``evidence`` and ``alarm``.

    Attributes:
        status: of all of them: any alarm, else any undecided, else quiet.
        about: the status and the settings of the monitor.
        title: of the baseline.
        run: how the results came about.
    """

    kind = "monitor"

    def __init__(
        self, results: Mapping[str, Any], /, *, title: str, about: Mapping[str, Any], run: Run | None = None
    ) -> None:
        super().__init__(results)
        self.title, self.about, self.run = title, dict(about), run or Run()

    @property
    def status(self) -> str:
        """Any alarm, else any undecided, else quiet."""
        return str(self.about["status"])

    @property
    def exit_status(self) -> int:
        """That of ``fairsum monitor``: 0 quiet, 1 alarm, 3 too few samples to tell."""
        return EXIT_STATUS[self.status]

    def to_pandas(self) -> pandas.DataFrame:
        """A row a measure and window.

        Returns:
            A data frame with ``measure``, ``window``, ``score``, ``low`` and ``high`` (its interval, NaN without one),
            ``n_samples``, ``evidence`` and ``alarm``.

        Raises:
            MissingDependencyError: pandas is not installed.
        """
        rows = []
        for label, result in self.items():
            for window in result["windows"]:
                low, high = window["ci"] or (math.nan, math.nan)
                score = math.nan if window["score"] is None else window["score"]
                numbers = (label, window["name"], score, low, high)
                told = (window["n_samples"], window["evidence"], window["alarm"])
                rows.append(dict(zip(_COLUMNS, (*numbers, *told), strict=True)))
        return frame(rows, _COLUMNS)

    def _measures(self) -> dict[str, str]:
        return {label: result["measure"] for label, result in self.items()}

    def _parts(self) -> list[Part]:
        from fairsum_utils.reports.monitoring import parts_of

        return parts_of({**self._titles(), "metrics": dict(self)})

    def _draw(self, labels: Sequence[str]) -> Drawing:
        from fairsum_utils.reports.drawings.monitoring import draw_monitored

        return draw_monitored(self.title, {label: self[label] for label in labels})

    def _title(self) -> str:
        return self.title

    def _titles(self) -> dict[str, Any]:
        return {"baseline": self.title, **self.about}

    def _document(self) -> dict[str, Any]:
        return {**self._titles(), "kind": self.kind, "metrics": dict(self), "run": self.run.described(None)}
